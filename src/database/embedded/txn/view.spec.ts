import { type Collection, type Document, Int32, MongoServerError, Timestamp } from 'mongodb';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';
import { Cursors } from '../plan/cursors.js';
import { Catalogue } from '../store/catalogue.js';
import { Direct } from '../store/direct.js';
import type { Environment, Snapshot } from '../store/environment.js';
import { Writer } from '../store/writer.js';
import { Sessions } from './sessions.js';

interface Doc extends Document {
  _id: number;
}

const MINUTE = 60_000;

describe('a snapshot session', () => {
  let test: TestEngine;
  let docs: Collection<Doc>;
  let count = 0;

  beforeAll(async () => {
    test = await startTestEngine();
  });
  afterAll(() => test.stop());
  beforeEach(async () => {
    docs = test.db.collection<Doc>(`docs${count++}`);
    await docs.createIndexes([{ key: { n: 1 } }]);
    await docs.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, n: _id % 3 })));
  });

  const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.catch((reason: unknown) => reason);
    return error instanceof MongoServerError ? error.code : error;
  };
  const opened = async () => {
    const session = test.client.startSession({ snapshot: true });
    await docs.findOne({}, { session });
    return session;
  };

  it('reads everything as of its first read', async () => {
    const other = test.db.collection<Doc>(`${docs.collectionName}.other`);
    await other.insertOne({ _id: 1 });
    const session = test.client.startSession({ snapshot: true });
    const read = async () => [
      await docs.find({}, { session, batchSize: 7 }).toArray(),
      await docs.find({ n: 1 }, { session }).sort({ _id: -1 }).toArray(),
      await other.find({}, { session }).toArray(),
      await docs.countDocuments({}, { session }),
      await docs.countDocuments({ n: 1 }, { session }),
      await docs.distinct('n', {}, { session }),
      await docs.aggregate([{ $group: { _id: '$n', of: { $sum: 1 } } }, { $sort: { _id: 1 } }], { session }).toArray(),
    ];
    const before = await read();
    await docs.updateMany({ _id: { $lt: 100 } }, { $set: { n: 7 } });
    await docs.deleteMany({ _id: { $gte: 200 } });
    await docs.insertOne({ _id: 1000, n: 1 });
    await docs.createIndexes([{ key: { n: 1, _id: 1 } }]);
    await other.drop();
    await other.insertOne({ _id: 2 });
    expect(await read()).toEqual(before);
    expect([await docs.countDocuments({}), await docs.countDocuments({ n: 7 })]).toEqual([201, 100]);
    await session.endSession();
  });

  it('reads on in a cursor while all of it is written', async () => {
    const session = test.client.startSession({ snapshot: true });
    const found: number[] = [];
    for await (const { _id, n } of docs.find({}, { session, batchSize: 10 })) {
      found.push(_id);
      expect(n).toBe(_id % 3);
      if (_id % 10 === 0) await docs.updateMany({}, { $inc: { n: 10 } });
      if (_id === 150) await docs.deleteMany({});
    }
    expect(found).toEqual(Array.from({ length: 300 }, (_, _id) => _id));
    await session.endSession();
  });

  it('sees nothing of a transaction that is open when it begins', async () => {
    const writing = test.client.startSession();
    writing.startTransaction();
    await docs.updateOne({ _id: 1 }, { $set: { n: 9 } }, { session: writing });
    const session = await opened();
    await writing.commitTransaction();
    expect(await docs.findOne({ _id: 1 }, { session })).toEqual({ _id: 1, n: 1 });
    expect(await docs.findOne({ _id: 1 })).toEqual({ _id: 1, n: 9 });
    await Promise.all([session.endSession(), writing.endSession()]);
  });

  it('reads, and does nothing else', async () => {
    const session = await opened();
    expect(await codeOf(docs.insertOne({ _id: 1001 }, { session }))).toBe(72);
    expect(await codeOf(docs.createIndexes([{ key: { m: 1 } }], { session }))).toBe(72);
    expect(await codeOf(test.db.command({ count: docs.collectionName }, { session }))).toBe(72);
    expect(await docs.findOne({ _id: 1001 })).toBeNull();
    await session.endSession();
  });

  it('refuses a time that it has no snapshot of, and a snapshot without a session', async () => {
    const readConcern = { level: 'snapshot', atClusterTime: new Timestamp({ t: 1, i: 1 }) };
    const find = { find: docs.collectionName, filter: {}, readConcern };
    expect(await codeOf(test.db.command(find))).toBe(246);
    const session = test.client.startSession();
    expect(
      await codeOf(
        test.db.command({ ...find, readConcern: { ...readConcern, atClusterTime: new Int32(1) } }, { session }),
      ),
    ).toBe(246);
    await session.endSession();
  });

  it('gives way to a limit, and is over when it ends', async () => {
    const sessions = await Promise.all(Array.from({ length: 16 }, opened));
    expect(await codeOf(opened())).toBe(246);
    const [first] = sessions;
    const cursor = docs.find({}, { session: first, batchSize: 2 });
    await cursor.next();
    await test.db.command({ endSessions: [first?.id] });
    expect(await codeOf(docs.findOne({}, { session: first }))).toBe(246);
    await cursor.next();
    expect(await codeOf(cursor.next())).toBe(43);
    await (await opened()).endSession();
    await Promise.all(sessions.map((session) => session.endSession()));
  });
});

describe('a view that is left lying', () => {
  let snapshots: number;
  let sessions: Sessions;
  let ended: number;

  beforeEach(() => {
    [snapshots, ended] = [0, 0];
    const environment = {
      meta: { get: () => undefined },
      range: () => [],
      snapshot: () => {
        snapshots += 1;
        return { done: () => (snapshots -= 1) } as unknown as Snapshot;
      },
    } as unknown as Environment;
    const catalogue = new Catalogue(environment);
    const cursors = new Cursors();
    sessions = new Sessions(new Direct(new Writer(environment, catalogue)), (view) => {
      ended += 1;
      cursors.killOwned(view);
    });
  });

  const views = (...names: string[]) => names.map((name) => sessions.view(sessions.get(name, 'client'), undefined));

  it('ends when its session has not been used for five minutes', () => {
    const [a, b] = views('a', 'b');
    const now = Date.now();
    sessions.sweep(now + 4 * MINUTE);
    expect(sessions.view(sessions.get('a', 'client'), a?.time)).toBe(a);
    sessions.get('a', 'client').lastUsed = now + 3 * MINUTE;
    sessions.sweep(now + 6 * MINUTE);
    expect([snapshots, ended]).toEqual([1, 1]);
    expect(() => sessions.view(sessions.get('b', 'client'), b?.time)).toThrow('no snapshot of that time any more');
  });

  it('ends after an hour, however much it is used', () => {
    views('a');
    sessions.get('a', 'client').lastUsed = Date.now() + 61 * MINUTE;
    sessions.sweep(Date.now() + 61 * MINUTE);
    expect(snapshots).toBe(0);
  });

  it('ends with the last connection of its client, with the engine, and when its session begins another', () => {
    views('a', 'a', 'b');
    expect([snapshots, ended]).toEqual([2, 1]);
    sessions.get('c', 'other');
    sessions.view(sessions.get('c', 'other'), undefined);
    sessions.clientGone('client');
    expect(snapshots).toBe(1);
    sessions.close();
    expect(snapshots).toBe(0);
  });
});
