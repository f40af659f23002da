import type { ContentTree, DocumentRecord, TreePage } from '../../revisions/index.js';
import { isPath, withoutAnchor } from './addresses.js';
import { type Reader, readMeanings } from './meanings.js';

/** What the addresses of a text lead to, by the address without its anchor: pages and files, by id. */
export type LinksAsRead = Readonly<Record<string, { page: string } | { file: string }>>;

/**
 * What the addresses of the texts of `pages`, as they are read and not as they were written, lead to in the space; pages
 * without any are left out. Whoever stores a text that was read elsewhere keeps its links with it.
 *
 * @param outlines The outlines of the texts, by their keys.
 */
export async function linksAsRead(
  tree: ContentTree,
  pages: readonly TreePage[],
  outlines: ReadonlyMap<string, Pick<DocumentRecord, 'links'>>,
): Promise<Map<string, LinksAsRead>> {
  const readers = pages.flatMap(({ node: { id, document }, path }): Reader[] => {
    const urls = outlines.get(document ?? '')?.links.map(({ url }) => url) ?? [];
    return path === null ? [] : [{ id, path, urls: [...new Set(urls.filter(isPath))] }];
  });
  const meanings = await readMeanings(tree, readers);
  const found = new Map<string, LinksAsRead>();
  for (const { id, urls } of readers) {
    const own = meanings.get(id);
    const entries = urls.flatMap((url): [string, { page: string } | { file: string }][] => {
      const ref = own?.of(url).ref;
      const address = withoutAnchor(own?.spelled(url) ?? url);
      if (ref?.kind === 'file') return [[address, { file: ref.file }]];
      const page = ref?.kind === 'page' || ref?.kind === 'anchor' ? ref.page : undefined;
      return page === undefined ? [] : [[address, { page }]];
    });
    if (entries.length > 0) found.set(id, Object.fromEntries(entries));
  }
  return found;
}
