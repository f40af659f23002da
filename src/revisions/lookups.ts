import { asId, asPage, pageKey, slugEntryKey, type PageNode } from './entries.js';
import type { Json } from './json.js';
import { below, type PlaceInTree, TOP, type TreePage } from './page-tree.js';
import { MAX_DEPTH } from './rules.js';

/** Reads what lies under several keys of a map at once. */
export type GetMany = (keys: readonly string[]) => Promise<ReadonlyMap<string, Json>>;

/** The pages at `paths` (slugs joined with `/`, in lower case), by path, where there are any; one reading a level. */
export async function pagesByPath(getMany: GetMany, paths: readonly string[]): Promise<Map<string, PageNode>> {
  const ids = new Map<string, string>();
  let open = [...new Set(paths)]
    .map((path) => ({ path, slugs: path.split('/', MAX_DEPTH + 1), parent: null as string | null }))
    .filter(({ slugs }) => slugs.length <= MAX_DEPTH);
  for (let level = 0; open.length > 0; level++) {
    const keys = open.map(({ slugs, parent }) => slugEntryKey(parent, slugs[level] ?? ''));
    const values = await getMany(keys);
    open = open.flatMap((one, index) => {
      const id = asId(values.get(keys[index] ?? ''));
      if (id === null) return [];
      if (level + 1 < one.slugs.length) return [{ ...one, parent: id }];
      ids.set(one.path, id);
      return [];
    });
  }
  const nodes = await getMany([...ids.values()].map(pageKey));
  const found = new Map<string, PageNode>();
  for (const [path, id] of ids) {
    const node = asPage(nodes.get(pageKey(id)));
    if (node !== null) found.set(path, node);
  }
  return found;
}

/** Those of the pages `ids` that are there, with what follows from their places, and without the pages below them. */
export async function placedPages(getMany: GetMany, ids: readonly string[]): Promise<Map<string, TreePage>> {
  const nodes = new Map<string, PageNode>();
  for (let wanted = new Set(ids); wanted.size > 0;) {
    const level = [...(await getMany([...wanted].map(pageKey))).values()].flatMap((value) => asPage(value) ?? []);
    for (const node of level) nodes.set(node.id, node);
    wanted = new Set(level.flatMap(({ parent }) => (parent === null || nodes.has(parent) ? [] : [parent])));
  }
  const places = new Map<string, PlaceInTree>();
  const placed = new Map<string, TreePage>();
  for (const id of ids) {
    const node = nodes.get(id);
    if (node !== undefined) placed.set(id, Object.freeze({ node, ...placeAmong(nodes, places, node), pages: NONE }));
  }
  return placed;
}

const NONE: readonly TreePage[] = Object.freeze([]);

// recursion: the editor keeps trees at most 32 deep
function placeAmong(
  nodes: ReadonlyMap<string, PageNode>,
  places: Map<string, PlaceInTree>,
  node: PageNode,
): PlaceInTree {
  const known = places.get(node.id);
  if (known !== undefined) return known;
  const parent = node.parent === null ? undefined : nodes.get(node.parent);
  if (node.parent !== null && parent === undefined)
    throw new Error(`Page ${node.parent} has pages below it, but is gone`);
  const place = below(parent === undefined ? TOP : placeAmong(nodes, places, parent), node);
  places.set(node.id, place);
  return place;
}
