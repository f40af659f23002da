import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { RateCount } from './rate-count.schema.js';
import { type Due, WINDOW } from './tally.js';

/** What the processes have counted together. */
@Injectable()
export class RateCounts {
  constructor(@InjectModel(RateCount.name) private readonly counts: Model<RateCount>) {}

  /** Adds `one`, which is of `kind`, and answers the total with it. */
  async addOne(kind: string, one: Due): Promise<number> {
    const { filter, update } = additionOf(kind, one);
    const after = await this.counts
      .findOneAndUpdate(filter, update, { upsert: true, returnDocument: 'after' })
      .lean<RateCount>();
    return after.count;
  }

  /** Adds all of `due`, which are of `kind`, with one write; answers the totals with them, in the same order, with one read. */
  async add(kind: string, due: Due[]): Promise<number[]> {
    const additions = due.map((one) => additionOf(kind, one));
    await this.counts.bulkWrite(
      additions.map(({ filter, update }) => ({ updateOne: { filter, update, upsert: true } })),
      { ordered: false },
    );
    const ids = additions.map(({ filter }) => filter._id);
    const found = await this.counts.find({ _id: { $in: ids } }).lean<RateCount[]>();
    const totals = new Map(found.map(({ _id, count }) => [_id, count]));
    return ids.map((id) => totals.get(id) ?? 0);
  }
}

function additionOf(kind: string, { key, window, count }: Due) {
  const _id = createHash('sha256')
    .update(`${kind} ${String(window)} ${key}`)
    .digest('base64url');
  // a window longer than it lasts: the clock of the database may be another
  const expiresAt = new Date((window + 2) * WINDOW);
  return { filter: { _id }, update: { $inc: { count }, $setOnInsert: { expiresAt } } };
}
