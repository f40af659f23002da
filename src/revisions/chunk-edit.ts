import {
  Cutter,
  entryCount,
  isLeaf,
  MAX_ENTRY_SIZE,
  MAX_LINKS_SIZE,
  writeBranch,
  writeLeaf,
  type Chunk,
  type ChunkSource,
  type WrittenChunk,
} from './chunk.js';
import { ChunkMap, childFor } from './chunk-map.js';
import { ContentError } from './content-error.js';
import { KEPT } from './entries.js';
import { canonicalJson, type Json } from './json.js';
import { deepFreeze } from '../common/deep-freeze.js';

/** What is to be under each key from now on; `undefined` takes the key away. */
export type MapEdits = ReadonlyMap<string, Json | undefined>;

/** The map after an edit: the content key of its root, and the chunks that it does not share with the map before. */
export interface EditedMap {
  readonly root: string;
  readonly written: ReadonlyMap<string, WrittenChunk>;
}

/** A child of a branch, or an entry of a leaf. */
interface Item {
  readonly key: string;
  /** Canonical JSON of an entry's value, or the content key of a chunk. */
  readonly text: string;
  /** An entry's value, frozen: what an edit does not touch stays the same object, which is then told from what changed at a glance. */
  readonly value: Json;
  /** Entries in and under it. */
  readonly count: number;
}
type ItemEdits = readonly (readonly [key: string, item: Item | undefined])[];

/** The map that holds nothing. */
export function emptyMap(scope: string): WrittenChunk {
  return writeLeaf(scope, [], [], []);
}

/**
 * Applies `edits` to the map `root` and answers the new map; writes nothing. Costs what the edits touch and the height
 * of the tree. The same entries make the same root, whatever way they came about.
 * @throws ContentError (`limit`) for an entry over 16 KiB, or links over 1 MiB, (`invalid`) for what JSON cannot carry.
 */
export async function editMap(source: ChunkSource, scope: string, root: string, edits: MapEdits): Promise<EditedMap> {
  const map = new ChunkMap(source, root);
  const top = await map.one(root);
  await warm(map, top, [...edits.keys()].sort());
  const written = new Map<string, WrittenChunk>();
  let pending: ItemEdits = [...edits].map(([key, value]) => [key, toItem(key, value)] as const).sort(byKey);
  let level = 0;
  let made: readonly Chunk[] = [];
  for (; level <= top.level; level++) {
    if (pending.length === 0) return { root, written: new Map() };
    const rewrite = new LevelRewrite(map, top, new ChunkBuilder(scope, level, written));
    await rewrite.run(level, pending);
    made = rewrite.made;
    pending = rewrite.changes();
  }
  if (made.length === 0) made = [keep(written, emptyMap(scope))];
  for (; made.length > 1; level++) {
    const builder = new ChunkBuilder(scope, level, written);
    for (const chunk of made) builder.push(toChild(chunk));
    builder.flush();
    made = builder.made;
  }
  let result = made[0] ?? top;
  // a level with a single chunk needs none above it
  while (!isLeaf(result) && result.children.length === 1) {
    const only = childFor(result, '');
    result = written.get(only)?.chunk ?? (await map.one(only));
  }
  return { root: result.id, written: reachable(result.id, written) };
}

/** Those of `chunks` that `root` reaches through them. */
export function reachable(root: string, chunks: ReadonlyMap<string, WrittenChunk>): Map<string, WrittenChunk> {
  const found = new Map<string, WrittenChunk>();
  const open = [root];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const written = chunks.get(id);
    if (written === undefined || found.has(id)) continue;
    found.set(id, written);
    if (!isLeaf(written.chunk)) open.push(...written.chunk.children);
  }
  return found;
}

/** Collects the items of one level and cuts them into chunks. */
class ChunkBuilder {
  readonly made: Chunk[] = [];
  private items: Item[] = [];
  private readonly cutter: Cutter;

  constructor(
    private readonly scope: string,
    private readonly level: number,
    private readonly written: Map<string, WrittenChunk>,
  ) {
    this.cutter = new Cutter(level);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  push(item: Item): void {
    this.items.push(item);
    if (this.cutter.endsAfter(item.key, item.text.length)) this.flush();
  }

  flush(): void {
    if (this.items.length === 0) return;
    const keys = this.items.map((item) => item.key);
    const texts = this.items.map((item) => item.text);
    const counts = this.items.map((item) => item.count);
    const made =
      this.level === 0
        ? writeLeaf(
            this.scope,
            keys,
            this.items.map((item) => item.value),
            texts,
          )
        : writeBranch(this.scope, this.level, { keys, children: texts, counts });
    this.made.push(keep(this.written, made));
    this.items = [];
  }
}

/** Rewrites those chunks of one level of the map `top` that edits touch, up to where the old cuts fit again. */
class LevelRewrite {
  private readonly replaced: Chunk[] = [];

