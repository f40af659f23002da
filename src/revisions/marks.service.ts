import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { isLeaf, readChunk, type Leaf } from './chunk.js';
import { ChunkRecord } from './chunk.schema.js';
import { bytesIn, documentsIn } from './referred.js';
import { SweepMark } from './sweep.schema.js';

/** Marks asked for or written, and chunks read, in one command. */
const BATCH = 500;

/** Which chunks, documents and blobs remain, as a sweep finds it out: a record for each, so that memory does not matter. */
@Injectable()
export class Marks {
  constructor(
    @InjectModel(SweepMark.name) private readonly marks: Model<SweepMark>,
    @InjectModel(ChunkRecord.name) private readonly chunks: Model<ChunkRecord>,
  ) {}

  /** Those of `keys` that are marked in `generation`; joins a surrounding transaction. */
  async among(generation: number, keys: readonly string[]): Promise<Set<string>> {
    const marked = new Set<string>();
    for (const batch of batchesOf(keys, BATCH)) {
      const ids = batch.map((key) => markId(generation, key));
      const found = await this.marks.find({ _id: { $in: ids } }).lean<SweepMark[]>();
      for (const { _id } of found) marked.add(_id.slice(markId(generation, '').length));
    }
    return marked;
  }

  /**
   * Marks all that is reached from `root`. Stopped anywhere, it is done again: what was found later is written first,
   * so that whatever is not marked is reached from `root` by what is not marked.
   *
   * @throws Error when a chunk is missing: nothing may be removed then.
   */
  async reach(generation: number, root: string): Promise<void> {
    const found = new Set<string>();
    for (let level = await this.unmarked(generation, [root], found); level.length > 0;) {
      const below = new Set<string>();
      const leaves = new Set<string>();
      for (const batch of batchesOf(level, BATCH)) {
        for (const chunk of await this.read(batch)) {
          if (isLeaf(chunk)) for (const key of keysIn(chunk)) leaves.add(key);
          else for (const child of chunk.children) below.add(child);
        }
      }
      await this.unmarked(generation, [...leaves], found);
      level = await this.unmarked(generation, [...below], found);
    }
    await this.write(generation, [...found].reverse());
  }

  /** Removes up to `limit` marks. @returns how many there were. */
  async clear(limit: number): Promise<number> {
    const found = await this.marks.find({}).sort({ _id: 1 }).limit(limit).lean<SweepMark[]>();
    await this.marks.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  /** Those of `keys` that are neither marked nor in `found`; adds them to that. */
  private async unmarked(generation: number, keys: readonly string[], found: Set<string>): Promise<string[]> {
    const unseen = keys.filter((key) => !found.has(key));
    const marked = await this.among(generation, unseen);
    const fresh = unseen.filter((key) => !marked.has(key));
    for (const key of fresh) found.add(key);
    return fresh;
  }

  private async read(ids: readonly string[]) {
    const records = await this.chunks
      .find({ _id: { $in: [...ids] } }, { text: 1 })
      .lean<Pick<ChunkRecord, '_id' | 'text'>[]>();
    if (records.length < ids.length) throw new Error('Content is damaged: a chunk is missing, so nothing is removed');
    return records.map(({ _id, text }) => readChunk(_id, text));
  }

  private async write(generation: number, keys: readonly string[]): Promise<void> {
    for (const batch of batchesOf(keys, BATCH)) {
      const records = batch.map((key) => ({ _id: markId(generation, key) }));
      // in order: see reach()
      await this.marks.insertMany(records, { ordered: true, lean: true });
    }
  }
}

/** The key under which the bytes of files are marked. */
export const blobMark = (hash: string): string => `blob/${hash}`;

const markId = (generation: number, key: string): string => `${String(generation)}/${key}`;

/** Keys of the documents and bytes that the entries of a leaf refer to. */
function keysIn(leaf: Leaf): string[] {
  return [...documentsIn(leaf), ...bytesIn(leaf).map(blobMark)];
}
