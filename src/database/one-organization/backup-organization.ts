import { mongo } from 'mongoose';
import { batchesOf } from '../../common/batches-of.js';
import {
  type BackupHead,
  BackupError,
  bytesOf,
  explainedSnapshot,
  type Frame,
  headFrame,
  ORGANIZATION_FORMAT,
  type Origin,
} from '../backup/index.js';
import { migrationNames } from '../migrate.js';
import { Closure } from './closure.js';
import { type OrganizationRecords, parentsOf } from './organization-records.js';
import type { ContentRule, OwnedRule, Stored } from './rules.js';

/** The collection under which the pieces of bytes stand, behind the record of the bytes. */
export const PIECES = 'pieces';

/** Records that are asked for at a time, and ids that one query names. */
const BATCH = 1000;
const IDS = 200;

/** What is read, and where. */
export interface OrganizationSource {
  client: mongo.MongoClient;
  db: mongo.Db;
  records: OrganizationRecords;
  origin: Origin;
}

/**
 * Every record of `organization` as it was at one moment, with the content and the people that it names. Ids alone are kept in
 * memory, see {@link Closure}. `left` is told of each record that stays behind, by its collection and id.
 *
 * @throws BackupError when there is no such organization, it is not whole, or the server does not keep the moment.
 */
export async function* backupOfOrganization(
  source: OrganizationSource,
  organization: string,
  left: (collection: string, id: string) => void,
): AsyncGenerator<Frame> {
  const { client, records, origin } = source;
  const session = client.startSession({ snapshot: true });
  const reading = new Reading(source, session, new Closure(records, organization), left);
  try {
    const at = new Date();
    const migrations = await migrationNames(source.db, session);
    const head: BackupHead = { format: ORGANIZATION_FORMAT, ...origin, at, migrations, organization };
    yield headFrame(head);
    yield* reading.owned();
    yield* reading.content();
    yield* reading.people();
  } catch (error) {
    throw explainedSnapshot(error);
  } finally {
    await session.endSession();
  }
  // what bytes are never changes, and what was referred to lately is not removed
  yield* reading.bytes();
  reading.closure.finish();
}

/** Reads the records of one organization, in the order of the file. */
class Reading {
  constructor(
    private readonly source: OrganizationSource,
    private readonly session: mongo.ClientSession,
    readonly closure: Closure,
    private readonly left: (collection: string, id: string) => void,
  ) {}

  async *owned(): AsyncGenerator<Frame> {
    for (const rule of this.source.records.owned()) {
      yield collectionFrame(rule.collection);
      for (const parent of parentsOf(rule)) yield* this.hangingOn(rule, [...this.closure.idsOf(parent)]);
    }
  }

  /** Level by level: what is read names what is read next. */
  async *content(): AsyncGenerator<Frame> {
    const rules = this.source.records.content();
    for (let read = true; read;) {
      read = false;
      for (const rule of rules) {
        for (let ids = this.closure.wanted(rule.collection, IDS); ids.length > 0; read = true) {
          yield collectionFrame(rule.collection);
          yield* this.contentOf(rule, ids);
          ids = this.closure.wanted(rule.collection, IDS);
        }
      }
    }
  }

  async *people(): AsyncGenerator<Frame> {
    const { collection, taken } = this.source.records.people();
    yield collectionFrame(collection);
    for (const ids of batchesOf([...this.closure.people], IDS)) {
      for await (const bytes of this.find(collection, '_id', ids)) {
        const person = taken(plain(bytes));
        this.closure.takePerson(String(person._id));
        yield recordFrame(person);
      }
    }
  }

  async *bytes(): AsyncGenerator<Frame> {
    const { collection, records } = this.source.records.blobs();
    for (;;) {
      const [id] = this.closure.wanted(collection, 1);
      if (id === undefined) return;
      const { organization, pieces } = await records.read(id);
      this.closure.takeBytes(id, organization);
      yield collectionFrame(collection);
      yield recordFrame({ _id: id, organization });
      yield collectionFrame(PIECES);
      for await (const piece of pieces) {
        this.closure.takePiece(piece);
        yield recordFrame({ data: piece });
      }
    }
  }

  private async *hangingOn(rule: OwnedRule, parents: readonly string[]): AsyncGenerator<Frame> {
    const { collection, by = 'organization' } = rule;
    for (const ids of batchesOf(parents, IDS)) {
      for await (const bytes of this.find(collection, by, ids)) {
        const record = plain(bytes);
        if (this.closure.takeOwned(rule, record) === 'taken') yield { kind: 'record', bytes };
        else this.left(collection, String(record._id));
      }
    }
  }

  private async *contentOf(rule: ContentRule, ids: readonly string[]): AsyncGenerator<Frame> {
    const found = new Set<string>();
    for await (const bytes of this.find(rule.collection, '_id', ids)) {
      const record = plain(bytes);
      this.closure.takeContent(rule, record);
      found.add(String(record._id));
      yield { kind: 'record', bytes };
    }
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) {
      throw new BackupError(`The organization is not whole: ${rule.collection} ${missing} is missing. Run "doctor"`);
    }
  }

  private async *find(collection: string, field: string, ids: readonly string[]): AsyncGenerator<Buffer> {
    const options = { session: this.session, raw: true, batchSize: BATCH };
    const records = this.source.db.collection(collection).find({ [field]: { $in: [...ids] } }, options);
    for await (const record of records) yield bytesOf(record);
  }
}

const plain = (bytes: Buffer): Stored => mongo.BSON.deserialize(bytes, { promoteBuffers: true });

function collectionFrame(name: string): Frame {
  return { kind: 'collection', bytes: Buffer.from(mongo.BSON.serialize({ name })) };
}

function recordFrame(record: object): Frame {
  return { kind: 'record', bytes: Buffer.from(mongo.BSON.serialize(record)) };
}
