import { decode } from '../bson/raw.js';
import { CODES, EngineError, type Document } from '../errors.js';
import type { Collection, Holder } from '../store/catalogue.js';
import { numberBytes, type Direct } from '../store/direct.js';
import type { Snapshot } from '../store/environment.js';
import { Index, type IndexSpec } from '../store/index.js';
import { keysOf, RECORD_SIZE, type IndexKeys } from '../store/index-keys.js';
import { duplicateKey, type Overlay, type Stored, type Workspace } from '../store/workspace.js';

interface Change {
  /** The document's bytes now; `null` when it is removed. */
  bytes: Buffer | null;
  /** The document's bytes in the stored data; `undefined` when the transaction has made it. */
  before: Buffer | undefined;
  /** Unique keys that it holds. */
  claims: string[];
}

/** The label of a failure after which the whole transaction may be tried again. */
export const TRANSIENT = 'TransientTransactionError';

/** The failure of a write in a transaction that another one was faster with (112). */
export function writeConflict(): EngineError {
  return new EngineError(CODES.WriteConflict, 'Write conflict during the transaction: please retry it', {
    labels: [TRANSIENT],
  });
}

/** An open multi-document transaction: a snapshot of the data, with the transaction's own changes over it. */
export class Transaction implements Workspace, Holder {
  readonly snapshot: Snapshot;
  readonly #sequence: number;
  readonly #changes = new Map<Collection, Map<number, Change>>();
  readonly #created = new Map<string, Collection>();
  readonly #touched = new Set<Collection>();
  readonly #ended: (() => void)[] = [];
  /** Whether it still can be committed or aborted. */
  open = true;

  constructor(readonly direct: Direct) {
    this.snapshot = direct.writer.environment.snapshot();
    this.#sequence = direct.writer.sequence;
  }

  onEnd(callback: () => void): void {
    this.#ended.push(callback);
  }

  /** Whether it has read or changed a collection, so that the collection must stay as it is. */
  uses(collection: Collection): boolean {
    return this.#touched.has(collection);
  }

  overlay(collection: Collection): Overlay | undefined {
    return this.#changes.get(collection);
  }

  usable(index: Index): boolean {
    return index.createdAt <= this.#sequence;
  }

  find(namespace: string): Collection | undefined {
    const collection = this.#created.get(namespace) ?? this.direct.find(namespace);
    if (collection) this.#touched.add(collection);
    return collection;
  }

  obtain(namespace: string): Collection {
    const existing = this.find(namespace);
    if (existing) return existing;
    const { catalogue } = this.direct.writer;
    if (catalogue.heldNames.has(namespace)) throw writeConflict();
    const collection = catalogue.draft(namespace, this.#sequence);
    catalogue.heldNames.set(namespace, this);
    this.#created.set(namespace, collection);
    this.#touched.add(collection);
    return collection;
  }

  addIndex(collection: Collection, spec: IndexSpec): Index {
    const own = this.#created.get(collection.namespace) === collection;
    if (!own || (this.#changes.get(collection)?.size ?? 0) > 0) {
      const message = 'in a transaction, indexes can be created on new and empty collections only';
      throw new EngineError(CODES.OperationNotSupportedInTransaction, message);
    }
    const index = new Index(this.direct.writer.catalogue.nextId(), spec, this.#sequence);
    collection.indexes.push(index);
    return index;
  }

  read(collection: Collection, record: number): Buffer | undefined {
    const change = this.#changes.get(collection)?.get(record);
    if (change) return change.bytes ?? undefined;
    return this.direct.writer.environment.data.get(collection.dataKey(record), { transaction: this.snapshot });
  }

  insert(collection: Collection, bytes: Buffer, doc: Document): void {
    this.#put(collection, collection.nextRecord++, bytes, doc, undefined);
  }

  replace(collection: Collection, old: Stored, bytes: Buffer, doc: Document): void {
    this.#claim(collection, old.record);
    this.#put(collection, old.record, bytes, doc, old.bytes);
  }

  remove(collection: Collection, old: Stored): void {
    this.#claim(collection, old.record);
    const change = this.#change(collection, old.record, old.bytes);
    this.#release(change);
    change.bytes = null;
  }

  #put(collection: Collection, record: number, bytes: Buffer, doc: Document, before: Buffer | undefined): void {
    const claims: string[] = [];
    for (const index of collection.indexes) {
      const keys = keysOf(index, doc, record);
      if (!index.unique) continue;
      for (const [at, key] of keys.keys.entries()) {
        this.#checkUnique(collection, index, key, keys.values[at] ?? [], record);
        claims.push(key.toString('latin1'));
      }
    }
    const change = this.#change(collection, record, before);
    this.#release(change);
    change.bytes = bytes;
    change.claims = claims;
    for (const key of claims) this.direct.writer.catalogue.heldKeys.set(key, { holder: this, record });
  }

  #change(collection: Collection, record: number, before: Buffer | undefined): Change {
    let changes = this.#changes.get(collection);
    if (!changes) this.#changes.set(collection, (changes = new Map<number, Change>()));
    let change = changes.get(record);
    if (!change) changes.set(record, (change = { bytes: null, before, claims: [] }));
    collection.held.set(record, this);
    return change;
  }

  #release(change: Change): void {
    for (const key of change.claims) this.direct.writer.catalogue.heldKeys.delete(key);
    change.claims = [];
  }

