import { Long, MongoClient, MongoServerError, type ClientSession, type Collection, type Document } from 'mongodb';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';

interface Doc extends Document {
  _id: number | string;
}

describe('transactions', () => {
  let test: TestEngine;
  let docs: Collection<Doc>;
  let sessions: ClientSession[];
  let count = 0;

  beforeAll(async () => {
    test = await startTestEngine();
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    sessions = [];
    docs = test.db.collection<Doc>(`docs${count++}`);
    await docs.createIndexes([{ key: { u: 1 }, unique: true, sparse: true }, { key: { n: 1 } }]);
    await docs.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id, u: `u${_id}` })));
  });
  afterEach(async () => {
    for (const session of sessions) await session.endSession();
  });

  function begin(client = test.client): ClientSession {
    const session = client.startSession();
    session.startTransaction();
    sessions.push(session);
    return session;
  }

  const failure = async (work: Promise<unknown>): Promise<MongoServerError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof MongoServerError)) throw new Error(`no server error: ${String(error)}`);
    return error;
  };
  const soon = (ms = 60): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'waiting'));

  it('shows its changes to itself only, and to all after the commit', async () => {
    const session = begin();
    await docs.insertOne({ _id: 9, n: 2, u: 'u9' }, { session });
    await docs.updateOne({ _id: 1 }, { $set: { n: 2 } }, { session });
    await docs.deleteOne({ _id: 3 }, { session });
    const inside = await docs.find({ n: 2 }, { session }).sort({ u: -1 }).toArray();
    expect(inside.map(({ _id }) => _id)).toEqual([9, 2, 1]);
    expect(await docs.countDocuments({}, { session })).toBe(3);
    expect(await docs.aggregate([{ $group: { _id: '$n', c: { $sum: 1 } } }], { session }).toArray()).toEqual([
      { _id: 2, c: 3 },
    ]);
    expect(await docs.find({ n: 2 }).toArray()).toHaveLength(1);
    expect(await docs.findOne({ _id: 3 })).not.toBeNull();
    await session.commitTransaction();
    await session.commitTransaction();
    expect((await docs.find({ n: 2 }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 9]);
    expect(await docs.findOne({ u: 'u3' })).toBeNull();
    expect(await docs.estimatedDocumentCount()).toBe(3);
  });

  it('reads as of its beginning', async () => {
    const session = begin();
    expect(await docs.countDocuments({ n: 2 }, { session })).toBe(1);
    await docs.updateMany({}, { $set: { n: 2 } });
    await docs.insertOne({ _id: 8, n: 2 });
    expect(await docs.countDocuments({ n: 2 }, { session })).toBe(1);
    expect(await docs.findOne({ _id: 8 }, { session })).toBeNull();
    await session.abortTransaction();
  });

  it('vanishes when it is aborted', async () => {
    const session = begin();
    await docs.insertOne({ _id: 9, u: 'u9' }, { session });
    await docs.deleteMany({ _id: 1 }, { session });
    await session.abortTransaction();
    expect((await docs.find().toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3]);
    await docs.insertOne({ _id: 9, u: 'u9' });
  });

  it('fails at once where another transaction was first, and may be tried again', async () => {
    const [first, second] = [begin(), begin()];
    await docs.updateOne({ _id: 1 }, { $inc: { n: 10 } }, { session: first });
    const error = await failure(docs.updateOne({ _id: 1 }, { $inc: { n: 100 } }, { session: second }));
    expect(error).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    expect(error.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await failure(docs.findOne({}, { session: second }))).toMatchObject({ code: 251 });
    await first.commitTransaction();
    expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 11 });
  });

  it('fails where a document has changed since its beginning', async () => {
    const session = begin();
    await docs.findOne({}, { session });
    await docs.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    expect(await failure(docs.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }))).toMatchObject({ code: 112 });
  });

  it('is tried again by withTransaction until nothing is lost', async () => {
    const add = (): Promise<unknown> =>
      test.client.withSession((session) =>
        session.withTransaction(async () => {
          const doc = await docs.findOne({ _id: 1 }, { session });
          await docs.updateOne({ _id: 1 }, { $set: { n: Number(doc?.n) + 1 } }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 9 });
  });

  it('lets plain writes to its documents wait, as long as they may', async () => {
    const session = begin();
    await docs.updateOne({ _id: 1 }, { $set: { n: 50 } }, { session });
    await docs.insertOne({ _id: 7, u: 'new' }, { session });
    const update = docs.updateOne({ _id: 1 }, { $inc: { n: 1 } });
    const insert = docs.insertOne({ _id: 70, u: 'new' });
    insert.catch(() => undefined);
    expect(await Promise.race([update, insert.catch(() => 'failed'), soon()])).toBe('waiting');
    const limited = { update: docs.collectionName, updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }], maxTimeMS: 30 };
    expect(await failure(test.db.command(limited))).toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
    await session.commitTransaction();
    expect(await update).toMatchObject({ modifiedCount: 1 });
    await expect(insert).rejects.toThrow('E11000');
    expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 51 });
  });

  it('keeps unique values unique, and lets them move', async () => {
    const session = begin();
    await docs.updateOne({ _id: 1 }, { $set: { u: 'tmp' } }, { session });
    await docs.updateOne({ _id: 2 }, { $set: { u: 'u1' } }, { session });
    await docs.updateOne({ _id: 1 }, { $set: { u: 'u2' } }, { session });
    await session.commitTransaction();
    expect(await docs.findOne({ u: 'u1' })).toMatchObject({ _id: 2 });
    expect(await docs.findOne({ u: 'u2' })).toMatchObject({ _id: 1 });
    const other = begin();
    const error = await failure(docs.insertOne({ _id: 20, u: 'u3' }, { session: other }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { u: 1 } });
    await expect(other.commitTransaction()).rejects.toThrow();
    const third = begin();
    await docs.insertOne({ _id: 21, u: 'x' }, { session: third });
    expect(await failure(docs.insertOne({ _id: 22, u: 'x' }, { session: third }))).toMatchObject({ code: 11000 });
  });

  it('creates collections and indexes that vanish with it', async () => {
    const fresh = test.db.collection<Doc>(`fresh${count}`);
    const aborted = begin();
    await fresh.createIndexes([{ key: { a: 1 }, unique: true }], { session: aborted });
    await fresh.insertOne({ _id: 1, a: 1 }, { session: aborted });
    expect(await failure(fresh.insertOne({ _id: 2, a: 1 }, { session: aborted }))).toMatchObject({ code: 11000 });
    expect(await test.db.listCollections({ name: fresh.collectionName }).toArray()).toEqual([]);
    const session = begin();
    await test.db.createCollection(fresh.collectionName, { session });
    await fresh.createIndexes([{ key: { a: 1 }, unique: true }], { session });
    await fresh.insertOne({ _id: 1, a: 1 }, { session });
    await session.commitTransaction();
    expect((await fresh.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
    await expect(fresh.insertOne({ _id: 2, a: 1 })).rejects.toThrow('E11000');
  });

  it('refuses what it cannot hold', async () => {
    for (const command of [
      { count: docs.collectionName },
      { drop: docs.collectionName },
      { createIndexes: docs.collectionName, indexes: [{ key: { q: 1 }, name: 'q' }] },
    ]) {
      const session = begin();
      expect(await failure(test.db.command(command, { session }))).toMatchObject({ code: 263 });
    }
  });

  it('holds off changes to the form of what it uses', async () => {
    const session = begin();
    await docs.findOne({}, { session });
    const dropped = docs.drop();
    expect(await Promise.race([dropped, soon()])).toBe('waiting');
    await session.commitTransaction();
    expect(await dropped).toBe(true);
  });

  it('ends with its session, and with its client', async () => {
    const session = begin();
    await docs.updateOne({ _id: 1 }, { $set: { n: 5 } }, { session });
    await session.endSession();
    expect(await docs.updateOne({ _id: 1 }, { $inc: { n: 1 } })).toMatchObject({ modifiedCount: 1 });
    const client = new MongoClient(test.engine.uri, { appName: 'another client' });
    const open = client.startSession();
    open.startTransaction();
    await client
      .db('test')
      .collection<Doc>(docs.collectionName)
      .updateOne({ _id: 2 }, { $set: { n: 7 } }, { session: open });
    const waiting = docs.updateOne({ _id: 2 }, { $inc: { n: 1 } });
    expect(await Promise.race([waiting, soon()])).toBe('waiting');
    await client.close(true);
    expect(await waiting).toMatchObject({ modifiedCount: 1 });
    expect(await docs.findOne({ _id: 2 })).toMatchObject({ n: 3 });
  });

  it('closes its cursors at its end', async () => {
    const session = begin();
    const cursor = docs.find({}, { session, batchSize: 1 });
    await cursor.next();
    await session.commitTransaction();
    await expect(cursor.toArray()).rejects.toThrow();
  });

  it('reads all batches of a cursor from one snapshot', async () => {
    const session = begin();
    const cursor = docs.find({}, { session, batchSize: 1 });
    await cursor.next();
    await docs.deleteMany({});
    expect(await cursor.toArray()).toHaveLength(2);
    await session.abortTransaction();
  });

  describe('retryable writes', () => {
    it('answers the second time what it answered the first', async () => {
      const failCommand = {
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['update'], closeConnection: true },
      };
      await test.client.db('admin').command(failCommand);
      expect(await docs.updateOne({ _id: 1 }, { $inc: { n: 1 } })).toMatchObject({ modifiedCount: 1 });
      expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 2 });
    });

    it('runs a number once, and refuses lower ones', async () => {
      // the session goes back to the pool of its client, with that number: it must not be the common one
      const client = new MongoClient(test.engine.uri);
      const session = client.startSession();
      const send = (number: number): Promise<unknown> =>
        client
          .db('test')
          .command(
            { insert: docs.collectionName, documents: [{ _id: 'once' }], txnNumber: Long.fromNumber(number) },
            { session },
          );
      expect(await send(1000)).toMatchObject({ n: 1 });
      const again = await send(1000);
      expect(again).toMatchObject({ n: 1 });
      expect(again).not.toHaveProperty('writeErrors');
      expect(await failure(send(999))).toMatchObject({ code: 225, codeName: 'TransactionTooOld' });
      await client.close();
    });
  });

  describe('fail points', () => {
    const arm = (mode: unknown, data: Document): Promise<Document> =>
      test.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

    afterEach(() => arm('off', {}));

    it('fail chosen commands, so that retries can be seen', async () => {
      await arm({ times: 1 }, { failCommands: ['insert'], errorCode: 11602 });
      await docs.insertOne({ _id: 90 });
      await arm({ skip: 1 }, { failCommands: ['find'], errorCode: 2, errorLabels: ['Mine'] });
      await docs.findOne({});
      const error = await failure(docs.findOne({}));
      expect(error).toMatchObject({ code: 2 });
      expect(error.hasErrorLabel('Mine')).toBe(true);
      await expect(arm({ times: 1 }, { failCommands: ['find'], blockConnection: true })).rejects.toThrow(
        'blockConnection',
      );
    });

    it('survive a commit that has to be sent again', async () => {
      const session = begin();
      await docs.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await arm({ times: 1 }, { failCommands: ['commitTransaction'], closeConnection: true });
      await session.commitTransaction();
      expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 2 });
    });

    it('say of a write that is done that it was not confirmed', async () => {
      await arm({ times: 1 }, { failCommands: ['insert'], writeConcernError: { code: 64, errmsg: 'slow' } });
      const error = await failure(docs.insertOne({ _id: 91 }));
      expect(error).toMatchObject({ name: 'MongoWriteConcernError', code: 64, message: 'slow' });
      expect(await docs.findOne({ _id: 91 })).toEqual({ _id: 91 });
    });

    it('are there for tests only', async () => {
      const other = await startTestEngine({ testCommands: false });
      await expect(
        other.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' }),
      ).rejects.toThrow('no such command');
      await other.stop();
    });
  });
});
