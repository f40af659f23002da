import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { migrations } from './migrations/index.js';

/** What is known of the stored records' form. */
interface MigrationRecord {
  _id: string;
  at: Date;
  hash?: string;
}

const INDEXES = 'indexes';

/** What {@link migrate} would still have to do. */
export interface Pending {
  /** Nothing was ever migrated: the database is new. */
  fresh: boolean;
  /** Names of the migrations that have not run. */
  migrations: string[];
  /** Whether the indexes that the schemas declare are not those that were built last. */
  indexes: boolean;
}

/** What separates the database from the form that this version of the code needs. */
export async function pendingMigrations(connection: Connection): Promise<Pending> {
  const records = await collectionOf(connection).find({}).toArray();
  const done = new Map(records.map((record) => [record._id, record]));
  return {
    fresh: records.length === 0,
    migrations: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
    indexes: done.get(INDEXES)?.hash !== indexHash(connection),
  };
}

/**
 * Brings the database to the form that this version of the code needs: the migrations that have not run, then the
 * indexes of every schema. Doing it again changes nothing. Answers the names of what was done.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const pending = await pendingMigrations(connection);
  const records = collectionOf(connection);
  const done: string[] = [];
  for (const migration of migrations) {
    const { name } = migration;
    if (!pending.migrations.includes(name) || !connection.db) continue;
    // a new database has nothing in an old form
    if (!pending.fresh) await migration.up(connection.db);
    await records.updateOne({ _id: name }, { $set: { at: new Date() } }, { upsert: true });
    done.push(name);
  }
  if (pending.indexes) {
    for (const model of Object.values(connection.models)) {
      await model.createCollection();
      await model.createIndexes();
    }
    const record = { at: new Date(), hash: indexHash(connection) };
    await records.updateOne({ _id: INDEXES }, { $set: record }, { upsert: true });
    done.push(INDEXES);
  }
  return done;
}

const collectionOf = (connection: Connection) => connection.collection<MigrationRecord>('migrations');

function indexHash(connection: Connection): string {
  const declared = Object.values(connection.models)
    .map((model) => [model.collection.name, model.schema.indexes()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(declared)).digest('base64url');
}
