import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Connection, mongo, Schema } from 'mongoose';
import { cases } from '../../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { knownMigrations, migrate, migrationsOf, pendingMigrations, RESTORING } from '../migrate.js';
import { backupOf, BackupError, checkBackup, restore, writeBackup } from './index.js';
import { type Frame, readFrames, writeFrames } from './frames.js';

const ORIGIN = { version: '1.2.3', key: 'fingerprint' };
const DAMAGED = /^The backup is (damaged|cut): /;

let test: TestDatabase;
let folder: string;
let names = 0;

beforeAll(async () => {
  [test, folder] = [await startTestDatabase(), await mkdtemp(join(tmpdir(), 'backup-'))];
});
afterAll(async () => {
  await test.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A connection to a database of its own, with a schema. */
async function connected(): Promise<Connection> {
  const connection = await test.connect(`backup${++names}`);
  const schema = new Schema({ _id: String, word: String }, { strict: false, collection: 'things' });
  connection.model('Thing', schema.index({ word: 1 }, { unique: true, name: 'words' }));
  return connection;
}
const dbOf = ({ db }: Connection): mongo.Db => {
  if (!db) throw new Error('not connected');
  return db;
};
const newFile = (): string => join(folder, `${String(++names)}.backup`);
async function backedUp(connection: Connection): Promise<string> {
  const path = newFile();
  await writeBackup(path, backupOf(connection.getClient(), dbOf(connection), ORIGIN));
  return path;
}
const restored = async (path: string): Promise<Connection> => {
  const connection = await connected();
  await restore(connection, path, (await checkBackup(path)).head);
  return connection;
};
/** The bytes of all records. */
async function bytesIn(connection: Connection, name: string): Promise<string[]> {
  const found = await dbOf(connection).collection(name).find({}, { raw: true }).toArray();
  return found.map((record) => Buffer.from(record as unknown as Uint8Array).toString('hex'));
}
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof BackupError ? error.message : error),
  );
async function filled(): Promise<Connection> {
  const connection = await connected();
  await migrate(connection);
  await dbOf(connection)
    .collection<{ _id: string }>('things')
    .insertMany([{ _id: 'a' }]);
  return connection;
}

