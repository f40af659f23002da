import { randomUUID } from 'node:crypto';
import { decode, encode } from '../bson/raw.js';
import { CODES, EngineError, type Document } from '../errors.js';
import type { Environment } from './environment.js';
import { Index, type IndexSpec } from './index.js';

/** Whoever may hold a record or a unique key against others: an open transaction. */
export interface Holder {
  /** Calls back once the transaction is over, whichever way. */
  onEnd(callback: () => void): void;
}

/** A collection: what the catalogue stores of it, and what the running engine knows of it. */
export class Collection {
  readonly database: string;
  readonly name: string;
  indexes: Index[] = [];
  /** Number of documents. */
  count = 0;
  /** The number of the next record; none is ever used twice. */
  nextRecord = 1;
  /** Raised by each change of a document: a cursor sees by it that its list may be outdated. */
  version = 0;
  dropped = false;
  /** Records that open transactions have changed. */
  readonly held = new Map<number, Holder>();
  /** Commit numbers of records, kept while transactions are open that may be older. */
  readonly recent = new Map<number, number>();

  constructor(
    readonly id: number,
    readonly namespace: string,
    readonly uuid: string,
    readonly createdAt: number,
  ) {
    const dot = namespace.indexOf('.');
    this.database = namespace.slice(0, dot);
    this.name = namespace.slice(dot + 1);
  }

  /** The key of a document in the data store. */
  dataKey(record: number): Buffer {
    const key = Buffer.allocUnsafe(10);
    key.writeUInt32BE(this.id, 0);
    key.writeUIntBE(record, 4, 6);
    return key;
  }
}

const FORMAT_VERSION = 1;
const LAST_KEY = Buffer.from([0xff]);
const COUNTERS_SIZE = 12;

/** All collections, in memory; each change is written through to the meta store, within the running write. */
export class Catalogue {
  readonly #collections = new Map<string, Collection>();
  /** Unique keys that open transactions have taken, by their bytes. */
  readonly heldKeys = new Map<string, { holder: Holder; record: number }>();
  /** Namespaces of collections that open transactions have created. */
  readonly heldNames = new Map<string, Holder>();
  #nextId = 1;

  constructor(readonly environment: Environment) {
    this.#load();
  }

  #load(): void {
    const { environment } = this;
    const version = environment.meta.get(Buffer.from('v'))?.readUInt8(0);
    if (version !== undefined && version !== FORMAT_VERSION) {
      throw new Error(`the data folder has format ${version}; this version reads format ${FORMAT_VERSION}`);
    }
    const range = { start: Buffer.from('n'), end: Buffer.from('o'), reverse: false, limit: Infinity };
    for (const { key, value } of environment.range(environment.meta, range)) {
      const collection = restore(key.toString('utf8', 1), decode(value));
      const counters = environment.meta.get(countersKey(collection));
      if (counters) {
        collection.count = counters.readUIntBE(0, 6);
        collection.nextRecord = counters.readUIntBE(6, 6);
      }
      this.#collections.set(collection.namespace, collection);
    }
    this.#nextId = environment.meta.get(Buffer.from('i'))?.readUInt32BE(0) ?? 1;
  }

  /** The collection of that name, if there is one. */
  find(namespace: string): Collection | undefined {
    return this.#collections.get(namespace);
  }

  /** All collections, of one database or of all. */
  list(database?: string): Collection[] {
    const all = [...this.#collections.values()];
    return database === undefined ? all : all.filter((collection) => collection.database === database);
  }

  /** A number that no collection or index has had. */
  nextId(): number {
    return this.#nextId++;
  }

  /** A collection that exists nowhere yet, with its `_id` index. @throws EngineError 73 for a name that it cannot have. */
  draft(namespace: string, createdAt: number): Collection {
    checkNamespace(namespace);
    const collection = new Collection(this.nextId(), namespace, randomUUID(), createdAt);
    collection.indexes.push(new Index(this.nextId(), { name: '_id_', key: { _id: 1 }, unique: true }, createdAt));
    return collection;
  }

  /** Makes a draft known, and stores it. */
  add(collection: Collection): void {
    this.#collections.set(collection.namespace, collection);
    this.save(collection);
    this.saveCounters(collection);
  }

  /** Forgets a collection that was added; what is stored of it is the caller's. */
  forget(collection: Collection): void {
    this.#collections.delete(collection.namespace);
  }

  /** Takes back {@link forget}. */
  remember(collection: Collection): void {
    this.#collections.set(collection.namespace, collection);
  }

  /** Stores the collection and its indexes, without its counters. */
  save(collection: Collection): void {
    const { environment } = this;
    environment.note(namespaceKey(collection), encode(describe(collection)));
    environment.note(Buffer.from('v'), Buffer.from([FORMAT_VERSION]));
    const next = Buffer.alloc(4);
    next.writeUInt32BE(this.#nextId);
    environment.note(Buffer.from('i'), next);
  }

  /** Stores the document count and the next record number. */
  saveCounters(collection: Collection): void {
    const counters = Buffer.allocUnsafe(COUNTERS_SIZE);
    counters.writeUIntBE(collection.count, 0, 6);
    counters.writeUIntBE(collection.nextRecord, 6, 6);
    this.environment.note(countersKey(collection), counters);
  }

  /** Removes everything that is stored of a collection. */
  erase(collection: Collection): void {
    const { environment } = this;
    environment.remove(environment.meta, namespaceKey(collection));
    environment.remove(environment.meta, countersKey(collection));
    environment.clear(environment.data, idKey(collection.id), idKey(collection.id + 1));
    for (const index of collection.indexes) this.eraseIndex(index);
  }

  /** Removes the entries of an index. */
  eraseIndex(index: Index): void {
    this.environment.clear(this.environment.entries, idKey(index.id), idKey(index.id + 1));
  }
}

/** The first key of a collection or of an index. */
export function idKey(id: number): Buffer {
  if (id > 0xffff_ffff) return LAST_KEY;
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(id, 0);
  return key;
}

function namespaceKey(collection: Collection): Buffer {
  return Buffer.from(`n${collection.namespace}`);
}

function countersKey(collection: Collection): Buffer {
  return Buffer.concat([Buffer.from('c'), idKey(collection.id)]);
}

function describe(collection: Collection): Document {
  const indexes = collection.indexes.map(({ id, spec, multikey, shortened }) => ({ id, spec, multikey, shortened }));
  return { id: collection.id, uuid: collection.uuid, indexes };
}

function restore(namespace: string, stored: Document): Collection {
  const { id, uuid, indexes } = stored as {
    id: number;
    uuid: string;
    indexes: { id: number; spec: IndexSpec; multikey: boolean; shortened: boolean }[];
  };
  const collection = new Collection(id, namespace, uuid, 0);
  for (const { id: indexId, spec, multikey, shortened } of indexes) {
    collection.indexes.push(Object.assign(new Index(indexId, spec, 0), { multikey, shortened }));
  }
  return collection;
}

const DATABASE_NAME = /^[^/\\. "$\0]{1,63}$/;

function checkNamespace(namespace: string): void {
  const dot = namespace.indexOf('.');
  const name = namespace.slice(dot + 1);
  const valid =
    DATABASE_NAME.test(namespace.slice(0, dot)) &&
    name !== '' &&
    !name.startsWith('.') &&
    !name.startsWith('system.') &&
    !/[$\0]/.test(name) &&
    Buffer.byteLength(namespace) <= 255;
  if (!valid) throw new EngineError(CODES.InvalidNamespace, `Invalid namespace specified '${namespace}'`);
}
