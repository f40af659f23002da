import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mongo } from 'mongoose';
import { type BlobChunk, BUCKET } from './blob.schema.js';

/** Bytes in each record of GridFS. */
const CHUNK = 255 * 1024;
/** Records that are read ahead of whoever takes the bytes. */
const READ_AHEAD = 4;

/** More bytes came than are taken. */
export class TooManyBytesError extends Error {
  /** @param limit The most that is taken, in bytes. */
  constructor(readonly limit: number) {
    super(`A file holds at most ${String(limit)} bytes`);
  }
}

/** A part of some bytes, from `start` up to and without `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes in GridFS, by the id of their file. It takes no part in transactions. */
export class GridFS {
  private readonly bucket: mongo.GridFSBucket;
  private readonly chunks: mongo.Collection<BlobChunk>;

  constructor(db: mongo.Db) {
    this.bucket = new mongo.GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK });
    this.chunks = db.collection<BlobChunk>(`${BUCKET}.chunks`);
  }

  /**
   * Writes `source` as the file `id`, as fast as the database takes it, and answers its size and the SHA-256 of `salt`
   * and bytes. @throws TooManyBytesError as soon as it is longer than `maxBytes`; what was written then is for the
   * caller to remove, as after any failure.
   */
  async write(
    id: mongo.ObjectId,
    source: Readable,
    salt: string,
    maxBytes: number,
  ): Promise<{ hash: string; size: number }> {
    const hash = createHash('sha256').update(salt);
    let size = 0;
    const measured = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of bytes) {
        size += part.length;
        if (size > maxBytes) throw new TooManyBytesError(maxBytes);
        hash.update(part);
        yield part;
      }
    };
    await pipeline(source, measured, this.bucket.openUploadStreamWithId(id, id.toHexString()));
    return { hash: hash.digest('hex'), size };
  }

  /**
   * The bytes of the file `id` within `range`, piece by piece: the driver's own stream reads up to 16 MB ahead.
   *
   * @throws Error when a piece is missing.
   */
  async *read(id: mongo.ObjectId, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    if (start >= end) return;
    const last = Math.floor((end - 1) / CHUNK);
    let n = Math.floor(start / CHUNK);
    const found = this.chunks
      .find({ files_id: id, n: { $gte: n, $lte: last } }, { projection: { n: 1, data: 1 }, promoteBuffers: true })
      .sort({ n: 1 })
      .batchSize(READ_AHEAD);
    for await (const chunk of found) {
      if (chunk.n !== n) break;
      const from = n * CHUNK;
      yield chunk.data.subarray(Math.max(0, start - from), end - from);
      n += 1;
    }
    if (n <= last) throw new Error(`Piece ${String(n)} of the file ${id.toHexString()} is missing`);
  }

  /** How many bytes of each of the files `ids` lie there, by the file's id in hexadecimal. */
  async sizes(ids: readonly mongo.ObjectId[]): Promise<Map<string, number>> {
    const files = await this.bucket.find({ _id: { $in: [...ids] } }, { projection: { length: 1 } }).toArray();
    const counts = await this.chunks
      .aggregate<{ _id: mongo.ObjectId; pieces: number }>([
        { $match: { files_id: { $in: [...ids] } } },
        { $group: { _id: '$files_id', pieces: { $sum: 1 } } },
      ])
      .toArray();
    const pieces = new Map(counts.map((count) => [count._id.toHexString(), count.pieces]));
    return new Map(
      files.map(({ _id, length }) => {
        const id = _id.toHexString();
        return [id, Math.ceil(length / CHUNK) === (pieces.get(id) ?? 0) ? length : 0];
      }),
    );
  }

  /** Removes the file `id` and every piece of it, those of an upload that never came to its end too. */
  async remove(id: mongo.ObjectId): Promise<void> {
    try {
      await this.bucket.delete(id);
    } catch (error) {
      // the driver says so after it has removed the pieces
      if (!(error instanceof mongo.MongoRuntimeError)) throw error;
    }
  }
}
