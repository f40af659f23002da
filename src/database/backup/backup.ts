import { mongo } from 'mongoose';
import { migrationNames } from '../migrate.js';
import { BackupError, type Frame } from './frames.js';
import { type BackupHead, headFrame, WHOLE_FORMAT } from './backup-file.js';

/** What a backup says of the service that writes it. */
export type Origin = Pick<BackupHead, 'version' | 'key'>;

/** Records that are asked for at a time; 16 MB of them come at most. */
const BATCH = 1000;
/** The server has let go of the snapshot: its cursor, or the moment that it shows. */
const SNAPSHOT_GONE: readonly unknown[] = [43, 239, 246];

/**
 * Every record of `db` as it was at one moment, and what is to be known to restore them. Whoever writes meanwhile is not held up.
 *
 * @throws BackupError when the server does not keep that moment for as long as it takes.
 */
export async function* backupOf(client: mongo.MongoClient, db: mongo.Db, origin: Origin): AsyncGenerator<Frame> {
  const session = client.startSession({ snapshot: true });
  try {
    const at = new Date();
    // the first read: what comes after it is of the same moment
    const migrations = await migrationNames(db, session);
    yield headFrame({ format: WHOLE_FORMAT, ...origin, at, migrations });
    for (const name of await namesOf(db)) {
      yield { kind: 'collection', bytes: Buffer.from(mongo.BSON.serialize({ name })) };
      const records = db.collection(name).find({}, { session, raw: true, batchSize: BATCH });
      for await (const record of records) yield { kind: 'record', bytes: bytesOf(record) };
    }
  } catch (error) {
    throw explainedSnapshot(error);
  } finally {
    await session.endSession();
  }
}

/** Names of the collections of `db`, without those of the server itself. */
export async function namesOf(db: mongo.Db): Promise<string[]> {
  const listed = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return listed
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

/** The bytes of a document: with `raw`, the driver answers them, which its types do not say. */
export function bytesOf(record: unknown): Buffer {
  if (!(record instanceof Uint8Array)) throw new Error('The driver has answered a document in the place of its bytes');
  return Buffer.from(record.buffer, record.byteOffset, record.byteLength);
}

/** What is said in the place of `error`, where the server has let go of the moment of a backup. */
export function explainedSnapshot(error: unknown): unknown {
  if (!(error instanceof mongo.MongoServerError) || !SNAPSHOT_GONE.includes(error.code)) return error;
  return new BackupError(
    `The database did not keep the moment of the backup for as long as it took (${error.message}): raise minSnapshotHistoryWindowInSeconds of MongoDB, or try when there is less to do`,
  );
}
