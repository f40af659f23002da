import { PassThrough, type Readable } from 'node:stream';
import { lazy } from '../../common/lazy.js';
import type { ArchiveEntry } from './archive-entry.js';

const yazl = lazy(() => import('yazl'));

/**
 * A zip of `entries`, made while it is read: one entry at a time is in memory. The same entries at the same time give
 * the same bytes. The stream fails when an entry does.
 */
export async function zipOf(entries: readonly ArchiveEntry[], mtime: Date): Promise<Readable> {
  const { ZipFile } = await yazl();
  const zip = new ZipFile();
  const output = new PassThrough();
  let current: Readable | undefined;
  const fail = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  zip.on('error', fail);
  for (const { name, packs, open } of entries) {
    zip.addReadStreamLazy(name, { mtime, mode: 0o100644, compress: packs, forceDosTimestamp: true }, (pass) => {
      open().then((stream) => {
        current = stream.once('error', fail);
        pass(null, stream);
      }, fail);
    });
  }
  zip.end();
  // whoever stops reading leaves an entry half read
  output.once('close', () => current?.destroy());
  return zip.outputStream.pipe(output);
}
