import { mongo, type Connection } from 'mongoose';
import { isId } from '../../common/ids.js';
import { AS_STORED, type BackupHead, BackupError } from '../backup/index.js';
import { knownMigrations } from '../migrate.js';
import type { SealedRecords } from '../sealed-records.js';
import {
  bytesOf,
  type CheckedOrganization,
  checkOrganization,
  isAtOnce,
  leftAs,
  plainOf,
  type RecordInFile,
  recordsIn,
} from './check-organization.js';
import { PIECES } from './backup-organization.js';
import type { OrganizationRecords } from './organization-records.js';
import type { Restorations, Restoring } from './restorations.js';
import type { ContentRule, OwnedRule, Stored } from './rules.js';

/** Records, and bytes of them, that are written at a time. */
const BATCH = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
const DUPLICATE = 11000;

/** Where an organization is restored. */
export interface OrganizationTarget {
  connection: Connection;
  records: OrganizationRecords;
  sealed: Pick<SealedRecords, 'kindOf'>;
  restorations: Restorations;
}

/** What restoring an organization came to. */
export interface RestoredOrganization {
  records: number;
  people: { made: number; known: number };
  /** What stayed behind, by collection and id. */
  left: string[];
  /** What is encrypted with a key that is not there, by kind and id. */
  lost: string[];
}

/**
 * Brings the organization of the backup at `path` into an installation that others use. It is seen when all of it is there; where
 * this breaks off, nothing of it is seen, and doing it again begins anew.
 *
 * @throws BackupError when the backup is of another version, does not belong together, or something of it is there already; nothing
 * has changed then.
 */
export async function restoreOrganization(
  target: OrganizationTarget,
  path: string,
  head: BackupHead,
): Promise<RestoredOrganization> {
  const { connection, records, restorations } = target;
  const { organization = '' } = head;
  const { db } = connection;
  if (!db) throw new Error('The database is not connected');
  if (!isId(organization)) throw new BackupError('The backup does not say which organization it is of');
  checkVersion(head);
  const restoring = await restorations.begin(organization);
  try {
    const checked = await checkOrganization(db, records, { path, organization, step: () => restoring.goOn() });
    const writing = new Writing(target, db, { path, organization, checked, restoring });
    await writing.content();
    await writing.owned();
    await inTransaction(connection, (session) => writing.atOnce(session));
    return writing.done();
  } catch (error) {
    // where that fails too, the next attempt does it
    await abandon(restoring).catch(() => undefined);
    throw isTaken(error)
      ? new BackupError(`Something was taken meanwhile: run "restore" again (${error.message})`)
      : error;
  }
}

/** Runs `work` in a transaction, in a session that is new: servers end those in which long nothing happens. */
async function inTransaction(connection: Connection, work: (session: mongo.ClientSession) => Promise<void>) {
  const session = await connection.startSession();
  try {
    await session.withTransaction(() => work(session));
  } finally {
    await session.endSession();
  }
}

const isTaken = (error: unknown): error is mongo.MongoServerError =>
  error instanceof mongo.MongoServerError && error.code === DUPLICATE;

async function abandon(restoring: Restoring): Promise<void> {
  await restoring.takeBack();
  await restoring.end();
}

/** @throws BackupError when the records have another form than those of this version. */
function checkVersion({ migrations, version }: BackupHead): void {
  const [them, us] = [new Set(migrations), [...knownMigrations]];
  if (migrations.some((name) => !knownMigrations.has(name))) {
    throw new BackupError(`The backup was written by a newer version, ${version}: upgrade this installation first`);
  }
  if (us.some((name) => !them.has(name))) {
    throw new BackupError(
      `The backup was written by an older version, ${version}, whose records have another form: restore it to an empty database with that version, upgrade, and make it again`,
    );
  }
}

/** What is written, and from where. */
interface Sources {
  path: string;
  organization: string;
  checked: CheckedOrganization;
  restoring: Restoring;
}

/** Writes the records of one organization. */
class Writing {
  private readonly lost = new Set<string>();

  constructor(
    private readonly target: OrganizationTarget,
    private readonly db: mongo.Db,
    private readonly from: Sources,
  ) {}

  /** Content first: whoever sweeps the store finds nothing that refers to what is not there. */
  async content(): Promise<void> {
    const batch = new Batch<ContentRule>((rule, records) => this.putContent(rule, records));
    const files = recordsIn(this.from.path);
    for (let next = await files.next(); next.done !== true;) {
      const { collection, bytes } = next.value;
      const rule = this.target.records.of(collection);
      if (rule?.kind === 'bytes') {
        next = await this.putBytes(plainOf(bytes), files);
        continue;
      }
      if (rule?.kind === 'content') await batch.add(rule, this.trusted(rule, bytes), bytes.length);
      next = await files.next();
    }
    await batch.flush();
  }

