import fc from 'fast-check';
import type { ClientSession, Collection, Document } from 'mongodb';
import { cases } from '../../../../test/support/cases.js';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';
import { SortedKeys } from './sorted-keys.js';
import { measure } from '../../../../test/support/spent.js';

interface Doc extends Document {
  _id: number;
}

const LONG = 120_000;

describe('sorted keys', () => {
  it('are what a sorted set is', () => {
    const key = fc.string({ unit: fc.constantFrom('\0', 'a', 'b', '\xff'), maxLength: 4 });
    const steps = fc.array(fc.record({ add: fc.boolean(), key }), { maxLength: 60 });
    const property = fc.property(fc.array(key), steps, key, key, (given, all, start, end) => {
      const [keys, wanted] = [new SortedKeys(given), new Set(given)];
      for (const step of all) {
        if (step.add) keys.add(step.key);
        else keys.remove(step.key);
        if (step.add) wanted.add(step.key);
        else wanted.delete(step.key);
      }
      const within = [...wanted].filter((one) => one >= start && one < end).sort((a, b) => (a < b ? -1 : 1));
      expect([...keys.range(start, end)]).toEqual(within);
    });
    fc.assert(property, { numRuns: cases(100, 5000) });
  });

  it('stay in order in many pieces', () => {
    const numbers = Array.from({ length: 10_000 }, (_, number) => String((number * 7919) % 10_000).padStart(5, '0'));
    const keys = new SortedKeys(numbers.slice(0, 3000));
    for (const number of numbers.slice(3000)) keys.add(number);
    const sorted = numbers.toSorted();
    expect([...keys.range('', '~')]).toEqual(sorted);
    for (const number of sorted.slice(1000, 9000)) keys.remove(number);
    expect([...keys.range('00500', '09500')]).toEqual([...sorted.slice(500, 1000), ...sorted.slice(9000, 9500)]);
  });
});

