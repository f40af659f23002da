import { decode } from '../bson/raw.js';
import type { Index } from '../store/index.js';
import { keysOf, type IndexKeys } from '../store/index-keys.js';
import type { Candidate, EntryRange, Overlay } from '../store/workspace.js';
import { SortedKeys } from './sorted-keys.js';

/** What a transaction has done to one document. */
export interface Change {
  /** The document's bytes now; `null` when it is removed. */
  bytes: Buffer | null;
  /** The document's bytes in the stored data; `undefined` when the transaction has made it. */
  readonly before: Buffer | undefined;
  /** Its entries now, by the place of the index in its collection; empty when it is removed. */
  keys: IndexKeys[];
  /** Unique keys that it holds. */
  claims: string[];
}

interface Entries {
  keys: SortedKeys;
  /** Whether a document has several entries: bounds that were made for an index without such ones may miss it. */
  multikey: boolean;
}

const RECORD_DIGITS = 12;

/** The changes of one transaction in one collection. Those that a query may find are looked up by their index entries. */
export class Pending implements Overlay {
  readonly #changes = new Map<number, Change>();
  // made when a query first asks for an index: a transaction that only writes does without
  readonly #entries = new Map<Index, Entries>();

  constructor(private readonly indexes: () => readonly Index[]) {}

  get size(): number {
    return this.#changes.size;
  }

  has(record: number): boolean {
    return this.#changes.has(record);
  }

  /** The change of a record, if there is one. */
  get(record: number): Change | undefined {
    return this.#changes.get(record);
  }

  /** All changes by record, in the order in which the records were first changed. */
  all(): IterableIterator<[number, Change]> {
    return this.#changes.entries();
  }

  /** The change of a record, begun when there is none; `before` are its stored bytes. */
  obtain(record: number, before: Buffer | undefined): Change {
    let change = this.#changes.get(record);
    if (!change) this.#changes.set(record, (change = { bytes: null, before, keys: [], claims: [] }));
    return change;
  }

  /** Notes what has become of a document. */
  set(record: number, change: Change, bytes: Buffer | null, keys: IndexKeys[]): void {
    for (const [index, entries] of this.#entries) {
      const at = this.indexes().indexOf(index);
      const [old, now] = [change.keys[at], keys[at]];
      for (const key of old?.keys ?? []) entries.keys.remove(entryOf(key, record));
      for (const key of now?.keys ?? []) entries.keys.add(entryOf(key, record));
      entries.multikey ||= now?.multikey === true;
    }
    change.bytes = bytes;
    change.keys = keys;
  }

  within(index: Index | undefined, ranges: readonly EntryRange[]): Candidate[] {
    const entries = index && this.#entriesOf(index);
    if (!entries || (entries.multikey && !index.multikey)) return this.#candidates(this.#changes.keys());
    const records = new Set<number>();
    for (const { start, end } of ranges) {
      for (const entry of entries.keys.range(start.toString('latin1'), end.toString('latin1'))) {
        records.add(Number.parseInt(entry.slice(-RECORD_DIGITS), 16));
      }
    }
    return this.#candidates(records);
  }

  #candidates(records: Iterable<number>): Candidate[] {
    const found: Candidate[] = [];
    for (const record of records) {
      const bytes = this.#changes.get(record)?.bytes;
      if (bytes) found.push({ record, bytes });
    }
    return found;
  }

  #entriesOf(index: Index): Entries {
    const known = this.#entries.get(index);
    if (known) return known;
    const at = this.indexes().indexOf(index);
    const all: string[] = [];
    let multikey = false;
    for (const [record, { keys }] of this.#changes) {
      for (const key of keys[at]?.keys ?? []) all.push(entryOf(key, record));
      multikey ||= keys[at]?.multikey === true;
    }
    const made = { keys: new SortedKeys(all), multikey };
    this.#entries.set(index, made);
    return made;
  }
}

/** A document's old and new entries, by index, for the commit. */
export interface Row {
  record: number;
  before: IndexKeys[];
  after: IndexKeys[];
  bytes: Buffer | null;
  /** Whether the document was stored before. */
  wasThere: boolean;
}

/** What the commit of a change has to write. */
export function rowOf(indexes: readonly Index[], record: number, { before, bytes, keys }: Change): Row {
  const doc = before && decode(before);
  const old = doc ? indexes.map((index) => keysOf(index, doc, record)) : [];
  return { record, before: old, after: keys, bytes, wasThere: before !== undefined };
}

// bytes as characters sort as the bytes do; the record tells apart what ends in no record number of its own
function entryOf(key: Buffer, record: number): string {
  return key.toString('latin1') + record.toString(16).padStart(RECORD_DIGITS, '0');
}
