import { Binary, BSONRegExp, Decimal128, deserialize, Double, Int32, Long, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { Document, EngineError } from '../errors.js';
import { asksForTypes, compileFilter, compilePositionalFilter } from './match.js';

const id = new ObjectId();
const unpromoted = (doc: Document): Document => deserialize(serialize(doc), { promoteValues: false, bsonRegExp: true });

/** Documents that a filter matches, and documents that it does not. */
const table: [filter: Document, matched: Document[], others: Document[]][] = [
  [{}, [{}, { a: 1 }], []],
  [{ a: 1 }, [{ a: 1 }, { a: [0, 1] }], [{}, { a: 2 }, { a: '1' }, { a: [[1]] }, { a: { b: 1 } }]],
  [{ a: null }, [{}, { a: null }, { a: [1, null] }], [{ a: 1 }, { a: [] }, { a: [1] }]],
  [
    { 'a.b': null },
    [{}, { a: 1 }, { a: {} }, { a: [{ b: 1 }, {}] }],
    [{ a: { b: 1 } }, { a: [] }, { a: [1] }, { a: [{ b: 1 }] }],
  ],
  [{ a: [1, 2] }, [{ a: [1, 2] }, { a: [[1, 2], 3] }], [{ a: [2, 1] }, { a: [1, 2, 3] }, { a: 1 }]],
  [{ a: { x: 1, y: 2 } }, [{ a: { x: 1, y: 2 } }, { a: [{ x: 1, y: 2 }] }], [{ a: { y: 2, x: 1 } }, { a: { x: 1 } }]],
  [{ a: {} }, [{ a: {} }], [{}, { a: { b: 1 } }]],
  [{ 'a.b': 2 }, [{ a: { b: 2 } }, { a: [{ b: 1 }, { b: [2] }] }], [{ a: [[{ b: 2 }]] }, { a: 2 }]],
  [{ 'a.1': 2 }, [{ a: [1, 2] }, { a: { 1: 2 } }, { a: [{ 1: 2 }] }], [{ a: [2, 1] }, { a: [0, [2]] }]],
  [{ 'a.1.b': 4 }, [{ a: [5, { b: 4 }] }, { a: [5, [{ b: 4 }]] }], [{ a: [{ b: 4 }, 5] }]],
  [{ a: id }, [{ a: id }], [{ a: id.toHexString() }]],
  [{ a: new Date(5) }, [{ a: new Date(5) }], [{ a: 5 }]],
  [
    { a: new Binary(Buffer.from('x'), 4) },
    [{ a: new Binary(Buffer.from('x'), 4) }],
    [{ a: new Binary(Buffer.from('x')) }],
  ],
  [{ a: true }, [{ a: true }], [{ a: 1 }]],
  [{ a: 10 }, [{ a: Long.fromNumber(10) }, { a: Decimal128.fromString('10.0') }], [{ a: Decimal128.fromString('9') }]],
  [{ a: { $eq: 1 } }, [{ a: 1 }, { a: [1] }], [{ a: 2 }]],
  [{ a: { $ne: 1 } }, [{}, { a: 2 }, { a: [2] }], [{ a: 1 }, { a: [1, 2] }]],
  [{ a: { $ne: null } }, [{ a: 1 }], [{}, { a: null }]],
  [{ a: { $gt: 1 } }, [{ a: 2 }, { a: [0, 2] }, { a: Long.fromNumber(2) }], [{ a: 1 }, { a: '2' }, {}, { a: NaN }]],
  [{ a: { $gte: 1 } }, [{ a: 1 }, { a: 1.5 }], [{ a: 0 }, { a: null }, { a: new Date(9) }]],
  [{ a: { $lt: 'b' } }, [{ a: 'a' }], [{ a: 'b' }, { a: 1 }]],
  [{ a: { $lte: 5 } }, [{ a: 5 }, { a: -Infinity }], [{ a: 6 }, { a: NaN }]],
  [{ a: { $gt: 3, $lt: 6 } }, [{ a: 4 }, { a: [1, 9] }], [{ a: 3 }, { a: [1, 2] }]],
  [{ a: { $gte: null } }, [{}, { a: null }], [{ a: 1 }]],
  [{ a: { $gt: null } }, [], [{}, { a: null }, { a: 1 }]],
  [{ a: { $gte: NaN } }, [{ a: NaN }], [{ a: 1 }]],
  [{ a: { $gt: [1] } }, [{ a: [2] }, { a: [1, 0] }], [{ a: [1] }, { a: 2 }]],
  [{ a: { $lt: { x: 2 } } }, [{ a: { x: 1 } }], [{ a: { x: 2 } }, { a: 1 }]],
  [{ a: { $in: [1, 'x', null] } }, [{ a: 1 }, { a: 'x' }, {}, { a: [5, 'x'] }], [{ a: 2 }, { a: [] }]],
  [{ a: { $in: [/^x/, new BSONRegExp('Y', 'i')] } }, [{ a: 'xa' }, { a: ['by'] }], [{ a: 'ax' }, { a: 1 }]],
  [{ a: { $in: [[1], { b: 1 }] } }, [{ a: [1] }, { a: { b: 1 } }], [{ a: 1 }]],
  [{ a: { $nin: [1, null] } }, [{ a: 2 }], [{}, { a: 1 }, { a: [1, 2] }]],
  [{ a: { $exists: true } }, [{ a: null }, { a: [] }], [{}]],
  [{ a: { $exists: 0 } }, [{}], [{ a: null }]],
  [{ 'a.b': { $exists: true } }, [{ a: [{}, { b: null }] }], [{ a: [{}] }, { a: 1 }]],
  [{ a: { $type: 'string' } }, [{ a: 'x' }, { a: [1, 'x'] }], [{ a: 1 }, {}]],
  [{ a: { $type: ['number', 'bool'] } }, [{ a: 1 }, { a: Long.fromNumber(1) }, { a: true }], [{ a: 'x' }]],
  [{ a: { $type: 7 } }, [{ a: id }], [{ a: 1 }]],
  [{ a: { $type: 'array' } }, [{ a: [] }], [{ a: 1 }]],
  [{ a: /^b/i }, [{ a: 'Bc' }, { a: ['x', 'b'] }], [{ a: 'ab' }, { a: 1 }]],
  [{ a: { $regex: 'b.c', $options: 'si' } }, [{ a: 'B\nC' }], [{ a: 'bc' }]],
  [{ a: { $not: /b/ } }, [{}, { a: 'x' }], [{ a: 'abc' }]],
  [{ a: { $not: { $gt: 1 } } }, [{}, { a: 1 }, { a: 'x' }], [{ a: 2 }, { a: [0, 2] }]],
  [{ a: { $all: [1, 2] } }, [{ a: [2, 1, 3] }], [{ a: [1] }, { a: 1 }]],
  [{ a: { $all: [1] } }, [{ a: 1 }, { a: [1] }], [{ a: 2 }]],
  [{ a: { $all: [[1, 2]] } }, [{ a: [1, 2] }, { a: [[1, 2]] }], [{ a: [2, 1] }]],
  [{ a: { $all: [/x/, 1] } }, [{ a: ['ax', 1] }], [{ a: ['ax'] }]],
  [{ a: { $all: [] } }, [], [{ a: [] }, {}]],
  [
    { a: { $all: [{ $elemMatch: { b: 1 } }, { $elemMatch: { b: 2 } }] } },
    [{ a: [{ b: 1 }, { b: 2 }] }],
    [{ a: [{ b: 1 }] }],
  ],
  [
    { a: { $elemMatch: { b: 1, c: 2 } } },
    [{ a: [{}, { b: 1, c: 2 }] }, { x: 1, a: [{ b: [1], c: 2 }] }],
    [{ a: [{ b: 1 }, { c: 2 }] }, { a: { b: 1, c: 2 } }],
  ],
  [{ a: { $elemMatch: { $gt: 3, $lt: 6 } } }, [{ a: [1, 5] }], [{ a: [1, 9] }, { a: 5 }]],
  [{ a: { $elemMatch: { $not: { $gt: 3 } } } }, [{ a: [9, 1] }], [{ a: [9] }, { a: [] }]],
  [{ a: { $elemMatch: { $or: [{ b: 1 }, { c: 1 }] } } }, [{ a: [{ c: 1 }] }], [{ a: [{ d: 1 }] }]],
  [{ a: { $elemMatch: { 0: 1 } } }, [{ a: [[1]] }], [{ a: [1] }]],
  [{ 'a.b': { $elemMatch: { $eq: 1 } } }, [{ a: [{ b: [1] }] }], [{ a: [{ b: 1 }] }]],
  [{ a: { $size: 2 } }, [{ a: [1, [2]] }], [{ a: [] }, { a: 2 }, { a: [[1, 2]] }]],
  [
    { a: { $mod: [4, 1] } },
    [{ a: 5 }, { a: 5.9 }, { a: [2, 9] }, { a: Long.fromString('9007199254740993') }],
    [{ a: 4 }, { a: 'x' }, { a: NaN }],
  ],
  [{ $and: [{ a: 1 }, { b: 1 }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ $or: [{ a: 1 }, { b: 1 }] }, [{ b: 1 }], [{ c: 1 }]],
  [{ $nor: [{ a: 1 }, { b: 1 }] }, [{}], [{ a: 1 }, { b: 1 }]],
  [
    { $expr: { $gt: ['$a', '$b'] } },
    [
      { a: 2, b: 1 },
      { a: 'x', b: 9 },
    ],
    [{ a: 1, b: 1 }, { b: 1 }],
  ],
  [{ a: { $eq: 0 }, b: { $exists: false } }, [{ a: -0 }], [{ a: 0, b: 0 }]],
  [
    JSON.parse('{"__proto__":1,"constructor.name":null}') as Document,
    [JSON.parse('{"__proto__":1}') as Document],
    [{}, { a: 1 }],
  ],
];

describe('compileFilter', () => {
  it.each(table)('%j', (filter, matched, others) => {
    for (const form of [filter, unpromoted(filter)]) {
      const matches = compileFilter(form);
      for (const doc of matched) expect([doc, matches(doc), matches(unpromoted(doc))]).toEqual([doc, true, true]);
      for (const doc of others) expect([doc, matches(doc), matches(unpromoted(doc))]).toEqual([doc, false, false]);
    }
  });

  it('tells int, long and double apart in documents that keep them', () => {
    const types = (type: string): boolean[] =>
      [new Int32(1), new Double(1), Long.fromNumber(1)].map((a) => compileFilter({ a: { $type: type } })({ a }));
    expect([types('int'), types('double'), types('long')]).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
    expect([asksForTypes({ $or: [{ a: { $not: { $type: 'int' } } }] }), asksForTypes({ a: 1 })]).toEqual([true, false]);
  });

  it.each<[filter: unknown, code: number]>([
    [{ $where: 'true' }, 2],
    [{ $text: { $search: 'x' } }, 2],
    [{ $nope: 1 }, 2],
    [{ a: { $nope: 1 } }, 2],
    [{ a: { $near: [1, 2] } }, 2],
    [{ a: { $gt: 1, b: 1 } }, 2],
    [{ a: Long.fromNumber(1) }, 238],
    [{ a: { $in: [Decimal128.fromString('1')] } }, 238],
    [{ a: { b: [Long.fromNumber(1)] } }, 238],
    [{ a: { $in: 1 } }, 2],
    [{ a: { $in: [{ $gt: 1 }] } }, 2],
    [{ a: { $gt: /x/ } }, 238],
    [{ a: { $all: 1 } }, 2],
    [{ a: { $all: [1, { $elemMatch: {} }] } }, 2],
    [{ a: { $all: [{ $gt: 1 }] } }, 2],
    [{ a: { $elemMatch: 1 } }, 2],
    [{ a: { $not: 1 } }, 2],
    [{ a: { $not: {} } }, 2],
    [{ a: { $size: 'x' } }, 9],
    [{ a: { $size: -1 } }, 9],
    [{ a: { $mod: [0, 1] } }, 2],
    [{ a: { $mod: [1] } }, 2],
    [{ a: { $mod: [1, 2, 3] } }, 2],
    [{ a: { $mod: ['x', 1] } }, 2],
    [{ a: { $type: 'nope' } }, 2],
    [{ a: { $type: 99 } }, 2],
    [{ a: { $type: [] } }, 9],
    [{ a: { $type: {} } }, 14],
    [{ a: { $regex: '(' } }, 51091],
    [{ a: { $regex: 'a', $options: 'x' } }, 238],
    [{ a: { $regex: 'a', $options: 'q' } }, 51108],
    [{ a: { $regex: /a/i, $options: 'i' } }, 51075],
    [{ a: { $regex: 1 } }, 2],
    [{ a: { $options: 'i' } }, 2],
    [{ $or: [] }, 2],
    [{ $and: [1] }, 2],
    [{ $expr: { $nope: 1 } }, 168],
    [{ $expr: '$$nope' }, 17276],
    [{ a: { $elemMatch: { $and: [{ $expr: true }] } } }, 2],
    [{ a: { $elemMatch: { $where: 'x' } } }, 2],
    ['a', 2],
    [null, 2],
  ])('refuses %j', (filter, code) => {
    expect(refusal(() => compileFilter(filter as Document))).toBe(code);
  });

  it('refuses what is nested too deeply', () => {
    let filter: Document = {};
    let value: unknown = 1;
    for (let i = 0; i < 300; i++) [filter, value] = [{ $and: [filter] }, [value]];
    expect([refusal(() => compileFilter(filter)), refusal(() => compileFilter({ a: value }))]).toEqual([2, 15]);
  });

  it('reads the option s, which bson turns into the flag g, and keeps no state', () => {
    const filter = deserialize(serialize({ a: new BSONRegExp('a.b', 's') }));
    const matches = compileFilter(filter);
    expect([matches({ a: 'a\nb' }), matches({ a: 'a\nb' })]).toEqual([true, true]);
  });
});

describe('compilePositionalFilter', () => {
  it.each<[Document, Document, number | undefined]>([
    [{ a: 2 }, { a: [1, 2] }, 1],
    [{ 'a.b': 2 }, { a: [{ b: 1 }, { b: 2 }] }, 1],
    [{ a: { $elemMatch: { b: 2 } } }, { a: [{ b: 1 }, { b: 2 }] }, 1],
    [{ 'a.b': { $elemMatch: { $eq: 7 } } }, { a: [{ b: [] }, { b: [1, 1, 7] }] }, 1],
    [{ $or: [{ a: 9 }, { a: 3, b: 1 }, { a: 2 }] }, { a: [1, 2, 3] }, 1],
    [{ a: { $in: [5, 3] } }, { a: [1, 2, 3] }, 2],
    [{ x: 1, a: 2 }, { x: 1, a: [2] }, 0],
    [{ a: { $ne: 1 } }, { a: [2] }, undefined],
    [{ a: 1 }, { a: 1 }, undefined],
  ])('%j in %j', (filter, doc, arrayIndex) => {
    expect(compilePositionalFilter(filter)(doc)).toEqual({
      matched: true,
      ...(arrayIndex === undefined ? {} : { arrayIndex }),
    });
  });

  it('answers that nothing matched', () => {
    expect(compilePositionalFilter({ a: 1 })({ a: [2] })).toEqual({ matched: false });
  });
});

describe('laws of filters', () => {
  const scalar = fc.constantFrom<unknown>(null, 0, 1, 2.5, 'a', 'b', true, new Date(1), NaN);
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.record({ b: scalar }, { requiredKeys: [] }),
    fc.array(fc.record({ b: scalar }, { requiredKeys: [] }), { maxLength: 2 }),
  );
  const doc = fc.record({ a: value, c: value }, { requiredKeys: [] });
  const path = fc.constantFrom('a', 'a.b', 'a.0', 'c');
  const condition = fc.oneof(
    fc
      .record({ op: fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), value })
      .map(({ op, value: operand }) => ({ [op]: operand })),
    fc.array(value, { maxLength: 3 }).map((list) => ({ $in: list })),
    fc.boolean().map((flag) => ({ $exists: flag })),
    fc.constantFrom(
      { $type: 'number' },
      { $size: 1 },
      { $elemMatch: { b: 1 } },
      { $elemMatch: { $gt: 0 } },
      { $not: { $gt: 0 } },
      { $regex: 'a' },
    ),
  );
  const filter = fc.tuple(path, condition).map(([name, operand]): Document => ({ [name]: operand }));

  it('a filter and its $nor are complementary, and so are an operator and its $not', () => {
    fc.assert(
      fc.property(doc, filter, (candidate, wanted) => {
        const matched = compileFilter(wanted)(candidate);
        expect(compileFilter({ $nor: [wanted] })(candidate)).toBe(!matched);
        const [[name, operand] = ['', {}]] = Object.entries(wanted);
        expect(compileFilter({ [name]: { $not: operand } })(candidate)).toBe(!matched);
        expect(compileFilter(wanted)(unpromoted(candidate))).toBe(matched);
      }),
      { numRuns: 1000 },
    );
  });

  it('$and, $or, $in and $nin mean what they say', () => {
    fc.assert(
      fc.property(doc, filter, filter, path, fc.array(value, { maxLength: 3 }), (candidate, x, y, name, list) => {
        const is = (wanted: Document): boolean => compileFilter(wanted)(candidate);
        expect(is({ $and: [x, y] })).toBe(is(x) && is(y));
        expect(is({ $or: [x, y] })).toBe(is(x) || is(y));
        expect(is({ [name]: { $in: list } })).toBe(list.some((item) => is({ [name]: { $eq: item } })));
        expect(is({ [name]: { $nin: list } })).toBe(!is({ [name]: { $in: list } }));
      }),
      { numRuns: 500 },
    );
  });
});

function refusal(attempt: () => unknown): number | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}
