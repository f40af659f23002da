import { Decimal128, deserialize, Double, Int32, Long, serialize } from 'bson';
import { Document, EngineError } from '../errors.js';
import { compileUpdate, UpdateContext, upsertSeed } from './update.js';

const now = new Date(1000);

function update(
  doc: Document,
  change: unknown,
  context: Partial<UpdateContext> & { arrayFilters?: Document[] } = {},
): Document {
  const before = serialize(doc);
  const { arrayFilters, ...rest } = context;
  const result = compileUpdate(change, { arrayFilters }).apply(doc, { now, ...rest });
  expect(Buffer.compare(serialize(doc), before)).toBe(0);
  expect(result.changed).toBe(Buffer.compare(serialize(result.doc), before) !== 0);
  return result.doc;
}

describe('update operators', () => {
  it.each<
    [doc: Document, change: Document, after: Document, context?: Partial<UpdateContext> & { arrayFilters?: Document[] }]
  >([
    [{ _id: 1 }, { $set: { b: 1, a: 2 } }, { _id: 1, a: 2, b: 1 }],
    [{ _id: 1 }, { $set: { 10: 1, 9: 1, x: 1 } }, { _id: 1, 9: 1, 10: 1, x: 1 }],
    [{ a: 1 }, { $set: { 'b.c.d': 1 } }, { a: 1, b: { c: { d: 1 } } }],
    [{ a: { b: 1 } }, { $set: { 'a.c': 2 } }, { a: { b: 1, c: 2 } }],
    [{ a: [1] }, { $set: { 'a.3': 2 } }, { a: [1, null, null, 2] }],
    [{}, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
    [{ a: 1 }, { $set: { a: 1 } }, { a: 1 }],
    [{ a: 1 }, { $set: {} }, { a: 1 }],
    [{ a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
    [{ a: [1, 2] }, { $unset: { 'a.0': 1, 'a.7': 1 } }, { a: [null, 2] }],
    [{ a: 1 }, { $unset: { 'a.b': 1, 'x.y': 1 } }, { a: 1 }],
    [{ a: 1 }, { $inc: { a: 2, b: -1 } }, { a: 3, b: -1 }],
    [{ a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
    [{ a: 3, b: 3, c: null }, { $min: { a: 1, b: 5, c: 'x', d: 1 } }, { a: 1, b: 3, c: null, d: 1 }],
    [{ a: 3, b: 3, c: null }, { $max: { a: 1, b: 'x', c: 0 } }, { a: 3, b: 'x', c: 0 }],
    [{ a: 1, b: { c: 2 } }, { $rename: { a: 'x', 'b.c': 'b.d', nope: 'y' } }, { b: { d: 2 }, x: 1 }],
    [{ a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
    [{ a: null }, { $rename: { a: 'b' } }, { b: null }],
    [{ a: 1 }, { $setOnInsert: { b: 1, 'a.x': 1 } }, { a: 1 }],
    [{ a: 1 }, { $setOnInsert: { b: 1 }, $set: { c: 1 } }, { a: 1, b: 1, c: 1 }, { isInsert: true }],
    [{}, { $currentDate: { a: true, b: { $type: 'date' } } }, { a: now, b: now }],
    [{ a: [1] }, { $push: { a: 2, b: [3] } }, { a: [1, 2], b: [[3]] }],
    [{ a: [1] }, { $push: { a: { $each: [2, 3], $position: 0 } } }, { a: [2, 3, 1] }],
    [{ a: [1, 5] }, { $push: { a: { $each: [2], $position: -1 } } }, { a: [1, 2, 5] }],
    [{ a: [3] }, { $push: { a: { $each: [1, 2], $sort: 1, $slice: 2 } } }, { a: [1, 2] }],
    [{}, { $push: { a: { $each: [1, 3, 2], $sort: -1, $slice: -2 } } }, { a: [2, 1] }],
    [{ a: [{ x: 2 }] }, { $push: { a: { $each: [{ x: 1 }], $sort: { x: 1 } } } }, { a: [{ x: 1 }, { x: 2 }] }],
    [{ a: [1] }, { $push: { a: { $each: [] } } }, { a: [1] }],
    [{}, { $push: { a: { $each: [] } } }, { a: [] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
    [
      { a: [1, { x: 1, y: 2 }] },
      { $addToSet: { a: { $each: [1, 2, 2, { y: 2, x: 1 }, { x: 1, y: 2 }] } } },
      { a: [1, { x: 1, y: 2 }, 2, { y: 2, x: 1 }] },
    ],
    [{}, { $addToSet: { a: [1] } }, { a: [[1]] }],
    [{ a: [1, 2, 1] }, { $pull: { a: 1, b: 1 } }, { a: [2] }],
    [{ a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
    [{ a: ['ab', 'c'] }, { $pull: { a: /^a/ } }, { a: ['c'] }],
    [{ a: [{ x: 1, y: 1 }, { x: 2 }, 3] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }, 3] }],
    [{ a: [{ x: 1 }, { y: 1 }, { z: 1 }] }, { $pull: { a: { $or: [{ x: 1 }, { y: 1 }] } } }, { a: [{ z: 1 }] }],
    [{ a: [[1], [2]] }, { $pull: { a: [1] } }, { a: [[2]] }],
    [{ a: [1, 2, 3, 1] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
    [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
    [{ a: [1, 2, 3] }, { $pop: { a: -1, b: 1 } }, { a: [2, 3] }],
    [{ a: [1, 2] }, { $set: { 'a.$': 9 } }, { a: [1, 9] }, { arrayIndex: 1 }],
    [
      { a: [{ x: 1, y: 1 }] },
      { $set: { 'a.$.x': 9 }, $inc: { 'a.$.y': 1 } },
      { a: [{ x: 9, y: 2 }] },
      { arrayIndex: 0 },
    ],
    [{ a: [1, 2] }, { $inc: { 'a.$[]': 1 } }, { a: [2, 3] }],
    [{ a: [{ b: [1] }, { b: [2, 3] }] }, { $inc: { 'a.$[].b.$[]': 1 } }, { a: [{ b: [2] }, { b: [3, 4] }] }],
    [
      { a: [{ x: 1 }, { x: 2 }] },
      { $set: { 'a.$[e].y': 1 } },
      { a: [{ x: 1 }, { x: 2, y: 1 }] },
      { arrayFilters: [{ 'e.x': 2 }] },
    ],
    [
      { a: [1, 5, 9] },
      { $set: { 'a.$[e]': 0 } },
      { a: [1, 0, 9] },
      { arrayFilters: [{ $and: [{ e: { $gt: 1 } }, { e: { $lt: 9 } }] }] },
    ],
    [
      { a: [{ x: 1 }] },
      { $set: { 'a.$[].y': 1, 'a.0.z': 2, 'a.$[e].w': 3 } },
      { a: [{ x: 1, w: 3, y: 1, z: 2 }] },
      { arrayFilters: [{ 'e.x': 1 }] },
    ],
    [{ _id: 1, a: 1 }, { $set: { _id: 1, a: 2 } }, { _id: 1, a: 2 }],
    [{ a: 1 }, { $set: { _id: 5 } }, { _id: 5, a: 1 }, { isInsert: true }],
  ])('%j %j', (doc, change, after, ...[context]) => {
    expect(JSON.stringify(update(doc, change, context))).toBe(JSON.stringify(after));
  });

  it('keeps the types of numbers, of those it changes and of the others', () => {
    const doc = {
      i: new Int32(1),
      d: new Double(1),
      l: Long.fromNumber(1),
      m: Decimal128.fromString('1.10'),
      max: new Int32(2147483647),
    };
    const change = {
      $inc: { i: new Int32(1), d: new Int32(1), l: new Int32(1), m: new Int32(1), max: new Int32(1), n: new Double(1) },
      $mul: { o: new Double(3) },
    };
    const after = deserialize(serialize(update(doc, change)), { promoteValues: false });
    const expected = {
      i: new Int32(2),
      d: new Double(2),
      l: Long.fromNumber(2),
      m: Decimal128.fromString('2.10'),
      max: Long.fromNumber(2147483648),
      n: new Double(1),
      o: new Double(0),
    };
    expect(serialize(after)).toEqual(serialize(expected));
    expect(update({ a: new Double(1) }, { $set: { a: new Int32(1) } })).toEqual({ a: new Int32(1) });
    expect(compileUpdate({ $set: { a: new Int32(1) } }).apply({ a: 1 }, { now }).changed).toBe(false);
  });

  it.each<
    [doc: Document, change: unknown, code: number, context?: Partial<UpdateContext> & { arrayFilters?: Document[] }]
  >([
    [{}, [{ $set: { a: 1 } }], 238],
    [{}, 'x', 9],
    [{}, { $nope: { a: 1 } }, 9],
    [{}, { $bit: { a: { and: 1 } } }, 9],
    [{}, { $set: { a: 1 }, b: 1 }, 9],
    [{}, { a: 1, $set: { b: 1 } }, 52],
    [{}, { $set: 1 }, 9],
    [{}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    [{}, { $set: { a: 1, 'a.b': 1 } }, 40],
    [{}, { $set: { 'a.b': 1 }, $unset: { a: 1 } }, 40],
    [{ a: [1] }, { $set: { 'a.$[]': 1, 'a.0': 2 } }, 40],
    [{}, { $rename: { a: 'a.b' } }, 40],
    [{}, { $set: { 'a..b': 1 } }, 56],
    [{}, { $set: { '': 1 } }, 56],
    [{}, { $set: { $a: 1 } }, 52],
    [{}, { $set: { 'a.$b': 1 } }, 52],
    [{}, { $set: { '$[].a': 1 } }, 2],
    [{}, { $set: { 'a.$.b.$': 1 } }, 2],
    [{}, { $set: { a: Long.fromNumber(1) } }, 238],
    [{}, { $inc: { a: Decimal128.fromString('1') } }, 238],
    [{}, { a: [Long.fromNumber(1)] }, 238],
    [{}, { $set: { a: /x/ } }, 238],
    [{ a: 5 }, { $set: { 'a.b': 1 } }, 28],
    [{ a: null }, { $set: { 'a.b': 1 } }, 28],
    [{ a: [] }, { $set: { 'a.b': 1 } }, 28],
    [{ a: [] }, { $set: { 'a.01': 1 } }, 28],
    [{ a: [] }, { $set: { 'a.99999999': 1 } }, 2],
    [{ a: 'x' }, { $inc: { a: 1 } }, 14],
    [{ a: 1 }, { $inc: { a: 'x' } }, 14],
    [{ a: null }, { $mul: { a: 2 } }, 14],
    [{ a: Long.MAX_VALUE }, { $inc: { a: new Int32(1) } }, 2],
    [{ a: 1 }, { $push: { a: 1 } }, 2],
    [{}, { $push: { a: { $each: 1 } } }, 2],
    [{}, { $push: { a: { $each: [], $nope: 1 } } }, 2],
    [{}, { $push: { a: { $each: [], $slice: 1.5 } } }, 2],
    [{}, { $push: { a: { $each: [], $sort: 2 } } }, 2],
    [{}, { $push: { a: { $each: [], $sort: {} } } }, 2],
    [{}, { $push: { a: { $slice: 1 } } }, 52],
    [{ a: 1 }, { $addToSet: { a: 1 } }, 2],
    [{}, { $addToSet: { a: { $each: [], $slice: 1 } } }, 2],
    [{ a: 1 }, { $pull: { a: 1 } }, 2],
    [{}, { $pull: { a: { $nope: 1 } } }, 2],
    [{}, { $pullAll: { a: 1 } }, 2],
    [{ a: 1 }, { $pop: { a: 1 } }, 14],
    [{}, { $pop: { a: 2 } }, 9],
    [{}, { $pop: { a: 'x' } }, 9],
    [{}, { $currentDate: { a: { $type: 'timestamp' } } }, 238],
    [{}, { $currentDate: { a: 1 } }, 2],
    [{}, { $rename: { a: 1 } }, 2],
    [{}, { $rename: { a: 'a' } }, 2],
    [{}, { $rename: { 'a.$': 'b' } }, 2],
    [{ a: [{ b: 1 }] }, { $rename: { 'a.0.b': 'c' } }, 2],
    [{ a: [1], b: 1 }, { $rename: { b: 'a.0' } }, 2],
    [{ a: [1] }, { $set: { 'a.$': 1 } }, 2],
    [{ a: 1 }, { $set: { 'a.$[]': 1 } }, 2],
    [{}, { $set: { 'a.$[]': 1 } }, 2],
    [{ a: {} }, { $set: { 'a.$[].b': 1 } }, 2],
    [{ a: [] }, { $set: { 'a.$[e]': 1 } }, 2],
    [{ a: [] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{ e: 1 }, { f: 1 }] }],
    [{ a: [] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{ e: 1 }, { e: 2 }] }],
    [{ a: [] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{ e: 1, f: 1 }] }],
    [{ a: [] }, { $set: { 'a.$[E]': 1 } }, 2, { arrayFilters: [{ E: 1 }] }],
    [{ a: [] }, { $set: { 'a.$[e]': 1 } }, 9, { arrayFilters: [{}] }],
    [{ a: 1 }, { b: 1 }, 9, { arrayFilters: [{ e: 1 }] }],
    [{ _id: 1 }, { $set: { _id: 2 } }, 66],
    [{ _id: 1 }, { $unset: { _id: 1 } }, 66],
    [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66],
    [{ _id: 1 }, { _id: 2 }, 66],
    [{}, { _id: [1] }, 53],
    [{}, { $set: { _id: { $a: 1 } } }, 52],
  ])('%j refuses %j with %i', (doc, change, code, ...[context]) => {
    expect(() => update(doc, change, context)).toThrow(expect.objectContaining({ code }) as EngineError);
  });

  it('replaces a document but for its _id', () => {
    expect(JSON.stringify(update({ _id: 1, a: 1 }, { b: 2 }))).toBe('{"_id":1,"b":2}');
    expect(JSON.stringify(update({ _id: 1, a: 1 }, { b: 2, _id: 1 }))).toBe('{"_id":1,"b":2}');
    expect(update({ _id: 1, a: 1 }, { a: 1 })).toEqual({ _id: 1, a: 1 });
    expect(update({ a: 1 }, {}, { isInsert: true })).toEqual({});
  });

  it('stores hostile names as they are, and pollutes nothing', () => {
    const after = update({ a: 1 }, JSON.parse('{"$set":{"__proto__.x":1,"constructor.y":2}}'));
    expect(JSON.stringify(after)).toBe('{"a":1,"__proto__":{"x":1},"constructor":{"y":2}}');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('upsertSeed', () => {
  it.each<[Document, Document]>([
    [
      { a: 1, 'b.c': 2, _id: 3 },
      { _id: 3, a: 1, b: { c: 2 } },
    ],
    [{ 'b.c': 1, 'b.d': { $eq: 2 } }, { b: { c: 1, d: 2 } }],
    [
      { $and: [{ a: 1 }, { $and: [{ b: 2 }] }], $or: [{ c: 3 }] },
      { a: 1, b: 2, c: 3 },
    ],
    [{ $or: [{ a: 1 }, { b: 1 }], $nor: [{ c: 1 }] }, {}],
    [
      { a: { $in: [1] }, b: { $all: [2] }, c: { $in: [1, 2] }, d: { $all: [{ $elemMatch: { x: 1 } }] } },
      { a: 1, b: 2 },
    ],
    [{ a: { $gt: 1 }, b: /x/, c: { $in: [/x/] }, d: { $ne: 1 } }, {}],
    [
      { a: null, b: [1], c: { x: 1 } },
      { a: null, b: [1], c: { x: 1 } },
    ],
  ])('%j', (filter, seed) => {
    expect(JSON.stringify(upsertSeed(filter))).toBe(JSON.stringify(seed));
  });

  it.each([
    { a: 1, $and: [{ a: 2 }] },
    { a: 1, 'a.b': 2 },
    { 'a.b': 1, a: { b: 1 } },
  ])('refuses %j', (filter) => {
    expect(() => upsertSeed(filter)).toThrow(expect.objectContaining({ code: 54 }) as EngineError);
  });
});
