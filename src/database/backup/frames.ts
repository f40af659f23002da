import { createHash, type Hash } from 'node:crypto';
import { mongo } from 'mongoose';

/** What a frame of a backup holds: the head, the name of the collection that follows, a record of it, the end. */
export type FrameKind = 'head' | 'collection' | 'record' | 'end';

/** A part of a backup: its kind, and a BSON document. */
export interface Frame {
  kind: FrameKind;
  bytes: Buffer;
}

/** The file is no backup, or not what was written. Its message says so in a sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const KINDS: readonly FrameKind[] = ['head', 'collection', 'record', 'end'];
/** Bytes before the document: the kind. */
const PREFIX = 1;
const LENGTH = 4;
/** No document of MongoDB is larger, in bytes. */
const LARGEST = 16 * 1024 * 1024 + 16 * 1024;
/** Bytes that are handed on together. */
const PIECE = 256 * 1024;

/** Puts frames into pieces of bytes, and ends them with a frame that tells their number and their hash. */
export async function* writeFrames(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let pending: Buffer[] = [];
  let size = 0;
  let count = 0;
  for await (const { kind, bytes } of frames) {
    count += 1;
    pending.push(Buffer.of(KINDS.indexOf(kind)), bytes);
    size += PREFIX + bytes.length;
    if (size < PIECE) continue;
    const piece = Buffer.concat(pending);
    hash.update(piece);
    yield piece;
    [pending, size] = [[], 0];
  }
  const rest = Buffer.concat(pending);
  const end = mongo.BSON.serialize({ frames: count, sha256: hash.update(rest).digest('hex') });
  yield Buffer.concat([rest, Buffer.of(KINDS.indexOf('end')), end]);
}

/**
 * Takes pieces of bytes apart again, some frames at a time, and holds them against what the end tells; the end itself is not answered.
 *
 * @throws BackupError when they are not what was written; what came before was answered by then.
 */
export async function* readFrames(pieces: AsyncIterable<Buffer>): AsyncGenerator<Frame[]> {
  const reader = new FrameReader();
  for await (const piece of pieces) {
    const frames = reader.take(piece);
    if (frames.length > 0) yield frames;
  }
  reader.finish();
}

/** Finds the frames in pieces of bytes. */
class FrameReader {
  private readonly hash: Hash = createHash('sha256');
  private pending: Buffer[] = [];
  private size = 0;
  /** Bytes without which there is no next frame. */
  private needed = PREFIX + LENGTH;
  private count = 0;
  private ended = false;

  take(piece: Buffer): Frame[] {
    this.pending.push(piece);
    this.size += piece.length;
    // joined once a frame is there as a whole: a large one comes in many pieces
    if (this.size < this.needed) return [];
    const bytes = this.pending.length === 1 ? piece : Buffer.concat(this.pending);
    const frames: Frame[] = [];
    let at = 0;
    for (;;) {
      const left = bytes.length - at;
      if (left > 0 && this.ended) throw damaged();
      this.needed = PREFIX + LENGTH;
      if (left < this.needed) break;
      this.needed = PREFIX + lengthOf(bytes, at + PREFIX);
      if (left < this.needed) break;
      const whole = bytes.subarray(at, at + this.needed);
      const frame = { kind: kindOf(whole[0]), bytes: whole.subarray(PREFIX) };
      at += whole.length;
      if (frame.kind === 'end') this.check(frame.bytes);
      else {
        this.hash.update(whole);
        this.count += 1;
        frames.push(frame);
      }
    }
    this.pending = [bytes.subarray(at)];
    this.size = bytes.length - at;
    return frames;
  }

  finish(): void {
    if (!this.ended) throw new BackupError('The backup is cut: its end is missing');
  }

  private check(end: Buffer): void {
    this.ended = true;
    const { frames, sha256 } = documentOf(end);
    if (frames !== this.count || sha256 !== this.hash.digest('hex')) throw damaged();
  }
}

function lengthOf(bytes: Buffer, at: number): number {
  const length = bytes.readInt32LE(at);
  if (length < 5 || length > LARGEST) throw damaged();
  return length;
}

function kindOf(byte: number | undefined): FrameKind {
  const kind = KINDS[byte ?? -1];
  if (!kind) throw damaged();
  return kind;
}

/** What a frame says, as plain values. @throws BackupError when it is no BSON. */
export function documentOf(bytes: Buffer): Record<string, unknown> {
  try {
    return mongo.BSON.deserialize(bytes);
  } catch {
    throw damaged();
  }
}

function damaged(): BackupError {
  return new BackupError('The backup is damaged: it is not what was written. Take another copy of the file');
}
