import { EMPTY_ARRAY, KeyWriter } from '../bson/key.js';
import { isDocument, own } from '../bson/types.js';
import { CODES, EngineError, type Document } from '../errors.js';
import type { Index, IndexField } from './index.js';

/** Bytes of a record number. */
export const RECORD_SIZE = 6;

/** The entries that one document has in one index. */
export interface IndexKeys {
  /** Complete keys of the store; those of an index that is not unique end with the record number. */
  keys: Buffer[];
  /** The indexed values behind each key. */
  values: unknown[][];
  multikey: boolean;
  shortened: boolean;
}

const NONE: IndexKeys = { keys: [], values: [], multikey: false, shortened: false };
const writer = new KeyWriter();

/** The entries of a decoded document. @throws EngineError 171 when two of its fields are arrays. */
export function keysOf(index: Index, doc: Document, record: number): IndexKeys {
  if (index.covers && !index.covers(doc)) return NONE;
  const found = tuplesOf(index.fields, doc);
  if (index.spec.sparse && found.tuples.every((tuple) => tuple.every((value) => value === undefined))) return NONE;
  const result: IndexKeys = { keys: [], values: [], multikey: found.multikey, shortened: false };
  const seen = found.tuples.length > 1 ? new Set<string>() : undefined;
  for (const tuple of found.tuples) {
    writer.start(index.id);
    for (const [at, field] of index.fields.entries()) writer.add(tuple[at], field.descending);
    if (writer.shorten()) result.shortened = true;
    const key = index.unique ? writer.finish() : withRecord(writer, record);
    if (seen) {
      const text = key.toString('latin1');
      if (seen.has(text)) continue;
      seen.add(text);
    }
    result.keys.push(key);
    result.values.push(tuple);
  }
  return result;
}

function withRecord(from: KeyWriter, record: number): Buffer {
  const key = from.finish(RECORD_SIZE);
  key.writeUIntBE(record, key.length - RECORD_SIZE, RECORD_SIZE);
  return key;
}

interface Tuples {
  tuples: unknown[][];
  multikey: boolean;
}

function tuplesOf(fields: IndexField[], doc: Document): Tuples {
  const single: unknown[] = [];
  for (const { parts, path } of fields) {
    const value = parts.length === 1 ? own(doc, path) : undefined;
    if (parts.length > 1 || Array.isArray(value)) return expand(fields, doc);
    single.push(value);
  }
  return { tuples: [single], multikey: false };
}

interface Place {
  value: unknown;
  parts: string[];
  at: number;
  /** The value is an element of an array: it is not taken apart again. */
  final: boolean;
}

function expand(fields: IndexField[], doc: Document): Tuples {
  const found: Tuples = { tuples: [], multikey: false };
  walk(
    fields.map(({ parts }) => ({ value: doc, parts, at: 0, final: false })),
    found,
  );
  return found;
}

function walk(places: Place[], found: Tuples): void {
  const ends = places.map(advance);
  let array: unknown[] | undefined;
  for (const { value, final } of ends) {
    if (final || !Array.isArray(value)) continue;
    if (array && array !== value) {
      throw new EngineError(CODES.CannotIndexParallelArrays, 'cannot index parallel arrays');
    }
    array = value as unknown[];
  }
  if (!array) {
    found.tuples.push(ends.map(({ value }) => value));
    return;
  }
  found.multikey = true;
  for (const element of array.length === 0 ? [EMPTY_ARRAY] : array) {
    walk(
      ends.map((end) => (!end.final && end.value === array ? enter(end, element) : end)),
      found,
    );
  }
}

function enter(place: Place, element: unknown): Place {
  if (place.at === place.parts.length) return { ...place, value: element, final: true };
  return isDocument(element) ? { ...place, value: element } : { ...place, value: undefined, final: true };
}

function advance(place: Place): Place {
  let { value, at } = place;
  while (!place.final && at < place.parts.length && !Array.isArray(value)) {
    value = isDocument(value) ? own(value, place.parts[at] ?? '') : undefined;
    at++;
  }
  return { ...place, value, at };
}
