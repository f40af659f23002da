import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Sends `bytes` as fast as the caller takes them; one who leaves before their end is no failure. */
export async function sendBytes(bytes: Readable, response: Response): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
