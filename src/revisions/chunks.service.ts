import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { readChunk, type Chunk, type ChunkSource, type WrittenChunk } from './chunk.js';
import { ChunkRecord } from './chunk.schema.js';
import { writerOf } from './immutable.js';
import type { ChunkStore } from './map-draft.js';

/** Memory for chunks, bytes. */
const CACHE = 24 * 1024 * 1024;
/** A chunk in memory takes about so many bytes for each character of its text, with the texts that are kept of its values. */
const WEIGHT = 4;
/** Chunks asked for in one query. */
const BATCH = 500;
/** How long a written chunk counts as certainly there, ms; far less than what a sweep leaves alone. */
const KNOWN_FOR = 30 * 60_000;
/** Chunks that count so. */
const MAX_KNOWN = 5_000;

/** Keeps chunks in the database, and those in use in memory. */
@Injectable()
export class ChunksService implements ChunkSource {
  private readonly cache = new LRUCache<string, Chunk>({
    maxSize: CACHE,
    sizeCalculation: (chunk) => chunk.size * WEIGHT + 500,
  });
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_FOR });

  private readonly insert: (records: readonly ChunkRecord[]) => Promise<void>;

  constructor(@InjectModel(ChunkRecord.name) private readonly chunks: Model<ChunkRecord>) {
    this.insert = writerOf(chunks);
  }

  /**
   * The chunks `ids`, in that order. An id cannot be guessed and is only found in content of its organization, so it
   * needs no other check. @throws Error when one is not there: the content that refers to it is damaged.
   */
  read(ids: readonly string[]): Promise<readonly Chunk[]> {
    const chunks: Chunk[] = [];
    for (const id of ids) {
      const chunk = this.cache.get(id);
      if (chunk === undefined) return this.readThrough(ids);
      chunks.push(chunk);
    }
    return Promise.resolve(chunks);
  }

  private async readThrough(ids: readonly string[]): Promise<readonly Chunk[]> {
    const found = new Map<string, Chunk>();
    const missing = new Set<string>();
    for (const id of ids) {
      const chunk = this.cache.get(id);
      if (chunk === undefined) missing.add(id);
      else found.set(id, chunk);
    }
    for (const chunk of await this.load([...missing])) found.set(chunk.id, chunk);
    return ids.map((id) => {
      const chunk = found.get(id);
      if (chunk === undefined) throw new Error(`Chunk ${id} is missing`);
      return chunk;
    });
  }

  /** The store of one organization. */
  of(organization: string): ChunkStore {
    return {
      read: (ids) => this.read(ids),
      write: (chunks) => this.write(organization, chunks),
    };
  }

  private async write(organization: string, written: readonly WrittenChunk[]): Promise<void> {
    const fresh = written.filter(({ chunk }) => !this.known.has(chunk.id));
    const touchedAt = new Date();
    const records = fresh.map(({ chunk, text }) => ({ _id: chunk.id, organization, text, touchedAt }));
    await this.insert(records);
    for (const { chunk } of fresh) {
      this.known.set(chunk.id, true);
      this.cache.set(chunk.id, chunk);
    }
  }

  private async load(ids: readonly string[]): Promise<Chunk[]> {
    const loaded: Chunk[] = [];
    for (const batch of batchesOf(ids, BATCH)) {
      const records = await this.chunks
        .find({ _id: { $in: batch } }, { text: 1 })
        .lean<Pick<ChunkRecord, '_id' | 'text'>[]>();
      for (const { _id, text } of records) {
        const chunk = readChunk(_id, text);
        this.cache.set(_id, chunk);
        loaded.push(chunk);
      }
    }
    return loaded;
  }
}
