import { createHash } from 'node:crypto';
import { bsonType } from 'bson';
import { unsupported, type Document } from '../errors.js';
import { isDate, isRegExp, isTagged } from './types.js';

/** Longest encoded key that is stored whole, in bytes; of a longer one this much, and a hash of all of it. LMDB takes 1978. */
export const WHOLE_KEY_LIMIT = 1500;

const RANKS = {
  MinKey: 0x01,
  emptyArray: 0x04,
  null: 0x05,
  number: 0x10,
  string: 0x20,
  object: 0x30,
  array: 0x38,
  Binary: 0x40,
  ObjectId: 0x50,
  boolean: 0x58,
  date: 0x60,
  Timestamp: 0x68,
  BSONRegExp: 0x70,
  Code: 0x74,
  DBRef: 0x76,
  MaxKey: 0x7f,
} as const;

/** Stands, in an index key, for an array without elements: it sorts below null, as in MongoDB. */
export const EMPTY_ARRAY = Symbol('empty array');

const EXACT = 0x8000;

/** Writes values so that the order of the bytes is the order of BSON values, and no value's bytes begin another's. */
export class KeyWriter {
  #bytes = Buffer.allocUnsafe(4096);
  #size = 0;

  /** Begins a key with a number that is no value: the index it belongs to. */
  start(index: number): this {
    this.#size = this.#bytes.writeUInt32BE(index, 0);
    return this;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds a value; `descending` inverts its order. @throws EngineError 238 for a decimal. */
  add(value: unknown, descending = false): this {
    const from = this.#size;
    this.#value(value);
    if (descending) for (let at = from; at < this.#size; at++) this.#bytes[at] = ~this.#bytes.readUInt8(at);
    return this;
  }

  /** A copy of the bytes, and `room` undefined bytes after them. */
  finish(room = 0): Buffer {
    const out = Buffer.allocUnsafe(this.#size + room);
    this.#bytes.copy(out, 0, 0, this.#size);
    return out;
  }

  /** Replaces what is over {@link WHOLE_KEY_LIMIT} with a hash; answers whether there was. */
  shorten(): boolean {
    if (this.#size <= WHOLE_KEY_LIMIT) return false;
    const hash = createHash('sha256').update(this.#bytes.subarray(0, this.#size)).digest();
    this.#size = WHOLE_KEY_LIMIT + hash.copy(this.#bytes, WHOLE_KEY_LIMIT, 0, 16);
    return true;
  }

  #reserve(extra: number): void {
    if (this.#size + extra <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#size + extra) * 2);
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#size++] = value;
  }

  #value(value: unknown): void {
    const rank = keyRank(value);
    this.#byte(rank);
    this.#content(value, rank);
  }

  #content(value: unknown, rank: number): void {
    if (rank === RANKS.string) this.#text(stringOf(value), true);
    else if (rank === RANKS.number) this.#number(value);
    else if (rank === RANKS.boolean) this.#byte(value === true ? 1 : 0);
    else if (rank === RANKS.date) this.#int64((value as Date).getTime());
    else if (rank === RANKS.ObjectId) this.#raw((value as { id: Uint8Array }).id);
    else if (rank === RANKS.Binary) this.#binary(value as { buffer: Uint8Array; position: number; sub_type: number });
    else if (rank === RANKS.object) this.#object(value as Document);
    else if (rank === RANKS.array) this.#array(value as unknown[]);
    else if (rank === RANKS.BSONRegExp) this.#regex(value);
    else if (rank === RANKS.Timestamp) this.#timestamp(value as { high: number; low: number });
    else if (rank === RANKS.Code) this.#text((value as { code: string }).code, true);
    else if (rank === RANKS.DBRef) throw unsupported('a DBRef in an indexed field');
  }

  #text(text: string, mayHoldZero: boolean): void {
    this.#reserve(text.length * 6 + 2);
    if (mayHoldZero && text.includes('\0')) {
      for (const byte of Buffer.from(text)) {
        this.#bytes[this.#size++] = byte;
        if (byte === 0) this.#bytes[this.#size++] = 0xff;
      }
    } else this.#size += this.#bytes.write(text, this.#size, 'utf8');
    this.#bytes[this.#size++] = 0;
    if (mayHoldZero) this.#bytes[this.#size++] = 0;
  }

  #number(value: unknown): void {
    let double: number;
    let rest = 0;
    if (isTagged(value, 'Decimal128')) throw unsupported('Decimal128 in an indexed field');
    if (isTagged(value, 'Long') || typeof value === 'bigint') {
      const whole = BigInt(String(value));
      double = Number(whole);
      rest = Number(whole - BigInt(double));
    } else double = Number(value);
    this.#reserve(10);
    const at = this.#size;
    if (Number.isNaN(double)) this.#bytes.fill(0, at, at + 8);
    else {
      this.#bytes.writeDoubleBE(double === 0 ? 0 : double, at);
      if (double < 0) for (let i = at; i < at + 8; i++) this.#bytes[i] = ~this.#bytes.readUInt8(i);
      else this.#bytes[at] = this.#bytes.readUInt8(at) | 0x80;
    }
    this.#size = this.#bytes.writeUInt16BE(EXACT + rest, at + 8);
  }

  #int64(value: number): void {
    this.#reserve(8);
    const high = Math.floor(value / 0x1_0000_0000) + 0x8000_0000;
    this.#size = this.#bytes.writeUInt32BE(high >>> 0, this.#size);
    this.#size = this.#bytes.writeUInt32BE(value >>> 0, this.#size);
  }

