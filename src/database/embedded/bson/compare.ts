import { serialize } from 'bson';
import { Document } from '../errors.js';
import { compareNumbers, numberKey } from './numbers.js';
import { isDate, isRegExp, isTagged, typeName } from './types.js';

export { typeName } from './types.js';

const RANKS = new Map(
  'minKey|missing null|int long double decimal|string symbol|object|array|binData|objectId|bool|date|timestamp|regex|javascript|maxKey'
    .split('|')
    .flatMap((names, rank) => names.split(' ').map((name) => [name, rank] as const)),
);

/** Where the type of `value` stands in the order of all types: 0 for MinKey, 1 for null and missing, 2 for numbers, and so on. */
export function typeRank(value: unknown): number {
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  return RANKS.get(typeName(value)) ?? 4;
}

/** The order of any two values, as MongoDB sorts them: negative, zero or positive. Null and undefined (missing) are equal, numbers compare across their types, fields count in their order. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = typeRank(a);
  return rank - typeRank(b) || compareWithin(rank, a, b);
}

/** Whether two values are the same to a filter: `{ a: 1, b: 2 }` is not `{ b: 2, a: 1 }`, 1 is 1.0. */
export function equalValues(a: unknown, b: unknown): boolean {
  return a === b || compareValues(a, b) === 0;
}

/** Whether two values are stored as the same bytes: an int is no double, and 0 is not -0. */
export function identicalValues(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  return Buffer.compare(serialize({ a }), serialize({ a: b })) === 0;
}

/** A text that two values share exactly when they are equal, for use as a key of a map. Missing has its own. */
export function valueKey(value: unknown): string {
  if (typeof value === 'string') return `s${JSON.stringify(value)}`;
  switch (typeRank(value)) {
    case 2:
      return `n${numberKey(value)}`;
    case 4:
      return `{${entries(value)
        .map(([key, field]) => `${JSON.stringify(key)}:${valueKey(field)}`)
        .join()}}`;
    case 5:
      return Array.isArray(value) ? `[${value.map(valueKey).join()}]` : '';
    case 6:
      return `b${bytesOf(value).subtype}:${Buffer.from(bytesOf(value).bytes).toString('base64')}`;
    case 9:
      return `d${dateOf(value)}`;
    case 11:
      return `r${JSON.stringify(regexOf(value))}`;
    default:
      return `${typeName(value)}${String(value)}`;
  }
}

/** The pattern and the options of a regular expression of either class, the options as MongoDB writes them. */
export function regexOf(value: unknown): [pattern: string, options: string] {
  if (isTagged(value, 'BSONRegExp')) return [value.pattern, value.options];
  // bson reads MongoDB's option s as the flag g, and writes it back the same way
  return isRegExp(value) ? [value.source, value.flags.replace('g', 's')] : ['', ''];
}

function compareWithin(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case 2:
      return compareNumbers(a, b);
    case 3:
      return compareStrings(String(a), String(b));
    case 4:
      return compareDocuments(entries(a), entries(b));
    case 5:
      return Array.isArray(a) && Array.isArray(b) ? compareArrays(a, b) : 0;
    case 6:
      return compareBinary(a, b);
    case 7:
      return compareStrings(String(a), String(b));
    case 8:
      return Number(a) - Number(b);
    case 9:
      return compareNumbers(dateOf(a), dateOf(b));
    case 10:
      return compareTimestamps(a, b);
    case 11:
      return compareArrays(regexOf(a), regexOf(b));
    default:
      return 0;
  }
}

/** The order of UTF-8 bytes, which is that of code points: UTF-16 puts surrogates below U+E000, but what they stand for comes above U+FFFF. */
function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (isSurrogate(x) === isSurrogate(y)) return x - y;
    return isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareArrays(a: unknown[], b: unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareDocuments(a: [string, unknown][], b: [string, unknown][]): number {
  for (const [i, [key, value]] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order =
      typeRank(value) - typeRank(other[1]) || compareStrings(key, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinary(a: unknown, b: unknown): number {
  const x = bytesOf(a);
  const y = bytesOf(b);
  return x.bytes.length - y.bytes.length || x.subtype - y.subtype || Buffer.compare(x.bytes, y.bytes);
}

function compareTimestamps(a: unknown, b: unknown): number {
  if (!isTagged(a, 'Timestamp') || !isTagged(b, 'Timestamp')) return 0;
  return a.t - b.t || a.i - b.i;
}

function bytesOf(value: unknown): { subtype: number; bytes: Uint8Array } {
  if (isTagged(value, 'Binary')) return { subtype: value.sub_type, bytes: value.value() };
  return {
    subtype: 0,
    bytes: ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(),
  };
}

function dateOf(value: unknown): number {
  return isDate(value) ? value.getTime() : NaN;
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(value as Document);
}
