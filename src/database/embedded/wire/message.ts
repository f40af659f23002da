import { Timestamp } from 'bson';
import { encode } from '../bson/raw.js';
import { failedToParse, type Document } from '../errors.js';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const KNOWN_FLAGS = CHECKSUM_PRESENT | MORE_TO_COME | (1 << 16);
const AWAIT_CAPABLE = 8;

/** The largest message, in bytes. */
export const MAX_MESSAGE_SIZE = 48_000_000;

/** A command as it came over the wire. */
export interface Message {
  requestId: number;
  /** The command's BSON bytes. */
  body: Buffer;
  /** Document sequences that came beside the body, by field name. */
  sequences: Map<string, Buffer[]>;
  /** The client waits for no reply. */
  silent: boolean;
  /** The database, where it is not in the body: in a handshake of the old kind, whose reply has the old form too. */
  legacyDatabase: string | undefined;
}

/** Documents of a cursor, as stored. */
export class CursorBatch {
  constructor(
    readonly field: 'firstBatch' | 'nextBatch',
    readonly id: number,
    readonly namespace: string,
    readonly documents: Buffer[],
    /** The moment that the documents are of, in a session of snapshot reads. */
    readonly time?: Timestamp,
  ) {}
}

/** What a command answers: a document, or a batch of stored ones. */
export type Reply = Document | CursorBatch;

const NO_SEQUENCES = new Map<string, Buffer[]>();

/** Reads one whole message. @throws EngineError 9 for what is none. */
export function parseMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const opcode = bytes.readInt32LE(12);
  if (opcode === OP_MSG) return parseSections(bytes, requestId);
  if (opcode === OP_QUERY) return parseQuery(bytes, requestId);
  throw failedToParse(`unsupported message kind ${opcode}`);
}

function parseSections(bytes: Buffer, requestId: number): Message {
  const flags = bytes.readUInt32LE(HEADER);
  if ((flags & 0xffff & ~KNOWN_FLAGS) !== 0) throw failedToParse('a message has unknown flags');
  const end = bytes.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Buffer | undefined;
  let sequences = NO_SEQUENCES;
  let at = HEADER + 4;
  while (at < end) {
    const kind = bytes[at++];
    const size = at + 4 <= end ? bytes.readInt32LE(at) : 0;
    if (size < 5 || at + size > end) throw failedToParse('a section reaches beyond its message');
    const section = bytes.subarray(at, at + size);
    at += size;
    if (kind === 0 && !body) body = section;
    else if (kind === 1) {
      if (sequences === NO_SEQUENCES) sequences = new Map<string, Buffer[]>();
      parseSequence(section, sequences);
    } else throw failedToParse('a message has sections of an unknown kind');
  }
  if (!body) throw failedToParse('a message has no command');
  return { requestId, body, sequences, silent: (flags & MORE_TO_COME) !== 0, legacyDatabase: undefined };
}

