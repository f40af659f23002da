import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Binary } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { batchesOf } from '../../common/batches-of.js';
import { Database } from '../../database/index.js';
import type { Block } from './blocks.js';
import { SearchBlock, SearchSegment, type Table } from './search-segment.schema.js';
import { blockId, type View, viewOf } from './view.js';

/** Memory for blocks that were read, in bytes. They never change, so that what is kept is never out of date. */
const BLOCK_CACHE = 12 * 1024 * 1024;
/** Memory for views, in bytes. */
const VIEW_CACHE = 16 * 1024 * 1024;
/** Rough memory of one page in a table, in bytes. */
const PAGE_SIZE = 250;
/** Keys that one query names at the most. */
const READ_BATCH = 500;

/** A block as it is kept in memory. */
export interface StoredBlock {
  data: Buffer;
  /** In the first block of a segment. */
  table?: Table;
}

/** A record as a plain object. */
type Fields<T> = Pick<T, keyof T>;

/** The segments that are searched, by space, latest first. */
export type SegmentLists = Map<string, SearchSegment[]>;

/** A block as the driver reads it. */
type ReadBlock = Omit<SearchBlock, 'data'> & { data: Binary };

/** What stands in the only block of a segment without words. */
export const EMPTY_BLOCK: Block = { first: '', data: Buffer.alloc(0) };

/** A merge has replaced a segment while it was read: what was asked for must be done anew. */
export class SegmentGone extends Error {}

/** Reads and writes the records of the index. */
@Injectable()
export class Segments {
  private readonly blocks = new LRUCache<string, StoredBlock>({
    maxSize: BLOCK_CACHE,
    sizeCalculation: ({ data, table }) => 400 + data.length + PAGE_SIZE * (table?.pages.length ?? 0),
  });
  private readonly views = new LRUCache<string, View>({
    maxSize: VIEW_CACHE,
    sizeCalculation: ({ size, segments }) => 500 * (1 + segments.length) + PAGE_SIZE * size,
  });

  private readonly ofSpace: (space: string) => Promise<SearchSegment[] | null>;

  constructor(
    @InjectModel(SearchSegment.name) private readonly segments: Model<Fields<SearchSegment>>,
    @InjectModel(SearchBlock.name) private readonly records: Model<Fields<SearchBlock>>,
    private readonly database: Database,
  ) {
    this.ofSpace = database.gathered((spaces) => this.ofEach(spaces));
  }

  /** The segments that are searched, by space, latest first; a space without any is left out. */
  async list(spaces: string[]): Promise<SegmentLists> {
    const [space, ...others] = new Set(spaces);
    // of one space every reader of a site asks
    if (space !== undefined && others.length === 0) {
      const own = await this.ofSpace(space);
      return new Map(own ? [[space, own]] : []);
    }
    return this.ofEach(spaces);
  }

  private async ofEach(spaces: readonly string[]): Promise<SegmentLists> {
    const found: SearchSegment[] = [];
    for (const batch of batchesOf(spaces, READ_BATCH)) {
      found.push(...(await this.database.find(this.segments, { space: { $in: batch }, live: true })));
    }
    // of equal ones the larger is the merged one: both are seen where a server without transactions broke down
    found.sort((a, b) => b.sequence - a.sequence || b.size - a.size);
    const lists = new Map<string, SearchSegment[]>();
    for (const segment of found) {
      const list = lists.get(segment.space);
      if (list) list.push(segment);
      else lists.set(segment.space, [segment]);
    }
    return lists;
  }

  /** What the segments of each space show together. @throws SegmentGone */
  async viewAll(lists: SegmentLists): Promise<View[]> {
    const all = [...lists].map(([space, list]) => {
      const ids = list.map(({ _id }) => _id);
      return { space, ids, key: ids.join(), view: this.views.get(ids.join()) };
    });
    const firsts = await this.read(all.flatMap(({ ids, view }) => (view ? [] : ids.map((id) => blockId(id, 0)))));
    return all.map(({ space, ids, key, view }) => {
      if (view) return view;
      const made = viewOf(
        space,
        ids.map((id) => ({ id, table: tableOf(firsts, id) })),
      );
      this.views.set(key, made);
      return made;
    });
  }

