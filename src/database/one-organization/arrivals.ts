import type { mongo } from 'mongoose';
import { batchesOf } from '../../common/batches-of.js';
import { BackupError } from '../backup/index.js';
import type { ArrivingPerson, PeopleRule, Stored } from './rules.js';

/** People that one query names. */
const IDS = 500;

/** The people who come along with an organization: who has an account with the same address keeps it, and stands for them. */
export class Arrivals {
  private readonly coming = new Map<string, Stored>();
  private readonly arrived = new Map<string, ArrivingPerson>();
  /** The ids of those who have another id there, by the one that they had. */
  private readonly others = new Map<string, string>();

  constructor(
    private readonly db: mongo.Db,
    private readonly rule: PeopleRule,
  ) {}

  /** Adds somebody who comes along. @throws BackupError when the record is none of a person. */
  add(record: Stored): void {
    try {
      const person = this.rule.taken(record);
      this.coming.set(String(person._id), person);
    } catch (error) {
      throw new BackupError(error instanceof Error ? error.message : String(error));
    }
  }

  /** Finds out who is there already. @throws BackupError when somebody else has the id of one who is not. */
  async settle(session?: mongo.ClientSession): Promise<void> {
    this.arrived.clear();
    const byName = new Map([...this.coming.values()].map((person) => [this.nameOf(person), person]));
    if (byName.size < this.coming.size) throw new BackupError('Two people of the backup have the same e-mail address');
    for (const names of batchesOf([...byName.keys()], IDS)) {
      for (const known of await this.find(this.rule.knownBy, names, session)) {
        const person = byName.get(this.nameOf(known));
        if (person) this.arrive(person, known, true);
      }
    }
    const made = this.made();
    for (const people of batchesOf(made, IDS)) {
      const ids = people.map(({ _id }) => String(_id));
      const [taken] = await this.find('_id', ids, session);
      if (taken) throw new BackupError(`Somebody with another e-mail address has the id ${String(taken._id)}`);
    }
    for (const person of made) this.arrive(person, person, false);
  }

  /** In a transaction: has those who were there keep their names until it ends, and makes the others. */
  async write(session: mongo.ClientSession): Promise<void> {
    const { collection, held } = this.rule;
    const people = this.db.collection<{ _id: string }>(collection);
    for (const ids of batchesOf(this.known(), IDS)) {
      await people.updateMany({ _id: { $in: ids } }, { $inc: { [held]: 1 } }, { session });
    }
    const before = this.known().join();
    await this.settle(session);
    if (this.known().join() !== before) throw new BackupError('Somebody has come meanwhile: run "restore" again');
    for (const batch of batchesOf(this.made(), IDS)) {
      await people.insertMany(batch as unknown as { _id: string }[], { session });
    }
  }

  /** Whom the id of the backup stands for. @throws BackupError when it is nobody of the backup. */
  person(id: string): ArrivingPerson {
    const person = this.arrived.get(id);
    if (!person) throw new BackupError(`The backup does not say who ${id} is`);
    return person;
  }

  /** How many are new, and how many were there. */
  get counts(): { made: number; known: number } {
    const known = this.known().length;
    return { made: this.coming.size - known, known };
  }

  /** Puts the ids that people have here in the place of those that they had, wherever one is all of a text in `value`. */
  rename<T>(value: T): T {
    if (this.others.size === 0) return value;
    if (typeof value === 'string') return (this.others.get(value) ?? value) as T;
    if (!Array.isArray(value) && !isPlain(value)) return value;
    const parts = value as Record<string, unknown>;
    for (const [name, part] of Object.entries(parts)) {
      const renamed = this.rename(part);
      if (renamed !== part) parts[name] = renamed;
    }
    return value;
  }

  private arrive({ _id }: Stored, there: Stored, known: boolean): void {
    const [was, id] = [String(_id), String(there._id)];
    const displayName = String(there[this.rule.displayName]);
    this.arrived.set(was, { id, email: this.nameOf(there), displayName, known });
    if (id !== was) this.others.set(was, id);
  }

  private made(): Stored[] {
    return [...this.coming.values()].filter(({ _id }) => this.arrived.get(String(_id))?.known !== true);
  }

  private known(): string[] {
    const known = [...this.arrived.values()].filter((person) => person.known);
    return known.map(({ id }) => id).sort();
  }

  private nameOf(person: Stored): string {
    return String(person[this.rule.knownBy]);
  }

  private find(field: string, values: string[], session?: mongo.ClientSession): Promise<Stored[]> {
    const filter = { [field]: { $in: values } };
    return this.db.collection(this.rule.collection).find<Stored>(filter, { session }).toArray();
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
