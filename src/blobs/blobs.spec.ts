import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Database } from '../database/index.js';
import type { Blob } from './blob.schema.js';
import { Blobs, MAX_BLOB } from './blobs.js';
import { BlobsModule } from './blobs.module.js';
import { TooManyBytesError } from './gridfs.js';

const KB = 1024;
const ORGANIZATION = 'org';

describe('bytes', () => {
  let test: TestDatabase;
  let connection: Connection;
  let database: Database;
  let blobs: Blobs;

  beforeAll(async () => {
    test = await startTestDatabase();
    const app = await test.boot(BlobsModule);
    connection = app.get<Connection>(getConnectionToken());
    database = app.get(Database, { strict: false });
    blobs = app.get(Blobs, { strict: false });
  });

  afterAll(() => test.stop());

  afterEach(async () => {
    for (const name of ['blobs', 'blob_uploads', 'blobs.files', 'blobs.chunks']) {
      await connection.collection(name).deleteMany({});
    }
  });

  /** How many records there are: blobs, uploads, files and chunks of GridFS. */
  const counts = (): Promise<number[]> =>
    Promise.all(
      ['blobs', 'blob_uploads', 'blobs.files', 'blobs.chunks'].map((name) =>
        connection.collection(name).countDocuments(),
      ),
    );

  const inParts = (bytes: Buffer, size: number): Readable =>
    Readable.from(
      (function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      })(),
    );
  const collected = async (stream: Readable): Promise<Buffer> => Buffer.concat((await stream.toArray()) as Buffer[]);
  const soon = (): Date => new Date(Date.now() + 60_000);

  it.each([0, 1, 255 * KB - 1, 255 * KB, 255 * KB + 1, 700 * KB])('come back as they were put: %d', async (size) => {
    const bytes = randomBytes(size);
    const stored = await blobs.put(ORGANIZATION, bytes);
    expect(stored).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, size });
    expect(bytes.equals(await blobs.bytes(stored.hash))).toBe(true);
    expect(bytes.equals(await collected(blobs.stream(stored.hash)))).toBe(true);
    expect(await blobs.put(ORGANIZATION, inParts(bytes, 100_000))).toEqual(stored);
    expect(await counts()).toEqual([1, 0, 1, Math.ceil(size / (255 * KB))]);
    expect(await blobs.missing([stored.hash])).toEqual([]);
  });

  it('come back in part', async () => {
    const bytes = randomBytes(600 * KB);
    const { hash } = await blobs.put(ORGANIZATION, bytes);
    for (const [start, end] of [
      [0, 1],
      [255 * KB - 1, 255 * KB + 1],
      [255 * KB, 510 * KB],
      [599 * KB, 600 * KB],
      [5, 5],
      [0, 600 * KB],
    ] as const) {
      expect(bytes.subarray(start, end).equals(await collected(blobs.stream(hash, { start, end })))).toBe(true);
    }
  });

  it('are stored once in each organization, under another hash in each', async () => {
    const bytes = randomBytes(1000);
    const stored = await Promise.all(
      [...Array(8).keys()].map((n) => blobs.put(ORGANIZATION, n % 2 ? bytes : inParts(bytes, 300))),
    );
    expect(new Set(stored.map(({ hash }) => hash)).size).toBe(1);
    const other = await blobs.put('other', bytes);
    expect(other.hash).not.toBe(stored[0]?.hash);
    expect(await counts()).toEqual([2, 0, 2, 2]);
    const hashes = [other.hash, stored[0]?.hash ?? '', 'unknown'];
    expect([...(await blobs.find(hashes)).keys()].sort()).toEqual(hashes.slice(0, 2).sort());
  });

  it('stay outside of a transaction around them', async () => {
    const bytes = randomBytes(300 * KB);
    const abandoned = database.transaction(async () => {
      for (const source of [bytes, inParts(bytes, 100_000)]) await blobs.put(ORGANIZATION, source);
      throw new Error('abandoned');
    });
    await expect(abandoned).rejects.toThrow('abandoned');
    expect(await counts()).toEqual([1, 0, 1, 2]);
  });

  it('are refused when there are too many, and nothing of them stays', async () => {
    const bytes = randomBytes(900 * KB);
    for (const source of [bytes, inParts(bytes, 50_000)]) {
      await expect(blobs.put(ORGANIZATION, source, { maxBytes: bytes.length - 1 })).rejects.toThrow(TooManyBytesError);
    }
    expect(await counts()).toEqual([0, 1, 0, 0]);
    expect(await blobs.cleanUp(soon())).toBe(1);
    expect((await blobs.put(ORGANIZATION, bytes, { maxBytes: bytes.length })).size).toBe(bytes.length);
    const large = blobs.put(ORGANIZATION, Buffer.alloc(MAX_BLOB + 1), { maxBytes: 2 * MAX_BLOB });
    await expect(large).rejects.toThrow(`at most ${String(MAX_BLOB)} bytes`);
  });

  it('of which the source breaks off leave nothing', async () => {
    const broken = Readable.from(
      (function* () {
        yield randomBytes(600 * KB);
        throw new Error('broken off');
      })(),
    );
    await expect(blobs.put(ORGANIZATION, broken)).rejects.toThrow('broken off');
    expect((await counts()).slice(2)).toEqual([0, 0]);
  });

  it.each([
    ['and it was not written again', false],
    ['and it was sent again', true],
  ])('stay where the answer to their record was lost, %s', async (_, isSentAgain) => {
    const model = connection.model('Blob').collection;
    const insert = model.insertOne.bind(model);
    const lost = jest.spyOn(model, 'insertOne').mockImplementationOnce(async (record) => {
      await insert(record);
      if (isSentAgain) return insert(record);
      throw new mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
    });
    const bytes = randomBytes(300 * KB);
    const put = blobs.put(ORGANIZATION, bytes);
    if (isSentAgain) await put;
    else await expect(put).rejects.toThrow('closed');
    expect(lost).toHaveBeenCalledTimes(1);
    lost.mockRestore();
    const { hash } = await blobs.put(ORGANIZATION, bytes);
    expect(bytes.equals(await blobs.bytes(hash))).toBe(true);
    // what became of the upload is looked at later, and leaves them alone
    await blobs.cleanUp(soon());
    expect(bytes.equals(await blobs.bytes(hash))).toBe(true);
    expect(await counts()).toEqual([1, 0, 1, 2]);
  });

  it('of an upload that was killed are removed after a while, and none of those that are kept', async () => {
    const { hash } = await blobs.put(ORGANIZATION, randomBytes(300 * KB));
    const kept = await connection.collection<Blob>('blobs').findOne({ _id: hash });
    // killed before the last piece, and killed after everything but the note
    const { ObjectId } = connection.base.Types;
    const killed = new ObjectId();
    const startedAt = new Date(Date.now() - 10_000);
    await connection.collection('blob_uploads').insertMany([
      { _id: killed, startedAt },
      { _id: kept?.file, startedAt },
      { _id: new ObjectId(), startedAt: soon() },
    ]);
    await connection.collection('blobs.chunks').insertOne({ files_id: killed, n: 0, data: Buffer.alloc(10) });
    expect(await blobs.cleanUp(new Date(), 1)).toBe(1);
    expect(await blobs.cleanUp(new Date(), 10)).toBe(1);
    expect(await blobs.cleanUp(new Date(), 10)).toBe(0);
    expect(await counts()).toEqual([1, 1, 1, 2]);
    expect(await blobs.bytes(hash)).toHaveLength(300 * KB);
  });

  it('that nothing refers to are swept, unless they were stored since', async () => {
    const hashes: string[] = [];
    for (let n = 0; n < 5; n += 1) hashes.push((await blobs.put(ORGANIZATION, randomBytes(10))).hash);
    const [referenced = '', again = ''] = hashes;
    const bytes = await blobs.bytes(again);
    const asked: string[] = [];
    const sweep = (olderThan: Date): Promise<number> =>
      blobs.sweep(async (batch) => {
        asked.push(...batch);
        // somebody stores the same bytes again in the meantime
        if (olderThan < new Date()) await blobs.put(ORGANIZATION, bytes);
        return new Set([referenced]);
      }, olderThan);
    expect(await sweep(new Date(0))).toBe(0);
    expect(asked).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await sweep(new Date(Date.now() - 10))).toBe(3);
    expect(asked.sort()).toEqual([...hashes].sort());
    expect([...(await blobs.find(hashes)).keys()].sort()).toEqual([referenced, again].sort());
    expect(await counts()).toEqual([2, 0, 2, 2]);
  });

  it('are missing when their record, their file or a piece is gone', async () => {
    const stored: string[] = [];
    for (let n = 0; n < 4; n += 1) stored.push((await blobs.put(ORGANIZATION, randomBytes(300 * KB))).hash);
    const [whole = '', noRecord = '', noFile = '', noPiece = ''] = stored;
    const records = connection.collection<Blob>('blobs');
    const fileOf = async (hash: string) => (await records.findOne({ _id: hash }))?.file;
    await connection.collection('blobs.files').deleteOne({ _id: await fileOf(noFile) });
    await connection.collection('blobs.chunks').deleteOne({ files_id: await fileOf(noPiece), n: 1 });
    await records.deleteOne({ _id: noRecord });
    expect((await blobs.missing([...stored, 'unknown'])).sort()).toEqual([noRecord, noFile, noPiece, 'unknown'].sort());
    expect(await blobs.bytes(whole)).toHaveLength(300 * KB);
    await expect(blobs.bytes(noPiece)).rejects.toThrow('Piece 1');
    await expect(blobs.bytes(noRecord)).rejects.toThrow('are missing');
  });
});
