import { isId } from '../../common/ids.js';
import { BackupError } from '../backup/index.js';
import { ORGANIZATIONS, type OrganizationRecords, parentsOf } from './organization-records.js';
import type { ByteRecords, ContentRule, Needs, OwnedRule, Stored } from './rules.js';

/** What a record is of that was taken; `left`: what it needs is not of the organization, so that it stays behind. */
type Taken = 'taken' | 'left';

/**
 * Everything of one organization: takes its records one after the other, those that others hang on first, and holds them against
 * the rules of their collections. It keeps ids alone, of what others hang on or refer to, of content and of people: some 100 bytes
 * for each.
 */
export class Closure {
  private readonly parents: ReadonlySet<string>;
  private readonly ids = new Map<string, Set<string>>();
  private readonly missing = new Map<string, Set<string>>();
  /** Bytes that are on their way. */
  private readonly open = new Map<string, ReturnType<ByteRecords['hashing']>>();
  /** Ids of people that records name. */
  readonly people = new Set<string>();
  /** The record of the organization. */
  record: Stored | undefined;

  /** @param organization The id of the organization. */
  constructor(
    private readonly records: OrganizationRecords,
    readonly organization: string,
  ) {
    const owned = records.owned();
    this.parents = new Set(owned.flatMap((rule) => [...parentsOf(rule)]));
    const targets = owned.flatMap((rule) => [
      ...parentsOf(rule),
      ...Object.keys(rule.needs ?? {}),
      ...Object.keys(rule.within ?? {}),
    ]);
    for (const collection of targets) this.ids.set(collection, new Set());
    for (const { collection } of [...records.content(), records.blobs()]) this.ids.set(collection, new Set());
    this.idsOf(ORGANIZATIONS).add(organization);
  }

  /** Ids of `collection` that were taken. */
  idsOf(collection: string): Set<string> {
    const known = this.ids.get(collection);
    if (!known) throw new Error(`Nothing refers to ${collection}`);
    return known;
  }

  /** Up to `limit` ids of `collection` that are needed, and have not been taken. */
  wanted(collection: string, limit: number): string[] {
    const wanted: string[] = [];
    for (const id of this.missing.get(collection) ?? []) {
      if (wanted.length === limit) break;
      wanted.push(id);
    }
    return wanted;
  }

  /** Takes a record that belongs to the organization. @throws BackupError when it does not. */
  takeOwned(rule: OwnedRule, record: Stored): Taken {
    const { collection, by = 'organization', fits, needs = {}, within = {}, people } = rule;
    const { _id: id } = record;
    const parent = record[by];
    const belongs = typeof parent === 'string' && this.isKnown(parentsOf(rule), parent);
    if (typeof id !== 'string' || !belongs || !this.isNamed(rule, id) || fits?.(record) === false) {
      throw new BackupError(`${collection} ${String(id)} does not belong to the organization ${this.organization}`);
    }
    const outside = Object.entries(within).some(([of, idsOf]) =>
      idsOf(record).some((needed) => needed !== null && needed !== undefined && !this.idsOf(of).has(needed)),
    );
    if (outside) return 'left';
    if (collection === ORGANIZATIONS) this.record = record;
    this.ids.get(collection)?.add(id);
    this.missing.get(collection)?.delete(id);
    this.need(needs, record);
    for (const person of people?.(record) ?? []) if (typeof person === 'string') this.people.add(person);
    return 'taken';
  }

  /** Takes content. @throws BackupError when nothing needs it, or its id is not that of what it holds. */
  takeContent({ collection, isWhole, needs = {} }: ContentRule, record: Stored): void {
    const id = record._id;
    if (typeof id !== 'string' || !isWhole(record)) throw damaged(collection, id);
    this.takeWanted(collection, id);
    this.need(needs, record);
  }

  /** Takes the bytes `id`; what they are is known when they have come. @throws BackupError when nothing needs them. */
  takeBytes(id: string, organization: string): void {
    const { collection, records } = this.records.blobs();
    this.closeBytes();
    this.takeWanted(collection, id);
    this.open.set(id, records.hashing(organization));
  }

  /** Takes some more of the bytes that came last. */
  takePiece(piece: Buffer): void {
    for (const hashing of this.open.values()) hashing.update(piece);
  }

  /** Takes somebody. @throws BackupError when no record names them. */
  takePerson(id: string): void {
    const { collection } = this.records.people();
    if (!isId(id) || !this.people.has(id)) {
      throw new BackupError(`Nothing of the organization ${this.organization} names ${collection} ${id}`);
    }
    this.ids.get(collection)?.add(id);
    this.missing.get(collection)?.delete(id);
  }

  /** @throws BackupError when something is needed that was not taken. */
  finish(): void {
    this.closeBytes();
    if (!this.record) throw new BackupError(`There is no organization ${this.organization}`);
    for (const [collection, ids] of this.missing) {
      const [id] = ids;
      if (id === undefined) continue;
      throw new BackupError(
        `The organization ${this.organization} is not whole: ${collection} ${id} is missing. Run "doctor" where the backup is made, or try once more: something may have been removed at that moment`,
      );
    }
  }

  private closeBytes(): void {
    for (const [id, hashing] of this.open) {
      if (hashing.id() !== id) throw damaged(this.records.blobs().collection, id);
    }
    this.open.clear();
  }

  private takeWanted(collection: string, id: string): void {
    if (!this.missing.get(collection)?.delete(id)) {
      throw new BackupError(`Nothing of the organization ${this.organization} refers to ${collection} ${id}`);
    }
    this.idsOf(collection).add(id);
  }

  /** Whether `id` can be a part of the ids of what hangs on it. */
  private isNamed({ collection, fits }: OwnedRule, id: string): boolean {
    return fits !== undefined || !this.parents.has(collection) || isId(id);
  }

  private isKnown(collections: readonly string[], id: string): boolean {
    return collections.some((collection) => this.idsOf(collection).has(id));
  }

  private need(needs: Needs<Stored>, record: Stored): void {
    for (const [collection, idsOf] of Object.entries(needs)) {
      const known = this.idsOf(collection);
      for (const id of idsOf(record)) {
        if (id === null || id === undefined || known.has(id)) continue;
        const missing = this.missing.get(collection) ?? new Set();
        this.missing.set(collection, missing.add(id));
      }
    }
  }
}

function damaged(collection: string, id: unknown): BackupError {
  return new BackupError(`${collection} ${String(id)} does not hold what its id says`);
}
