import { setImmediate } from 'node:timers/promises';
import { type Block, BlockReader, BlockWriter, type Entry } from './blocks.js';
import type { SearchSegment, Table } from './search-segment.schema.js';
import { blockId, type View, type ViewSegment } from './view.js';

/** Segments of about one size that a space has at the most: as many are merged into one of the next size. */
const FAN = 8;
/** Segments that are merged at once, at the most. */
const MAX_PARTS = 32;
/** Time after which a merge lets searches and whatever else waits have their turn, in ms. */
const TURN = 8;

/** Those of the segments of a space that are to be merged now: some of one size, the smallest first; or none. */
export function dueParts<T extends Pick<SearchSegment, 'size'>>(segments: T[]): T[] {
  const tiers: T[][] = [];
  for (const segment of segments) {
    const tier = Math.floor(Math.log2(Math.max(1, segment.size)) / Math.log2(FAN));
    (tiers[tier] ??= []).push(segment);
  }
  return tiers.find((tier: T[] | undefined) => tier && tier.length >= FAN)?.slice(-MAX_PARTS) ?? [];
}

/** What the merger of `parts` holds: their pages that are not hidden, in order; its words are still to be named. */
export function mergedTable(view: View, parts: ViewSegment[]): Table {
  const others = view.segments.filter((segment) => !parts.includes(segment)).map(({ table }) => new Set(table.pages));
  const table: Table = { pages: [], documents: [], removed: [], words: [] };
  for (const { table: part, hidden, tombstones } of parts) {
    const isShown = (_: string, place: number): boolean => hidden[place] === 0;
    table.pages = table.pages.concat(part.pages.filter(isShown));
    table.documents = table.documents.concat(part.documents.filter(isShown));
    table.removed = table.removed.concat(tombstones.filter((page) => others.some((pages) => pages.has(page))));
  }
  return table;
}

/** The words of `parts` in blocks, pages numbered as in {@link mergedTable}. @param read Answers a block by its id. */
export async function* mergedBlocks(
  parts: ViewSegment[],
  read: (id: string) => Promise<Buffer>,
): AsyncGenerator<Block> {
  const writer = new BlockWriter();
  let cursors: Cursor[] = [];
  let pages = 0;
  for (const part of parts) {
    const cursor = new Cursor(part, pages, read);
    pages = cursor.nextPage;
    cursors.push(cursor);
    await cursor.load();
  }
  for (let turn = performance.now(); ;) {
    if (performance.now() - turn > TURN) {
      await setImmediate();
      turn = performance.now();
    }
    cursors = cursors.filter(({ entry }) => entry !== undefined);
    const word = cursors.reduce<string | undefined>(
      (least, { entry }) => (least === undefined || (entry && entry.word < least) ? entry?.word : least),
      undefined,
    );
    if (word === undefined) break;
    for (const cursor of cursors) {
      // a word that fills several blocks of a part must be finished before the next part's pages follow
      while (cursor.entry?.word === word) {
        cursor.copyTo(writer);
        if (!cursor.advance()) await cursor.load();
      }
    }
    yield* writer.take();
  }
  yield* writer.take(true);
}

/** Walks the words of one part. */
class Cursor {
  /** The word it stands at; `undefined` at the end. */
  entry: Entry | undefined;
  /** The number that follows those of its pages. */
  readonly nextPage: number;
  private readonly numbers: Int32Array;
  private reader = new BlockReader(Buffer.alloc(0));
  private block = 0;

  constructor(
    private readonly part: ViewSegment,
    firstPage: number,
    private readonly read: (id: string) => Promise<Buffer>,
  ) {
    let number = firstPage;
    this.numbers = Int32Array.from(part.hidden, (hidden) => (hidden ? -1 : number++));
    this.nextPage = number;
  }

  /** Goes to the next word in memory. @returns `false` when the block is at its end. */
  advance(): boolean {
    this.entry = this.reader.done ? undefined : this.reader.entry();
    return this.entry !== undefined;
  }

  /** Goes to the first word of the next block, if there is one. */
  async load(): Promise<void> {
    if (this.block >= this.part.table.words.length) return;
    this.reader = new BlockReader(await this.read(blockId(this.part.id, this.block++)));
    this.advance();
  }

  copyTo(writer: BlockWriter): void {
    if (!this.entry) return;
    const { word, start, end } = this.entry;
    const { data } = this.reader;
    new BlockReader(data, start, end).postings((page, impact, from, to) => {
      const number = this.numbers[page] ?? -1;
      if (number >= 0) writer.add(word, number, impact, data.subarray(from, to));
    });
  }
}
