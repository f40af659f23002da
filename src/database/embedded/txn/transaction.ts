import { CODES, EngineError, type Document } from '../errors.js';
import type { Collection, Holder } from '../store/catalogue.js';
import { numberBytes, sameKeys, type Direct } from '../store/direct.js';
import type { Snapshot } from '../store/environment.js';
import { Index, type IndexSpec } from '../store/index.js';
import { keysOf, RECORD_SIZE } from '../store/index-keys.js';
import { duplicateKey, type Overlay, type Stored, type Workspace } from '../store/workspace.js';
import { Pending, rowOf, type Change, type Row } from './pending.js';

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
  readonly #changes = new Map<Collection, Pending>();
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
    this.#pending(collection).set(old.record, change, null, []);
  }

  #put(collection: Collection, record: number, bytes: Buffer, doc: Document, before: Buffer | undefined): void {
    const claims: string[] = [];
    const keys = collection.indexes.map((index) => keysOf(index, doc, record));
    for (const [place, index] of collection.indexes.entries()) {
      const own = keys[place];
      if (!index.unique || !own) continue;
      for (const [at, key] of own.keys.entries()) {
        this.#checkUnique(collection, index, key, own.values[at] ?? [], record);
        claims.push(key.toString('latin1'));
      }
    }
    const change = this.#change(collection, record, before);
    this.#release(change);
    this.#pending(collection).set(record, change, bytes, keys);
    change.claims = claims;
    for (const key of claims) this.direct.writer.catalogue.heldKeys.set(key, { holder: this, record });
  }

  #pending(collection: Collection): Pending {
    let pending = this.#changes.get(collection);
    if (!pending) this.#changes.set(collection, (pending = new Pending(() => collection.indexes)));
    return pending;
  }

  #change(collection: Collection, record: number, before: Buffer | undefined): Change {
    collection.held.set(record, this);
    return this.#pending(collection).obtain(record, before);
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
    for (const [collection, pending] of this.#changes) {
      const rows = Array.from(pending.all(), ([record, change]) => rowOf(collection.indexes, record, change));
      // removed keys first: a unique value may have gone from one document to another
      for (const row of rows) this.#removeOld(collection, row);
      for (const row of rows) this.#putNew(collection, row);
    }
  }

  #removeOld(collection: Collection, { record, before, after, bytes, wasThere }: Row): void {
    const { environment } = this.direct.writer;
    for (const [at, { keys }] of before.entries()) {
      if (sameKeys(keys, after[at]?.keys ?? [])) continue;
      for (const key of keys) environment.remove(environment.entries, key);
    }
    if (wasThere && !bytes) environment.remove(environment.data, collection.dataKey(record));
  }

  #putNew(collection: Collection, { record, before, after, bytes, wasThere }: Row): void {
    const { environment } = this.direct.writer;
    this.direct.noteChange(collection, record);
    this.direct.writer.count(collection, (bytes ? 1 : 0) - (wasThere ? 1 : 0));
    if (!bytes) return;
    const number = numberBytes(record);
    environment.put(environment.data, collection.dataKey(record), bytes);
    for (const [at, index] of collection.indexes.entries()) {
      const [old, now] = [before[at]?.keys, after[at]];
      if (!now || !old || !sameKeys(old, now.keys)) this.direct.putKeys(collection, index, now, number);
    }
  }

  /** Gives back everything that it holds; what was not applied is lost. */
  end(): void {
    if (!this.open) return;
    this.open = false;
    const { catalogue } = this.direct.writer;
    for (const [collection, pending] of this.#changes) {
      for (const [record, change] of pending.all()) {
        this.#release(change);
        collection.held.delete(record);
      }
    }
    for (const namespace of this.#created.keys()) catalogue.heldNames.delete(namespace);
    this.snapshot.done();
    for (const callback of this.#ended) callback();
  }
}
