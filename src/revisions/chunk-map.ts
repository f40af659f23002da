import {
  entryCount,
  isLeaf,
  lowerBound,
  type Branch,
  type Chunk,
  type ChunkSource,
  type Entry,
  type Leaf,
} from './chunk.js';
import type { Json } from './json.js';

/** A stretch of keys: from `from` (included) up to `to` (not included). */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** All keys that begin with `prefix`, which must not be empty. */
export function prefixRange(prefix: string): KeyRange {
  const last = prefix.charCodeAt(prefix.length - 1);
  return { from: prefix, to: prefix.slice(0, -1) + String.fromCharCode(last + 1) };
}

/** Reads one immutable sorted map by the content key of its root. Looking up costs the height of the tree. */
export class ChunkMap {
  constructor(
    readonly source: ChunkSource,
    readonly root: string,
  ) {}

  /** The value under `key`, if any. */
  async get(key: string): Promise<Json | undefined> {
    const leaf = await this.leafFor(key);
    const index = lowerBound(leaf.keys, key);
    return leaf.keys[index] === key ? leaf.values[index] : undefined;
  }

  /** The values under `keys`, where there are any; reads level by level, each in one go. */
  async getMany(keys: readonly string[]): Promise<Map<string, Json>> {
    const found = new Map<string, Json>();
    if (keys.length === 0) return found;
    const sorted = [...new Set(keys)].sort();
    for (const leaf of await this.leaves((branch, child) => holdsAny(branch, child, sorted))) {
      for (
        let at = lowerBound(sorted, leaf.keys[0] ?? ''), index = 0;
        at < sorted.length && index < leaf.keys.length;
      ) {
        const [wanted, key, value] = [sorted[at] ?? '', leaf.keys[index] ?? '', leaf.values[index]];
        if (wanted === key && value !== undefined) found.set(key, value);
        if (wanted <= key) at++;
        else index++;
      }
    }
    return found;
  }

  /** The first `limit` entries of `range`, in order. */
  async scan({ from, to }: KeyRange, limit = Infinity): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const leaf of await this.leaves((branch, child) => overlaps(branch, child, from, to), limit)) {
      for (let index = lowerBound(leaf.keys, from); index < leaf.keys.length && entries.length < limit; index++) {
        const [key, value] = [leaf.keys[index], leaf.values[index]];
        if (key === undefined || value === undefined || key >= to) break;
        entries.push({ key, value });
      }
    }
    return entries;
  }

  /** How many entries have keys below `key`. */
  async rank(key: string): Promise<number> {
    let before = 0;
    let chunk = await this.one(this.root);
    while (!isLeaf(chunk)) {
      const child = lowerBound(chunk.keys, key);
      for (let index = 0; index < child; index++) before += chunk.counts[index] ?? 0;
      const next = chunk.children[child];
      if (next === undefined) return before;
      chunk = await this.one(next);
    }
    return before + lowerBound(chunk.keys, key);
  }

  /** How many entries lie in `range`. */
  async count(range: KeyRange): Promise<number> {
    return (await this.rank(range.to)) - (await this.rank(range.from));
  }

  /** The entry with `index` entries before it, if there is one. */
  async at(index: number): Promise<Entry | undefined> {
    let rest = index;
    let chunk = await this.one(this.root);
    while (!isLeaf(chunk)) {
      let child = 0;
      for (let count = chunk.counts[0] ?? Infinity; rest >= count; count = chunk.counts[child] ?? Infinity) {
        rest -= count;
        child++;
      }
      const next = chunk.children[child];
      if (next === undefined) return undefined;
      chunk = await this.one(next);
    }
    const [key, value] = [chunk.keys[rest], chunk.values[rest]];
    return key === undefined || value === undefined ? undefined : { key, value };
  }

  /** How many entries there are in all. */
  async size(): Promise<number> {
    return entryCount(await this.one(this.root));
  }

  /** The chunk `id`. */
  async one(id: string): Promise<Chunk> {
    const [chunk] = await this.source.read([id]);
    if (chunk === undefined) throw new Error(`Chunk ${id} was not answered`);
    return chunk;
  }

  private async leafFor(key: string): Promise<Leaf> {
    let chunk = await this.one(this.root);
    while (!isLeaf(chunk)) chunk = await this.one(childFor(chunk, key));
    return chunk;
  }

  /** The leaves under children that `wanted` picks, in order; no more than hold `limit` entries behind the first. */
  private async leaves(wanted: (branch: Branch, child: number) => boolean, limit = Infinity): Promise<readonly Leaf[]> {
    let chunks: readonly Chunk[] = [await this.one(this.root)];
    for (;;) {
      const leaves = chunks.filter(isLeaf);
      if (leaves.length === chunks.length) return leaves;
      const below: string[] = [];
      let behindFirst = 0;
      for (const branch of chunks) {
        if (isLeaf(branch)) continue;
        for (const [child, id] of branch.children.entries()) {
          if (behindFirst >= limit || !wanted(branch, child)) continue;
          if (below.push(id) > 1) behindFirst += branch.counts[child] ?? 0;
        }
      }
      chunks = await this.source.read(below);
    }
  }
}

/** The child of `branch` that holds `key`, or would: the last one takes whatever lies beyond. */
export function childFor(branch: Branch, key: string): string {
  const child = branch.children[Math.min(lowerBound(branch.keys, key), branch.keys.length - 1)];
  if (child === undefined) throw new Error(`Chunk ${branch.id} has no children`);
  return child;
}

function overlaps(branch: Branch, child: number, from: string, to: string): boolean {
  const before = branch.keys[child - 1];
  return (branch.keys[child] ?? '') >= from && (before === undefined || before < to);
}

function holdsAny(branch: Branch, child: number, sorted: readonly string[]): boolean {
  const before = branch.keys[child - 1];
  const candidate = sorted[before === undefined ? 0 : lowerBound(sorted, `${before}\0`)];
  return candidate !== undefined && candidate <= (branch.keys[child] ?? '');
}
