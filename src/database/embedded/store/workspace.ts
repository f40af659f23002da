import { inspect } from 'node:util';
import { isDate, isDocument, isTagged } from '../bson/types.js';
import { CODES, EngineError, type Document } from '../errors.js';
import type { Collection } from './catalogue.js';
import type { Range, Snapshot } from './environment.js';
import type { Index, IndexSpec } from './index.js';

/** A stored document: its record number, its bytes, and what they say. */
export interface Stored {
  record: number;
  bytes: Buffer;
  doc: Document;
}

/** A part of an index: the entries from `start` up to but not `end`. */
export type EntryRange = Pick<Range, 'start' | 'end'>;

/** A document that a query may find. */
export type Candidate = Omit<Stored, 'doc'>;

/** Documents of a collection that a transaction has changed. */
export interface Overlay {
  readonly size: number;
  /** Whether the transaction has changed or removed a document, or made it. */
  has(record: number): boolean;
  /** The changed documents with entries in `ranges` of `index`, and perhaps others; without an index all but removed ones. */
  within(index: Index | undefined, ranges: readonly EntryRange[]): Candidate[];
}

/** What a command reads from and writes to: the stored data, or one transaction's view of it. */
export interface Workspace {
  /** Where the stored part is read; `undefined`: as it is now. */
  readonly snapshot: Snapshot | undefined;
  /** What lies over the stored part. */
  overlay(collection: Collection): Overlay | undefined;
  /** The collection of that name, if it exists here. */
  find(namespace: string): Collection | undefined;
  /** The collection of that name, created when it is missing. */
  obtain(namespace: string): Collection;
  /** Adds an index to a collection and answers it. @throws EngineError 11000 when documents violate it. */
  addIndex(collection: Collection, spec: IndexSpec): Index;
  /** Whether the stored part has all entries of an index. */
  usable(index: Index): boolean;
  /** Current bytes of a record. */
  read(collection: Collection, record: number): Buffer | undefined;
  /** Adds a document. @throws EngineError 11000 */
  insert(collection: Collection, bytes: Buffer, doc: Document): void;
  /** Puts new bytes in the place of a document. @throws EngineError 11000 */
  replace(collection: Collection, old: Stored, bytes: Buffer, doc: Document): void;
  /** Removes a document. */
  remove(collection: Collection, old: Stored): void;
}

/** The failure of a write that would store a value of a unique index twice. */
export function duplicateKey(collection: Collection, index: Index, values: unknown[]): EngineError {
  const keyValue = Object.fromEntries(index.fields.map(({ path }, at) => [path, values[at] ?? null]));
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  const message = `E11000 duplicate key error collection: ${collection.namespace} index: ${index.spec.name} dup key: { ${shown.join(', ')} }`;
  return new EngineError(CODES.DuplicateKey, message, { details: { keyPattern: index.spec.key, keyValue } });
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'symbol') return 'undefined';
  if (isDate(value)) return `new Date(${value.getTime()})`;
  if (isTagged(value, 'ObjectId')) return `ObjectId('${value.toHexString()}')`;
  return isDocument(value) || Array.isArray(value) ? inspect(value, { breakLength: Infinity }) : String(value);
}
