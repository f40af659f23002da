import { Decimal128, Long } from 'bson';
import fc from 'fast-check';
import { Document, EngineError } from '../errors.js';
import { compileFilter } from '../query/match.js';
import { parsePipeline, PipelineSource } from './pipeline.js';

const collections = new Map<string, Document[]>([
  [
    'people',
    [
      { _id: 1, name: 'Ada', team: 'x' },
      { _id: 2, name: 'Bob', team: 'y' },
      { _id: 3, name: 'Cyd' },
    ],
  ],
]);
let reads = 0;
const source: PipelineSource = {
  find: (name, filter) => {
    reads += 1;
    return (collections.get(name) ?? []).filter(compileFilter(filter));
  },
};

/** Runs a whole pipeline, what leads it first, as an index would. */
function run(input: Document[], stages: unknown, lets?: Document): Document[] {
  const before = structuredClone(JSON.stringify(input));
  const parsed = parsePipeline(stages, lets);
  const { filter = {}, sort, skip = 0, limit = Infinity } = parsed.leading;
  const matching = input.filter(compileFilter(filter));
  const ordered =
    sort === undefined
      ? matching
      : parsePipeline([{ $facet: { sorted: [{ $sort: sort }] } }]).run(matching, source)[0]?.['sorted'];
  const docs = (ordered as Document[]).slice(skip, skip + limit);
  const result = parsed.run(docs, source);
  if (parsed.countOnly) expect(parsed.countResult(docs.length)).toEqual(result);
  expect(JSON.stringify(input)).toBe(before);
  return result;
}

const items = [
  { _id: 1, a: 1, t: ['x', 'y'], o: { p: 1 }, who: 1 },
  { _id: 2, a: 2, t: [], o: { p: 2 }, who: [2, 3] },
  { _id: 3, a: 2, t: 'z', who: 9 },
  { _id: 4, t: null },
];

