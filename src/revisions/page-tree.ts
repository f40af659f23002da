import { asPage, PAGES, type PageNode } from './entries.js';
import type { ChunkMap } from './chunk-map.js';

/** A page with what follows from its place, and the pages below it in reading order. */
export interface TreePage {
  readonly node: PageNode;
  /** Slugs from the top, joined with `/`; `null` for links and computed pages. */
  readonly path: string | null;
  /** 1 at the top. */
  readonly depth: number;
  /** Out of our search, by its own flag or one above it. */
  readonly noIndex: boolean;
  /** Out of web crawlers, by its own flag or one above it. */
  readonly noRobotsIndex: boolean;
  readonly pages: readonly TreePage[];
}

/** All pages of a revision; frozen, so it can be shared. */
export interface PageTree {
  readonly pages: readonly TreePage[];
  readonly byId: ReadonlyMap<string, TreePage>;
  /** Id of the first document in reading order, the landing page; `null` without documents. */
  readonly landing: string | null;
  /** About how much memory it takes, bytes. */
  readonly size: number;
}

/** What follows for a page from those above it and itself. */
export type PlaceInTree = Pick<TreePage, 'path' | 'depth' | 'noIndex' | 'noRobotsIndex'>;
/** Where the pages at the top lie. */
export const TOP: PlaceInTree = { path: null, depth: 0, noIndex: false, noRobotsIndex: false };
/** Bytes of a page's node and its place in the tree, by measurement. */
const PAGE_SIZE = 1200;

/** Reads all pages of `map` and builds their tree. */
export async function readPageTree(map: ChunkMap): Promise<PageTree> {
  const byParent = new Map<string | null, PageNode[]>();
  for (const { value } of await map.scan(PAGES)) {
    const node = asPage(value);
    if (node === null) continue;
    const siblings = byParent.get(node.parent);
    if (siblings === undefined) byParent.set(node.parent, [node]);
    else siblings.push(node);
  }
  for (const siblings of byParent.values()) siblings.sort((a, b) => (a.order < b.order ? -1 : 1));
  const byId = new Map<string, TreePage>();
  const pages = build(null, TOP, byParent, byId);
  return Object.freeze({ pages, byId, landing: firstDocument(pages)?.node.id ?? null, size: byId.size * PAGE_SIZE });
}

/** What `node` makes of what is above it. */
export function below(above: PlaceInTree, node: PageNode): PlaceInTree {
  return {
    path: node.slug === undefined ? null : above.path === null ? node.slug : `${above.path}/${node.slug}`,
    depth: above.depth + 1,
    noIndex: above.noIndex || node.noIndex === true,
    noRobotsIndex: above.noRobotsIndex || node.noRobotsIndex === true,
  };
}

/** What follows from the places of `nodes`, given from the top down. */
export function placeOf(nodes: readonly PageNode[]): PlaceInTree {
  return nodes.reduce(below, TOP);
}

// recursion: the editor keeps trees at most 32 deep
function build(
  parent: string | null,
  above: PlaceInTree,
  byParent: ReadonlyMap<string | null, readonly PageNode[]>,
  byId: Map<string, TreePage>,
): readonly TreePage[] {
  const pages = (byParent.get(parent) ?? []).map((node) => {
    const place = below(above, node);
    const page = Object.freeze({ node, ...place, pages: build(node.id, place, byParent, byId) });
    byId.set(node.id, page);
    return page;
  });
  return Object.freeze(pages);
}

function firstDocument(pages: readonly TreePage[]): TreePage | undefined {
  for (const page of pages) {
    const found = page.node.kind === 'document' ? page : firstDocument(page.pages);
    if (found !== undefined) return found;
  }
  return undefined;
}
