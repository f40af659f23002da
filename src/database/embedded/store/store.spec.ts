import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { startTestEngine, type TestEngine } from '../../../../test/support/embedded-engine.js';
import { findEngine, startEngine } from '../index.js';
import { Catalogue } from './catalogue.js';
import { Direct } from './direct.js';
import { Environment } from './environment.js';
import { expireDocuments } from './expiry.js';
import { Writer } from './writer.js';
import { until } from '../../../../test/support/until.js';

interface Doc extends Document {
  _id: number | string;
}

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'embedded-store-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

describe('indexes', () => {
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

  const code = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => (error as { code?: unknown }).code,
    );

  it('are described as they were made', async () => {
    await docs.createIndexes([
      { key: { a: 1, b: -1 }, name: 'ab', unique: true },
      { key: { 'c.d': 1 }, sparse: true },
      { key: { e: 1 }, partialFilterExpression: { e: { $exists: true } } },
      { key: { at: 1 }, expireAfterSeconds: 60 },
    ]);
    expect(await docs.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'ab', unique: true },
      { v: 2, key: { 'c.d': 1 }, name: 'c.d_1', sparse: true },
      { v: 2, key: { e: 1 }, name: 'e_1', partialFilterExpression: { e: { $exists: true } } },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
    ]);
    expect(await code(test.db.collection('none').indexes())).toBe(26);
  });

  it('are made once, and not in two ways', async () => {
    const create = (index: Document): Promise<unknown> =>
      test.db.command({ createIndexes: docs.collectionName, indexes: [index] });
    expect(await create({ key: { a: 1 }, name: 'a' })).toMatchObject({
      numIndexesBefore: 1,
      numIndexesAfter: 2,
      createdCollectionAutomatically: true,
    });
    expect(await create({ key: { a: 1 }, name: 'a' })).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2 });
    expect(await code(create({ key: { a: 1 }, name: 'other' }))).toBe(85);
    expect(await code(create({ key: { a: 1 }, name: 'a', expireAfterSeconds: 5 }))).toBe(85);
    expect(await code(create({ key: { b: 1 }, name: 'a' }))).toBe(86);
    expect(await code(create({ key: { a: 1 }, name: 'a', unique: true }))).toBe(86);
    expect(await create({ key: { _id: 1 }, name: '_id_' })).toMatchObject({ ok: 1 });
    expect(await code(create({ key: { a: 'text' }, name: 't' }))).toBe(238);
    expect(await code(create({ key: { a: 0 }, name: 't' }))).toBe(67);
    expect(await code(create({ key: {}, name: 't' }))).toBe(67);
    expect(await code(create({ key: { c: 1 }, name: 'c', collation: { locale: 'en' } }))).toBe(238);
  });

  it('are dropped by name and by key', async () => {
    await docs.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    await docs.dropIndex('a_1');
    await test.db.command({ dropIndexes: docs.collectionName, index: { b: 1 } });
    expect(await docs.indexes()).toHaveLength(2);
    expect(await code(docs.dropIndex('a_1'))).toBe(27);
    expect(await code(docs.dropIndex('_id_'))).toBe(72);
    await docs.dropIndexes();
    expect(await docs.indexes()).toHaveLength(1);
  });

  it('are built over what is there, or not at all', async () => {
    await docs.insertMany(Array.from({ length: 1200 }, (_, n) => ({ _id: n, n: n % 600 })));
    expect(await code(docs.createIndexes([{ key: { n: 1 }, unique: true }]))).toBe(11000);
    expect(await docs.indexes()).toHaveLength(1);
    await docs.createIndexes([{ key: { n: 1 } }]);
    expect(await docs.find({ n: 5 }).hint('n_1').toArray()).toHaveLength(2);
  });

  it('hold unique values, among them null and those of arrays', async () => {
    await docs.createIndexes([{ key: { u: 1 }, unique: true }]);
    await docs.insertMany([{ _id: 1 }, { _id: 2, u: [1, 2, 2] }, { _id: 3, u: [] }]);
    for (const u of [null, 2, [7, 1], []]) expect(await code(docs.insertOne({ _id: 9, u }))).toBe(11000);
    expect(await code(docs.updateOne({ _id: 1 }, { $set: { u: 2 } }))).toBe(11000);
    await docs.updateOne({ _id: 2 }, { $set: { u: 5 } });
    await docs.insertOne({ _id: 4, u: [1, 2] });
  });

  it('leave out what a sparse or partial index does not cover', async () => {
    await docs.createIndexes([
      { key: { s: 1 }, unique: true, sparse: true },
      { key: { p: 1 }, name: 'p', unique: true, partialFilterExpression: { live: true } },
    ]);
    await docs.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, p: 1, live: true }, { _id: 4, p: 1 }]);
    expect(await code(docs.updateOne({ _id: 4 }, { $set: { live: true } }))).toBe(11000);
    expect(await docs.find({ s: null }).toArray()).toHaveLength(4);
    expect(await docs.find().sort({ s: 1, _id: -1 }).toArray()).toHaveLength(4);
    expect(await docs.find({ p: 1, live: true }).toArray()).toHaveLength(1);
  });

  it('refuse two arrays in one index', async () => {
    await docs.createIndexes([{ key: { a: 1, b: 1 } }]);
    expect(await code(docs.insertOne({ _id: 1, a: [1], b: [2] }))).toBe(171);
    await docs.insertOne({ _id: 1, a: [1], b: 2 });
  });

  it('tell long values apart', async () => {
    await docs.createIndexes([{ key: { t: 1 }, unique: true }]);
    const long = 'x'.repeat(3000);
    await docs.insertMany([
      { _id: 1, t: `${long}a` },
      { _id: 2, t: `${long}b` },
      { _id: 3, t: 'x' },
    ]);
    expect(await code(docs.insertOne({ _id: 4, t: `${long}a` }))).toBe(11000);
    expect(await docs.find({ t: `${long}b` }).toArray()).toMatchObject([{ _id: 2 }]);
    expect(await docs.find({ t: { $gt: 'x', $lt: `${long}b` } }).toArray()).toMatchObject([{ _id: 1 }]);
    expect((await docs.find({}).sort({ t: -1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 1, 3]);
  });

  it('are right for fields that are called like parts of objects', async () => {
    await docs.createIndexes([{ key: { constructor: 1 } }, { key: { 'a.__proto__': 1 } }]);
    await docs.insertMany([{ _id: 1 }, JSON.parse('{"_id":2,"constructor":1,"a":{"__proto__":{"x":1}}}') as Doc]);
    expect(await docs.find({ constructor: 1 } as Document).toArray()).toHaveLength(1);
    expect(await docs.find({ constructor: null } as Document).toArray()).toHaveLength(1);
    expect(await docs.find({ 'a.__proto__.x': 1 }).toArray()).toHaveLength(1);
  });
});