describe('a backup', () => {
  it('brings back every record as it was, with the type of each value', async () => {
    const { Binary, BSONRegExp, Decimal128, Double, Int32, Long, ObjectId, Timestamp } = mongo.BSON;
    const source = await filled();
    const things = dbOf(source).collection('things');
    const id = new ObjectId();
    const values = [
      new Int32(7), new Double(7), new Double(-0), new Double(NaN), Long.fromString('9007199254740993'),
      Decimal128.fromString('1.10'), new Binary(randomBytes(9), 4), new Binary(Buffer.alloc(0)), new Date(5), null, true,
      new Timestamp({ t: 5, i: 6 }), new BSONRegExp('^a', 'i'), { nested: [{ a: [] }, {}] }, '\u{1f600}\0', '',
    ]; // prettier-ignore
    await things.insertMany(
      values.map((value, at) => ({ _id: `v${String(at)}` as never, value, word: `w${String(at)}` })),
    );
    await dbOf(source)
      .collection('other.things')
      .insertMany([{ _id: id, big: randomBytes(3_000_000) }, { _id: new ObjectId() }]);
    const path = await backedUp(source);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { head, records } = await checkBackup(path);
    expect(head).toEqual({ format: 1, ...ORIGIN, at: expect.any(Date) as Date, migrations: [...knownMigrations] });
    expect(records).toBe(values.length + 3 + knownMigrations.size + 1);

    const target = await restored(path);
    for (const name of ['things', 'other.things'])
      expect(await bytesIn(target, name)).toEqual(await bytesIn(source, name));
    expect(await pendingMigrations(target)).toEqual({ fresh: false, migrations: [], indexes: false, restoring: false });
    const indexes = await dbOf(target).collection('things').indexes();
    expect(indexes.map(({ name, unique }) => [name, unique])).toEqual([
      ['_id_', undefined],
      ['words', true],
    ]);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    const source = await filled();
    const things = dbOf(source).collection<{ _id: string; round: number; word: string }>('things');
    await things.deleteMany({});
    const ids = Array.from({ length: 2500 }, (_, at) => String(at));
    await things.insertMany(ids.map((_id) => ({ _id, round: 0, word: _id })));
    const frames: Frame[] = [];
    for await (const frame of backupOf(source.getClient(), dbOf(source), ORIGIN)) {
      frames.push(frame);
      if (frames.length === 3) await things.updateMany({}, { $inc: { round: 1 } });
      if (frames.length === 2000) await things.deleteMany({});
    }
    const rounds = frames.slice(-2500).map(({ bytes }) => mongo.BSON.deserialize(bytes).round as number);
    expect(new Set(rounds)).toEqual(new Set([0]));
  });

  it('is refused when a byte of it is another one, or it is cut', async () => {
    const path = await backedUp(await filled());
    const whole = await readFile(path);
    const bad = newFile();
    const { records } = await checkBackup(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        await writeFile(bad, bytes);
        const message = await refusal(checkBackup(bad));
        // the first ten bytes say what packed it, when and where, which changes nothing
        if (message === 'no refusal') expect([at < 10, (await checkBackup(bad)).records]).toEqual([true, records]);
        else expect(message).toMatch(/^The (backup is (damaged|cut)|file is no backup): /);
      }),
      { numRuns: cases(60, 600) },
    );
    for (const length of [whole.length - 1, whole.length - 9, whole.length / 2, 40, 10]) {
      await writeFile(bad, whole);
      await truncate(bad, Math.floor(length));
      expect(await refusal(checkBackup(bad))).toMatch(DAMAGED);
    }
    // packed anew, so that gzip has nothing to say
    const open = gunzipSync(whole);
    for (const bytes of [open.subarray(0, -1), Buffer.concat([open, Buffer.of(1)]), Buffer.concat([open, open])]) {
      await writeFile(bad, gzipSync(bytes));
      expect(await refusal(checkBackup(bad))).toMatch(DAMAGED);
    }
    open[open.indexOf('things')] = 0x54;
    await writeFile(bad, gzipSync(open));
    expect(await refusal(checkBackup(bad))).toMatch(DAMAGED);
  });

  it('is refused when it is none, or of a newer version', async () => {
    const path = newFile();
    const none = 'The file is no backup: name one that "backup" has written';
    for (const bytes of ['', 'PK', 'text of somebody']) {
      await writeFile(path, bytes);
      expect(await refusal(checkBackup(path))).toBe(none);
    }
    const written = async (...documents: object[]) => {
      await rm(path, { force: true });
      const frames = documents.map((one) => ({ kind: 'head', bytes: Buffer.from(mongo.BSON.serialize(one)) }) as const);
      await writeBackup(path, from(frames));
      return refusal(checkBackup(path));
    };
    const head = { colophon: 'backup', format: 1, at: new Date(), migrations: [], ...ORIGIN };
    expect(await written()).toBe(none);
    expect(await written({ ...head, colophon: 'cake' })).toBe(none);
    expect(await written({ ...head, migrations: 'all' })).toBe(none);
    const newer = 'The backup was written by a newer version, 1.2.3: restore it with that one';
    expect(await written({ ...head, format: 3 })).toBe(newer);
    expect(await written(head)).toBe('no refusal');
    const target = await connected();
    expect(await refusal(restore(target, path, { ...head, migrations: ['9999-later'] }))).toBe(newer);
    expect(await dbOf(target).listCollections().toArray()).toEqual([]);
    expect(await refusal(checkBackup(join(folder, 'nowhere')))).toMatch(/nowhere cannot be read: ENOENT/);
  });

  it('takes no place that is taken, and leaves nothing where it failed', async () => {
    const path = await backedUp(await filled());
    const before = await readFile(path);
    expect(await refusal(writeBackup(path, from([])))).toBe(
      `Name a new file in the place of ${path}: it is there already`,
    );
    expect(await readFile(path)).toEqual(before);
    const failing = (async function* (): AsyncGenerator<Frame> {
      yield* from([{ kind: 'record', bytes: Buffer.from(mongo.BSON.serialize({})) }]);
      await Promise.reject(new Error('the database is gone'));
    })();
    await expect(writeBackup(join(folder, 'failing'), failing)).rejects.toThrow('the database is gone');
    await expect(stat(join(folder, 'failing'))).rejects.toThrow('ENOENT');
  });

  it('is restored to no database that holds something', async () => {
    const path = await backedUp(await filled());
    const used = await filled();
    const { head } = await checkBackup(path);
    const before = [await bytesIn(used, 'things'), await bytesIn(used, 'migrations')];
    expect(await refusal(restore(used, path, head))).toBe(
      'The database is not empty: it has records in things. Restore to a new DATA_DIR, or to a database without records',
    );
    expect([await bytesIn(used, 'things'), await bytesIn(used, 'migrations')]).toEqual(before);
    const migrated = await connected();
    await migrate(migrated);
    await restore(migrated, path, head);
    expect(await bytesIn(migrated, 'things')).toEqual(before[0]);
  });

  it('marks a database that it was restored to in part, until it is restored as a whole', async () => {
    const source = await filled();
    const path = await backedUp(source);
    const { head } = await checkBackup(path);
    const target = await connected();
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, -20));
    expect(await refusal(restore(target, path, head))).toMatch(DAMAGED);
    expect((await pendingMigrations(target)).restoring).toBe(true);
    await expect(migrate(target)).rejects.toThrow('A backup was restored in part only: run "restore" again');
    await dbOf(target).collection<{ _id: string }>('things').insertOne({ _id: 'half' });
    await writeFile(path, whole);
    await restore(target, path, head);
    expect(await bytesIn(target, 'things')).toEqual(await bytesIn(source, 'things'));
    expect(await migrationsOf(target).findOne({ _id: RESTORING })).toBeNull();
  });

  it('goes through the migrations that it has not been through', async () => {
    const source = await filled();
    const [last = ''] = [...knownMigrations].reverse();
    await migrationsOf(source).deleteOne({ _id: last });
    const path = await backedUp(source);
    const { head } = await checkBackup(path);
    expect(head.migrations).toEqual([...knownMigrations].slice(0, -1));
    expect(await restore(await connected(), path, head)).toEqual([last, 'indexes']);
  });
});

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', async () => {
    const kinds = fc.constantFrom<Frame['kind']>('head', 'collection', 'record');
    const frame = fc.record({ kind: kinds, bytes: fc.string().map((s) => Buffer.from(mongo.BSON.serialize({ s }))) });
    const law = fc.asyncProperty(fc.array(frame), fc.integer({ min: 1, max: 50 }), async (frames, size) => {
      const written: Buffer[] = [];
      for await (const piece of writeFrames(from(frames))) written.push(piece);
      const bytes = Buffer.concat(written);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const read: Frame[] = [];
      for await (const some of readFrames(from(pieces))) read.push(...some);
      expect(read).toEqual(frames);
    });
    await fc.assert(law, { numRuns: cases(50, 1000) });
  });
});

async function* from<T>(items: T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}