  #timestamp({ high, low }: { high: number; low: number }): void {
    this.#reserve(8);
    this.#size = this.#bytes.writeUInt32BE(high >>> 0, this.#size);
    this.#size = this.#bytes.writeUInt32BE(low >>> 0, this.#size);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  #binary({ buffer, position, sub_type }: { buffer: Uint8Array; position: number; sub_type: number }): void {
    this.#reserve(5);
    this.#size = this.#bytes.writeUInt32BE(position, this.#size);
    this.#size = this.#bytes.writeUInt8(sub_type, this.#size);
    this.#raw(buffer.subarray(0, position));
  }

  #regex(value: unknown): void {
    const { pattern, options, source, flags } = value as Record<string, string>;
    this.#text(pattern ?? source ?? '', false);
    this.#text(options ?? flags ?? '', false);
  }

  #object(value: Document): void {
    for (const name of Object.keys(value)) {
      const rank = keyRank(value[name]);
      this.#byte(rank);
      this.#text(name, false);
      this.#content(value[name], rank);
    }
    this.#byte(0);
  }

  #array(values: unknown[]): void {
    for (const value of values) this.#value(value);
    this.#byte(0);
  }
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

/** The first byte of a value's key: values of one rank are compared with each other only. */
export function keyRank(value: unknown): number {
  if (typeof value === 'string') return RANKS.string;
  if (typeof value === 'number' || typeof value === 'bigint') return RANKS.number;
  if (typeof value === 'boolean') return RANKS.boolean;
  if (value === null || value === undefined) return RANKS.null;
  if (value === EMPTY_ARRAY) return RANKS.emptyArray;
  if (Array.isArray(value)) return RANKS.array;
  const type = (value as { [bsonType]?: string })[bsonType];
  if (type === undefined) return rankOfPlain(value);
  if (type === 'Int32' || type === 'Double' || type === 'Long' || type === 'Decimal128') return RANKS.number;
  if (type === 'BSONSymbol') return RANKS.string;
  return type in RANKS ? RANKS[type as keyof typeof RANKS] : RANKS.object;
}

function rankOfPlain(value: unknown): number {
  if (isDate(value)) return RANKS.date;
  return isRegExp(value) ? RANKS.BSONRegExp : RANKS.object;
}

/** The smallest bytes above every key that begins with `prefix`. */
export function afterPrefix(prefix: Buffer): Buffer {
  let size = prefix.length;
  while (size > 0 && prefix[size - 1] === 0xff) size--;
  const out = Buffer.from(prefix.subarray(0, size));
  if (size > 0) out[size - 1] = out.readUInt8(size - 1) + 1;
  return out;
}
