import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { excerpt, findersFor, firstHit, MAX_EXCERPT } from './excerpt.js';
import { parseQuery } from './query.js';
import { measure } from '../../../test/support/spent.js';

const hit = (query: string, text: string, forms: string[] = []): number | undefined => {
  const units = parseQuery(query);
  const found = units.map(({ slots }) => slots.map(() => new Set(forms)));
  return firstHit(text, findersFor(units, found));
};

describe('firstHit', () => {
  it.each([
    ['"art"', 'start of art', 9],
    ['map', 'a HashMap', 6],
    ['map', 'a hashmap', undefined],
    ['HashMap', 'use hash_map or HashMap', 4],
    ['"borrow checker"', 'the checker, a Borrow  Checker', 15],
    ['sta', 'a start', 2],
    ['cafe', 'ﬁne Café', 4],
    ['界', '今日は世界', 4],
    ['(a+)+$', 'b a', 2],
  ])('of %j in %j', (query, text, place) => {
    expect(hit(query, text)).toBe(place);
  });

  it('finds the other forms of a word', () => {
    expect(hit('"x" borrow y', 'was borrowed', ['borrowed'])).toBe(4);
  });

  it('is found by what all forms begin with as if it were looked for everywhere', () => {
    const piece = fc.constantFrom(
      'map',
      'Map',
      'mapped',
      'Hash',
      'café',
      'ﬁ',
      'ß',
      '𝔪',
      '世',
      '界',
      ' ',
      '-',
      '_',
      '.',
      '1',
    );
    const pieces = (maxLength: number): fc.Arbitrary<string> =>
      fc.array(piece, { maxLength }).map((all) => all.join(''));
    const forms = fc.subarray(['maps', 'mapped', 'mapping', 'hash', 'cafe', 'fi', 'ss', '𝔪']);
    const property = fc.property(pieces(20), pieces(4), fc.boolean(), forms, (text, query, quoted, words) => {
      const units = parseQuery(quoted ? `"${query}"` : query);
      const finders = findersFor(
        units,
        units.map(({ slots }) => slots.map(() => new Set(words))),
      );
      const everywhere = finders.map((finder) => ({ ...finder, beginning: '' }));
      expect(firstHit(text, finders)).toBe(firstHit(text, everywhere));
    });
    fc.assert(property, { numRuns: cases(1000, 50_000) });
  });

  it('takes hostile texts in a moment', () => {
    const spent = measure();
    hit('"a a a a a a a a a b"', 'a '.repeat(100_000));
    hit('ab', 'ba'.repeat(500_000));
    expect(spent()).toBeLessThan(1);
  });
});

describe('excerpt', () => {
  const text = 'one two three '.repeat(100);

  it('has the hit in it, begins and ends with whole words, and is not too long', () => {
    for (const place of [0, 4, 100, 601, text.length - 3]) {
      const cut = excerpt(text, place);
      expect(cut.length).toBeLessThanOrEqual(MAX_EXCERPT);
      expect(cut.split(' ').every((word) => ['one', 'two', 'three'].includes(word))).toBe(true);
      expect(cut).not.toBe('');
    }
  });

  it('cuts text without spaces between characters', () => {
    const cut = excerpt('𝔞'.repeat(1000), 601);
    expect(cut.length).toBeLessThanOrEqual(MAX_EXCERPT);
    expect(cut.isWellFormed()).toBe(true);
    expect(cut).not.toContain('\ufffd');
  });
});
