import { isLeaf, type Chunk, type ChunkSource } from './chunk.js';
import { sameJson, type Json } from './json.js';

/** What lies under one key in two maps, on one side at least; the two differ. */
export interface EntryChange {
  readonly key: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/**
 * What differs between two maps, in the order of the keys. What lies under chunks that both have is not read, so it
 * costs what changed, not what there is.
 */
export async function diffMaps(source: ChunkSource, before: string, after: string): Promise<EntryChange[]> {
  if (before === after) return [];
  let left = await source.read([before]);
  let right = await source.read([after]);
  for (;;) {
    const level = Math.max(...[...left, ...right].map((chunk) => chunk.level), 0);
    if (level === 0) return compare(left, right);
    const [leftIds, rightIds] = [expand(left, level), expand(right, level)];
    const [ours, theirs] = [new Set(leftIds), new Set(rightIds)];
    left = await source.read(leftIds.filter((id) => !theirs.has(id)));
    right = await source.read(rightIds.filter((id) => !ours.has(id)));
  }
}

/** The ids of `chunks`, those of `level` replaced by their children. */
function expand(chunks: readonly Chunk[], level: number): string[] {
  return chunks.flatMap((chunk) => (isLeaf(chunk) || chunk.level < level ? [chunk.id] : chunk.children));
}

function compare(left: readonly Chunk[], right: readonly Chunk[]): EntryChange[] {
  const [before, after] = [entries(left), entries(right)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((change) => !sameJson(change.before, change.after));
}

function entries(chunks: readonly Chunk[]): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const leaf of chunks.filter(isLeaf)) {
    for (const [index, key] of leaf.keys.entries()) found.set(key, leaf.values[index] ?? null);
  }
  return found;
}
