import { mongo } from 'mongoose';
import { BackupError, documentOf, readBackup } from '../backup/index.js';
import { Arrivals } from './arrivals.js';
import { PIECES } from './backup-organization.js';
import { Closure } from './closure.js';
import type { OrganizationRecords } from './organization-records.js';
import type { OwnedRule, Rule, Stored } from './rules.js';

/** Ids that one query names. */
const IDS = 500;

/** A record of a backup of one organization. */
export interface RecordInFile {
  collection: string;
  bytes: Buffer;
}

/** What a backup of one organization comes to where it is restored. */
export interface CheckedOrganization {
  arrivals: Arrivals;
  /** What stays behind, by collection and id. */
  left: ReadonlySet<string>;
  records: number;
}

/** The records of a file, in its order. */
export async function* recordsIn(path: string): AsyncGenerator<RecordInFile> {
  let collection = '';
  for await (const frames of readBackup(path)) {
    for (const { kind, bytes } of frames) {
      if (kind === 'collection') collection = String(documentOf(bytes).name);
      else if (kind === 'record') yield { collection, bytes };
    }
  }
}

/** What {@link CheckedOrganization.left} says of a record. */
export const leftAs = (collection: string, id: unknown): string => `${collection} ${String(id)}`;

/** A record as plain values. */
export const plainOf = (bytes: Buffer): Stored => mongo.BSON.deserialize(bytes, { promoteBuffers: true });

/**
 * Reads the backup of `organization` at `path` to its end, and writes nothing; calls `step` between the records.
 *
 * @throws BackupError when something of it does not belong to the organization, is missing, or is there in `db` already.
 */
export async function checkOrganization(
  db: mongo.Db,
  records: OrganizationRecords,
  { path, organization, step }: { path: string; organization: string; step: () => Promise<void> },
): Promise<CheckedOrganization> {
  const check = new Check(db, records, organization);
  let count = 0;
  for await (const { collection, bytes } of recordsIn(path)) {
    await check.take(collection, plainOf(bytes));
    await step();
    count += 1;
  }
  await check.finish();
  return { arrivals: check.arrivals, left: check.left, records: count };
}

/** Takes the records of a file one after the other. */
class Check {
  readonly left = new Set<string>();
  readonly arrivals: Arrivals;
  private readonly closure: Closure;
  private readonly asked = new Map<string, { rule: OwnedRule; field: string; values: Map<string, string> }>();
  private isAtOnce = true;

  constructor(
    private readonly db: mongo.Db,
    private readonly records: OrganizationRecords,
    organization: string,
  ) {
    this.closure = new Closure(records, organization);
    this.arrivals = new Arrivals(db, records.people());
  }

  async take(collection: string, record: Stored): Promise<void> {
    if (collection === PIECES) {
      this.closure.takePiece(bytesOf(record));
      return;
    }
    const rule = this.records.of(collection);
    if (!rule || rule.kind === 'apart') throw new BackupError(`The backup holds ${collection}, which are of nobody`);
    this.isAtOnce &&= isAtOnce(rule);
    if (rule.kind === 'owned') await this.takeOwned(rule, record);
    else if (rule.kind === 'content') this.closure.takeContent(rule, record);
    else if (rule.kind === 'bytes') this.closure.takeBytes(String(record._id), String(record.organization));
    else {
      this.closure.takePerson(String(record._id));
      this.arrivals.add(record);
    }
  }

  async finish(): Promise<void> {
    for (const key of this.asked.keys()) await this.ask(key);
    this.closure.finish();
    await this.arrivals.settle();
  }

  private async takeOwned(rule: OwnedRule, record: Stored): Promise<void> {
    const { collection, unique = [] } = rule;
    if (isAtOnce(rule) && !this.isAtOnce) throw new BackupError(`The backup holds ${collection} at the wrong place`);
    if (this.closure.takeOwned(rule, record) === 'left') {
      throw new BackupError(`${collection} ${String(record._id)} needs what does not belong to the organization`);
    }
    for (const field of ['_id', ...unique]) {
      const value = record[field];
      if (typeof value !== 'string') continue;
      const key = `${collection} ${field}`;
      const asked = this.asked.get(key) ?? { rule, field, values: new Map<string, string>() };
      this.asked.set(key, asked);
      if (asked.values.has(value)) throw new BackupError(`Two of ${collection} have the same ${field}, "${value}"`);
      asked.values.set(value, String(record._id));
      if (asked.values.size >= IDS) await this.ask(key);
    }
  }

  /** Asks which of the values that have come together are taken. */
  private async ask(key: string): Promise<void> {
    const asked = this.asked.get(key);
    if (!asked) return;
    this.asked.delete(key);
    const { rule, field, values } = asked;
    const filter = { [field]: { $in: [...values.keys()] } };
    const taken = this.db.collection(rule.collection).find(filter, { projection: { [field]: 1 } });
    for await (const record of taken as AsyncIterable<Stored>) this.refuse(rule, values, String(record[field]));
  }

  private refuse({ collection, taken }: OwnedRule, values: ReadonlyMap<string, string>, value: string): void {
    const why = taken?.(value, this.closure.record ?? {});
    if (why === null) this.left.add(leftAs(collection, values.get(value)));
    else throw new BackupError(`Nothing was restored: ${why ?? `there is another of ${collection} with "${value}"`}`);
  }
}

/** Whether the records of `rule` are written all at once, in the end. */
export const isAtOnce = (rule: Rule): boolean => rule.kind === 'owned' && rule.atOnce === true;

/** The bytes of a piece. @throws BackupError when it holds none. */
export function bytesOf({ data }: Stored): Buffer {
  if (!(data instanceof Uint8Array)) throw new BackupError('A piece of the backup holds no bytes');
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