function parseSequence(section: Buffer, sequences: Map<string, Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw failedToParse('a document sequence has no name');
  const documents: Buffer[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const size = at + 4 <= section.length ? section.readInt32LE(at) : 0;
    if (size < 5 || at + size > section.length) throw failedToParse('a document reaches beyond its sequence');
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  sequences.set(section.toString('utf8', 4, nameEnd), documents);
}

function parseQuery(bytes: Buffer, requestId: number): Message {
  const nameEnd = bytes.indexOf(0, HEADER + 4);
  const at = nameEnd + 9;
  if (nameEnd < 0 || at + 4 > bytes.length) throw failedToParse('a message ends too early');
  const size = bytes.readInt32LE(at);
  if (size < 5 || at + size > bytes.length) throw failedToParse('a query reaches beyond its message');
  const [legacyDatabase = ''] = bytes.toString('utf8', HEADER + 4, nameEnd).split('.', 1);
  return { requestId, body: bytes.subarray(at, at + size), sequences: NO_SEQUENCES, silent: false, legacyDatabase };
}

let clock: { seconds: number; timestamp: Timestamp } | undefined;

/** The time of a reply, which every reply carries. */
export function operationTime(): Timestamp {
  const seconds = Math.floor(Date.now() / 1000);
  if (clock?.seconds !== seconds) clock = { seconds, timestamp: new Timestamp({ t: seconds, i: 1 }) };
  return clock.timestamp;
}

let lastReplyId = 0;

/** The bytes of a reply to `message`. */
export function encodeReply(message: Message, reply: Reply): Buffer {
  if (reply instanceof CursorBatch) return encodeBatch(message, reply);
  const body = encode({ ...reply, operationTime: operationTime() });
  const prefix = message.legacyDatabase === undefined ? HEADER + 5 : HEADER + 20;
  const out = Buffer.allocUnsafe(prefix + body.length);
  writeHeader(out, message);
  out.fill(0, HEADER, prefix);
  if (message.legacyDatabase !== undefined) {
    out.writeInt32LE(AWAIT_CAPABLE, HEADER);
    out.writeInt32LE(1, HEADER + 16);
  }
  body.copy(out, prefix);
  return out;
}

function writeHeader(out: Buffer, message: Message): void {
  lastReplyId = (lastReplyId + 1) & 0x7fff_ffff;
  out.writeInt32LE(out.length, 0);
  out.writeInt32LE(lastReplyId, 4);
  out.writeInt32LE(message.requestId, 8);
  out.writeInt32LE(message.legacyDatabase === undefined ? OP_MSG : OP_REPLY, 12);
}

const OK_ELEMENT = Buffer.concat([Buffer.from('\x01ok\0', 'latin1'), Buffer.from([0, 0, 0, 0, 0, 0, 0xf0, 0x3f])]);
const TIME_NAME = Buffer.from('\x11operationTime\0', 'latin1');
const CURSOR_NAME = Buffer.from('\x03cursor\0', 'latin1');
const ID_NAME = Buffer.from('\x12id\0', 'latin1');
const NS_NAME = Buffer.from('\x02ns\0', 'latin1');
const READ_TIME_NAME = Buffer.from('\x11atClusterTime\0', 'latin1');
const TAIL_SIZE = OK_ELEMENT.length + TIME_NAME.length + 8 + 1;

// the stored bytes go into the reply as they are: they are neither decoded nor encoded again
function encodeBatch(message: Message, { field, id, namespace, documents, time }: CursorBatch): Buffer {
  const nsSize = Buffer.byteLength(namespace) + 1;
  const timeSize = time ? READ_TIME_NAME.length + 8 : 0;
  let arraySize = 5;
  for (const [at, document] of documents.entries()) arraySize += 2 + digits(at) + document.length;
  const cursorSize =
    4 + (1 + field.length + 1) + arraySize + ID_NAME.length + 8 + NS_NAME.length + 4 + nsSize + 1 + timeSize;
  const bodySize = 4 + CURSOR_NAME.length + cursorSize + TAIL_SIZE;
  const out = Buffer.allocUnsafe(HEADER + 5 + bodySize);
  writeHeader(out, message);
  out.fill(0, HEADER, HEADER + 5);
  let at = out.writeInt32LE(bodySize, HEADER + 5);
  at += CURSOR_NAME.copy(out, at);
  at = out.writeInt32LE(cursorSize, at);
  at = out.writeUInt8(0x04, at);
  at += out.write(field, at, 'latin1');
  at = out.writeUInt8(0, at);
  at = writeArray(out, at, arraySize, documents);
  at += ID_NAME.copy(out, at);
  at = out.writeUInt32LE(id >>> 0, at);
  at = out.writeUInt32LE(Math.floor(id / 0x1_0000_0000), at);
  at += NS_NAME.copy(out, at);
  at = out.writeInt32LE(nsSize, at);
  at += out.write(namespace, at, 'utf8');
  at = out.writeUInt8(0, at);
  if (time) at = writeTime(out, at + READ_TIME_NAME.copy(out, at), time);
  writeTail(out, out.writeUInt8(0, at));
  return out;
}

function writeArray(out: Buffer, start: number, size: number, documents: Buffer[]): number {
  let at = out.writeInt32LE(size, start);
  for (const [index, document] of documents.entries()) {
    at = out.writeUInt8(0x03, at);
    at += out.write(String(index), at, 'latin1');
    at = out.writeUInt8(0, at);
    at += document.copy(out, at);
  }
  return out.writeUInt8(0, at);
}

function writeTail(out: Buffer, start: number): void {
  let at = start + OK_ELEMENT.copy(out, start);
  at += TIME_NAME.copy(out, at);
  out.writeUInt8(0, writeTime(out, at, operationTime()));
}

function writeTime(out: Buffer, at: number, { t, i }: Timestamp): number {
  return out.writeUInt32LE(t, out.writeUInt32LE(i, at));
}

function digits(value: number): number {
  let count = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) count++;
  return count;
}
