import { Injectable } from '@nestjs/common';
import type { Model, QueryFilter } from 'mongoose';
import { inBatches } from './in-batches.js';

/** What sealing the records of one kind anew came to. */
export interface Resealed {
  /** Records that were sealed anew. */
  resealed: number;
  /** Ids of those that were sealed with a key that is not there. */
  lost: string[];
}

/** Says how the records of `model` are sealed anew. */
export interface SealedKind<T extends { _id: string }, F extends keyof T & string> {
  model: Model<T>;
  /** What of a record is read: what is sealed, and what depends on it. */
  fields: readonly F[];
  /** What changes in a record; `null`: it is sealed with the present key. @throws Error when it cannot be opened. */
  reseal: (record: Pick<T, F | '_id'>) => Partial<Pick<T, F>> | null;
}

/** How a record of one collection is sealed anew, as {@link SealedKind.reseal} says, and what such records are called. */
export interface SealedCollection {
  name: string;
  reseal: (record: object) => object | null;
}

/**
 * Everything that is stored sealed with the key of the installation. Each module adds what it keeps; whoever changes the key has
 * all of it sealed anew.
 */
@Injectable()
export class SealedRecords {
  private readonly kinds = new Map<string, () => Promise<Resealed>>();
  private readonly collections = new Map<string, SealedCollection>();

  /** Adds the records `name`, a plural as a person would say it. */
  add<T extends { _id: string }, F extends keyof T & string>(name: string, kind: SealedKind<T, F>): void {
    this.kinds.set(name, () => resealed(kind));
    const reseal = (record: object): object | null => kind.reseal(record as Pick<T, F | '_id'>);
    this.collections.set(kind.model.collection.name, { name, reseal });
  }

  /** What of the records of `collection` is sealed; `undefined`: nothing. */
  kindOf(collection: string): SealedCollection | undefined {
    return this.collections.get(collection);
  }

  /** What is kept sealed, by name, and how it is sealed anew: beside requests, and again where it was stopped. */
  entries(): [string, () => Promise<Resealed>][] {
    return [...this.kinds];
  }
}

async function resealed<T extends { _id: string }, F extends keyof T & string>({
  model,
  fields,
  reseal,
}: SealedKind<T, F>): Promise<Resealed> {
  const done: Resealed = { resealed: 0, lost: [] };
  for await (const batch of inBatches(model, fields)) {
    for (const record of batch) {
      const set = attempt(() => reseal(record));
      if (set === undefined) done.lost.push(record._id);
      else if (set && (await replaced(model, record, set))) done.resealed += 1;
    }
  }
  return done;
}

/** What `work` answers; `undefined`: it cannot be opened. */
function attempt<R>(work: () => R): R | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Writes `set` to `record`, unless somebody has written something else there meanwhile: that is sealed with the present key. */
async function replaced<T extends { _id: string }>(model: Model<T>, record: object, set: object): Promise<boolean> {
  const before = new Map<string, unknown>(Object.entries(record));
  const same = Object.keys(set).map((field) => [field, before.get(field)]);
  const filter = Object.fromEntries([['_id', before.get('_id')], ...same]) as QueryFilter<T>;
  const { modifiedCount } = await model.updateOne(filter, { $set: set }, { timestamps: false });
  return modifiedCount === 1;
}
