import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { mongo, type Model } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { Database } from '../database/index.js';
import { Blob, BlobUpload } from './blob.schema.js';
import { type ByteRange, GridFS, TooManyBytesError } from './gridfs.js';

/** Most bytes of one file (domain: 100 MB). */
export const MAX_BLOB = 100 * 1024 * 1024;

/** Bytes that are stored. */
export interface StoredBlob {
  /** What they are referred to by: SHA-256 of organization and bytes, hexadecimal. */
  hash: string;
  /** Bytes. */
  size: number;
}

const BATCH = 200;
const DUPLICATE = 11000;
/** Bytes that are taken on at a time where all of them are at hand. */
const PIECE = 512 * 1024;

/** Answers those of some hashes that something refers to, of whatever organization. */
type Referenced = (hashes: string[]) => Promise<Set<string>>;

/**
 * Bytes by their hash, stored once for each organization. The organization is part of what is hashed: nobody can find
 * out by storing something whether somebody else has it, and a hash alone says which bytes are meant, also after their
 * space went to another organization. All of it stays outside of a surrounding transaction: bytes are stored first,
 * and whatever refers to them is written afterwards.
 */
@Injectable()
export class Blobs {
  private readonly blobs: mongo.Collection<Blob>;
  private readonly uploads: mongo.Collection<BlobUpload>;
  private gridfs?: GridFS;
  private readonly holders: Referenced[] = [];

  constructor(
    private readonly database: Database,
    @InjectModel(Blob.name) blobs: Model<Blob>,
    @InjectModel(BlobUpload.name) uploads: Model<BlobUpload>,
  ) {
    // the collections themselves: models would follow a transaction
    this.blobs = blobs.collection as unknown as mongo.Collection<Blob>;
    this.uploads = uploads.collection as unknown as mongo.Collection<BlobUpload>;
  }

  /**
   * Stores `bytes`, unless the organization has them. A stream is read as fast as the database writes.
   *
   * @throws TooManyBytesError for more than `maxBytes`, or {@link MAX_BLOB}; nothing is stored then.
   */
  async put(
    organization: string,
    bytes: Buffer | Readable,
    { maxBytes = MAX_BLOB }: { maxBytes?: number } = {},
  ): Promise<StoredBlob> {
    const limit = Math.min(maxBytes, MAX_BLOB);
    if (!Buffer.isBuffer(bytes)) return this.upload(organization, bytes, limit);
    if (bytes.length > limit) throw new TooManyBytesError(limit);
    const hash = await hashOf(organization, bytes);
    if (await this.touch(hash)) return { hash, size: bytes.length };
    return this.upload(organization, Readable.from(piecesOf(bytes)), limit);
  }

  /** Which of `hashes` are stored, with the size of each. */
  async find(hashes: readonly string[]): Promise<Map<string, StoredBlob>> {
    const found = await this.records(hashes);
    return new Map(found.map(({ _id, size }) => [_id, { hash: _id, size }]));
  }

  /** The bytes of `hash`, or a part of them, as fast as they are taken. It fails when they are not stored. */
  stream(hash: string, range?: ByteRange): Readable {
    return Readable.from(this.read(hash, range), { objectMode: false });
  }

