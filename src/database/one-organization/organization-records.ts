import { Injectable, type Provider } from '@nestjs/common';
import type { ByteRecords, ContentRule, OwnedRule, PeopleRule, Rule } from './rules.js';

/** The collection of organizations: everything that is owned hangs on its record, in the end. */
export const ORGANIZATIONS = 'organizations';

/** How the records of all collections belong to organizations. Each module adds what it keeps. */
@Injectable()
export class OrganizationRecords {
  private readonly rules = new Map<string, Rule>();
  private bytes?: { collection: string; records: ByteRecords };

  /** Adds what a module keeps. @throws Error for a collection that another one has added. */
  add(rules: readonly Rule[]): void {
    for (const rule of rules) {
      if (this.rules.has(rule.collection)) throw new Error(`Two modules keep ${rule.collection}`);
      this.rules.set(rule.collection, rule);
    }
  }

  /** Adds the bytes that content refers to as records of `collection`. */
  addBytes(collection: string, records: ByteRecords): void {
    this.add([{ collection, kind: 'bytes' }]);
    this.bytes = { collection, records };
  }

  /** Every rule. */
  all(): readonly Rule[] {
    return [...this.rules.values()];
  }

  /** The rule of `collection`. */
  of(collection: string): Rule | undefined {
    return this.rules.get(collection);
  }

  /** What belongs to one organization alone: what is written at once first, and before each what it hangs on or stands within. */
  owned(): OwnedRule[] {
    const all = this.all().filter((rule) => rule.kind === 'owned');
    const sorted: OwnedRule[] = [];
    const place = (rule: OwnedRule): void => {
      if (sorted.includes(rule)) return;
      const before = [...parentsOf(rule), ...Object.keys(rule.within ?? {})];
      for (const other of all) if (other !== rule && before.includes(other.collection)) place(other);
      sorted.push(rule);
    };
    for (const rule of all.filter(({ atOnce }) => atOnce)) place(rule);
    for (const rule of all) place(rule);
    return sorted;
  }

  /** What is found by what others refer to, without bytes. */
  content(): ContentRule[] {
    return this.all().filter((rule) => rule.kind === 'content');
  }

  /** The people. @throws Error when no module has added them. */
  people(): PeopleRule {
    const found = this.all().find((rule) => rule.kind === 'people');
    if (!found) throw new Error('No module keeps people');
    return found;
  }

  /** The bytes, and how they are read and written. @throws Error when no module has added them. */
  blobs(): { collection: string; records: ByteRecords } {
    if (!this.bytes) throw new Error('No module keeps bytes');
    return this.bytes;
  }
}

/** Collections of what the records of `rule` hang on. */
export const parentsOf = ({ of = [ORGANIZATIONS] }: OwnedRule): readonly string[] => of;

/** Adds `rules` when the application is made; for the providers of a module. */
export function keeps(rules: readonly Rule[]): Provider {
  return {
    provide: Symbol('records'),
    inject: [OrganizationRecords],
    useFactory: (records: OrganizationRecords) => {
      records.add(rules);
      return rules;
    },
  };
}
