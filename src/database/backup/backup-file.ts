import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { pipeline as flow } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { mongo } from 'mongoose';
import { BackupError, documentOf, type Frame, readFrames, writeFrames } from './frames.js';

/** What the frames of a backup are like; raised when older versions of the service could not read them. */
export const WHOLE_FORMAT = 1;
/** The same of a backup of one organization, which older versions take for one of everything. */
export const ORGANIZATION_FORMAT = 2;

/** What a backup tells of itself before its records. */
export interface BackupHead {
  format: number;
  /** Of the service that wrote it. */
  version: string;
  /** Everything that was stored by then is in it. */
  at: Date;
  /** What separates its secrets from those of other installations: a keyed hash, from which the key cannot be found. */
  key: string;
  /** Names of the migrations that its records have been through. */
  migrations: string[];
  /** Id of the organization that it is of, where it is of one alone. */
  organization?: string;
}

/** A backup that was read to its end. */
export interface CheckedBackup {
  head: BackupHead;
  records: number;
}

/** Bytes that gzip hands on at a time. */
const PIECE = 256 * 1024;
const GZIP = Buffer.of(0x1f, 0x8b);

/** The frame of `head`. */
export function headFrame(head: BackupHead): Frame {
  return { kind: 'head', bytes: Buffer.from(mongo.BSON.serialize({ colophon: 'backup', ...head })) };
}

/**
 * Writes a new file for its owner alone to read, waits until the disk has it, and answers how many records that were. What there is
 * of the file is removed when that fails.
 *
 * @throws BackupError when there is a file of that name, and whatever the frames throw.
 */
export async function writeBackup(path: string, frames: AsyncIterable<Frame>): Promise<{ records: number }> {
  const file = await newFile(path);
  let records = 0;
  const counted = async function* (): AsyncGenerator<Frame> {
    for await (const frame of frames) {
      if (frame.kind === 'record') records += 1;
      yield frame;
    }
  };
  try {
    await flow(writeFrames(counted()), createGzip({ chunkSize: PIECE }), file.createWriteStream({ flush: true }));
    return { records };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function newFile(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600).catch((error: unknown) => {
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = taken ? 'it is there already' : `it cannot be written (${String(error)})`;
    throw new BackupError(`Name a new file in the place of ${path}: ${why}`);
  });
}

/** The frames of a file, some at a time. @throws BackupError when it is no backup, or not as it was written. */
export async function* readBackup(path: string): AsyncGenerator<Frame[]> {
  await checkKind(path);
  // what fails on the way is thrown where the last of the streams is read
  const unpacked = pipeline(createReadStream(path), createGunzip({ chunkSize: PIECE }), () => undefined);
  try {
    yield* readFrames(unpacked);
  } catch (error) {
    throw explained(error);
  }
}

/** Reads a file to its end, and answers what it tells of itself. @throws BackupError when it cannot be restored. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  let head: BackupHead | undefined;
  let records = 0;
  for await (const frames of readBackup(path)) {
    for (const { kind, bytes } of frames) {
      if (!head) {
        if (kind !== 'head') throw noBackup();
        head = headOf(bytes);
      }
      if (kind === 'record') records += 1;
    }
  }
  if (!head) throw noBackup();
  return { head, records };
}

function headOf(bytes: Buffer): BackupHead {
  const head = documentOf(bytes) as Partial<BackupHead> & { colophon?: unknown };
  const { format, version, at, key, migrations, organization } = head;
  if (head.colophon !== 'backup' || typeof format !== 'number' || typeof version !== 'string') throw noBackup();
  if (format > ORGANIZATION_FORMAT) {
    throw new BackupError(`The backup was written by a newer version, ${version}: restore it with that one`);
  }
  if (!(at instanceof Date) || typeof key !== 'string' || !Array.isArray(migrations)) throw noBackup();
  const isOfOne = typeof organization === 'string';
  if (isOfOne !== (format === ORGANIZATION_FORMAT)) throw noBackup();
  return { format, version, at, key, migrations, ...(isOfOne && { organization }) };
}

function noBackup(): BackupError {
  return new BackupError('The file is no backup: name one that "backup" has written');
}

async function checkKind(path: string): Promise<void> {
  const file = await open(path).catch((error: unknown) => {
    throw new BackupError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    if (!buffer.subarray(0, bytesRead).equals(GZIP)) throw noBackup();
  } finally {
    await file.close();
  }
}

function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new BackupError('The backup is cut: its end is missing');
  if (code.startsWith('Z_')) return new BackupError(`The backup is damaged: it cannot be unpacked (${code})`);
  return error;
}
