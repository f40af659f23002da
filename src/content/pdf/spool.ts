import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '../../common/ids.js';

/** A file for as long as this process needs it: it has no name, so a crash leaves nothing behind. */
export class Spool {
  private written = 0;

  private constructor(private readonly file: FileHandle) {}

  /** A new, empty one. */
  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `colophon-${newId()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new Spool(file);
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.written;
  }

  /** Adds `bytes` at its end. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.file.writeFile(bytes);
    this.written += bytes.length;
  }

  /** What it holds. It is gone when that is read. */
  read(): Readable {
    return this.file.createReadStream({ start: 0 });
  }

  /** Lets it go, unread. */
  async close(): Promise<void> {
    await this.file.close();
  }
}
