import {
  ContentError,
  type LinkTarget,
  type PageDraft,
  type PageNode,
  type TreeEditor,
} from '../../revisions/index.js';
import { fromFrontMatter, MAX_TITLE, ownTitle, withoutEmpty } from '../page-metadata.js';
import type { Found, FoundPage } from './found.js';

/**
 * Adds what a source came to behind the pages that are there.
 *
 * @param blank Key of the empty text, for pages without one.
 */
export async function insertFound(editor: TreeEditor, found: Found, blank: string): Promise<void> {
  const { pages, files, reusableContents = [] } = found;
  for (const file of files) await editor.putFile(file);
  for (const content of reusableContents) editor.putReusableContent(content);
  const paths = new Map<string, string>();
  const insert = async (page: FoundPage, into: string | null): Promise<void> => {
    const { id, slug } = await insertPage(editor, draftOf(page, blank), into);
    if (slug !== undefined) paths.set(id, into === null ? slug : `${paths.get(into) ?? ''}/${slug}`);
    for (const child of page.children) await insert(child, id);
  };
  for (const page of pages) await insert(page, null);
  const all = flat(pages);
  // what addresses say, they say of the tree that they were written in
  for (const { id, path } of all) if (path !== undefined) paths.set(id, path);
  for (const page of all) setLinks(editor, page, paths);
}

function flat(pages: readonly FoundPage[]): FoundPage[] {
  return pages.flatMap((page) => [page, ...flat(page.children)]);
}

/** Inserts a page; a slug that was written by hand and is taken there is made anew from the title. */
async function insertPage(editor: TreeEditor, draft: PageDraft, into: string | null): Promise<PageNode> {
  try {
    return await editor.insertPage(draft, { into });
  } catch (error) {
    if (!(error instanceof ContentError) || error.reason !== 'taken' || draft.slugSet !== true) throw error;
    return editor.insertPage({ ...draft, slug: undefined, slugSet: false }, { into });
  }
}

function draftOf({ id, kind, title, fallback, text, url, source, fields }: FoundPage, blank: string): PageDraft {
  if (fields) {
    const document = kind === 'document' && { document: text?._id ?? blank };
    return { ...fields, id, kind, title: title ?? fallback, ...document, ...(source !== undefined && { source }) };
  }
  if (kind === 'link') return { id, kind, title: clean(title, fallback), target: { kind: 'url', url: url ?? '' } };
  if (kind === 'group') return { id, kind, title: clean(title, fallback) };
  const { title: given, ...metadata } = fromFrontMatter(text?.frontMatter);
  return {
    ...withoutEmpty(metadata),
    id,
    kind,
    title: clean(title ?? given ?? ownTitle(text), fallback),
    document: text?._id ?? blank,
    ...(source !== undefined && { source }),
  };
}

/** A title that a page can have. */
function clean(title: string | undefined, fallback: string): string {
  const [text = ''] = [title, fallback].map((one) => (one ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim()).filter(Boolean);
  // twice, since what is cut may be half of a pair, or a space
  const cut = text.slice(0, MAX_TITLE).toWellFormed().trim();
  return cut === '' ? 'Untitled' : cut;
}

/** Keeps, beside the text of `page`, what its addresses stand for. */
function setLinks(editor: TreeEditor, page: FoundPage, paths: ReadonlyMap<string, string>): void {
  const { id, text, target } = page;
  if (!text || !target) return;
  const to = new Map<string, LinkTarget>();
  for (const { url } of text.links) {
    const address = url.replace(/#.*$/s, '');
    const found = to.has(address) ? undefined : target(address);
    if (found?.page !== undefined) to.set(address, { page: found.page, path: paths.get(found.page) ?? null });
    else if (found) to.set(address, { file: found.file });
  }
  if (to.size > 0) editor.setLinks(id, { path: paths.get(id) ?? '', to: Object.fromEntries(to) });
}