  constructor(
    private readonly map: ChunkMap,
    private readonly top: Chunk,
    private readonly builder: ChunkBuilder,
  ) {}

  get made(): readonly Chunk[] {
    return this.builder.made;
  }

  async run(level: number, edits: ItemEdits): Promise<void> {
    let next = 0;
    for (let edit = edits[next]; edit !== undefined; edit = edits[next]) {
      let chunk = await this.locate(level, edit[0]);
      for (;;) {
        this.replaced.push(chunk);
        const end = chunk.keys.at(-1) ?? '';
        const isLast = end === (this.top.keys.at(-1) ?? '');
        next = this.mergeInto(chunk, edits, next, isLast ? null : end);
        if (isLast) this.builder.flush();
        if (this.builder.isEmpty) break;
        chunk = await this.locate(level, `${end}\0`);
      }
    }
  }

  /** What the level above has to change: the replaced chunks go, the made ones come, equal ones stay. */
  changes(): ItemEdits {
    const changes = new Map<string, Item | undefined>();
    const before = new Map<string, string>();
    for (const chunk of this.replaced) {
      const key = chunk.keys.at(-1);
      if (key === undefined) continue;
      before.set(key, chunk.id);
      changes.set(key, undefined);
    }
    for (const chunk of this.made) {
      const item = toChild(chunk);
      if (before.get(item.key) === chunk.id) changes.delete(item.key);
      else changes.set(item.key, item);
    }
    return [...changes].sort(byKey);
  }

  /** Pushes the items of `chunk` with the edits up to `end` (`null`: all that are left); answers the next edit. */
  private mergeInto(chunk: Chunk, edits: ItemEdits, first: number, end: string | null): number {
    let next = first;
    const takeEdits = (limit: string | null): boolean => {
      let replaces = false;
      for (let edit = edits[next]; edit !== undefined && (limit === null || edit[0] <= limit); edit = edits[++next]) {
        replaces ||= edit[0] === limit;
        if (edit[1] !== undefined) this.builder.push(edit[1]);
      }
      return replaces;
    };
    for (const [index, key] of chunk.keys.entries()) {
      if (!takeEdits(key)) this.builder.push(itemOf(chunk, index, key));
    }
    if (end === null) takeEdits(null);
    return next;
  }

  /** The chunk of `level` that holds `key`, or would. */
  private async locate(level: number, key: string): Promise<Chunk> {
    let chunk = this.top;
    while (chunk.level > level && !isLeaf(chunk)) chunk = await this.map.one(childFor(chunk, key));
    return chunk;
  }
}

/** Reads the chunks on the way to `keys`, each level in one go, so that the rewrite finds them at hand. */
async function warm(map: ChunkMap, top: Chunk, keys: readonly string[]): Promise<void> {
  let level: readonly Chunk[] = [top];
  while (level.some((chunk) => chunk.level > 0)) {
    const below = new Set<string>();
    let next = 0;
    for (const branch of level) {
      if (isLeaf(branch)) continue;
      const isLast = branch === level.at(-1);
      const end = branch.keys.at(-1) ?? '';
      for (let key = keys[next]; key !== undefined && (isLast || key <= end); key = keys[++next]) {
        below.add(childFor(branch, key));
      }
    }
    if (below.size === 0) return;
    level = await map.source.read([...below]);
  }
}

function toItem(key: string, value: Json | undefined): Item | undefined {
  if (value === undefined) return undefined;
  const text = canonicalJson(value);
  checkSize(key, text);
  // not the one that was given, which is not ours
  return { key, text, value: deepFreeze(JSON.parse(text) as Json), count: 1 };
}

/** The texts of values that lie in chunks in memory, which are frozen: an edit rewrites all values of a chunk. */
const texts = new WeakMap<object, string>();

function textOf(value: Json): string {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  let text = texts.get(value);
  if (text === undefined) texts.set(value, (text = canonicalJson(value)));
  return text;
}

function checkSize(key: string, { length }: string): void {
  if (key.startsWith(KEPT.links.prefix)) {
    if (length > MAX_LINKS_SIZE)
      throw new ContentError('limit', 'The page has too many links within the space: cut it up');
  } else if (length > MAX_ENTRY_SIZE) {
    throw new ContentError('limit', 'The settings of a page or file take over 16 KiB');
  }
}

function toChild(chunk: Chunk): Item {
  return { key: chunk.keys.at(-1) ?? '', text: chunk.id, value: null, count: entryCount(chunk) };
}

function itemOf(chunk: Chunk, index: number, key: string): Item {
  if (isLeaf(chunk)) {
    const value = chunk.values[index] ?? null;
    return { key, text: textOf(value), value, count: 1 };
  }
  return { key, text: chunk.children[index] ?? '', value: null, count: chunk.counts[index] ?? 0 };
}

function keep(written: Map<string, WrittenChunk>, made: WrittenChunk): Chunk {
  written.set(made.chunk.id, made);
  return made.chunk;
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
