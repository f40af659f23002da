import fc from 'fast-check';
import { freshOrderKeys, isOrderKey, MAX_ORDER_KEY, orderKeyBetween, orderKeysBetween } from './order-keys.js';

describe('orderKeyBetween', () => {
  it('makes a key for every place, in any order of insertions', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 300 }), (places) => {
        const keys: string[] = [];
        for (const place of places) {
          const at = place % (keys.length + 1);
          const key = orderKeyBetween(keys[at - 1] ?? null, keys[at] ?? null);
          expect(isOrderKey(key)).toBe(true);
          keys.splice(at, 0, key);
        }
        expect([...keys].sort()).toEqual(keys);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('does not grow at the ends', () => {
    let [first, last] = ['a0', 'a0'];
    for (let count = 0; count < 50_000; count++) {
      first = orderKeyBetween(null, first);
      last = orderKeyBetween(last, null);
    }
    expect(Math.max(first.length, last.length)).toBeLessThanOrEqual(4);
  });

  it('takes some hundred insertions at one place to pass the longest key', () => {
    let after: string | null = null;
    const before = 'a0';
    let count = 0;
    for (; (after ?? '').length <= MAX_ORDER_KEY; count++) after = orderKeyBetween(before, after);
    expect(count).toBeGreaterThan(300);
  });

  it('finds room below the lowest and above the highest whole part', () => {
    const low = `A${'0'.repeat(25)}1`;
    const below = orderKeyBetween(null, low);
    expect(below < low).toBe(true);
    expect(orderKeyBetween(null, below) < below).toBe(true);
    const high = `z${'z'.repeat(26)}`;
    expect(orderKeyBetween(high, null) > high).toBe(true);
  });

  it.each([
    ['a1', 'a0'],
    ['a0', 'a0'],
    ['', null],
    ['a00', null],
    ['b0', null],
    ['-0', null],
    [null, `A${'0'.repeat(26)}`],
    ['a\n', null],
  ])('refuses %j, %j', (before, after) => {
    expect(() => orderKeyBetween(before, after)).toThrow(RangeError);
  });
});

describe('freshOrderKeys', () => {
  it('answers short keys in order', () => {
    const keys = freshOrderKeys(5000);
    expect([...keys].sort()).toEqual(keys);
    expect(new Set(keys).size).toBe(5000);
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(4);
    expect(freshOrderKeys(0)).toEqual([]);
  });
});

describe('orderKeysBetween', () => {
  it('makes as many as are wanted, in order, and short', () => {
    const key = fc.nat(5000).map((place) => freshOrderKeys(place + 1).at(-1) ?? 'a0');
    fc.assert(
      fc.property(fc.option(key), fc.option(key), fc.nat(1000), (one, other, count) => {
        const [before, after] = one !== null && other !== null && one > other ? [other, one] : [one, other];
        fc.pre(before === null || before !== after);
        const keys = orderKeysBetween(before, after, count);
        expect(keys).toHaveLength(count);
        const all = [...(before === null ? [] : [before]), ...keys, ...(after === null ? [] : [after])];
        expect(all.every((text, index) => index === 0 || (all[index - 1] ?? '') < text)).toBe(true);
        expect(Math.max(0, ...keys.map((text) => text.length))).toBeLessThan(20);
      }),
      { numRuns: 50 },
    );
  });
});