  /** What nobody sees without the organization. */
  async owned(): Promise<void> {
    const batch = new Batch<OwnedRule>(async ({ collection }, records) => {
      await this.from.restoring.note(
        collection,
        records.map(({ _id }) => String(_id)),
      );
      await this.insert(collection, records);
    });
    for await (const { collection, bytes } of recordsIn(this.from.path)) {
      const rule = this.target.records.of(collection);
      if (rule?.kind !== 'owned' || isAtOnce(rule)) continue;
      const record = this.arriving(rule, bytes);
      if (record) await batch.add(rule, record, bytes.length);
    }
    await batch.flush();
  }

  /** The rest, in a transaction. */
  async atOnce(session: mongo.ClientSession): Promise<void> {
    await this.from.checked.arrivals.write(session);
    const batch = new Batch<OwnedRule>(({ collection }, records) => this.insert(collection, records, session));
    for await (const { collection, bytes } of recordsIn(this.from.path)) {
      const rule = this.target.records.of(collection);
      if (rule?.kind !== 'owned' || !isAtOnce(rule)) break;
      const record = this.arriving(rule, bytes);
      if (record) await batch.add(rule, record, bytes.length);
    }
    await batch.flush();
    await this.from.restoring.end(session);
  }

  done(): RestoredOrganization {
    const { records, arrivals, left } = this.from.checked;
    return { records, people: arrivals.counts, left: [...left], lost: [...this.lost] };
  }

  /** A record as it is here; `null`: it stays behind. */
  private arriving(rule: OwnedRule, bytes: Buffer): Stored | null {
    const plain = plainOf(bytes);
    const { checked } = this.from;
    if (checked.left.has(leftAs(rule.collection, plain._id))) return null;
    const stored: Stored = mongo.BSON.deserialize(bytes, AS_STORED);
    const renamed = rule.people ? checked.arrivals.rename(stored) : stored;
    const changes = rule.arrive?.as(plain, checked.arrivals.person(rule.arrive.person(plain)));
    if (changes === null) return null;
    return { ...renamed, ...changes, ...this.resealed(rule.collection, plain) };
  }

  private resealed(collection: string, record: Stored): object | null {
    const kind = this.target.sealed.kindOf(collection);
    try {
      return kind?.reseal(record) ?? null;
    } catch {
      this.lost.add(`${kind?.name ?? collection}: ${String(record._id)}`);
      return null;
    }
  }

  private trusted({ distrust }: ContentRule, bytes: Buffer): Stored {
    const changes = distrust?.(plainOf(bytes), this.from.organization);
    return { ...mongo.BSON.deserialize(bytes, AS_STORED), ...changes };
  }

  /** Equal content that is there stays, and counts as needed. */
  private async putContent({ collection, touched }: ContentRule, records: Stored[]): Promise<void> {
    await this.from.restoring.goOn();
    const now = new Date();
    const operations = records.map(({ _id, [touched]: _, ...rest }) => ({
      updateOne: {
        filter: { _id: String(_id) },
        update: { $max: { [touched]: now }, $setOnInsert: rest },
        upsert: true,
      },
    }));
    await this.db.collection<{ _id: string }>(collection).bulkWrite(operations, { ordered: false });
  }

  /** Stores the bytes whose record was read; answers the record behind them. */
  private async putBytes(
    { organization }: Stored,
    files: AsyncIterator<RecordInFile, undefined>,
  ): Promise<IteratorResult<RecordInFile, undefined>> {
    let next = await files.next();
    const { restoring } = this.from;
    const pieces = async function* (): AsyncGenerator<Buffer> {
      for (; next.done !== true && next.value.collection === PIECES; next = await files.next()) {
        await restoring.goOn();
        yield bytesOf(plainOf(next.value.bytes));
      }
    };
    await this.target.records.blobs().records.write(String(organization), pieces());
    return next;
  }

  private async insert(collection: string, records: Stored[], session?: mongo.ClientSession): Promise<void> {
    const options = { ordered: false, forceServerObjectId: true, session };
    await this.db.collection(collection).insertMany(records, options);
  }
}

/** Records of one rule that are written together. */
class Batch<R extends { collection: string }> {
  private rule: R | undefined;
  private records: Stored[] = [];
  private bytes = 0;

  constructor(private readonly write: (rule: R, records: Stored[]) => Promise<void>) {}

  async add(rule: R, record: Stored, bytes: number): Promise<void> {
    if (this.rule && this.rule !== rule) await this.flush();
    this.rule = rule;
    this.records.push(record);
    this.bytes += bytes;
    if (this.records.length >= BATCH || this.bytes >= BATCH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const { rule, records } = this;
    [this.records, this.bytes] = [[], 0];
    if (rule && records.length > 0) await this.write(rule, records);
  }
}
