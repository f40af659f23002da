import { decode } from '../bson/raw.js';
import type { Document } from '../errors.js';
import type { Collection } from './catalogue.js';
import { Index, type IndexSpec } from './index.js';
import { keysOf, RECORD_SIZE, type IndexKeys } from './index-keys.js';
import { duplicateKey, type Stored, type Workspace } from './workspace.js';
import { Blocked, type Writer } from './writer.js';

const EMPTY = Buffer.alloc(0);
const SCAN_BATCH = 500;

/** The stored data itself. It is written within {@link Writer.submit} only, and gives way to what open transactions hold. */
export class Direct implements Workspace {
  readonly snapshot = undefined;
  /** Whether snapshots are open that later changes could conflict with. */
  watched: () => boolean = () => false;

  constructor(readonly writer: Writer) {}

  overlay(): undefined {
    return undefined;
  }

  usable(): boolean {
    return true;
  }

  find(namespace: string): Collection | undefined {
    return this.writer.catalogue.find(namespace);
  }

  obtain(namespace: string): Collection {
    const { catalogue } = this.writer;
    const existing = catalogue.find(namespace);
    if (existing) return existing;
    const holder = catalogue.heldNames.get(namespace);
    if (holder) throw new Blocked(holder);
    const collection = catalogue.draft(namespace, this.writer.sequence + 1);
    this.adopt(collection);
    return collection;
  }

  /** Makes a drafted collection part of the stored data. */
  adopt(collection: Collection): void {
    const { catalogue } = this.writer;
    catalogue.add(collection);
    this.writer.onUndo(() => {
      catalogue.forget(collection);
    });
  }

  read(collection: Collection, record: number): Buffer | undefined {
    return this.writer.environment.data.get(collection.dataKey(record));
  }

  insert(collection: Collection, bytes: Buffer, doc: Document): void {
    const record = collection.nextRecord++;
    const keys = collection.indexes.map((index) => keysOf(index, doc, record));
    this.#check(collection, record, keys);
    const number = numberBytes(record);
    this.writer.environment.put(this.writer.environment.data, collection.dataKey(record), bytes);
    for (const [at, index] of collection.indexes.entries()) this.putKeys(collection, index, keys[at], number);
    this.noteChange(collection, record);
    this.writer.count(collection, 1);
  }

  replace(collection: Collection, old: Stored, bytes: Buffer, doc: Document): void {
    const { record } = old;
    this.#checkHeld(collection, record);
    const before = collection.indexes.map((index) => keysOf(index, old.doc, record));
    const after = collection.indexes.map((index) => keysOf(index, doc, record));
    this.#check(collection, record, after);
    this.rewrite(collection, record, bytes, before, after);
    this.writer.count(collection, 0);
  }

  /** Stores a document's new bytes, and of its index entries those that have changed; nothing is checked. */
  rewrite(collection: Collection, record: number, bytes: Buffer, before: IndexKeys[], after: IndexKeys[]): void {
    const { environment } = this.writer;
    const number = numberBytes(record);
    for (const [at, index] of collection.indexes.entries()) {
      const [old, now] = [before[at], after[at]];
      if (!old || !now || sameKeys(old.keys, now.keys)) continue;
      for (const key of old.keys) environment.remove(environment.entries, key);
      this.putKeys(collection, index, now, number);
    }
    environment.put(environment.data, collection.dataKey(record), bytes);
    this.noteChange(collection, record);
  }

  remove(collection: Collection, { record, doc }: Stored): void {
    const { environment } = this.writer;
    this.#checkHeld(collection, record);
    for (const index of collection.indexes) {
      for (const key of keysOf(index, doc, record).keys) environment.remove(environment.entries, key);
    }
    environment.remove(environment.data, collection.dataKey(record));
    this.noteChange(collection, record);
    this.writer.count(collection, -1);
  }

  addIndex(collection: Collection, spec: IndexSpec): Index {
    const { catalogue, sequence } = this.writer;
    const index = new Index(catalogue.nextId(), spec, sequence + 1);
    this.#build(collection, index);
    const { indexes } = collection;
    collection.indexes = [...indexes, index];
    this.writer.onUndo(() => (collection.indexes = indexes));
    catalogue.save(collection);
    return index;
  }

  #build(collection: Collection, index: Index): void {
    const { environment } = this.writer;
    const range = {
      start: collection.dataKey(0),
      end: collection.dataKey(collection.nextRecord),
      reverse: false,
      limit: SCAN_BATCH,
    };
    for (;;) {
      const batch = environment.range(environment.data, range);
      for (const { key, value } of batch) {
        const record = key.readUIntBE(4, RECORD_SIZE);
        const keys = keysOf(index, decode(value), record);
        if (index.unique) this.#checkKeys(collection, index, keys, record);
        this.#putAll(index, keys, numberBytes(record));
      }
      const last = batch.at(-1);
      if (!last || batch.length < SCAN_BATCH) return;
      range.start = collection.dataKey(last.key.readUIntBE(4, RECORD_SIZE) + 1);
    }
  }

  /** Stores entries of a document in one index, and what they tell of the index. */
  putKeys(collection: Collection, index: Index, keys: IndexKeys | undefined, number: Buffer): void {
    if (!keys) return;
    const { multikey, shortened } = index;
    this.#putAll(index, keys, number);
    if (index.multikey === multikey && index.shortened === shortened) return;
    this.writer.onUndo(() => Object.assign(index, { multikey, shortened }));
    this.writer.catalogue.save(collection);
  }

  #putAll(index: Index, { keys, multikey, shortened }: IndexKeys, number: Buffer): void {
    const { environment } = this.writer;
    for (const key of keys) environment.put(environment.entries, key, index.unique ? number : EMPTY);
    index.multikey ||= multikey;
    index.shortened ||= shortened;
  }

  #check(collection: Collection, record: number, keys: IndexKeys[]): void {
    for (const [at, index] of collection.indexes.entries()) {
      const own = keys[at];
      if (index.unique && own) this.#checkKeys(collection, index, own, record);
    }
  }

  #checkKeys(collection: Collection, index: Index, { keys, values }: IndexKeys, record: number): void {
    const { environment, catalogue } = this.writer;
    for (const [at, key] of keys.entries()) {
      const held = catalogue.heldKeys.size > 0 ? catalogue.heldKeys.get(key.toString('latin1')) : undefined;
      if (held) throw new Blocked(held.holder);
      const other = environment.entries.get(key)?.readUIntBE(0, RECORD_SIZE);
      if (other === undefined || other === record) continue;
      this.#checkHeld(collection, other);
      throw duplicateKey(collection, index, values[at] ?? []);
    }
  }

  #checkHeld(collection: Collection, record: number): void {
    const holder = collection.held.get(record);
    if (holder) throw new Blocked(holder);
  }

  /** Notes, for open snapshots, that a record is newer than they are. */
  noteChange(collection: Collection, record: number): void {
    if (this.watched()) collection.recent.set(record, this.writer.sequence + 1);
  }
}

/** A record number as the value of a unique entry. */
export function numberBytes(record: number): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_SIZE);
  bytes.writeUIntBE(record, 0, RECORD_SIZE);
  return bytes;
}

/** Whether a document has the same entries before and after a change. */
export function sameKeys(a: Buffer[], b: Buffer[]): boolean {
  return a.length === b.length && a.every((key, at) => b[at]?.equals(key) === true);
}