  /** The bytes of `hash`, at once: for small ones. @throws Error when they are not stored. */
  async bytes(hash: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.read(hash)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** The bytes of `hash` with whose they are, as fast as they are taken. @throws Error when they are not stored. */
  async open(hash: string): Promise<{ organization: string; pieces: AsyncIterable<Buffer> }> {
    const [blob] = await this.records([hash]);
    if (!blob) throw new Error(`The bytes of ${hash} are missing`);
    return { organization: blob.organization, pieces: this.read(hash) };
  }

  /** Those of `hashes` whose bytes are not there, or not all of them. */
  async missing(hashes: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (const batch of batchesOf(hashes, BATCH)) {
      const records = new Map((await this.records(batch)).map((record) => [record._id, record]));
      const sizes = await this.store.sizes([...records.values()].map(({ file }) => file));
      missing.push(
        ...batch.filter((hash) => {
          const record = records.get(hash);
          return record === undefined || sizes.get(record.file.toHexString()) !== record.size;
        }),
      );
    }
    return missing;
  }

  /**
   * Removes up to `limit` uploads that began before `olderThan` (a day ago, at least) and never came to their end.
   * Answers how many it looked at: fewer than `limit` when there are no more.
   */
  async cleanUp(olderThan: Date, limit = BATCH): Promise<number> {
    const uploads = await this.uploads
      .find({ startedAt: { $lt: olderThan } })
      .sort({ startedAt: 1 })
      .limit(limit)
      .toArray();
    const ids = uploads.map(({ _id }) => _id);
    const kept = await this.blobs.find({ file: { $in: ids } }, { projection: { file: 1 } }).toArray();
    const files = new Set(kept.map(({ file }) => file.toHexString()));
    for (const id of ids) {
      if (!files.has(id.toHexString())) await this.store.remove(id);
    }
    await this.uploads.deleteMany({ _id: { $in: ids } });
    return ids.length;
  }

  /** Has sweeps leave what `held` answers too: for modules that refer to bytes and know more of it than content does. */
  keep(held: Referenced): void {
    this.holders.push(held);
  }

  /**
   * Removes the bytes that nothing refers to, in batches. It may be stopped and begun anew at any moment.
   *
   * @param isReferenced Answers those of the hashes that any content refers to, of whatever organization: a space takes
   * its content along when it is transferred. What others {@link keep} is asked for besides.
   * @param olderThan Bytes that were stored since stay: what refers to them may not be written yet. A day ago, at least.
   * @returns How many it removed.
   */
  async sweep(isReferenced: Referenced, olderThan: Date): Promise<number> {
    let removed = 0;
    for (let after = ''; ;) {
      const batch = await this.blobs
        .find({ _id: { $gt: after }, touchedAt: { $lt: olderThan } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const hashes = batch.map(({ _id }) => _id);
      const referenced = await isReferenced(hashes);
      for (const held of this.holders) for (const hash of await held(hashes)) referenced.add(hash);
      for (const blob of batch) {
        if (!referenced.has(blob._id) && (await this.remove(blob, olderThan))) removed += 1;
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return removed;
      after = last._id;
    }
  }

  /** Removes a blob, unless it was stored again meanwhile. Its file is noted first, so that a crash leaves no bytes behind. */
  private async remove({ _id, file }: Blob, olderThan: Date): Promise<boolean> {
    await this.uploads.updateOne({ _id: file }, { $set: { startedAt: new Date() } }, { upsert: true });
    const { deletedCount } = await this.blobs.deleteOne({ _id, file, touchedAt: { $lt: olderThan } });
    if (deletedCount === 1) await this.store.remove(file);
    await this.uploads.deleteOne({ _id: file });
    return deletedCount === 1;
  }

  /** Stores `source` under a fresh id, then the record that makes it known; equal bytes that are there already stay. */
  private async upload(organization: string, source: Readable, limit: number): Promise<StoredBlob> {
    const file = new mongo.ObjectId();
    await this.uploads.insertOne({ _id: file, startedAt: new Date() });
    let claiming = false;
    try {
      const { hash, size } = await this.store.write(file, source, saltOf(organization), limit);
      claiming = true;
      if (!(await this.claim({ _id: hash, organization, file, size, touchedAt: new Date() }))) {
        await this.store.remove(file);
      }
      await this.uploads.deleteOne({ _id: file });
      return { hash, size };
    } catch (error) {
      // a piece may still be on its way to the database: the upload stays noted, and cleanUp() looks again; it alone may remove
      // what a record may refer to by now
      if (!claiming) await this.store.remove(file).catch(() => undefined);
      throw error;
    }
  }

  /** Makes an upload known. @returns `false` when the same bytes were stored before, in another file. */
  private async claim(blob: Blob): Promise<boolean> {
    for (;;) {
      try {
        await this.blobs.insertOne(blob);
        return true;
      } catch (error) {
        if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE) throw error;
        // not there after all: it was swept in between
        if (!(await this.touch(blob._id))) continue;
        // it may be this very upload, where the answer to its record was lost
        return (await this.blobs.countDocuments({ _id: blob._id, file: blob.file })) === 1;
      }
    }
  }

  /** Marks the bytes of `hash` as needed. @returns whether they are stored. */
  private async touch(hash: string): Promise<boolean> {
    const { matchedCount } = await this.blobs.updateOne({ _id: hash }, { $max: { touchedAt: new Date() } });
    return matchedCount === 1;
  }

  private async *read(hash: string, range?: ByteRange): AsyncGenerator<Buffer> {
    const [blob] = await this.records([hash]);
    if (!blob) throw new Error(`The bytes of ${hash} are missing`);
    yield* this.store.read(blob.file, range ?? { start: 0, end: blob.size });
  }

  private records(hashes: readonly string[]): Promise<Blob[]> {
    return this.blobs.find({ _id: { $in: [...hashes] } }).toArray();
  }

  private get store(): GridFS {
    const { db } = this.database.connection;
    if (!db) throw new Error('The database is not connected');
    return (this.gridfs ??= new GridFS(db));
  }
}

/** Finds what bytes of `organization` are referred to by. */
export function hashing(organization: string): { update(piece: Buffer): void; id(): string } {
  const hash = createHash('sha256').update(saltOf(organization));
  return {
    update: (piece) => {
      hash.update(piece);
    },
    id: () => hash.digest('hex'),
  };
}

const saltOf = (organization: string): string => `${organization}\0`;

async function hashOf(organization: string, bytes: Buffer): Promise<string> {
  const hash = createHash('sha256').update(saltOf(organization));
  for (const piece of piecesOf(bytes)) {
    hash.update(piece);
    // so that others are served while many bytes are hashed
    if (bytes.length > PIECE) await setImmediate();
  }
  return hash.digest('hex');
}

/** Many bytes in pieces: whatever is done with them, and for how long, others are served in between. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start === 0 || start < bytes.length; start += PIECE) {
    yield bytes.subarray(start, start + PIECE);
  }
}
