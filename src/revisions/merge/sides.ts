import { diffMaps, type EntryChange } from '../chunk-diff.js';
import { ChunkMap } from '../chunk-map.js';
import type { ChunkSource } from '../chunk.js';
import { type FileEntry, KEPT, type Keeping, type PageLinks, type PageNode, type ReusableContent } from '../entries.js';

/** Content keys of the three contents: the common ancestor, the change request, primary content. */
export interface Roots {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** `ours` is the change request, `theirs` primary content. */
export type Side = 'ours' | 'theirs';
export const SIDES: readonly Side[] = ['ours', 'theirs'];

/** What three contents hold under one id; `null`: nothing. */
export interface Versions<T> {
  readonly base: T | null;
  readonly ours: T | null;
  readonly theirs: T | null;
}

/** What two sides changed, by id, and the three contents. What is not listed is the same in all three. */
export interface Sides {
  readonly maps: { readonly [K in keyof Roots]: ChunkMap };
  readonly pages: ReadonlyMap<string, Versions<PageNode>>;
  readonly files: ReadonlyMap<string, Versions<FileEntry>>;
  readonly reusableContents: ReadonlyMap<string, Versions<ReusableContent>>;
  readonly links: ReadonlyMap<string, Versions<PageLinks>>;
}

/** The other side. */
export function other(side: Side): Side {
  return side === 'ours' ? 'theirs' : 'ours';
}

/** Compares both sides with what they come from; costs what they changed. */
export async function readSides(source: ChunkSource, roots: Roots): Promise<Sides> {
  const ours = await diffMaps(source, roots.base, roots.ours);
  const theirs = await diffMaps(source, roots.base, roots.theirs);
  return {
    maps: {
      base: new ChunkMap(source, roots.base),
      ours: new ChunkMap(source, roots.ours),
      theirs: new ChunkMap(source, roots.theirs),
    },
    pages: versions(KEPT.pages, { ours, theirs }),
    files: versions(KEPT.files, { ours, theirs }),
    reusableContents: versions(KEPT.reusableContents, { ours, theirs }),
    links: versions(KEPT.links, { ours, theirs }),
  };
}

function versions<T>(
  { prefix, as }: Keeping<T>,
  changes: Readonly<Record<Side, readonly EntryChange[]>>,
): Map<string, Versions<T>> {
  const found = new Map<string, Versions<T>>();
  for (const side of SIDES) {
    for (const { key, before, after } of changes[side]) {
      if (!key.startsWith(prefix)) continue;
      const id = key.slice(prefix.length);
      // a side that did not change it has what both come from
      const present = found.get(id) ?? { base: as(before), ours: as(before), theirs: as(before) };
      found.set(id, { ...present, [side]: as(after) });
    }
  }
  return found;
}
