import { Binary, BSONRegExp, bsonType, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { Document } from '../errors.js';

/** The classes of `bson`, by the tag that they carry. Values may come from another realm, so `instanceof` proves nothing. */
interface Tagged {
  Int32: Int32;
  Double: Double;
  Long: Long;
  Decimal128: Decimal128;
  ObjectId: ObjectId;
  Binary: Binary;
  BSONRegExp: BSONRegExp;
  Timestamp: Timestamp;
}

const TAG_NAMES = new Map<unknown, string>([
  ['Int32', 'int'],
  ['Double', 'double'],
  ['Long', 'long'],
  ['Decimal128', 'decimal'],
  ['ObjectId', 'objectId'],
  ['Binary', 'binData'],
  ['BSONRegExp', 'regex'],
  ['Timestamp', 'timestamp'],
  ['MinKey', 'minKey'],
  ['MaxKey', 'maxKey'],
  ['Code', 'javascript'],
  ['BSONSymbol', 'symbol'],
]);

/** Whether `value` is an instance of the class of `bson` that `tag` names. */
export function isTagged<T extends keyof Tagged>(value: unknown, tag: T): value is Tagged[T] {
  return tagOf(value) === tag;
}

/** Whether `value` is a date, of whichever realm. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Whether `value` is a regular expression of JavaScript, of whichever realm. */
export function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

/** Whether `value` is an embedded document: neither an array nor one of the types that JavaScript and `bson` hold in objects. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return !Array.isArray(value) && typeName(value) === 'object';
}

/** The name that MongoDB's `$type` has for the type of `value`; `missing` for undefined. A plain number is an `int` when it would be stored as one. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'long';
    case 'number':
      return value === (value | 0) && !Object.is(value, -0) ? 'int' : 'double';
    case 'object':
      return objectTypeName(value);
    default:
      return 'missing';
  }
}

/** The own field `key` of `doc`; undefined when there is none, whatever the prototype holds. */
export function own(doc: Document, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** Sets the own field `key` of `doc`, also when the key is `__proto__`. */
export function put(doc: Document, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(doc, key, { value, enumerable: true, configurable: true, writable: true });
  } else doc[key] = value;
}

/** A copy of `value` in which every number that a double holds exactly is a plain one. */
export function promote(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(promote);
  return plainNumber(value) ?? (isDocument(value) ? promoteDocument(value) : value);
}

/** {@link promote} for a document. */
export function promoteDocument(doc: Document): Document {
  const copy: Document = {};
  for (const key of Object.keys(doc)) put(copy, key, promote(doc[key]));
  return copy;
}

/** The plain number that `value` holds, or undefined if it is no number or no double holds it exactly. */
export function plainNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (isTagged(value, 'Int32') || isTagged(value, 'Double')) return value.valueOf();
  if (isTagged(value, 'Long') && Number.isSafeInteger(value.toNumber())) return value.toNumber();
  return undefined;
}

function tagOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { [bsonType]?: unknown })[bsonType] : undefined;
}

function objectTypeName(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const tag = tagOf(value);
  if (tag !== undefined) return TAG_NAMES.get(tag) ?? 'object';
  if (ArrayBuffer.isView(value)) return 'binData';
  if (isDate(value)) return 'date';
  return isRegExp(value) ? 'regex' : 'object';
}
