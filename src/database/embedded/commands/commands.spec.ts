import {
  Binary,
  Double,
  Int32,
  Long,
  MongoBulkWriteError,
  MongoServerError,
  ObjectId,
  type Collection,
  type Document,
} from 'mongodb';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';

/** A document with ids of any type that the tests use. */
interface Doc extends Document {
  _id: string | number | number[];
}

describe('commands', () => {
  let test: TestEngine;
  let docs: Collection<Doc>;
  let count = 0;

  beforeAll(async () => {
    test = await startTestEngine();
  });
  afterAll(() => test.stop());
  beforeEach(() => {
    docs = test.db.collection<Doc>(`docs${count++}`);
  });

  const failure = async (work: Promise<unknown>): Promise<MongoServerError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof MongoServerError)) throw new Error(`no server error: ${String(error)}`);
    return error;
  };

  describe('insert', () => {
    it('keeps types, field order and bytes', async () => {
      const doc = {
        _id: 1,
        z: 1,
        a: new Double(1),
        l: Long.fromString('5'),
        b: new Binary(Buffer.from('x'), 4),
        n: null,
        d: new Date(0),
        o: { b: 1, a: [1, { c: 2 }] },
        r: /x/i,
        t: true,
      };
      await docs.insertOne(doc);
      const raw = await docs.findOne({}, { promoteValues: false });
      expect(Object.keys(raw ?? {})).toEqual(Object.keys(doc));
      expect(raw?.a).toBeInstanceOf(Double);
      expect(raw?._id).toBeInstanceOf(Int32);
      expect(raw?.l).toEqual(Long.fromString('5'));
      expect(raw?.b).toEqual(doc.b);
    });

    it('puts _id first, and makes one when there is none', async () => {
      await test.db.command({ insert: docs.collectionName, documents: [{ a: 1, _id: 5 }, { a: 2 }] });
      const [first, second] = await docs.find().toArray();
      expect(Object.keys(first ?? {})).toEqual(['_id', 'a']);
      expect(second?._id).toBeInstanceOf(ObjectId);
    });

    it('stops at the first error when ordered, and at none when not', async () => {
      const batch = [{ _id: 1 }, { _id: 1 }, { _id: 2 }];
      await expect(docs.insertMany(batch)).rejects.toThrow(MongoBulkWriteError);
      expect(await docs.countDocuments()).toBe(1);
      await expect(docs.insertMany(batch, { ordered: false })).rejects.toThrow('E11000');
      expect(await docs.countDocuments()).toBe(2);
    });

    it('reports duplicate keys as MongoDB does', async () => {
      await docs.createIndexes([{ key: { f: 1, n: -1 }, unique: true, name: 'f' }]);
      await docs.insertOne({ _id: 1, f: 'x', n: 1 });
      const error = await failure(docs.insertOne({ _id: 2, f: 'x', n: 1 }));
      expect(error.message).toBe(
        `E11000 duplicate key error collection: test.${docs.collectionName} index: f dup key: { f: "x", n: 1 }`,
      );
      expect(error).toMatchObject({ code: 11000, keyPattern: { f: 1, n: -1 }, keyValue: { f: 'x', n: 1 } });
      expect(await docs.countDocuments()).toBe(1);
    });

    it('refuses ids and sizes that cannot be', async () => {
      expect(await failure(docs.insertOne({ _id: [1] }))).toMatchObject({ code: 53 });
      const large = { insert: docs.collectionName, documents: [{ _id: 1, a: 'x'.repeat(16 * 1024 * 1024) }] };
      expect(await test.db.command(large)).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 10334 }] });
    });
  });

  describe('update', () => {
    beforeEach(() =>
      docs.insertMany([
        { _id: 1, n: 1, t: [1, 5] },
        { _id: 2, n: 2 },
        { _id: 3, n: 2 },
      ]),
    );

    it('changes one or many and counts what differs', async () => {
      expect(await docs.updateOne({ n: 2 }, { $set: { n: 3 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
      expect(await docs.updateMany({}, { $set: { n: 3 } })).toMatchObject({ matchedCount: 3, modifiedCount: 2 });
      expect(await docs.replaceOne({ _id: 1 }, { r: 1 })).toMatchObject({ modifiedCount: 1 });
      expect(await docs.findOne({ _id: 1 })).toEqual({ _id: 1, r: 1 });
    });

    it('reaches each document once although the index that finds it changes', async () => {
      await docs.createIndexes([{ key: { n: 1 } }]);
      await docs.insertMany(Array.from({ length: 400 }, (_, n) => ({ _id: `x${n}`, n: 10 + n })));
      expect(await docs.updateMany({ n: { $gte: 10 } }, { $inc: { n: 1000 } })).toMatchObject({ modifiedCount: 400 });
      expect(await docs.countDocuments({ n: { $gte: 2010 } })).toBe(0);
    });

    it('resolves the positional operator and array filters', async () => {
      await docs.updateOne({ _id: 1, t: 5 }, { $set: { 't.$': 6 } });
      await docs.updateOne({ _id: 1 }, { $inc: { 't.$[x]': 10 } }, { arrayFilters: [{ x: { $lt: 3 } }] });
      expect((await docs.findOne({ _id: 1 }))?.t).toEqual([11, 6]);
    });

    it('keeps the types of fields that it does not touch', async () => {
      await docs.insertOne({ _id: 9, l: Long.fromString('3'), d: new Double(4) });
      await docs.updateOne({ _id: 9 }, { $set: { x: 1 } });
      const raw = await docs.findOne({ _id: 9 }, { promoteValues: false });
      expect(raw?.l).toEqual(Long.fromString('3'));
      expect(raw?.d).toBeInstanceOf(Double);
    });

    it('upserts', async () => {
      const result = await docs.updateOne(
        { _id: 7, k: 'a' },
        { $setOnInsert: { n: 1 }, $inc: { c: 2 } },
        { upsert: true },
      );
      expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 7 });
      expect(await docs.findOne({ _id: 7 })).toEqual({ _id: 7, k: 'a', n: 1, c: 2 });
      const made = await docs.updateOne({ k: 'b' }, { $set: { n: 1 } }, { upsert: true });
      expect(made.upsertedId).toBeInstanceOf(ObjectId);
    });

    it('reports what does not fit', async () => {
      expect(await failure(docs.updateOne({ _id: 1 }, { $set: { _id: 2 } }))).toMatchObject({ code: 66 });
      expect(await failure(docs.updateOne({ _id: 1 }, { $nothing: { a: 1 } }))).toMatchObject({ code: 9 });
      expect(await failure(docs.updateOne({ _id: 1 }, { $inc: { t: 1 } }))).toMatchObject({ code: 14 });
      expect(
        await failure(test.db.command({ findAndModify: docs.collectionName, query: {}, update: { $inc: { n: 'x' } } })),
      ).toMatchObject({ code: 14 });
    });
  });

  describe('delete and findAndModify', () => {
    beforeEach(() => docs.insertMany([1, 2, 3, 4].map((_id) => ({ _id, g: _id % 2 }))));

    it('removes one or many', async () => {
      expect(await docs.deleteOne({ g: 1 })).toMatchObject({ deletedCount: 1 });
      expect(await docs.deleteMany({})).toMatchObject({ deletedCount: 3 });
      expect(await docs.estimatedDocumentCount()).toBe(0);
    });

    it('finds and changes, removes or makes one', async () => {
      expect(await docs.findOneAndUpdate({ g: 0 }, { $set: { x: 1 } }, { sort: { _id: -1 } })).toEqual({
        _id: 4,
        g: 0,
      });
      const options = { returnDocument: 'after', projection: { x: 1, _id: 0 } } as const;
      expect(await docs.findOneAndUpdate({ _id: 4 }, { $inc: { x: 1 } }, options)).toEqual({ x: 2 });
      expect(await docs.findOneAndDelete({ g: 1 }, { sort: { _id: -1 } })).toEqual({ _id: 3, g: 1 });
      expect(await docs.findOneAndUpdate({ _id: 9 }, { $set: { x: 1 } })).toBeNull();
      const made = await docs.findOneAndReplace(
        { _id: 9 },
        { y: 1 },
        { upsert: true, returnDocument: 'after', includeResultMetadata: true },
      );
      expect(made).toMatchObject({
        value: { _id: 9, y: 1 },
        lastErrorObject: { n: 1, updatedExisting: false, upserted: 9 },
      });
    });
  });

  describe('queries and cursors', () => {
    beforeEach(async () => {
      await docs.insertMany(
        Array.from({ length: 250 }, (_, n) => ({ _id: n, n: n % 5, s: `s${n}`, pad: { a: n, b: [n, n + 1] } })),
      );
    });

    it('answers in insertion order, batch by batch', async () => {
      const cursor = docs.find({}, { batchSize: 7 });
      expect((await cursor.toArray()).map(({ _id }) => _id)).toEqual(Array.from({ length: 250 }, (_, n) => n));
      expect(await docs.find({}, { batchSize: 0 }).toArray()).toHaveLength(250);
    });

    it('skips what is removed between batches', async () => {
      for (const sort of [undefined, { s: -1 }] as const) {
        const cursor = docs.find({ n: { $lt: 5 } }, { batchSize: 10 });
        if (sort) cursor.sort(sort);
        const first = await cursor.next();
        await docs.deleteMany({ _id: { $ne: first?._id } });
        const rest = await cursor.toArray();
        expect(rest.length).toBeLessThanOrEqual(10);
        await docs.deleteMany({});
        await docs.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: n, n: n % 5, s: `s${n}` })));
      }
    });

    it('closes cursors, and knows those it does not know', async () => {
      const cursor = docs.find({}, { batchSize: 2 });
      await cursor.next();
      const { id } = cursor;
      await cursor.close();
      const more = { getMore: id, collection: docs.collectionName };
      expect(await failure(test.db.command(more))).toMatchObject({ code: 43, codeName: 'CursorNotFound' });
    });

    it('sorts, skips, limits and projects', async () => {
      const found = docs.find({ n: 3 }).sort({ n: 1, _id: -1 }).skip(2).limit(2);
      expect(await found.project({ 'pad.b': { $slice: 1 }, s: 0 }).toArray()).toEqual([
        { _id: 238, n: 3, pad: { a: 238, b: [238] } },
        { _id: 233, n: 3, pad: { a: 233, b: [233] } },
      ]);
      expect(await docs.findOne({ _id: 1 }, { projection: { s: 1 } })).toEqual({ _id: 1, s: 's1' });
      expect(await docs.findOne({ _id: 1 }, { projection: { s: 1, _id: 0 } })).toEqual({ s: 's1' });
      expect(await docs.findOne({ _id: 1 }, { projection: { pad: 0, n: 0 } })).toEqual({ _id: 1, s: 's1' });
      expect(await docs.findOne({ _id: 1 }, { projection: { 'pad.a': 1 } })).toEqual({ _id: 1, pad: { a: 1 } });
    });

    it('counts, with and without an index', async () => {
      await docs.createIndexes([{ key: { n: 1, _id: 1 } }]);
      expect(await docs.countDocuments()).toBe(250);
      expect(await docs.countDocuments({ n: { $gte: 3 } })).toBe(100);
      expect(await docs.countDocuments({ n: { $in: [1, 2, 9] } }, { skip: 10, limit: 500 })).toBe(90);
      expect(await test.db.command({ count: docs.collectionName, query: { n: 1 } })).toMatchObject({ n: 50 });
      expect(await docs.distinct('n', { _id: { $lt: 3 } })).toEqual([0, 1, 2]);
      expect(await docs.distinct('pad.b', { _id: 3 })).toEqual([3, 4]);
    });

    it('aggregates, with look-ups', async () => {
      const pipeline = [
        { $match: { _id: { $lt: 20 } } },
        { $group: { _id: '$n', total: { $sum: '$_id' } } },
        { $sort: { _id: -1 } },
        { $limit: 1 },
        { $lookup: { from: docs.collectionName, localField: '_id', foreignField: '_id', as: 'same' } },
        { $project: { total: 1, s: { $first: '$same.s' } } },
      ];
      expect(await docs.aggregate(pipeline).toArray()).toEqual([{ _id: 4, total: 46, s: 's4' }]);
      expect(await docs.aggregate([{ $match: { n: 1 } }, { $count: 'c' }]).toArray()).toEqual([{ c: 50 }]);
      expect(await docs.aggregate([{ $match: { n: 77 } }, { $count: 'c' }]).toArray()).toEqual([]);
      expect(await docs.aggregate([{ $sort: { _id: -1 } }, { $limit: 120 }], { batchSize: 50 }).toArray()).toHaveLength(
        120,
      );
    });

    it('explains which index is used', async () => {
      await docs.createIndexes([{ key: { n: 1, s: 1 }, name: 'ns' }]);
      const stage = async (query: Document, sort: Record<string, 1 | -1> = {}): Promise<string> =>
        JSON.stringify(await docs.find(query).sort(sort).explain('queryPlanner'));
      expect(await stage({ n: 1 })).toContain('"indexName":"ns"');
      expect(await stage({ n: 1 }, { s: -1 })).not.toContain('SORT');
      expect(await stage({ n: { $gt: 1 } }, { s: 1 })).toContain('SORT');
      expect(await stage({ s: 'x' })).toContain('COLLSCAN');
      const explained = await docs.find({ n: 1, s: 's1' }).explain();
      expect(explained.executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 1 });
    });

    it('takes hints, and knows those it does not know', async () => {
      await docs.createIndexes([{ key: { n: 1 }, name: 'byN' }]);
      expect(await docs.find({ n: 2 }).hint('byN').toArray()).toHaveLength(50);
      expect(await docs.find({ n: 2 }).hint({ _id: 1 }).toArray()).toHaveLength(50);
      expect(await failure(docs.find({}).hint('other').toArray())).toMatchObject({ code: 2 });
    });

    it('refuses a bad filter also where there is nothing to find', async () => {
      expect(await failure(test.db.collection('none').find({ $bad: 1 }).toArray())).toMatchObject({ code: 2 });
      expect(await failure(docs.find({ $and: [5] } as never).toArray())).toMatchObject({ ok: 0 });
      expect(await failure(docs.find({ _id: 1, n: { $bad: 1 } } as never).toArray())).toMatchObject({ ok: 0 });
    });
  });

  describe('refusals', () => {
    it('names what is not there', async () => {
      expect(await failure(test.db.command({ renameCollection: 'a.b', to: 'a.c' }))).toMatchObject({
        code: 59,
        codeName: 'CommandNotFound',
      });
      expect(await failure(docs.find({}, { collation: { locale: 'en' } }).toArray())).toMatchObject({
        message: expect.stringContaining("'collation'") as string,
      });
      expect(await failure(test.db.createCollection('c', { capped: true, size: 5 }))).toMatchObject({
        message: expect.stringContaining("'capped'") as string,
      });
      expect(await failure(docs.updateOne({}, { $set: { a: 1 } }, { collation: { locale: 'en' } }))).toMatchObject({
        message: expect.stringContaining("'collation'") as string,
      });
      expect(await failure(docs.watch().next())).toMatchObject({ ok: 0 });
      expect(await failure(test.db.command({ saslStart: 1 }))).toMatchObject({
        code: 59,
        message: expect.stringContaining('credentials') as string,
      });
    });

    it.each(['a$b', '.a', 'system.x', 'a\u0000b', 'x'.repeat(300)])('refuses the collection name %j', async (name) => {
      expect(await failure(test.db.command({ insert: name, documents: [{ _id: 1 }] }))).toMatchObject({ code: 73 });
    });
  });

  describe('collections', () => {
    it('lists, creates and drops them', async () => {
      const db = test.client.db('schema');
      await db.createCollection('one');
      await db.createCollection('one');
      await db.collection('two').insertOne({ a: 1 });
      const names = async (): Promise<string[]> =>
        (await db.listCollections().toArray()).map(({ name }) => name).sort();
      expect(await names()).toEqual(['one', 'two']);
      expect(await db.listCollections({ name: 'two' }, { nameOnly: true }).toArray()).toHaveLength(1);
      await db.dropCollection('one');
      expect(await names()).toEqual(['two']);
      expect((await test.client.db().admin().listDatabases()).databases.map(({ name }) => name)).toContain('schema');
      await db.dropDatabase();
      expect(await names()).toEqual([]);
      expect(await db.collection('two').countDocuments()).toBe(0);
    });

    it('answers the questions that clients ask', async () => {
      expect(await test.db.command({ buildInfo: 1 })).toMatchObject({ version: '7.0.0' });
      expect(await test.db.command({ serverStatus: 1 })).toMatchObject({ version: '7.0.0', pid: process.pid });
      const finds = async () => {
        const { metrics } = await test.db.command({ serverStatus: 1 });
        return (metrics as { commands: Record<string, { total: number }> }).commands.find?.total ?? 0;
      };
      const before = await finds();
      await docs.findOne({});
      expect((await finds()) - before).toBe(1);
      expect(await test.db.command({ connectionStatus: 1 })).toMatchObject({ authInfo: { authenticatedUsers: [] } });
      expect(await test.db.stats()).toMatchObject({ db: 'test' });
      expect(await test.db.command({ collStats: docs.collectionName })).toMatchObject({ count: 0 });
    });
  });
});