describe('expiry', () => {
  it('removes what is older than its index allows', async () => {
    const environment = new Environment(path, 'none');
    const writer = new Writer(environment, new Catalogue(environment));
    const direct = new Direct(writer);
    const { serialize } = await import('bson');
    await writer.submit(() => {
      const collection = direct.obtain('db.c');
      const partialFilterExpression = { at: { $lt: new Date(50_000) } };
      direct.addIndex(collection, { name: 'at', key: { at: 1 }, expireAfterSeconds: 10, partialFilterExpression });
      for (let n = 0; n < 1300; n++) {
        const doc = { _id: n, at: new Date(n * 10) };
        direct.insert(collection, Buffer.from(serialize(doc)), doc);
      }
      const odd = { _id: 'text', at: 'never' };
      direct.insert(collection, Buffer.from(serialize(odd)), odd);
    });
    expireDocuments(writer, direct, 20_000);
    await until('what is over is gone', () => (direct.find('db.c')?.count ?? 0) <= 301);
    // and no more of it
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(direct.find('db.c')?.count).toBe(301);
    await environment.close();
  });
});

describe('a data folder', () => {
  it('keeps everything over a restart', async () => {
    const first = await startTestEngine({ path });
    const docs = first.db.collection<Doc>('docs');
    await docs.createIndexes([{ key: { t: 1 } }, { key: { n: 1 }, unique: true }]);
    await docs.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: n, n, t: [n, n + 1] })));
    await docs.deleteMany({ _id: { $gte: 250 } });
    await first.client.close();
    await first.engine.stop();
    const second = await startTestEngine({ path });
    const again = second.db.collection<Doc>('docs');
    expect(await again.estimatedDocumentCount()).toBe(250);
    expect(await again.countDocuments({ t: 7 })).toBe(2);
    expect(await again.indexes()).toHaveLength(3);
    await expect(again.insertOne({ _id: 'x', n: 7 })).rejects.toThrow('E11000');
    await again.insertOne({ _id: 'last', n: 1000 });
    expect((await again.find().toArray()).at(-1)).toMatchObject({ _id: 'last' });
    await second.stop();
  });

  it('is used by one engine at a time, and says by which', async () => {
    const engine = await startEngine({ path, durability: 'none' });
    expect(await findEngine(path)).toBe(engine.uri);
    await expect(startEngine({ path })).rejects.toThrow(`process ${process.pid}, which listens at ${engine.uri}`);
    await engine.stop();
    expect(await findEngine(path)).toBeUndefined();
    await expect(readFile(join(path, 'engine.json'))).rejects.toThrow('ENOENT');
  });

  it('is taken over from an engine that has died, whoever has its process id and its port now', async () => {
    const stranger = createServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const address = stranger.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    for (const uri of [
      'mongodb://127.0.0.1:1/?replicaSet=rs0',
      `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
      'nonsense',
    ]) {
      await writeFile(
        join(path, 'engine.json'),
        JSON.stringify({ pid: process.pid, uri, startedAt: '', id: 'a'.repeat(24) }),
      );
      expect(await findEngine(path)).toBeUndefined();
      const engine = await startEngine({ path, durability: 'none' });
      expect(await findEngine(path)).toBe(engine.uri);
      await engine.stop();
    }
    await new Promise((resolve) => stranger.close(resolve));
  });

  it.each(['short', 'long'.repeat(40)])(
    'is not taken by who sees neither the port nor the process: %s',
    async (name) => {
      const folder = join(path, name);
      const engine = await startEngine({ path: folder, durability: 'none' });
      const file = join(folder, 'engine.json');
      const holder = JSON.parse(await readFile(file, 'utf8')) as { socket: string };
      // as another container on the same volume sees it
      const other = { ...holder, pid: 1, uri: 'mongodb://127.0.0.1:1/?replicaSet=rs0' };
      await writeFile(file, JSON.stringify(other));
      await expect(startEngine({ path: folder })).rejects.toThrow(
        /is in use by process 1 of another container, since \d{4}-.*: stop that, or run the command within it$/,
      );
      expect(await findEngine(folder)).toBeUndefined();
      expect((await readdir(folder)).filter((one) => one.startsWith('engine.'))).toEqual([
        holder.socket,
        'engine.json',
      ]);
      await engine.stop();

      // it is gone now, with the file that it did not find to be its own
      const next = await startEngine({ path: folder, durability: 'none' });
      await next.stop();
      expect((await readdir(folder)).filter((one) => one.startsWith('engine.'))).toEqual([]);
    },
  );

  it('is taken over from an engine that was killed, with what is left of it', async () => {
    const left = `engine.${'b'.repeat(24)}.sock`;
    // a socket of which nobody takes calls any more
    const child = spawnSync(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(join(path, left))}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    expect(child.signal).toBe('SIGKILL');
    const kept = join(path, 'precious');
    await writeFile(kept, 'text');
    const dead = { pid: 1, uri: 'mongodb://127.0.0.1:1/?replicaSet=rs0', startedAt: '', id: 'b'.repeat(24) };
    for (const socket of ['precious', '../precious', left]) {
      await writeFile(join(path, 'engine.json'), JSON.stringify({ ...dead, socket }));
      const engine = await startEngine({ path, durability: 'none' });
      await engine.stop();
    }
    expect((await readdir(path)).filter((one) => one.startsWith('engine.'))).toEqual([]);
    expect(await readFile(kept, 'utf8')).toBe('text');
  });

  it('stops at a port that is taken', async () => {
    const engine = await startEngine({ path, durability: 'none' });
    await expect(startEngine({ path: join(path, 'other'), port: engine.port })).rejects.toThrow('EADDRINUSE');
    await engine.stop();
  });

  it('that is full refuses what has no room, and serves the rest', async () => {
    const engine = await startEngine({ path, durability: 'none', mapSizeLimit: 2 ** 20 });
    const client = new MongoClient(engine.uri);
    const docs = client.db('test').collection<Doc>('docs');
    const pad = 'x'.repeat(10_000);
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        await docs.insertOne({ _id: stored, pad });
        stored++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 14031 });
    expect(stored).toBeGreaterThan(20);
    // one command of many documents is refused as a whole; others in the same commit are not
    const many = docs.insertMany(Array.from({ length: 50 }, (_, n) => ({ _id: `m${n}`, pad })));
    const small = docs.insertOne({ _id: 'small' });
    await expect(many).rejects.toMatchObject({ code: 14031 });
    await small;
    expect(await docs.countDocuments({ _id: { $type: 'string' } })).toBe(1);
    expect(await docs.countDocuments()).toBe(stored + 1);
    expect(await docs.findOne({ _id: 3 })).toMatchObject({ pad });
    await docs.deleteMany({ _id: { $lt: 20 } });
    await docs.insertOne({ _id: 'again', pad });
    expect(await docs.estimatedDocumentCount()).toBe(stored - 18);
    await client.close();
    await engine.stop();
  });
});

describe('parallel writes', () => {
  it('share a commit, and fail each for itself', async () => {
    const test = await startTestEngine({ durability: 'flush' }, { maxPoolSize: 30 });
    const docs = test.db.collection<Doc>('docs');
    const results = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => docs.insertOne({ _id: n % 150 })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(150);
    expect(await docs.estimatedDocumentCount()).toBe(150);
    await Promise.all(Array.from({ length: 100 }, () => docs.updateOne({ _id: 1 }, { $inc: { n: 1 } })));
    expect(await docs.findOne({ _id: 1 })).toMatchObject({ n: 100 });
    await test.stop();
  });
});