describe('what a transaction has changed', () => {
  let test: TestEngine;
  let count = 0;

  beforeAll(async () => {
    test = await startTestEngine();
  });
  afterAll(() => test.stop());

  async function collection(docs: Doc[] = []): Promise<Collection<Doc>> {
    const made = test.db.collection<Doc>(`pending${count++}`);
    await made.createIndexes([
      { key: { u: 1 }, unique: true, sparse: true },
      { key: { n: 1, m: -1 } },
      { key: { tags: 1 } },
      { key: { m: 1 }, partialFilterExpression: { n: { $gt: 1 } } },
    ]);
    if (docs.length > 0) await made.insertMany(docs);
    return made;
  }

  const small = fc.integer({ min: 0, max: 3 });
  // in the base only documents of single values: the arrays of a transaction are those that its indexes do not know of
  const fields = (tags: fc.Arbitrary<unknown>): fc.Arbitrary<Document> =>
    fc.record({ n: small, m: small, tags, u: fc.integer({ min: 0, max: 8 }) }, { requiredKeys: ['n'] });
  const single = fields(small);
  const listed = fields(fc.oneof(small, fc.array(small, { maxLength: 3 })));
  const id = fc.integer({ min: 0, max: 9 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('insert' as const), id, fields: listed }),
    fc.record({ do: fc.constant('replace' as const), id, fields: listed }),
    fc.record({ do: fc.constant('upsert' as const), id, fields: listed }),
    fc.record({ do: fc.constant('many' as const), id: small, fields: fc.record({ n: small, m: small }) }),
    fc.record({ do: fc.constant('remove' as const), id, fields: single }),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
  const condition = fc.oneof(
    small,
    fc.record({ $in: fc.array(small, { maxLength: 3 }) }),
    fc.record({ $gte: small, $lt: small }),
    fc.record({ $ne: small }),
  );
  const filter = fc.record(
    { n: condition, m: condition, tags: condition, u: condition, _id: condition },
    { requiredKeys: [] },
  );
  const sort = fc.constantFrom<Record<string, 1 | -1>>(
    { _id: 1 },
    { n: 1, m: -1, _id: 1 },
    { n: -1, m: 1, _id: -1 },
    { tags: 1, _id: 1 },
  );
  const query = fc.record({ filter, sort, limit: fc.integer({ min: 0, max: 4 }) });

  async function take(docs: Collection<Doc>, given: Step, session?: ClientSession): Promise<unknown> {
    switch (given.do) {
      case 'insert':
        return docs.insertOne({ _id: given.id, ...given.fields }, { session });
      case 'replace':
        return docs.replaceOne({ _id: given.id }, given.fields, { session });
      case 'upsert':
        return docs.updateOne({ _id: given.id }, { $set: given.fields }, { session, upsert: true });
      case 'many':
        return docs.updateMany({ n: given.id }, { $set: given.fields }, { session });
      case 'remove':
        return docs.deleteMany({ n: given.fields.n as number, m: { $gte: given.id } }, { session });
    }
  }

  it(
    'is found as if it were stored',
    async () => {
      const bases = fc.array(single, { maxLength: 6 });
      const rounds = fc.array(fc.record({ step, queries: fc.array(query, { maxLength: 4 }) }), { maxLength: 12 });
      const property = fc.asyncProperty(bases, rounds, async (base, all) => {
        const stored = base.map((doc, _id) => ({ _id, ...doc, u: _id }));
        const [plain, docs] = [await collection(stored), await collection(stored)];
        const session = test.client.startSession();
        session.startTransaction();
        for (const round of all) {
          // a duplicate would end the transaction: what the plain collection refuses is not asked of it
          const refused = await take(plain, round.step).catch(() => 'refused');
          if (refused === 'refused') continue;
          await take(docs, round.step, session);
          for (const { filter: wanted, sort: order, limit } of round.queries) {
            const find = (from: Collection<Doc>, options = {}): Promise<Doc[]> =>
              from.find(wanted, options).sort(order).limit(limit).toArray();
            expect(await find(docs, { session })).toEqual(await find(plain));
            // values come in any order, as on any server
            const values = async (from: Collection<Doc>, options = {}): Promise<number[]> =>
              ((await from.distinct('n', wanted, options)) as number[]).sort();
            expect(await values(docs, { session })).toEqual(await values(plain));
          }
        }
        await session.commitTransaction();
        await session.endSession();
        const whole = (from: Collection<Doc>, hint: Document): Promise<Doc[]> =>
          from
            .find({ n: { $gte: 0 } }, { hint })
            .sort({ _id: 1 })
            .toArray();
        for (const hint of [{ _id: 1 }, { n: 1, m: -1 }, { tags: 1 }]) {
          expect(await whole(docs, hint)).toEqual(await whole(plain, hint));
        }
      });
      await fc.assert(property, { numRuns: cases(8, 1000) });
    },
    LONG,
  );

  it('is found by arrays that the index has not had before', async () => {
    const docs = await collection([{ _id: 1, tags: 2 }]);
    const session = test.client.startSession();
    session.startTransaction();
    await docs.insertOne({ _id: 2, tags: [1, 5] }, { session });
    const found = docs.find({ tags: { $gt: 2, $lt: 4 } }, { session }).hint({ tags: 1 });
    expect((await found.toArray()).map(({ _id }) => _id)).toEqual([2]);
    await session.abortTransaction();
    await session.endSession();
  });

  it('leaves what is changed between the pieces of an answer as it is then', async () => {
    const docs = await collection(Array.from({ length: 200 }, (_, _id) => ({ _id, n: _id % 2, m: _id })));
    const session = test.client.startSession();
    session.startTransaction();
    await docs.updateOne({ _id: 1 }, { $set: { n: 7 } }, { session });
    const cursor = docs.find({ n: 0 }, { session, batchSize: 1 }).sort({ m: -1 }).hint({ n: 1, m: -1 });
    const first = await cursor.next();
    await docs.updateOne({ _id: 0 }, { $set: { n: 5 } }, { session });
    await docs.updateOne({ _id: 2 }, { $set: { x: 'new' } }, { session });
    const rest = await cursor.toArray();
    expect(first).toMatchObject({ _id: 198 });
    expect(rest).toHaveLength(98);
    expect(rest.at(-1)).toMatchObject({ _id: 2, x: 'new' });
    await session.abortTransaction();
    await session.endSession();
  });

  it(
    'takes time in proportion to the number of writes',
    async () => {
      /** Processor time of `size` writes of each kind in one transaction, in seconds. */
      const spent = async (size: number): Promise<number> => {
        const docs = await collection(Array.from({ length: size }, (_, _id) => ({ _id, n: _id, m: 0 })));
        const work = measure();
        const session = test.client.startSession();
        session.startTransaction();
        for (let start = 0; start < size; start += 100) {
          const ids = Array.from({ length: 100 }, (_, number) => start + number);
          await docs.insertMany(
            ids.map((number) => ({ _id: size + number, n: size + number, m: 1, u: number })),
            { session },
          );
          await docs.bulkWrite(
            ids.map((number) => ({ updateOne: { filter: { _id: number }, update: { $inc: { m: 1 } } } })),
            { session },
          );
          await docs.find({ n: { $in: ids } }, { session }).toArray();
          await docs.updateOne({ n: start }, { $set: { tags: 'first' } }, { session });
        }
        await session.commitTransaction();
        await session.endSession();
        return work();
      };
      // the least of a few turns: what else the machine does only adds to it. The square of the number would be 64 times as much
      let [few, many] = [Infinity, Infinity];
      for (let turn = 0; turn < 4; turn += 1) {
        few = Math.min(few, await spent(1000));
        many = Math.min(many, await spent(8000));
      }
      expect(many / few).toBeLessThan(24);
    },
    LONG,
  );
});
