import { Binary, ObjectId, type Collection, type Document, type Filter, type Sort } from 'mongodb';
import { cases } from '../../../../test/support/cases.js';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';

const CASES = cases(800, 1600);
const CASES_IN_TRANSACTION = 200;
const DOCUMENTS = 90;

/** Numbers that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = generator(20_240_917);
const below = (limit: number): number => Math.floor(random() * limit);
function pick<T>(list: readonly T[]): T {
  const found = list[below(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

const ids = Array.from({ length: 4 }, (_, n) => new ObjectId(String(n).padStart(24, '0')));
const scalars: (() => unknown)[] = [
  () => null,
  () => below(8),
  () => below(8) + 0.5,
  () => -below(4),
  () => pick(['', 'a', 'b', 'ab', 'é', '\u{1f600}', 'a\u0000b', 'Z']),
  () => random() < 0.5,
  () => new Date(below(5) * 1000 - 2000),
  () => pick(ids),
  () => new Binary(Buffer.from([below(3), below(3)])),
  () => ({ x: below(3), y: pick(['a', 'b']) }),
  () => pick([NaN, Infinity, -Infinity]),
];
const scalar = (): unknown => pick(scalars)();
const array = (): unknown[] => Array.from({ length: below(4) }, () => (random() < 0.1 ? [scalar()] : scalar()));

function value(): unknown {
  const kind = random();
  if (kind < 0.15) return array();
  if (kind < 0.25) return { b: random() < 0.3 ? array() : scalar(), c: scalar() };
  if (kind < 0.32) return Array.from({ length: below(3) }, () => ({ b: scalar(), c: scalar() }));
  return scalar();
}

function makeDocument(n: number): Document {
  const doc: Document = { _id: n };
  for (const field of ['a', 'k', 'm', 's', 'p']) {
    if (random() < 0.8) doc[field] = field === 'k' || field === 'm' ? scalar() : value();
  }
  return doc;
}

const FIELDS = ['a', 'a.b', 'a.c', 'k', 'm', 's', 'p', '_id', 'k.x', 'missing'];

function comparison(): Document {
  return { [pick(['$gt', '$gte', '$lt', '$lte'])]: scalar() };
}

function condition(): unknown {
  const kinds: (() => unknown)[] = [
    scalar,
    scalar,
    scalar,
    comparison,
    comparison,
    () => ({ ...comparison(), ...comparison() }),
    () => ({ $in: Array.from({ length: below(4) }, scalar) }),
    () => ({ $exists: random() < 0.5 }),
    () => ({ $ne: scalar() }),
    () => ({ $nin: [scalar(), scalar()] }),
    () => ({ $not: comparison() }),
    () => ({ $elemMatch: { ...comparison(), ...comparison() } }),
    () => ({ $elemMatch: { b: scalar(), c: scalar() } }),
    () => ({ $type: pick(['string', 'number', 'null', 'array', 'object', 'date']) }),
    () => ({ $size: below(3) }),
    () => ({ $eq: scalar(), ...comparison() }),
    array,
    () => /^a/,
  ];
  return pick(kinds)();
}

function filter(depth = 0): Document {
  const kind = random();
  if (depth < 2 && kind < 0.08) return { $or: [filter(depth + 1), filter(depth + 1)] };
  if (depth < 2 && kind < 0.16) return { $and: [filter(depth + 1), filter(depth + 1)] };
  const conditions: Document = {};
  for (let n = 1 + below(3); n > 0; n--) conditions[pick(FIELDS)] = condition();
  return conditions;
}

function sort(): Sort {
  const order = new Map<string, 1 | -1>();
  for (let n = 1 + below(2); n > 0; n--) order.set(pick(FIELDS.slice(0, 8)), random() < 0.5 ? 1 : -1);
  // the last field makes the order complete, so that it can be compared
  order.delete('_id');
  order.set('_id', random() < 0.5 ? 1 : -1);
  return order;
}

describe('planner', () => {
  let test: TestEngine;
  let plain: Collection;
  let indexed: Collection;

  beforeAll(async () => {
    test = await startTestEngine();
    plain = test.db.collection('plain');
    indexed = test.db.collection('indexed');
    await indexed.createIndexes([
      { key: { a: 1 } },
      { key: { 'a.b': 1, 'a.c': -1 } },
      { key: { k: 1, m: -1 } },
      { key: { k: -1, a: 1 } },
      { key: { m: 1, _id: 1 } },
      { key: { s: 1 }, sparse: true },
      { key: { m: 1, p: 1 }, name: 'partial', partialFilterExpression: { p: { $exists: true } } },
      { key: { p: 1 }, name: 'positive', partialFilterExpression: { k: { $gt: 2 } } },
      { key: { k: 1, s: 1, m: 1 }, name: 'three' },
      { key: { m: -1, k: 1, _id: -1 }, name: 'order' },
    ]);
    const documents = Array.from({ length: DOCUMENTS }, (_, n) => makeDocument(n));
    await plain.insertMany(documents);
    for (const doc of documents)
      await indexed.insertOne(doc as never).catch(() => plain.deleteOne({ _id: doc._id as never }));
    // entries that were changed, not only made
    for (let n = 0; n < 40; n++) {
      const change = { $set: { [pick(['k', 'm', 's'])]: scalar() }, $unset: { [pick(['p', 'q'])]: '' } };
      const target = { _id: below(DOCUMENTS) as never };
      await plain.updateOne(target, change);
      await indexed.updateOne(target, change);
    }
    await plain.deleteMany({ _id: { $in: [3, 40, 41] as never[] } });
    await indexed.deleteMany({ _id: { $in: [3, 40, 41] as never[] } });
  });

  afterAll(() => test.stop());

  it(`answers ${CASES} random queries the same with and without indexes`, async () => {
    const used = new Set<string>();
    for (let n = 0; n < CASES; n++) {
      const query = filter() as Filter<Document>;
      const order = sort();
      const options = random() < 0.3 ? { skip: below(5), limit: 1 + below(20) } : {};
      const expected = await plain.find(query, options).sort(order).toArray();
      const answered = await indexed.find(query, options).sort(order).toArray();
      const note = { query, order: [...(order as Map<string, number>)], options };
      expect({ ...note, ids: answered.map(({ _id }) => _id) }).toEqual({
        ...note,
        ids: expected.map(({ _id }) => _id),
      });
      if (n % 4 === 0) {
        const [a, b] = await Promise.all([plain.countDocuments(query), indexed.countDocuments(query)]);
        expect({ ...note, count: b }).toEqual({ ...note, count: a });
      }
      if (n % 20 === 0)
        used.add(JSON.stringify(await indexed.find(query).explain()).match(/"indexName":"([^"]+)"/)?.[1] ?? 'none');
    }
    expect(used.size).toBeGreaterThan(5);
  });

  it(`does so over the changes of a transaction, in ${CASES_IN_TRANSACTION} queries`, async () => {
    const session = test.client.startSession();
    session.startTransaction();
    for (let n = 0; n < 25; n++) {
      const target = { _id: below(DOCUMENTS) as never };
      const change = { $set: { [pick(['a', 'k', 'm', 's'])]: scalar() } };
      await plain.updateOne(target, change);
      await indexed.updateOne(target, change, { session });
    }
    for (const _id of [7, 8, 9] as never[]) {
      await plain.deleteOne({ _id });
      await indexed.deleteOne({ _id }, { session });
    }
    for (let n = 1000; n < 1010; n++) {
      const doc = makeDocument(n) as never;
      const added = await indexed.insertOne(doc, { session }).catch(() => undefined);
      if (!added) break;
      await plain.insertOne(doc);
    }
    for (let n = 0; n < CASES_IN_TRANSACTION; n++) {
      const query = filter() as Filter<Document>;
      const order = sort();
      const expected = await plain.find(query).sort(order).limit(30).toArray();
      const answered = await indexed.find(query, { session }).sort(order).limit(30).toArray();
      expect({ query, ids: answered.map(({ _id }) => _id) }).toEqual({ query, ids: expected.map(({ _id }) => _id) });
    }
    await session.commitTransaction();
    const all = { _id: 1 } as const;
    expect(await indexed.find().sort(all).toArray()).toEqual(await plain.find().sort(all).toArray());
    await session.endSession();
  });
});
