import { deserialize, serialize } from 'bson';
import { EngineError, failedToParse, type Document } from '../errors.js';
import { isDocument } from './types.js';

/** The largest document, in bytes. */
export const MAX_DOCUMENT_SIZE = 16 * 1024 * 1024;

const PROMOTED = { promoteBuffers: false, bsonRegExp: true };
const UNPROMOTED = { promoteValues: false, promoteBuffers: false, bsonRegExp: true };
const ID = Buffer.from('_id');
const FIXED_SIZES: Record<number, number> = {
  0x01: 8,
  0x06: 0,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};

/** The document with plain numbers: for matching, sorting, aggregation and index keys. @throws EngineError 9 for malformed bytes. */
export function decode(bytes: Uint8Array): Document {
  return decodeWith(bytes, PROMOTED);
}

/** The document with its number types kept: for updates and `$type`. @throws EngineError 9 for malformed bytes. */
export function decodeTyped(bytes: Uint8Array): Document {
  return decodeWith(bytes, UNPROMOTED);
}

function decodeWith(bytes: Uint8Array, options: typeof PROMOTED): Document {
  try {
    return deserialize(bytes, options);
  } catch (error) {
    throw failedToParse(`invalid BSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The BSON bytes of a document. @throws EngineError 10334 when they are larger than a document may be, 2 for what BSON cannot hold. */
export function encode(doc: Document): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = serialize(doc, { ignoreUndefined: false });
  } catch (error) {
    throw new EngineError(2, error instanceof Error ? error.message : String(error));
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Where the value of `type` that starts at `at` ends. @throws EngineError 9 when that is not within `bytes`. */
function valueEnd(bytes: Buffer, type: number, at: number): number {
  let end = FIXED_SIZES[type];
  if (end !== undefined) end += at;
  else if (type === 0x02 || type === 0x0d || type === 0x0e) end = at + 4 + sizeAt(bytes, at);
  else if (type === 0x03 || type === 0x04 || type === 0x0f) end = at + sizeAt(bytes, at);
  else if (type === 0x05) end = at + 5 + sizeAt(bytes, at);
  else if (type === 0x0c) end = at + 16 + sizeAt(bytes, at);
  else if (type === 0x0b) end = nameEnd(bytes, nameEnd(bytes, at) + 1) + 1;
  else throw failedToParse(`unknown BSON type ${type}`);
  if (end >= bytes.length) throw failedToParse('a BSON value reaches beyond its document');
  return end;
}

function sizeAt(bytes: Buffer, at: number): number {
  const size = at + 4 <= bytes.length ? bytes.readInt32LE(at) : -1;
  if (size < 0) throw failedToParse('a BSON value has no valid length');
  return size;
}

function nameEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at++;
  if (at >= bytes.length) throw failedToParse('a BSON name has no end');
  return at;
}

/** Visits the elements of a document: the element is `bytes[start, end)`, its name `bytes[start + 1, name)`, its value `bytes[name + 1, end)`. Stops at the first that answers `false`. */
export function eachElement(
  bytes: Buffer,
  visit: (start: number, name: number, end: number) => boolean | undefined,
): void {
  const last = bytes.length - 1;
  let start = 4;
  while (start < last) {
    const name = nameEnd(bytes, start + 1);
    const end = valueEnd(bytes, bytes.readUInt8(start), name + 1);
    if (visit(start, name, end) === false) return;
    start = end;
  }
}

/** A set of top-level field names that can be looked for in BSON bytes: decoding a few fields is several times faster than decoding all. */
export class Fields {
  readonly #names: Buffer[];

  constructor(names: Iterable<string>) {
    this.#names = [...new Set(names)].map((name) => Buffer.from(name));
  }

  #has(bytes: Buffer, start: number, end: number): boolean {
    for (const name of this.#names) {
      if (name.length === end - start && name.compare(bytes, start, end) === 0) return true;
    }
    return false;
  }

  /** The document's bytes with only these fields, or without them. */
  splice(bytes: Buffer, keep: boolean): Buffer {
    const out = Buffer.allocUnsafe(bytes.length);
    let size = 4;
    eachElement(bytes, (start, name, end) => {
      if (this.#has(bytes, start + 1, name) === keep) size += bytes.copy(out, size, start, end);
      return undefined;
    });
    out[size++] = 0;
    out.writeInt32LE(size, 0);
    return out.subarray(0, size);
  }
}

const ID_FIELD = new Fields(['_id']);

/** The document's bytes with `_id` first; `newId` makes the element's value, an ObjectId's 12 bytes, when there is none. */
export function withIdFirst(bytes: Buffer, newId: () => Uint8Array): Buffer {
  if (isId(bytes, 4)) return bytes;
  let found: Buffer | undefined;
  eachElement(bytes, (start, _name, end) => {
    if (isId(bytes, start)) found = bytes.subarray(start, end);
    return found === undefined ? undefined : false;
  });
  const id = found ?? Buffer.concat([Buffer.from([0x07]), ID, Buffer.from([0]), newId()]);
  const rest = found ? ID_FIELD.splice(bytes, false) : bytes;
  const out = Buffer.concat([rest.subarray(0, 4), id, rest.subarray(4)]);
  out.writeInt32LE(out.length, 0);
  return out;
}

function isId(bytes: Buffer, start: number): boolean {
  return bytes.length > start + 5 && ID.compare(bytes, start + 1, start + 4) === 0 && bytes[start + 4] === 0;
}

const DEPTH_LIMIT = 180;

/** @throws EngineError 15 for a value that is nested deeper than documents may be. */
export function checkDepth(value: unknown, depth = 0): void {
  if (!Array.isArray(value) && !isDocument(value)) return;
  if (depth > DEPTH_LIMIT) throw new EngineError(15, `a document is nested deeper than ${DEPTH_LIMIT} levels`);
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) checkDepth(inner, depth + 1);
  }
}

/** The documents of an array of documents, as slices of the bytes that hold it. */
export function sliceDocuments(bytes: Buffer, field: string): Buffer[] | undefined {
  const wanted = Buffer.from(field);
  let array: Buffer | undefined;
  eachElement(bytes, (start, name, end) => {
    if (bytes[start] !== 0x04 || wanted.compare(bytes, start + 1, name) !== 0) return undefined;
    array = bytes.subarray(name + 1, end);
    return false;
  });
  if (!array) return undefined;
  const list = array;
  const documents: Buffer[] = [];
  eachElement(list, (start, name, end) => {
    if (list[start] !== 0x03) throw failedToParse(`${field} must hold documents`);
    documents.push(list.subarray(name + 1, end));
    return undefined;
  });
  return documents;
}
