import { Int32 } from 'bson';
import { Document, EngineError } from '../errors.js';
import { compileProjection } from './projection.js';

const doc = { _id: 1, a: { b: 1, c: 2 }, l: [{ x: 1, y: 2 }, 5, { y: 3 }, [{ x: 4 }]], n: [1, 2, 3, 4], z: null };

describe('compileProjection', () => {
  it.each<[Document, Document]>([
    [{ z: 1 }, { _id: 1, z: null }],
    [{ z: true, _id: 0 }, { z: null }],
    [{ _id: new Int32(1) }, { _id: 1 }],
    [{ 'a.b': 1, _id: 0 }, { a: { b: 1 } }],
    [{ a: { b: 1 }, _id: 0 }, { a: { b: 1 } }],
    [{ 'a.nope': 1, _id: 0 }, { a: {} }],
    [{ 'z.b': 1, _id: 0 }, {}],
    [{ 'l.x': 1, _id: 0 }, { l: [{ x: 1 }, {}, [{ x: 4 }]] }],
    [{ _id: 0, a: 0, l: 0, n: false }, { z: null }],
    [
      { 'l.y': 0, a: 0, n: 0, z: 0 },
      { _id: 1, l: [{ x: 1 }, 5, {}, [{ x: 4 }]] },
    ],
    [
      { n: { $slice: 2 }, a: 0, l: 0, z: 0 },
      { _id: 1, n: [1, 2] },
    ],
    [
      { n: { $slice: -1 }, z: 1 },
      { _id: 1, n: [4], z: null },
    ],
    [
      { n: { $slice: [1, 2] }, a: 0, l: 0, z: 0 },
      { _id: 1, n: [2, 3] },
    ],
    [
      { n: { $slice: [-3, 1] }, a: { $slice: 1 }, l: 0 },
      { _id: 1, a: { b: 1, c: 2 }, n: [2], z: null },
    ],
    [{ n: { $elemMatch: { $gt: 2 } } }, { _id: 1, n: [3] }],
    [{ l: { $elemMatch: { y: 3 } }, _id: 0 }, { l: [{ y: 3 }] }],
    [
      { l: { $elemMatch: { y: 9 } }, z: 1 },
      { _id: 1, z: null },
    ],
  ])('%j', (projection, expected) => {
    const project = compileProjection(projection);
    expect(JSON.stringify(project?.(doc))).toBe(JSON.stringify(expected));
  });

  it('puts _id first and takes hostile names for what they are', () => {
    const hostile = JSON.parse('{"__proto__":{"a":1},"b":2,"_id":1}') as Document;
    expect(JSON.stringify(compileProjection({ b: 0 })?.(hostile))).toBe('{"_id":1,"__proto__":{"a":1}}');
    expect(compileProjection({ constructor: 1 })?.({ _id: 1 })).toEqual({ _id: 1 });
  });

  it('is none for nothing', () => {
    expect([compileProjection(undefined), compileProjection({})]).toEqual([undefined, undefined]);
  });

  it.each<[Document, number]>([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, 'a.b': 1 }, 31249],
    [{ 'a.b': 1, a: 1 }, 31250],
    [{ 'a.$': 1 }, 238],
    [{ 'a.': 1 }, 40353],
    [{ 'a..b': 1 }, 15998],
    [{ $a: 1 }, 16410],
    [{ a: {} }, 51270],
    [{ a: '$b' }, 238],
    [{ a: { $add: [1, 2] } }, 238],
    [{ a: { $meta: 'x' } }, 238],
    [{ a: { $slice: 'x' } }, 28667],
    [{ a: { $slice: [1, 0] } }, 28667],
    [{ 'a.b': { $elemMatch: { c: 1 } } }, 31275],
    [{ a: { $elemMatch: 1 } }, 2],
  ])('refuses %j', (projection, code) => {
    expect(() => compileProjection(projection)).toThrow(expect.objectContaining({ code }) as EngineError);
  });
});
