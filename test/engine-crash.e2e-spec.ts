import { MongoClient, type Collection, type Document } from 'mongodb';
import { openEngine } from '../src/database/index.js';
import { Processes, type RunningDatabase } from './support/processes.js';

const ROUNDS = process.env.COLOPHON_THOROUGH === '1' ? 20 : 4;
const WRITERS = 12;

const processes = new Processes();
afterAll(() => processes.clear());

interface Doc extends Document {
  _id: string;
}

/** What the clients were told before the process died. */
interface Told {
  inserted: Set<string>;
  /** Removal was asked for: may be there or not. */
  removing: Set<string>;
  removed: Set<string>;
  pairs: Set<string>;
  counted: number;
  attempted: number;
}

async function write(client: MongoClient, told: Told, name: string, dead: () => boolean): Promise<void> {
  const db = client.db('crash');
  const docs = db.collection<Doc>('docs');
  const pairs = db.collection<Doc>('pairs');
  for (let n = 0; !dead(); n++) {
    const _id = `${name}-${n}`;
    await docs.insertOne({ _id, u: `u${_id}`, g: n % 7, t: [n % 3, n % 5], pad: 'x'.repeat(n % 900) });
    told.inserted.add(_id);
    if (n % 3 === 0) {
      told.attempted++;
      await docs.updateOne({ _id: 'counter' }, { $inc: { n: 1 }, $set: { g: n % 7 } });
      told.counted++;
    }
    if (n % 4 === 1) {
      told.removing.add(_id);
      await docs.deleteOne({ _id });
      told.removed.add(_id);
    }
    if (n % 5 === 2) {
      await client.withSession((session) =>
        session.withTransaction(async () => {
          for (const side of ['a', 'b', 'c'])
            await pairs.insertOne({ _id: `${_id}-${side}`, pair: _id, side }, { session });
        }),
      );
      told.pairs.add(_id);
    }
  }
}

async function load({ uri, kill, ended }: RunningDatabase, told: Told, round: number): Promise<void> {
  const client = new MongoClient(uri, { retryWrites: false, serverSelectionTimeoutMS: 300, maxPoolSize: 20 });
  let dead = false;
  const writers = Array.from({ length: WRITERS }, (_, w) => write(client, told, `${round}-${w}`, () => dead));
  // the writers end with an error when the process dies under them
  const settled = Promise.allSettled(writers);
  await new Promise((resolve) => setTimeout(resolve, 250 + Math.random() * 600));
  kill('SIGKILL');
  dead = true;
  await ended;
  await settled;
  await client.close(true);
}

async function ids(docs: Collection<Doc>, hint: Document): Promise<string[]> {
  const found = await docs.find({}).hint(hint).project<Doc>({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id).sort();
}

async function verify(dataDir: string, told: Told): Promise<void> {
  const engine = await openEngine(dataDir);
  const client = new MongoClient(engine.uri);
  const docs = client.db('crash').collection<Doc>('docs');
  const stored = await docs.find().toArray();
  const present = new Set(stored.map(({ _id }) => _id));
  expect([...told.inserted].filter((id) => !present.has(id) && !told.removing.has(id))).toEqual([]);
  expect([...told.removed].filter((id) => present.has(id))).toEqual([]);
  const counter = Number(stored.find(({ _id }) => _id === 'counter')?.n);
  expect(counter).toBeGreaterThanOrEqual(told.counted);
  expect(counter).toBeLessThanOrEqual(told.attempted);
  const scanned = [...present].sort();
  for (const { key } of await docs.indexes()) expect(await ids(docs, key)).toEqual(scanned);
  expect(await docs.estimatedDocumentCount()).toBe(scanned.length);
  for (const g of [0, 3, 6]) {
    expect(await docs.countDocuments({ g })).toBe(stored.filter((doc) => doc.g === g).length);
    expect(await docs.find({ t: g }).hint('t_1').toArray()).toHaveLength(
      stored.filter((doc) => (doc.t as number[]).includes(g)).length,
    );
  }
  const sides = await client
    .db('crash')
    .collection<Doc>('pairs')
    .aggregate([{ $group: { _id: '$pair', n: { $sum: 1 } } }])
    .toArray();
  expect(sides.filter(({ n }) => n !== 3)).toEqual([]);
  const whole = new Set(sides.map(({ _id }) => _id as string));
  expect([...told.pairs].filter((id) => !whole.has(id))).toEqual([]);
  await client.close();
  await engine.stop();
}

/** Needs the build: the process that is killed runs the compiled engine. */
describe('the embedded database, killed under load', () => {
  it(
    `has lost nothing that it acknowledged, in ${ROUNDS} rounds`,
    async () => {
      const dataDir = await processes.folder();
      const told: Told = {
        inserted: new Set(),
        removing: new Set(),
        removed: new Set(),
        pairs: new Set(),
        counted: 0,
        attempted: 0,
      };
      for (let round = 0; round < ROUNDS; round++) {
        const database = await processes.database(dataDir);
        if (round === 0) {
          const client = new MongoClient(database.uri);
          const docs = client.db('crash').collection<Doc>('docs');
          await docs.createIndexes([{ key: { u: 1 }, unique: true }, { key: { g: 1, _id: -1 } }, { key: { t: 1 } }]);
          await docs.insertOne({ _id: 'counter', u: 'counter', n: 0, t: [] });
          await client.close();
        }
        await load(database, told, round);
        await verify(dataDir, told);
      }
      expect(told.inserted.size).toBeGreaterThan(ROUNDS * 5);
    },
    ROUNDS * 15_000,
  );
});
