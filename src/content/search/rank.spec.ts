import type { Match } from './matching.js';
import { best, scorePages, selecting, statisticsOf } from './rank.js';

/** A match of units with these weights, by page. */
const matchOf = (units: number[][], phrases: number[] = []): Match => {
  const size = units[0]?.length ?? 0;
  return {
    view: { space: 'space', segments: [], size, pages: size },
    weights: units.map((weights) => Float32Array.from(weights)),
    phrases: Uint8Array.from({ length: size }, (_, page) => phrases[page] ?? 0),
    found: [],
  };
};

const order = (match: Match): number[] => {
  const { scores } = scorePages(match, statisticsOf([match]));
  return best(scores, String, scores.length).items.map(({ at }) => at);
};

describe('selecting', () => {
  it('leaves out what is in over a third of many pages, unless nothing else is found', () => {
    expect(selecting({ pages: 90, found: [30, 31, 0] })).toEqual([true, false, false]);
    expect(selecting({ pages: 90, found: [0, 31] })).toEqual([false, true]);
    expect(selecting({ pages: 6, found: [5, 1] })).toEqual([true, true]);
  });
});

describe('scorePages', () => {
  it('counts every word before phrase, and phrase before weight', () => {
    const units = [
      [255, 1, 1, 9, 0],
      [0, 1, 1, 9, 0],
    ];
    expect(order(matchOf(units, [0, 1, 0, 0]))).toEqual([1, 3, 2, 0]);
  });

  it('counts a rare word for more than a frequent one', () => {
    const units = [
      [9, 0, 9, 9, 9],
      [0, 9, 0, 0, 0],
    ];
    expect(order(matchOf(units))[0]).toBe(1);
  });
});

describe('best', () => {
  it('walks every item once, ties in the order of ids', () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ name: `n${(n * 7) % 40}`, score: 1 + (n % 3) }));
    const expected = items.toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
    for (const limit of [1, 2, 13, 40, 100]) {
      const seen: string[] = [];
      let after: { score: number; id: string } | undefined;
      for (let more = true; more;) {
        const part = best(
          items.map(({ score }) => score),
          (at) => items[at]?.name ?? '',
          limit,
          after,
        );
        seen.push(...part.items.map(({ id }) => id));
        after = part.items.at(-1);
        more = part.more;
      }
      expect(seen).toEqual(expected.map(({ name }) => name));
    }
  });

  it('leaves out what has no score', () => {
    expect(best([0, 2, 0, 1], String, 10)).toEqual({
      items: [
        { at: 1, id: '1', score: 2 },
        { at: 3, id: '3', score: 1 },
      ],
      more: false,
    });
  });
});
