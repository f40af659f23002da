import type { ContentTree, TreePage } from '../../revisions/index.js';

/** From how many pages on reading all of them is cheaper than reading what is below each. */
const MANY = 20;

/** Ids of those of `pages` that are in `tree`, and of all pages below them. */
export async function withBelow(tree: ContentTree, pages: readonly string[]): Promise<string[]> {
  const all = pages.length > MANY ? (await tree.tree()).byId : undefined;
  const open: TreePage[] = [];
  for (const id of pages) {
    const page = all ? all.get(id) : await tree.findTreePage(id);
    if (page) open.push(page);
  }
  const found = new Set<string>();
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    if (found.has(page.node.id)) continue;
    found.add(page.node.id);
    for (const child of page.pages) open.push(child);
  }
  return [...found];
}
