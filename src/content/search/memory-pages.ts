import { setImmediate } from 'node:timers/promises';
import { batchesOf } from '../../common/batches-of.js';
import { newId } from '../../common/ids.js';
import type { SearchEntry } from './analysis.js';
import { blocksOf } from './entry-blocks.js';
import type { Table } from './search-segment.schema.js';
import type { Section } from './section-source.js';
import { blockId, type View } from './view.js';

/** Pages whose words are collected in one go, so that others have their turn in between. */
const BATCH = 25;

/** Pages that stand in no index, and can be searched beside those that do. They never change. */
export interface MemoryPages {
  segments: readonly { id: string; table: Table }[];
  /** By id, as views name them. */
  blocks: ReadonlyMap<string, Buffer>;
  /** By the keys of their documents. */
  sections: ReadonlyMap<string, Section[]>;
}

/** Makes `entries`, of pages that no index knows, fit to be searched. */
export async function memoryPages(entries: readonly SearchEntry[]): Promise<MemoryPages> {
  const segments: { id: string; table: Table }[] = [];
  const blocks = new Map<string, Buffer>();
  for (const batch of batchesOf([...entries], BATCH)) {
    const id = newId();
    const made = blocksOf(batch);
    const words = made.map(({ first }) => first);
    const documents = batch.map(({ document }) => document);
    segments.push({ id, table: { pages: batch.map(({ page }) => page), documents, removed: [], words } });
    for (const [number, { data }] of made.entries()) blocks.set(blockId(id, number), data);
    await setImmediate();
  }
  return { segments, blocks, sections: new Map(entries.map(({ document, sections }) => [document, sections])) };
}

/** `view` with `pages` behind its own. */
export function beside(view: View, { segments }: MemoryPages): View {
  const all = [...view.segments];
  let size = view.size;
  for (const { id, table } of segments) {
    all.push({ id, table, offset: size, hidden: new Uint8Array(table.pages.length), tombstones: [] });
    size += table.pages.length;
  }
  return { space: view.space, segments: all, size, pages: view.pages + size - view.size };
}
