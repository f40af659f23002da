import { mongo } from 'mongoose';

/** What is stored: of each collection its records, byte by byte. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

/** A record that differs; what is absent was not there, or is not. */
export interface Difference {
  collection: string;
  before?: Buffer;
  after?: Buffer;
}

/** The collections of `db`. */
export async function collectionsOf(db: mongo.Db): Promise<string[]> {
  return (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
}

/** Reads all that is stored in the collections `names` of `db`. */
export async function readStored(db: mongo.Db, names: readonly string[]): Promise<Stored> {
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const records = (await db.collection(name).find({}, { raw: true }).toArray()) as unknown as Buffer[];
        return [name, new Map(records.map((record) => [idOf(record), Buffer.from(record)]))] as const;
      }),
    ),
  );
}

/** The records in which `before` and `after` differ. */
export function differences(before: Stored, after: Stored): Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((collection) => {
    const [old, now] = [before.get(collection), after.get(collection)];
    return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
      .map((id) => ({ collection, before: old?.get(id), after: now?.get(id) }))
      .filter(({ before: one, after: other }) => !one || !other || !one.equals(other));
  });
}

/** Puts back what `found` says that there was before. */
export async function undo(db: mongo.Db, found: readonly Difference[]): Promise<void> {
  for (const { collection, before, after } of found) {
    const records = db.collection<{ _id: string }>(collection);
    const now = after && recordOf(after);
    if (now) await records.deleteOne({ _id: now._id });
    if (before) await records.insertOne(recordOf(before));
  }
}

/** The record in `bytes`, with the types that it has in the database. */
export const recordOf = (bytes: Buffer): { _id: string } =>
  mongo.BSON.deserialize(bytes, { promoteValues: false }) as { _id: string };

const idOf = (bytes: Buffer): string => JSON.stringify(mongo.BSON.deserialize(bytes)._id);