  /** Blocks by their ids. @throws SegmentGone when one is not there. */
  async read(ids: string[]): Promise<Map<string, StoredBlock>> {
    const found = new Map<string, StoredBlock>();
    const missing = new Set<string>();
    for (const id of ids) {
      const block = this.blocks.get(id);
      if (block) found.set(id, block);
      else missing.add(id);
    }
    for (const batch of batchesOf([...missing], READ_BATCH)) {
      const records = await this.records.find({ _id: { $in: batch } }).lean<ReadBlock[]>();
      for (const record of records) {
        const block = blockOf(record);
        this.blocks.set(record._id, block);
        found.set(record._id, block);
        missing.delete(record._id);
      }
    }
    const [gone] = missing;
    if (gone !== undefined) throw new SegmentGone(`Block ${gone} is gone`);
    return found;
  }

  /** A block that is wanted once, so that it is not kept in memory where it was not before. @throws SegmentGone */
  async readOnce(id: string): Promise<Buffer> {
    const known = this.blocks.peek(id);
    if (known) return known.data;
    const record = await this.records.findById(id).lean<ReadBlock>();
    if (!record) throw new SegmentGone(`Block ${id} is gone`);
    return blockOf(record).data;
  }

  /** The number for the next segment of `space`. */
  async nextSequence(space: string): Promise<number> {
    const last = await this.segments.findOne({ space, live: true }).sort({ sequence: -1 }).lean<SearchSegment>();
    return (last?.sequence ?? 0) + 1;
  }

  /** Writes the head of a segment. */
  async open(segment: Omit<SearchSegment, 'changedAt'>): Promise<void> {
    await this.database.insert(this.segments, [{ ...segment, changedAt: new Date() }]);
  }

  /** Writes blocks of `segment`, the first of which has `number`; `table` goes with the block 0. */
  async write(segment: string, number: number, blocks: Block[], table?: Table): Promise<void> {
    const records = blocks.map(({ data }, index) => ({
      _id: blockId(segment, number + index),
      segment,
      data,
      table: number + index === 0 && table ? JSON.stringify(table) : null,
    }));
    await this.database.insert(this.records, records);
  }

  /** Makes `merged` take the place of `parts`; in a transaction. @throws SegmentGone when some of them are not live any more. */
  async replace(parts: string[], merged: string): Promise<void> {
    const changedAt = new Date();
    // first, so that without transactions both are seen where it breaks off in between
    await this.segments.updateOne({ _id: merged }, { $set: { live: true, changedAt } });
    const change = { $set: { live: false, changedAt } };
    const { modifiedCount } = await this.segments.updateMany({ _id: { $in: parts }, live: true }, change);
    if (modifiedCount !== parts.length) throw new SegmentGone(`Parts of segment ${merged} are gone`);
  }

  /** Segments of `space` that are not live, and have not been changed since `before`. */
  async remains(space: string, before: Date): Promise<string[]> {
    const found = await this.segments.find({ space, live: false, changedAt: { $lt: before } }).lean<SearchSegment[]>();
    return found.map(({ _id }) => _id);
  }

  /** Deletes segments with their blocks. */
  async drop(segments: string[]): Promise<void> {
    if (segments.length === 0) return;
    await this.records.deleteMany({ segment: { $in: segments } });
    await this.segments.deleteMany({ _id: { $in: segments } });
  }

  /** Deletes up to `limit` blocks of `space`, and the segments that have none left; answers how many records it deleted. */
  async dropSome(space: string, limit: number): Promise<number> {
    const segments = (await this.all(space)).slice(0, limit);
    if (segments.length === 0) return 0;
    const found = await this.records
      .find({ segment: { $in: segments } }, { _id: 1 })
      .limit(limit)
      .lean<Pick<SearchBlock, '_id'>[]>();
    await this.records.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    // as long as a segment is there, its blocks are found
    if (found.length >= limit) return found.length;
    await this.segments.deleteMany({ _id: { $in: segments } });
    return Math.max(found.length, segments.length);
  }

  /** Ids of all segments of `space`, live or not. */
  async all(space: string): Promise<string[]> {
    const found = await this.segments.find({ space }, { _id: 1 }).lean<SearchSegment[]>();
    return found.map(({ _id }) => _id);
  }
}

function tableOf(blocks: Map<string, StoredBlock>, segment: string): Table {
  const table = blocks.get(blockId(segment, 0))?.table;
  if (!table) throw new SegmentGone(`Segment ${segment} is gone`);
  return table;
}

/** A copy of its own: what the driver gives would keep the whole answer in memory. */
function blockOf({ data, table }: ReadBlock): StoredBlock {
  const bytes = data.value();
  // memory of its own: what is kept must not hold on to all that was read with it, nor to a piece of what small buffers share
  const block = { data: Buffer.allocUnsafeSlow(bytes.length) };
  block.data.set(bytes);
  return table === null ? block : { ...block, table: JSON.parse(table) as Table };
}
