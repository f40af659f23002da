import type { Model } from 'mongoose';

/** Records that are held at a time. */
const BATCH = 200;

/** All records of `model` in the order of their ids, some at a time; of each only `fields`, where they are named. */
export async function* inBatches<T extends { _id: string }, F extends keyof T & string = keyof T & string>(
  model: Model<T>,
  fields: readonly F[] = [],
): AsyncGenerator<Pick<T, F | '_id'>[]> {
  const projection = fields.length === 0 ? {} : Object.fromEntries(fields.map((field) => [field, 1]));
  for (let after = ''; ;) {
    const batch = await model
      .find({ _id: { $gt: after } }, projection)
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<Pick<T, F | '_id'>[]>();
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = last._id;
  }
}
