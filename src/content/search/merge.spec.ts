import { type Block, BlockReader, BlockWriter, encodePositions } from './blocks.js';
import { dueParts, mergedBlocks, mergedTable } from './merge.js';
import type { Table } from './search-segment.schema.js';
import { blockId, type View, viewOf } from './view.js';

const stored = new Map<string, Buffer>();

/** A segment whose pages have the words that `wordsOf` gives them; it is stored for {@link read}. */
function segment(id: string, pages: string[], wordsOf: (page: string) => string[], removed: string[] = []) {
  const postings = new Map<string, number[]>();
  pages.forEach((page, number) => {
    for (const word of wordsOf(page)) postings.set(word, [...(postings.get(word) ?? []), number]);
  });
  const writer = new BlockWriter();
  for (const [word, numbers] of [...postings].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const number of numbers) writer.add(word, number, 7, encodePositions([1, 900, 90_000]));
  }
  const blocks = writer.take(true);
  blocks.forEach(({ data }, number) => stored.set(blockId(id, number), data));
  const documents = pages.map((page) => `${page} in ${id}`);
  const table: Table = { pages, documents, removed, words: blocks.map(({ first }) => first) };
  return { id, table };
}

const read = (id: string): Promise<Buffer> => Promise.resolve(stored.get(id) ?? Buffer.alloc(0));

/** The pages of each word, after all segments of `view` that are named are merged. */
async function merge(view: View, ids: string[]): Promise<{ table: Table; words: Map<string, string[]> }> {
  const parts = view.segments.filter(({ id }) => ids.includes(id));
  const table = mergedTable(view, parts);
  const words = new Map<string, string[]>();
  const blocks: Block[] = [];
  for await (const block of mergedBlocks(parts, read)) blocks.push(block);
  for (const { data } of blocks) {
    const reader = new BlockReader(data);
    while (!reader.done) {
      const { word, start, end } = reader.entry();
      const pages = words.get(word) ?? [];
      new BlockReader(data, start, end).postings((page) => pages.push(table.pages[page] ?? ''));
      words.set(word, pages);
    }
  }
  return { table, words };
}

describe('merge', () => {
  it('lets others have their turn', async () => {
    const words = Array.from({ length: 200 }, (_, number) => `word${number}`);
    const parts = Array.from({ length: 8 }, (_, part) =>
      segment(
        `turn${part}`,
        Array.from({ length: 200 }, (__, page) => `p${part}-${page}`),
        () => words,
      ),
    );
    let turns = 0;
    const count = (): void => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    const view = viewOf('space', parts);
    // what is read is at hand at once: only the merge itself can pause
    const merged = await merge(
      view,
      parts.map(({ id }) => id),
    );
    clearImmediate(waiting);
    expect(merged.words.get('word7')).toHaveLength(1600);
    expect(turns).toBeGreaterThan(0);
  });

  it('keeps the latest of each page, and what is gone as long as an earlier segment has it', async () => {
    const view = viewOf('space', [
      segment('c', ['p1'], () => ['new'], ['p2', 'p9']),
      segment('b', ['p2', 'p3'], () => ['middle']),
      segment('a', ['p1', 'p2', 'p4'], () => ['old']),
    ]);
    expect(view.pages).toBe(3);
    const { table, words } = await merge(view, ['c', 'b']);
    expect(table.pages).toEqual(['p1', 'p3']);
    expect(table.documents).toEqual(['p1 in c', 'p3 in b']);
    expect(table.removed).toEqual(['p2']);
    expect(Object.fromEntries(words)).toEqual({ new: ['p1'], middle: ['p3'] });
    expect((await merge(view, ['a', 'b', 'c'])).table.removed).toEqual([]);
  });

  it('joins words that fill many blocks', async () => {
    const pagesOf = (from: number): string[] => Array.from({ length: 5000 }, (_, n) => `p${from + n}`);
    const wordsOf = (page: string): string[] => ['common', `only-${page}`, `end-${page.at(-1) ?? ''}`, 'zebra'];
    const view = viewOf('space', [segment('y', pagesOf(4000), wordsOf), segment('x', pagesOf(0), wordsOf)]);
    const { table, words } = await merge(view, ['x', 'y']);
    expect(new Set(table.pages).size).toBe(9000);
    expect(words.get('common')).toEqual(table.pages);
    expect(words.get('zebra')).toEqual(table.pages);
    expect(words.get('only-p4500')).toEqual(['p4500']);
    expect([...words.keys()]).toEqual([...words.keys()].sort());
    expect(words.get('end-3')).toEqual(table.pages.filter((page) => page.endsWith('3')));
  });
});

describe('dueParts', () => {
  it('names eight or more of one size, the smallest first', () => {
    const sized = (size: number, count: number) => Array.from({ length: count }, () => ({ size }));
    expect(dueParts([...sized(1, 7), ...sized(64, 7)])).toEqual([]);
    expect(dueParts([...sized(100, 9), ...sized(3, 8)])).toEqual(sized(3, 8));
    expect(dueParts(sized(0, 200))).toHaveLength(32);
  });
});
