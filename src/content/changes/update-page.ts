import { ContentError, type DocumentRecord, type PageNode, type PagePatch } from '../../revisions/index.js';
import type { UpdatePageDto } from '../dto/page-changes.dto.js';
import { fromFrontMatter } from '../page-metadata.js';
import { checkComputed } from './computed-source.js';
import { checkRef } from './content-refs.js';
import { fieldsOf, looksOf } from './page-patch.js';
import type { Ground } from './ready-change.js';
import type { Touched } from './touched.js';

/** Changes a page, moves it, or both. @throws ContentError when the content rules refuse it. */
export async function updatePage(
  ground: Ground,
  { change, text }: { change: UpdatePageDto; text: DocumentRecord | undefined },
): Promise<Touched> {
  const { editor } = ground;
  const { page: id, into, at, slug } = change;
  const page = await editor.findPage(id);
  if (!page) throw new ContentError('missing', `There is no page ${id}`, 'page');
  checkBodies(change, page);
  const fields = { ...fieldsOf(change), ...fromFrontMatter(text?.frontMatter) };
  const patch: PagePatch = {
    ...clearingEmpty(fields),
    ...(await looksOf(ground, change, page.kind, page)),
    ...(slug !== undefined && { slug }),
    ...(text && { document: text._id }),
    ...(change.target && { target: await checkRef(ground, change.target, 'target') }),
    ...(change.computed && { computed: checkComputed(change.computed) }),
  };
  // first, and with its new name: what counts is whether that is free where the page goes
  if (into !== undefined || at !== undefined) {
    await editor.movePage(id, { into, at }, { title: fields.title, slug });
  }
  await editor.updatePage(id, patch);
  return { kind: 'updated', page: id };
}

function checkBodies(change: UpdatePageDto, { kind }: PageNode): void {
  const refuse = (message: string, name: string): ContentError => new ContentError('invalid', message, name);
  if (change.document && kind !== 'document') throw refuse(`a ${kind} page has no text`, 'document');
  if (change.target && kind !== 'link') throw refuse('only a link has a target', 'target');
  if (change.computed && kind !== 'computed') throw refuse(`a ${kind} page is not computed`, 'computed');
}

/** An empty text takes the present one away. */
function clearingEmpty(fields: object): PagePatch {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [name, value === '' ? null : value]),
  );
}
