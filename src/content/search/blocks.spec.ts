import fc from 'fast-check';
import { BlockReader, BlockWriter, encodePositions, type Posting } from './blocks.js';

const posting = fc.record({
  page: fc.nat(50_000),
  impact: fc.integer({ min: 1, max: 255 }),
  positions: fc.uniqueArray(fc.nat(2 ** 30), { maxLength: 20 }).map((list) => list.sort((a, b) => a - b)),
});
const words = fc
  .dictionary(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.uniqueArray(posting, { selector: ({ page }) => page, minLength: 1, maxLength: 200 }),
  )
  .map((all) =>
    Object.entries(all)
      .map(([word, postings]) => [word, postings.toSorted((a, b) => a.page - b.page)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function write(all: readonly (readonly [string, Posting[]])[]): { first: string; data: Buffer }[] {
  const writer = new BlockWriter();
  for (const [word, postings] of all) {
    for (const { page, impact, positions } of postings) writer.add(word, page, impact, encodePositions(positions));
  }
  return writer.take(true);
}

function positionsOf(reader: BlockReader): number[] {
  const positions: number[] = [];
  while (!reader.done) positions.push((positions.at(-1) ?? -1) + reader.number());
  return positions;
}

function read(blocks: { data: Buffer }[]): [string, Posting[]][] {
  const all = new Map<string, Posting[]>();
  for (const { data } of blocks) {
    const reader = new BlockReader(data);
    while (!reader.done) {
      const { word, start, end } = reader.entry();
      const postings = all.get(word) ?? [];
      new BlockReader(data, start, end).postings((page, impact, from, to) => {
        postings.push({ page, impact, positions: positionsOf(new BlockReader(data, from, to)) });
      });
      all.set(word, postings);
    }
  }
  return [...all];
}

describe('blocks', () => {
  it('give back what was written', () => {
    fc.assert(
      fc.property(words, (all) => {
        expect(read(write(all))).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  it('are cut, in the middle of a word too, and begin with the word they are named by', () => {
    const many = (count: number): Posting[] =>
      Array.from({ length: count }, (_, page) => ({ page, impact: 1, positions: [1, 2, 3, 400] }));
    const all: [string, Posting[]][] = [
      ['a', many(10)],
      ['b', many(20_000)],
      ['c', many(1)],
    ];
    const blocks = write(all);
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.map(({ data }) => new BlockReader(data).entry().word)).toEqual(blocks.map(({ first }) => first));
    expect(read(blocks)).toEqual(all);
  });

  it('find the words that begin with a prefix', () => {
    const [block] = write(['car', 'cart', 'cat', 'dog'].map((word) => [word, [{ page: 0, impact: 1, positions: [] }]]));
    const found = new BlockReader(block?.data ?? Buffer.alloc(0)).entriesFrom(Buffer.from('car'));
    expect(found.map(({ word }) => word)).toEqual(['car', 'cart']);
  });
});