  #claim(collection: Collection, record: number): void {
    const holder = collection.held.get(record);
    if (holder === this) return;
    if (holder || (collection.recent.get(record) ?? 0) > this.#sequence) throw writeConflict();
  }

  #checkUnique(collection: Collection, index: Index, key: Buffer, values: unknown[], record: number): void {
    const { catalogue, environment } = this.direct.writer;
    const held = catalogue.heldKeys.get(key.toString('latin1'));
    if (held && held.holder !== this) throw writeConflict();
    if (held && held.record !== record) throw duplicateKey(collection, index, values);
    const other = environment.entries.get(key)?.readUIntBE(0, RECORD_SIZE);
    if (other === undefined || other === record || this.#changes.get(collection)?.has(other)) return;
    this.#claim(collection, other);
    throw duplicateKey(collection, index, values);
  }

  /** Writes all changes to the stored data, within {@link Writer.submit}; the transaction stays open until {@link end}. */
  apply(): void {
    for (const collection of this.#created.values()) this.direct.adopt(collection);
    for (const [collection, changes] of this.#changes) {
      const rows = [...changes].map(([record, change]) => rowOf(collection, record, change));
      // removed keys first: a unique value may have gone from one document to another
      for (const row of rows) this.#removeOld(collection, row);
      for (const row of rows) this.#putNew(collection, row);
    }
  }

  #removeOld(collection: Collection, { record, before, bytes }: Row): void {
    const { environment } = this.direct.writer;
    for (const { keys } of before) for (const key of keys) environment.remove(environment.entries, key);
    if (before.length > 0 && !bytes) environment.remove(environment.data, collection.dataKey(record));
  }

  #putNew(collection: Collection, { record, before, after, bytes }: Row): void {
    const { environment } = this.direct.writer;
    this.direct.noteChange(collection, record);
    this.direct.writer.count(collection, (bytes ? 1 : 0) - (before.length > 0 ? 1 : 0));
    if (!bytes) return;
    const number = numberBytes(record);
    environment.put(environment.data, collection.dataKey(record), bytes);
    for (const [at, index] of collection.indexes.entries()) this.direct.putKeys(collection, index, after[at], number);
  }

  /** Gives back everything that it holds; what was not applied is lost. */
  end(): void {
    if (!this.open) return;
    this.open = false;
    const { catalogue } = this.direct.writer;
    for (const [collection, changes] of this.#changes) {
      for (const [record, change] of changes) {
        this.#release(change);
        collection.held.delete(record);
      }
    }
    for (const namespace of this.#created.keys()) catalogue.heldNames.delete(namespace);
    this.snapshot.done();
    for (const callback of this.#ended) callback();
  }
}

interface Row {
  record: number;
  before: IndexKeys[];
  after: IndexKeys[];
  bytes: Buffer | null;
}

function rowOf(collection: Collection, record: number, { before, bytes }: Change): Row {
  const keys = (of: Buffer | null | undefined): IndexKeys[] => {
    if (!of) return [];
    const doc = decode(of);
    return collection.indexes.map((index) => keysOf(index, doc, record));
  };
  return { record, before: keys(before), after: keys(bytes), bytes };
}
