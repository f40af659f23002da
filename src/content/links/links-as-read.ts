import type { ContentTree, TreePage } from '../../revisions/index.js';
import { withoutAnchor } from './addresses.js';
import { type Reader, readMeanings } from './meanings.js';

/** What the addresses of a text lead to, by the address without its anchor: pages and files, by id. */
export type LinksAsRead = Readonly<Record<string, { page: string } | { file: string }>>;

/**
 * What the addresses of the texts of `pages`, as they are read and not as they were written, lead to; pages without any
 * are left out. Whoever stores a text that was read elsewhere keeps its links with it.
 */
export async function linksAsRead(tree: ContentTree, pages: readonly TreePage[]): Promise<Map<string, LinksAsRead>> {
  const kept = await tree.findLinks(pages.map(({ node }) => node.id));
  const readers = pages.flatMap(({ node: { id }, path }): Reader[] => {
    const links = kept.get(id);
    return links === undefined || path === null ? [] : [{ id, path, urls: Object.keys(links.to) }];
  });
  const meanings = await readMeanings(tree, readers);
  const found = new Map<string, LinksAsRead>();
  for (const { id, urls } of readers) {
    const own = meanings.get(id);
    const entries = urls.flatMap((url): [string, { page: string } | { file: string }][] => {
      const ref = own?.of(url).ref;
      const address = withoutAnchor(own?.spelled(url) ?? url);
      if (ref?.kind === 'file') return [[address, { file: ref.file }]];
      return ref?.kind === 'page' ? [[address, { page: ref.page }]] : [];
    });
    if (entries.length > 0) found.set(id, Object.fromEntries(entries));
  }
  return found;
}
