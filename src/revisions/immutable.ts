import { mongo, type Model } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { gatheredWrite } from '../database/index.js';

/** A record that is never changed: its id says all it holds. */
export interface ImmutableRecord {
  _id: string;
  /** When somebody last wrote it or built upon it; keeps what is about to be referred to from being swept. */
  touchedAt: Date;
}

/** Records that one caller writes at a time. */
const BATCH = 100;
const DUPLICATE = 11000;

/**
 * Writes records that may be there already: those are marked as needed, at once or with the next write after somebody
 * swept them. It stays outside of a surrounding transaction, which a record that is there already would end. What is written
 * at the same moment is written together.
 */
export function writerOf<T extends ImmutableRecord>(model: Model<T>): (records: readonly T[]) => Promise<void> {
  const write = gatheredWrite<T>(async (records) => {
    // two may write the same at once
    const each = [...new Map(records.map((record) => [record._id, record])).values()];
    await touchImmutable(model, await insert(model, each));
  });
  return async (records) => {
    for (const batch of batchesOf(records, BATCH)) await Promise.all(batch.map(write));
  };
}

/** Marks records as needed, and writes those that are not there. */
export async function touchImmutable<T extends ImmutableRecord>(model: Model<T>, records: readonly T[]): Promise<void> {
  if (records.length === 0) return;
  const operations = records.map(({ _id, touchedAt, ...rest }) => ({
    updateOne: { filter: { _id }, update: { $max: { touchedAt }, $setOnInsert: rest }, upsert: true },
  }));
  await plain(model).bulkWrite(operations, { ordered: false });
}

/**
 * Writes fields anew that follow from the rest of a record, as a later version of the code derives them; those that are
 * `undefined` are removed. Records that are gone stay away. As what `writerOf` answers, it stays outside of a surrounding
 * transaction.
 */
export async function amendImmutable<T extends ImmutableRecord>(
  model: Model<T>,
  records: readonly (Pick<T, '_id'> & object)[],
): Promise<void> {
  if (records.length === 0) return;
  const operations = records.map(({ _id, ...fields }) => {
    const [set, unset]: [object, Record<string, ''>] = [{}, {}];
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) unset[name] = '';
      else Object.assign(set, { [name]: value });
    }
    const update = { $set: set, ...(Object.keys(unset).length > 0 && { $unset: unset }) };
    return { updateOne: { filter: { _id }, update } };
  });
  await plain(model).bulkWrite(operations, { ordered: false });
}

/** Inserts `records`; answers those that were there. */
async function insert<T extends ImmutableRecord>(model: Model<T>, records: readonly T[]): Promise<T[]> {
  try {
    await plain(model).insertMany([...records], { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    // without any, it is the whole of it that failed: a connection that was lost, say
    const areThere = failures.length > 0 && failures.every(({ code }) => code === DUPLICATE);
    if (!areThere || error.result.getWriteConcernError()) throw error;
    return failures.flatMap(({ index }) => records[index] ?? []);
  }
}

/** The collection itself: models would cast every record, and follow a transaction. */
function plain<T extends ImmutableRecord>(model: Model<T>): mongo.Collection<ImmutableRecord> {
  return model.collection as unknown as mongo.Collection<ImmutableRecord>;
}
