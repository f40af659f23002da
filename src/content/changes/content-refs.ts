import { ContentError, type JsonObject, type TreeEditor } from '../../revisions/index.js';
import type { ContentRefDto, ContentRefKind } from '../dto/content-ref.dto.js';
import type { PageCoverDto } from '../dto/page-layout.dto.js';

type Field = Exclude<keyof ContentRefDto, 'kind'>;

/** The fields that a reference of each kind must have, and those that it can have. */
const FIELDS: Record<ContentRefKind, { needs: Field[]; takes?: Field[] }> = {
  url: { needs: ['url'] },
  page: { needs: ['page'], takes: ['space'] },
  // beside a text the page can be left out; a link page and a cover have none to mean
  anchor: { needs: ['anchor', 'page'], takes: ['space'] },
  file: { needs: ['file'] },
  space: { needs: ['space'] },
  user: { needs: ['user'] },
  collection: { needs: ['collection'] },
  'reusable-content': { needs: ['reusableContent'], takes: ['space'] },
  openapi: { needs: ['spec'] },
};

/** The content that references are checked against. */
export interface RefGround {
  editor: TreeEditor;
  /** Id of the space. */
  space: string;
}

/**
 * The reference that `given` is, with the fields of its kind alone; whether what it names is there is not looked at.
 *
 * @param name The property of the request.
 * @throws ContentError when a field is missing.
 */
export function refOfShape(given: ContentRefDto, name: string): JsonObject {
  const { needs, takes = [] } = FIELDS[given.kind];
  const missing = needs.find((field) => given[field] === undefined);
  if (missing !== undefined) throw new ContentError('invalid', `${name} of kind ${given.kind} needs ${missing}`, name);
  const fields = [...needs, ...takes].flatMap((field) => {
    const value = given[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { kind: given.kind, ...Object.fromEntries(fields) };
}

/**
 * As {@link refOfShape}, for a reference from the space of `ground`.
 *
 * @throws ContentError also when the page, file or reusable content that it names inside this space is not there
 * (decision 1.23). What it names elsewhere is not looked at: whether that is there is for the list of links to say, to
 * each reader what they may know.
 */
export async function checkRef(ground: RefGround, given: ContentRefDto, name: string): Promise<JsonObject> {
  const ref = refOfShape(given, name);
  await checkThere(ground, given, name);
  return ref;
}

/** The cover that `given` is. @throws ContentError when it shows neither a file of this space nor an address. */
export async function checkCover(ground: RefGround, { ref, refDark, yPos = 0 }: PageCoverDto): Promise<JsonObject> {
  const image = async (given: ContentRefDto, name: string): Promise<JsonObject> => {
    if (given.kind !== 'file' && given.kind !== 'url') {
      throw new ContentError('invalid', `${name} must be of kind file or url`, 'cover');
    }
    return checkRef(ground, given, name);
  };
  return {
    ...(ref && { ref: await image(ref, 'cover.ref') }),
    ...(refDark && { refDark: await image(refDark, 'cover.refDark') }),
    yPos,
  };
}

async function checkThere({ editor, space }: RefGround, ref: ContentRefDto, name: string): Promise<void> {
  const gone = (what: string, id: string): ContentError =>
    new ContentError('missing', `${name}: there is no ${what} ${id}`, name);
  if (ref.kind === 'file') {
    if (ref.file !== undefined && !(await editor.findFile(ref.file))) throw gone('file', ref.file);
    return;
  }
  if (ref.space !== undefined && ref.space !== space) return;
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    if (ref.page !== undefined && !(await editor.findPage(ref.page))) throw gone('page', ref.page);
  }
  if (ref.kind === 'reusable-content' && ref.reusableContent !== undefined) {
    if (!(await editor.findReusableContent(ref.reusableContent))) throw gone('reusable content', ref.reusableContent);
  }
}
