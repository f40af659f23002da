import { mongo, type Connection } from 'mongoose';
import { bringUp, knownMigrations, MIGRATIONS, migrationsOf, pendingMigrations, RESTORING } from '../migrate.js';
import { namesOf } from './backup.js';
import { type BackupHead, readBackup } from './backup-file.js';
import { BackupError, documentOf, type Frame } from './frames.js';

/** Records, and bytes of them, that are written at a time. */
const BATCH = 1000;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Read so, a value is written as the type that it was: a whole double stays one, a long and binary data too. */
export const AS_STORED = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
} as const;

/**
 * Writes the records of the backup at `path`, which {@link checkBackup} has read, to an empty database, brings them to the form
 * of this version and builds the indexes. Answers what that took, as {@link bringUp} does. Until all of it is done, the database is
 * marked as restored in part, and the service does not start on it; doing it again begins anew.
 *
 * @throws BackupError when the database holds something, or the backup is of a newer version; nothing has changed then.
 */
export async function restore(connection: Connection, path: string, head: BackupHead): Promise<string[]> {
  const { db } = connection;
  if (!db) throw new Error('The database is not connected');
  const newer = head.migrations.filter((name) => !knownMigrations.has(name));
  if (newer.length > 0) {
    throw new BackupError(`The backup was written by a newer version, ${head.version}: restore it with that one`);
  }
  const records = migrationsOf(connection);
  const begun = (await records.findOne({ _id: RESTORING })) !== null;
  if (!begun) await refuseUsed(db);
  await records.updateOne({ _id: RESTORING }, { $set: { at: new Date() } }, { upsert: true });
  await clear(db);
  await records.deleteMany({ _id: { $ne: RESTORING } });
  await fill(db, path);
  const done = await bringUp(connection, await pendingMigrations(connection));
  await records.deleteOne({ _id: RESTORING });
  return done;
}

/** @throws BackupError when there is a record that no migration has left. */
async function refuseUsed(db: mongo.Db): Promise<void> {
  for (const name of await namesOf(db)) {
    if (name === MIGRATIONS || !(await db.collection(name).findOne({}, { projection: { _id: 1 } }))) continue;
    throw new BackupError(
      `The database is not empty: it has records in ${name}. Restore to a new DATA_DIR, or to a database without records`,
    );
  }
}

async function clear(db: mongo.Db): Promise<void> {
  for (const name of await namesOf(db)) if (name !== MIGRATIONS) await db.dropCollection(name);
}

async function fill(db: mongo.Db, path: string): Promise<void> {
  let batch: mongo.Document[] = [];
  let bytes = 0;
  let name = '';
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await db.collection(name).insertMany(batch, { ordered: false, forceServerObjectId: true });
    [batch, bytes] = [[], 0];
  };
  for await (const frames of readBackup(path)) {
    for (const frame of frames) {
      if (frame.kind === 'collection') {
        await flush();
        name = nameOf(frame);
      } else if (frame.kind === 'record') {
        const record = mongo.BSON.deserialize(frame.bytes, AS_STORED);
        // which indexes were built is for this database to say
        if (name === MIGRATIONS && !knownMigrations.has(String(record._id))) continue;
        batch.push(record);
        bytes += frame.bytes.length;
        if (batch.length >= BATCH || bytes >= BATCH_BYTES) await flush();
      }
    }
  }
  await flush();
}

function nameOf({ bytes }: Frame): string {
  return String(documentOf(bytes).name);
}
