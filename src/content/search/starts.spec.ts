import fc from 'fast-check';
import { encodePositions } from './blocks.js';
import { Starts } from './starts.js';

const PAGES = 4;

const rising = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 12 }).map((all) => all.sort((a, b) => a - b));
/** Postings of the forms of one word: a page, and where it stands there. Forms of one word never stand in one place. */
const word = fc.array(fc.record({ page: fc.nat(PAGES - 1), positions: rising }), { maxLength: 8 }).map((postings) =>
  postings.map(({ page, positions }, form) => ({
    page,
    positions: positions.filter((position) =>
      postings.slice(0, form).every((other) => other.page !== page || !other.positions.includes(position)),
    ),
  })),
);
type Word = typeof word extends fc.Arbitrary<infer T> ? T : never;

/** Used in turn, as a search does: nothing of what they were used for before may be left. */
const turns = [new Starts(), new Starts()];

function startsOf(postings: Word, place: number, among?: Starts): Starts {
  const starts = (turns.find((one) => one !== among) ?? new Starts()).reset(PAGES);
  for (const { page, positions } of postings) {
    const data = encodePositions(positions);
    starts.add(page, data, 0, data.length, place, among);
  }
  return starts;
}

/** The pages in which the words stand one behind the other. */
function pagesWith(words: Word[]): number[] {
  const standsAt = (postings: Word, page: number, position: number): boolean =>
    postings.some((posting) => posting.page === page && posting.positions.includes(position));
  const [first = []] = words;
  const starts = first.flatMap(({ page, positions }) => positions.map((position) => ({ page, position })));
  const found = starts.filter(({ page, position }) =>
    words.every((postings, place) => standsAt(postings, page, position + place)),
  );
  return [...new Set(found.map(({ page }) => page))].sort();
}

const ALL = Array.from({ length: PAGES }, (_, page) => page);

describe('starts', () => {
  it('are where all words of a sequence stand one behind the other', () => {
    const words = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, (all) => {
        const places = all.map((_, place) => place);
        // in whatever order the words are looked at
        for (const order of [places, places.toReversed()]) {
          let starts: Starts | undefined;
          for (const place of order) starts = startsOf(all[place] ?? [], place, starts);
          expect(ALL.filter((page) => starts?.has(page))).toEqual(pagesWith(all));
          expect(starts?.empty).toBe(pagesWith(all).length === 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('may be any number of them', () => {
    const positions = Array.from({ length: 5000 }, (_, place) => place);
    const starts = startsOf([{ page: 1, positions }], 0);
    const last = startsOf([{ page: 1, positions: [5000] }], 1, starts);
    expect(ALL.map((page) => last.has(page))).toEqual([false, true, false, false]);
  });
});
