import type { ChunkMap } from '../chunk-map.js';
import { lowerBound } from '../chunk.js';
import { asId, childRange, orderEntryKey, type PageNode } from '../entries.js';
import { longestIncreasing } from './increasing.js';
import { SIDES, type Side, type Sides, type Versions } from './sides.js';

/**
 * Where pages stand among their siblings, told by their neighbours. Order keys alone do not say it: the siblings of one
 * parent may all have got fresh keys on one side, without anybody moving them.
 */
export class Placements {
  private readonly placed: Record<Side, ReadonlySet<string>>;
  private readonly before = new Map<string, string | null>();

  private constructor(
    private readonly sides: Sides,
    placed: Record<Side, ReadonlySet<string>>,
  ) {
    this.placed = placed;
  }

  /** Finds what both sides placed; costs what they changed. */
  static async read(sides: Sides): Promise<Placements> {
    return new Placements(sides, { ours: await placedBy(sides, 'ours'), theirs: await placedBy(sides, 'theirs') });
  }

  /** Whether `side` gave the page its place: made it, moved it elsewhere, or to another place among its siblings. */
  isPlaced(id: string, side: Side): boolean {
    return this.placed[side].has(id);
  }

  /**
   * The nearest page before `id` on `side` that both sides left where it was; `null` when there is none. Two pages with
   * the same such neighbour were put at the same place.
   */
  async neighbour(id: string, side: Side): Promise<string | null> {
    const node = this.sides.pages.get(id)?.[side];
    if (node === undefined || node === null) throw new Error(`Page ${id} was not changed`);
    const map = this.sides.maps[side];
    const first = await map.rank(childRange(node.parent).from);
    const passed: string[] = [];
    let found: string | null = null;
    for (let at = (await map.rank(orderEntryKey(node.parent, node.order))) - 1; at >= first; at--) {
      const before = asId((await map.at(at))?.value) ?? '';
      if (this.stayed(before, node.parent)) {
        found = before;
        break;
      }
      const known = this.before.get(`${side} ${before}`);
      if (known !== undefined) {
        found = known;
        break;
      }
      passed.push(before);
    }
    for (const each of [...passed, id]) this.before.set(`${side} ${each}`, found);
    return found;
  }

  /** Whether both sides left the page where it was, under `parent`. */
  private stayed(id: string, parent: string | null): boolean {
    const versions = this.sides.pages.get(id);
    if (versions === undefined) return true;
    const { base, ours, theirs } = versions;
    if (SIDES.some((side) => this.isPlaced(id, side))) return false;
    return [base, ours, theirs].every((node) => node !== null && node.parent === parent);
  }
}

async function placedBy(sides: Sides, side: Side): Promise<Set<string>> {
  const placed = new Set<string>();
  const rekeyed = new Map<string | null, Rekeyed[]>();
  for (const [id, { base, [side]: node }] of sides.pages) {
    if (node === null) continue;
    if (base === null || base.parent !== node.parent) placed.add(id);
    else if (base.order !== node.order) push(rekeyed, node.parent, { id, before: base.order, after: node.order });
  }
  if (rekeyed.size === 0) return placed;
  const before = new KeptSiblings(sides, side, 'base');
  const after = new KeptSiblings(sides, side, side);
  for (const [parent, pages] of rekeyed) {
    for (const id of await movedAmongSiblings(parent, pages, before, after)) placed.add(id);
  }
  return placed;
}

/** A page that stayed under its parent, with another order key. */
interface Rekeyed {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Those of `pages` that really changed their place: against the siblings that kept their keys, or against each other
 * (then as few as possible).
 */
async function movedAmongSiblings(
  parent: string | null,
  pages: readonly Rekeyed[],
  before: KeptSiblings,
  after: KeptSiblings,
): Promise<string[]> {
  const still: Rekeyed[] = [];
  const moved: string[] = [];
  for (const page of pages) {
    const stays = (await before.count(parent, page.before)) === (await after.count(parent, page.after));
    if (stays) still.push(page);
    else moved.push(page.id);
  }
  still.sort((a, b) => (a.before < b.before ? -1 : 1));
  const inOrder = new Set(longestIncreasing(still.map((page) => page.after)));
  return [...moved, ...still.filter((_, index) => !inOrder.has(index)).map(({ id }) => id)];
}

/** Counts siblings in one of the contents, of those whose places `side` did not touch. */
class KeptSiblings {
  private readonly map: ChunkMap;
  /** Order keys of the other siblings. */
  private readonly touched = new Map<string | null, string[]>();

  constructor(sides: Sides, side: Side, content: 'base' | Side) {
    this.map = sides.maps[content];
    for (const versions of sides.pages.values()) {
      const node = versions[content];
      if (node !== null && !isUntouched(versions, side)) push(this.touched, node.parent, node.order);
    }
    for (const orders of this.touched.values()) orders.sort();
  }

  /** How many there are before `order`. */
  async count(parent: string | null, order: string): Promise<number> {
    const first = await this.map.rank(childRange(parent).from);
    const all = (await this.map.rank(orderEntryKey(parent, order))) - first;
    return all - lowerBound(this.touched.get(parent) ?? [], order);
  }
}

function isUntouched(versions: Versions<PageNode>, side: Side): boolean {
  const { base, [side]: node } = versions;
  return base !== null && node !== null && base.parent === node.parent && base.order === node.order;
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
