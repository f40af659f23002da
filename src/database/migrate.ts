import { createHash } from 'node:crypto';
import type { Connection, mongo, Schema } from 'mongoose';
import { batchesOf } from '../common/batches-of.js';
import { migrations } from './migrations/index.js';

/** Collections that are brought to their form at a time: most of it is waiting for the disk. */
const AT_ONCE = 16;

/** Something that was done to the database as a whole, and when. */
export interface MigrationRecord {
  _id: string;
  at: Date;
  hash?: string;
}

/** The collection that tells what was done to the database as a whole. */
export const MIGRATIONS = 'migrations';
/** The record that tells which indexes were built. */
const INDEXES = 'indexes';
/** The record that stands as long as a backup is being restored. */
export const RESTORING = 'restoring';

/** The names of all migrations that there are. */
export const knownMigrations: ReadonlySet<string> = new Set(migrations.map(({ name }) => name));

/** What {@link migrate} would still have to do. */
export interface Pending {
  /** The database is new: nothing was ever brought to its end, though a process may be about it, or was killed in it. */
  fresh: boolean;
  /** Names of the migrations that have not run. */
  migrations: string[];
  /** Whether the indexes that the schemas declare are not those that were built last. */
  indexes: boolean;
  /** Whether a backup is being restored, or was in part only. */
  restoring: boolean;
}

/** What separates the database from the form that this version of the code needs. */
export async function pendingMigrations(connection: Connection): Promise<Pending> {
  const records = await migrationsOf(connection).find({}).toArray();
  const done = new Map(records.map((record) => [record._id, record]));
  return {
    fresh: !done.has(INDEXES) && !done.has(RESTORING),
    migrations: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
    indexes: done.get(INDEXES)?.hash !== indexHash(connection),
    restoring: done.has(RESTORING),
  };
}

/**
 * Brings the database to the form that this version of the code needs: the migrations that have not run, then the
 * indexes of every schema. Doing it again changes nothing. Answers the names of what was done.
 *
 * @throws Error while a backup is being restored, or was in part only.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const pending = await pendingMigrations(connection);
  if (pending.restoring) throw new Error('A backup was restored in part only: run "restore" again');
  return bringUp(connection, pending);
}

/** Does what is {@link Pending}, as {@link migrate}, also while a backup is being restored. */
export async function bringUp(connection: Connection, pending: Pending): Promise<string[]> {
  const records = migrationsOf(connection);
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
    for (const models of batchesOf(Object.values(connection.models), AT_ONCE)) {
      await Promise.all(
        models.map(async (model) => {
          await model.createCollection();
          // all at once: mongoose would ask for one after the other
          const indexes = declaredBy(model.schema);
          if (indexes.length > 0) await model.collection.createIndexes(indexes);
        }),
      );
    }
    const record = { at: new Date(), hash: indexHash(connection) };
    await records.updateOne({ _id: INDEXES }, { $set: record }, { upsert: true });
    done.push(INDEXES);
  }
  return done;
}

/** What is known of the stored records' form. */
export const migrationsOf = (connection: Connection) => connection.collection<MigrationRecord>(MIGRATIONS);

/** Names of the migrations that the records of `db` have been through, as `session` sees them. */
export async function migrationNames(db: mongo.Db, session: mongo.ClientSession): Promise<string[]> {
  const records = await db.collection<MigrationRecord>(MIGRATIONS).find({}, { session }).toArray();
  return records.map(({ _id }) => _id).filter((name) => knownMigrations.has(name));
}

/** The indexes that `schema` declares, as the driver takes them. */
const declaredBy = (schema: Schema): mongo.IndexDescription[] =>
  schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);

function indexHash(connection: Connection): string {
  const declared = Object.values(connection.models)
    .map((model) => [model.collection.name, model.schema.indexes()] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(declared)).digest('base64url');
}