describe('stages', () => {
  it.each<[stages: unknown[], expected: unknown[]]>([
    [
      [{ $match: { a: 2 } }, { $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 5 }, { $project: { a: 1 } }],
      [{ _id: 2, a: 2 }],
    ],
    [[{ $limit: 3 }, { $skip: 1 }, { $limit: 1 }, { $project: { _id: 1 } }], [{ _id: 2 }]],
    [
      [{ $project: { _id: 0, a: 1, q: '$o.p' } }, { $match: { q: { $exists: true } } }],
      [
        { a: 1, q: 1 },
        { a: 2, q: 2 },
      ],
    ],
    [
      [{ $match: { _id: 1 } }, { $project: { z: '$a', o: { p: 1, r: { $add: ['$a', 1] } } } }],
      [{ _id: 1, o: { p: 1, r: 2 }, z: 1 }],
    ],
    [[{ $match: { _id: 1 } }, { $project: { t: 0, o: 0, who: 0 } }], [{ _id: 1, a: 1 }]],
    [[{ $match: { _id: 1 } }, { $project: { _id: '$a', t: 1 } }], [{ _id: 1, t: ['x', 'y'] }]],
    [
      [{ $match: { _id: 4 } }, { $addFields: { 'n.m': 1, t: '$$REMOVE', a: { $ifNull: ['$a', 'none'] } } }],
      [{ _id: 4, n: { m: 1 }, a: 'none' }],
    ],
    [
      [
        { $match: { _id: 1 } },
        { $set: { l: [{ v: 1 }, { v: 2 }] } },
        { $set: { 'l.w': '$a' } },
        { $unset: ['t', 'o', 'who', 'l.v'] },
      ],
      [{ _id: 1, a: 1, l: [{ w: 1 }, { w: 1 }] }],
    ],
    [
      [{ $unwind: '$t' }, { $project: { t: 1 } }],
      [
        { _id: 1, t: 'x' },
        { _id: 1, t: 'y' },
        { _id: 3, t: 'z' },
      ],
    ],
    [
      [
        { $unwind: { path: '$t', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
        { $project: { t: 1, i: 1 } },
      ],
      [
        { _id: 1, t: 'x', i: 0 },
        { _id: 1, t: 'y', i: 1 },
        { _id: 2, i: null },
        { _id: 3, t: 'z', i: null },
        { _id: 4, t: null, i: null },
      ],
    ],
    [
      [
        {
          $group: {
            _id: '$a',
            n: { $sum: 1 },
            ids: { $push: '$_id' },
            p: { $push: '$o.p' },
            min: { $min: '$_id' },
            max: { $max: '$_id' },
            avg: { $avg: '$_id' },
            f: { $first: '$o.p' },
            l: { $last: '$_id' },
            c: { $count: {} },
          },
        },
      ],
      [
        { _id: 1, n: 1, ids: [1], p: [1], min: 1, max: 1, avg: 1, f: 1, l: 1, c: 1 },
        { _id: 2, n: 2, ids: [2, 3], p: [2], min: 2, max: 3, avg: 2.5, f: 2, l: 3, c: 2 },
        { _id: null, n: 1, ids: [4], p: [], min: 4, max: 4, avg: 4, f: null, l: 4, c: 1 },
      ],
    ],
    [
      [{ $group: { _id: { a: '$a' }, s: { $addToSet: '$o' }, m: { $mergeObjects: '$o' } } }, { $limit: 1 }],
      [{ _id: { a: 1 }, s: [{ p: 1 }], m: { p: 1 } }],
    ],
    [
      [
        { $match: { _id: { $lt: 3 } } },
        { $group: { _id: null, sum: { $sum: '$a' }, none: { $sum: '$t' }, avg: { $avg: '$t' } } },
      ],
      [{ _id: null, sum: 3, none: 0, avg: null }],
    ],
    [[{ $count: 'n' }], [{ n: 4 }]],
    [[{ $match: { a: 99 } }, { $count: 'n' }], []],
    [[{ $match: { a: 2 } }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 2 }]],
    [[{ $sortByCount: '$a' }, { $limit: 1 }], [{ _id: 2, count: 2 }]],
    [
      [{ $match: { o: { $exists: true } } }, { $replaceRoot: { newRoot: '$o' } }],
      [{ p: 1 }, { p: 2 }],
    ],
    [
      [
        {
          $facet: {
            all: [{ $count: 'n' }],
            twos: [{ $match: { a: 2 } }, { $project: { _id: 1 } }],
            none: [{ $match: { a: 9 } }],
          },
        },
      ],
      [{ all: [{ n: 4 }], twos: [{ _id: 2 }, { _id: 3 }], none: [] }],
    ],
    [
      [
        { $lookup: { from: 'people', localField: 'who', foreignField: '_id', as: 'x.people' } },
        { $project: { 'x.people.name': 1 } },
      ],
      [
        { _id: 1, x: { people: [{ name: 'Ada' }] } },
        { _id: 2, x: { people: [{ name: 'Bob' }, { name: 'Cyd' }] } },
        { _id: 3, x: { people: [] } },
        { _id: 4, x: { people: [] } },
      ],
    ],
    [
      [
        { $match: { _id: 4 } },
        { $lookup: { from: 'people', localField: 'nope', foreignField: 'team', as: 'p' } },
        { $project: { 'p._id': 1 } },
      ],
      [{ _id: 4, p: [{ _id: 3 }] }],
    ],
    [
      [
        { $match: { _id: { $lte: 2 } } },
        {
          $lookup: {
            from: 'people',
            let: { n: '$a' },
            pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$n'] } } }, { $project: { _id: 0, name: 1, n: '$$n' } }],
            as: 'p',
          },
        },
        { $project: { p: 1 } },
      ],
      [
        { _id: 1, p: [{ name: 'Ada', n: 1 }] },
        { _id: 2, p: [{ name: 'Bob', n: 2 }] },
      ],
    ],
    [
      [
        { $match: { _id: 2 } },
        {
          $lookup: {
            from: 'people',
            localField: 'who',
            foreignField: '_id',
            pipeline: [{ $match: { team: 'y' } }, { $sort: { _id: -1 } }],
            as: 'p',
          },
        },
        { $project: { 'p.name': 1 } },
      ],
      [{ _id: 2, p: [{ name: 'Bob' }] }],
    ],
    [
      [{ $match: { _id: 1 } }, { $lookup: { from: 'nowhere', pipeline: [], as: 'p' } }, { $project: { p: 1 } }],
      [{ _id: 1, p: [] }],
    ],
  ])('%j', (stages, expected) => {
    expect(JSON.stringify(run(items, stages))).toBe(JSON.stringify(expected));
  });

  it('reads the other collection once for each distinct value', () => {
    const rows = [1, 2, 1, 2, 1].map((who, _id) => ({ _id, who }));
    reads = 0;
    run(rows, [{ $lookup: { from: 'people', localField: 'who', foreignField: '_id', as: 'p' } }]);
    expect(reads).toBe(2);
  });

  it('adds up numbers of all types, and groups equal ones together', () => {
    const rows = [
      { v: Long.fromString('9007199254740993'), k: 1 },
      { v: 1, k: Long.fromNumber(1) },
      { v: Decimal128.fromString('0.5'), k: Decimal128.fromString('1.0') },
    ];
    const [row] = run(rows, [{ $group: { _id: '$k', sum: { $sum: '$v' }, max: { $max: '$v' } } }]);
    expect([String(row?.['sum']), String(row?.['max'])]).toEqual(['9007199254740994.5', '9007199254740993']);
  });

  it('tells what an index can serve', () => {
    const leadingOf = (...stages: Document[]): unknown => parsePipeline(stages).leading;
    expect(
      leadingOf(
        { $match: { a: 1 } },
        { $match: { b: 1 } },
        { $sort: { a: 1 } },
        { $skip: 1 },
        { $limit: 9 },
        { $limit: 2 },
        { $match: { c: 1 } },
      ),
    ).toEqual({
      filter: { $and: [{ a: 1 }, { b: 1 }] },
      sort: { a: 1 },
      skip: 1,
      limit: 2,
    });
    expect(leadingOf({ $limit: 1 }, { $skip: 1 })).toEqual({ limit: 1 });
    expect(leadingOf({ $project: { a: 1 } }, { $match: { a: 1 } })).toEqual({});
    const withVariables = parsePipeline([{ $match: { $expr: { $eq: ['$a', '$$v'] } } }, { $count: 'n' }], {
      v: { $add: [1, 1] },
    });
    expect([withVariables.leading, withVariables.countOnly, withVariables.run(items, source)]).toEqual([
      {},
      false,
      [{ n: 2 }],
    ]);
  });

  it('gives the same answer whatever part of a pipeline an index serves', () => {
    const stage = fc.oneof(
      fc.integer({ min: 0, max: 3 }).map((a) => ({ $match: { a: { $gte: a } } })),
      fc.constantFrom({ $sort: { a: 1, _id: 1 } }, { $sort: { _id: -1 } }),
      fc.integer({ min: 0, max: 3 }).map((n) => ({ $skip: n })),
      fc.integer({ min: 1, max: 4 }).map((n) => ({ $limit: n })),
    );
    const doc = fc.record({ a: fc.integer({ min: 0, max: 4 }) });
    fc.assert(
      fc.property(fc.array(doc, { maxLength: 8 }), fc.array(stage, { maxLength: 6 }), (docs, stages) => {
        const input = docs.map((fields, _id) => ({ _id, ...fields }));
        // a first stage that does nothing keeps the others from leading
        const unled = [{ $addFields: {} }, ...stages];
        expect(run(input, stages)).toEqual(run(input, unled));
      }),
      { numRuns: 500 },
    );
  });

  it('takes hostile names for what they are', () => {
    const hostile = JSON.parse('{"_id":1,"__proto__":{"x":1},"constructor":{"y":2}}') as Document;
    const stages = [
      { $match: { $expr: true } },
      { $addFields: { a: '$toString', b: '$constructor.y' } },
      { $group: { _id: '$_id', all: { $push: '$$ROOT' }, m: { $mergeObjects: '$$ROOT' } } },
    ];
    const [row] = run([hostile], stages);
    expect(JSON.stringify(row?.['m'])).toBe('{"_id":1,"__proto__":{"x":1},"constructor":{"y":2},"b":2}');
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it.each<[stages: unknown, code: number]>([
    ['x', 14],
    [[1], 14],
    [[{}], 40323],
    [[{ $match: {}, $limit: 1 }], 40323],
    [[{ $nope: 1 }], 40324],
    [[{ $out: 'x' }], 40324],
    [[{ $graphLookup: {} }], 40324],
    [[{ $match: 1 }], 15959],
    [[{ $match: { $where: 'x' } }], 2],
    [[{ $match: { a: { $nope: 1 } } }], 2],
    [[{ $sort: {} }], 15976],
    [[{ $sort: { a: 0 } }], 15975],
    [[{ $limit: 0 }], 15958],
    [[{ $limit: 1.5 }], 5107201],
    [[{ $skip: -1 }], 5107200],
    [[{ $project: {} }], 51272],
    [[{ $project: { a: 1, b: 0 } }], 31254],
    [[{ $project: { a: 0, b: '$c' } }], 31253],
    [[{ $project: { a: '$b', 'a.c': 1 } }], 31250],
    [[{ $project: { a: '$a..b' } }], 15998],
    [[{ $project: { a: '$' } }], 16872],
    [[{ $project: { a: '$__proto__' } }], 16410],
    [[{ $project: { a: { $nope: 1 } } }], 168],
    [[{ $project: { a: { $function: { body: 'x', args: [], lang: 'js' } } } }], 238],
    [[{ $project: { a: { $rand: {} } } }], 238],
    [[{ $project: { a: { $getField: '__proto__' } } }], 238],
    [[{ $project: { a: '$$nope' } }], 17276],
    [[{ $addFields: { a: { $let: { vars: { v: 1 }, in: { $add: ['$$v', '$$w'] } } } } }], 17276],
    [[{ $addFields: { a: { $add: [1], $subtract: [1, 2] } } }], 15983],
    [[{ $addFields: 1 }], 40272],
    [[{ $unset: 1 }], 31002],
    [[{ $unset: [] }], 31002],
    [[{ $unwind: 'a' }], 28818],
    [[{ $unwind: { path: '$a', nope: 1 } }], 28811],
    [[{ $unwind: { path: '$a', includeArrayIndex: 1 } }], 28810],
    [[{ $unwind: { path: '$a', preserveNullAndEmptyArrays: 1 } }], 28809],
    [[{ $group: { n: { $sum: 1 } } }], 15955],
    [[{ $group: 1 }], 15947],
    [[{ $group: { _id: 1, n: 1 } }], 40234],
    [[{ $group: { _id: 1, n: { $sum: 1, $avg: 1 } } }], 40238],
    [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 40235],
    [[{ $group: { _id: 1, n: { $nope: 1 } } }], 15952],
    [[{ $group: { _id: 1, n: { $accumulator: {} } } }], 15952],
    [[{ $count: '' }], 40156],
    [[{ $count: 'a.b' }], 40160],
    [[{ $lookup: { from: 'x', as: 'y' } }], 9],
    [[{ $lookup: { from: 'x', as: 'y', localField: 'a' } }], 9],
    [[{ $lookup: { from: 'x', as: 'y', pipeline: [{ $nope: 1 }] } }], 40324],
    [[{ $lookup: { from: 'x', as: 'y', let: { 1: 'a' }, pipeline: [] } }], 16867],
    [[{ $lookup: { from: 'x', as: 'y', nope: 1 } }], 9],
    [[{ $replaceRoot: {} }], 40231],
    [[{ $facet: {} }], 40169],
    [[{ $facet: { a: [{ $facet: { b: [] } }] } }], 40600],
  ])('refuses %j', (stages, code) => {
    expect(() => parsePipeline(stages)).toThrow(expect.objectContaining({ code }) as EngineError);
  });
});
