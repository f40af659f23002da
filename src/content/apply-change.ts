import {
  checkDocument,
  ContentError,
  type DocumentRecord,
  type PageNode,
  type PagePatch,
  toMarkdown,
  type TreeEditor,
} from '../revisions/index.js';
import type { ChangeDto, InsertPageDto, UpdatePageDto } from './dto/change-content.dto.js';
import type { PageFields } from './dto/page-fields.dto.js';
import { fromFrontMatter, ownTitle, withoutEmpty } from './page-metadata.js';

/** What became of one page of a batch. */
export type Touched =
  | { kind: 'created'; page: string; ref?: string }
  | { kind: 'updated'; page: string }
  /** `below`: pages that went with it. */
  | { kind: 'deleted'; page: string; below?: string[] };

/** Title of a page that has none of its own. */
const UNTITLED = 'Untitled';

/**
 * The text that `change` gives its page, or `undefined` when it gives none.
 * @throws ContentError for a text that is given twice or has the wrong form.
 */
export function markdownOf(change: ChangeDto): string | undefined {
  if (change.operation === 'delete_page' || change.document === undefined) return undefined;
  const { markdown, document } = change.document;
  if (markdown !== undefined && document !== undefined) {
    throw new ContentError('invalid', 'document takes either markdown or document, not both', 'document');
  }
  return document === undefined ? (markdown ?? '') : toMarkdown(checkDocument(document));
}

/**
 * Applies one entry of a batch.
 *
 * @param text The stored text of {@link markdownOf}.
 * @throws ContentError when the content rules refuse it.
 */
export async function applyChange(
  editor: TreeEditor,
  change: ChangeDto,
  text: DocumentRecord | undefined,
): Promise<Touched> {
  switch (change.operation) {
    case 'insert_page':
      return insert(editor, change, text);
    case 'update_page':
      return update(editor, change, text);
    case 'delete_page': {
      const [, ...below] = await editor.deletePage(change.page);
      return { kind: 'deleted', page: change.page, below: below.map(({ id }) => id) };
    }
  }
}

async function insert(editor: TreeEditor, change: InsertPageDto, text: DocumentRecord | undefined): Promise<Touched> {
  const { type = 'document', into, at, ref } = change;
  checkKind(change, type);
  const matter = fromFrontMatter(text?.frontMatter);
  const { title: given, ...fields } = { ...fieldsOf(change), ...matter };
  const title = matter.title ?? ownTitle(text) ?? given ?? UNTITLED;
  const draft = { ...withoutEmpty(fields), kind: type, title, ...(change.slug !== undefined && { slug: change.slug }) };
  const kind = {
    ...(text && { document: text._id }),
    ...(type === 'link' && { target: await targetOf(editor, change) }),
  };
  const page = await editor.insertPage({ ...draft, ...kind }, { into: into ?? null, ...(at !== undefined && { at }) });
  return { kind: 'created', page: page.id, ...(ref !== undefined && { ref }) };
}

async function update(editor: TreeEditor, change: UpdatePageDto, text: DocumentRecord | undefined): Promise<Touched> {
  const { page: id, into, at } = change;
  const page = await editor.findPage(id);
  if (!page) throw new ContentError('missing', `there is no page ${id}`, 'page');
  if (text && page.kind !== 'document')
    throw new ContentError('invalid', `a ${page.kind} page has no text`, 'document');
  const fields = { ...fieldsOf(change), ...fromFrontMatter(text?.frontMatter) };
  const patch: PagePatch = {
    ...clearingEmpty(fields),
    ...(change.slug !== undefined && { slug: change.slug }),
    ...(text && { document: text._id }),
  };
  // first, and with its new name: what counts is whether that is free where the page goes
  if (into !== undefined || at !== undefined) {
    await editor.movePage(id, { into, at }, { title: fields.title, slug: change.slug });
  }
  await editor.updatePage(id, patch);
  return { kind: 'updated', page: id };
}

function checkKind({ document, target, into }: InsertPageDto, type: PageNode['kind']): void {
  if (type === 'document' && document === undefined) {
    throw new ContentError('invalid', 'document is required: {"markdown": "…"}, or {} for an empty page', 'document');
  }
  if (type !== 'document' && document !== undefined) {
    throw new ContentError('invalid', `a ${type} page has no document`, 'document');
  }
  if (type === 'link' && target === undefined)
    throw new ContentError('invalid', 'target is required for a link', 'target');
  if (type !== 'link' && target !== undefined) throw new ContentError('invalid', 'only a link has a target', 'target');
  if (type === 'group' && into !== undefined)
    throw new ContentError('invalid', 'a group stands at the root only', 'into');
}

/** Where a link leads; what it refers to must be there. */
async function targetOf(
  editor: TreeEditor,
  { target }: InsertPageDto,
): Promise<{ kind: 'url'; url: string } | { kind: 'page'; page: string }> {
  if (target?.kind === 'url' && target.url !== undefined) return { kind: 'url', url: target.url };
  if (target?.kind === 'page' && target.page !== undefined) {
    if (!(await editor.findPage(target.page)))
      throw new ContentError('missing', `target: there is no page ${target.page}`, 'target');
    return { kind: 'page', page: target.page };
  }
  throw new ContentError(
    'invalid',
    'target must be {"kind": "url", "url": …} or {"kind": "page", "page": …}',
    'target',
  );
}

/** The fields of a page that `change` names. */
function fieldsOf(change: PageFields): Omit<PageFields, 'slug'> {
  const { title, emoji, icon, description, hidden, noIndex, noRobotsIndex } = change;
  const fields = { title, emoji, icon, description, hidden, noIndex, noRobotsIndex };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** An empty text takes the present one away. */
function clearingEmpty(fields: object): PagePatch {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [name, value === '' ? null : value]),
  );
}
