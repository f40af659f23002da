import { Int32 } from 'bson';
import fc from 'fast-check';
import { compareValues } from '../bson/compare.js';
import { Document, EngineError } from '../errors.js';
import { compileSort, sortDocuments } from './sort.js';

describe('compileSort', () => {
  it.each<[Document, Document[]]>([
    [{ a: 1 }, [{ a: [] }, {}, { a: -1 }, { a: [5, 0] }, { a: 1 }, { a: 'x' }, { a: { b: 1 } }, { a: new Date(0) }]],
    [{ a: -1 }, [{ a: 'x' }, { a: [0, 9] }, { a: 5 }, { a: null }, { a: [] }]],
    [
      { a: 1, b: -1 },
      [
        { a: 1, b: 2 },
        { a: 1, b: 1 },
        { a: 2, b: 9 },
      ],
    ],
    [{ 'a.b': 1 }, [{ a: [{ b: 9 }, {}] }, { a: { b: 1 } }, { a: [{ b: 3 }, { b: 2 }] }, { a: { b: [4, 5] } }]],
    [{ 'a.0': 1 }, [{ a: [1, 9] }, { a: [2, 0] }, { a: [3] }]],
    [{ a: new Int32(1) }, [{ a: 1 }, { a: 2 }]],
  ])('%j', (sort, expected) => {
    const shuffled = [...expected].reverse();
    expect([...shuffled].sort(compileSort(sort))).toEqual(expected);
    expect(sortDocuments(shuffled, sort)).toEqual(expected);
  });

  it('keeps the order of equal documents', () => {
    const docs = [{ a: 1, n: 1 }, { a: null, n: 2 }, { n: 3 }, { a: 1, n: 4 }];
    expect(sortDocuments(docs, { a: -1 }).map(({ n }) => n)).toEqual([1, 4, 2, 3]);
  });

  it('agrees with the order of values', () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null), fc.record({ x: fc.integer() }));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(Math.sign(compileSort({ a: 1 })({ a }, { a: b }))).toBe(Math.sign(compareValues(a, b)));
        expect(Math.sign(compileSort({ a: -1 })({ a }, { a: b }))).toBe(Math.sign(compareValues(b, a)));
      }),
    );
  });

  it.each<[Document, number]>([
    [{ a: 2 }, 15975],
    [{ a: 'asc' }, 15975],
    [{ a: { $meta: 'textScore' } }, 238],
    [{ 'a..b': 1 }, 15998],
    [{ $a: 1 }, 16410],
  ])('refuses %j', (sort, code) => {
    expect(() => compileSort(sort)).toThrow(expect.objectContaining({ code }) as EngineError);
  });
});
