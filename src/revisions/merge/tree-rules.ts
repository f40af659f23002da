import type { ChunkMap } from '../chunk-map.js';
import { asPage, hasPath, pageKey, type PageNode } from '../entries.js';
import { MAX_DEPTH } from '../rules.js';
import type { Siblings } from '../siblings.js';
import { SIDES } from './sides.js';
import type { TreeParts } from './tree-parts.js';

/** Reads pages, each once. */
type Lookup = (id: string) => Promise<PageNode | null>;

/**
 * Pages that cannot lie where they were put: under themselves, once both sides moved them, or under something that has
 * no pages below it. Of a circle, all pages that somebody put into their places.
 */
export async function findMisplaced(parts: TreeParts): Promise<Set<string>> {
  const page = remembering(async (id) => asPage(await parts.draft.get(pageKey(id))));
  const misplaced = new Set<string>();
  for (const [id, { node }] of parts.decisions) {
    if (node === null || node.parent === null || !isPlaced(parts, id)) continue;
    const parent = await page(node.parent);
    if (parent === null || !hasPath(parent.kind) || node.kind === 'group') misplaced.add(id);
    const chain = await upwards(page, id);
    if (!chain.isCircle) continue;
    for (const each of chain.ids) if (isPlaced(parts, each)) misplaced.add(each);
  }
  return misplaced;
}

/**
 * Pages that lie too deep, or have something below them that does, because of what both sides did; with them all pages
 * above that somebody put into their places.
 */
export async function findDeep(parts: TreeParts, siblings: Siblings): Promise<Set<string>> {
  const { decisions, draft, sides } = parts;
  const merged = remembering(async (id) => asPage(await draft.get(pageKey(id))));
  const onSide = {
    ours: remembering((id) => pageOf(sides.maps.ours, id)),
    theirs: remembering((id) => pageOf(sides.maps.theirs, id)),
  };
  const deep = new Set<string>();
  for (const [id, { node, placedBy }] of decisions) {
    if (node === null || !isPlaced(parts, id)) continue;
    const { ids } = await upwards(merged, id);
    // what a side has below a page that lies no deeper than there was checked when it was made
    if (ids.length <= (await upwards(onSide[placedBy], id)).ids.length) continue;
    if (await fits(siblings, id, MAX_DEPTH - ids.length + 1)) continue;
    for (const each of ids) if (isPlaced(parts, each)) deep.add(each);
  }
  return deep;
}

/** Whether a side put the page where it is, or what a resolution says. */
function isPlaced({ placements, resolutions }: TreeParts, id: string): boolean {
  return resolutions.has(id) || SIDES.some((side) => placements.isPlaced(id, side));
}

/** The page and those above it; a circle is walked once. */
async function upwards(page: Lookup, id: string): Promise<{ ids: string[]; isCircle: boolean }> {
  const ids = [id];
  const seen = new Set(ids);
  for (let parent = (await page(id))?.parent ?? null; parent !== null;) {
    if (parent === id) return { ids, isCircle: true };
    // it hangs on a circle without being part of it
    if (seen.has(parent)) return { ids, isCircle: false };
    ids.push(parent);
    seen.add(parent);
    parent = (await page(parent))?.parent ?? null;
  }
  return { ids, isCircle: false };
}

/** Whether the page and what is below it take no more than `levels`. */
async function fits(siblings: Siblings, id: string, levels: number): Promise<boolean> {
  let level = [id];
  for (let height = 1; level.length > 0; height++) {
    if (height > levels) return false;
    const below: string[] = [];
    for (const each of level) below.push(...(await siblings.ids(each)));
    level = below;
  }
  return true;
}

async function pageOf(map: ChunkMap, id: string): Promise<PageNode | null> {
  return asPage(await map.get(pageKey(id)));
}

function remembering(read: Lookup): Lookup {
  const known = new Map<string, PageNode | null>();
  return async (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const page = await read(id);
    known.set(id, page);
    return page;
  };
}
