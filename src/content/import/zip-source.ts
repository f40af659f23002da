import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { lazy } from '../../common/lazy.js';
import { isStorable } from '../../common/validation.js';
import type { BookSource } from './book-source.js';

/** How much of an archive is accepted. */
export interface ZipLimits {
  /** Files and folders. */
  entries: number;
  /** Bytes of one file, inflated. */
  file: number;
  /** Bytes of all files together, inflated. */
  total: number;
}

/** Why an archive is refused; the message tells what is wrong with it. */
export class ZipError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ZipError';
  }
}

const yauzl = lazy(() => import('yauzl'));
const OPTIONS = { lazyEntries: true, validateEntrySizes: true } as const;
const MAX_NAME = 1000;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

/**
 * The files of a zip archive, inflated one by one when they are read. Where all lie in one folder (archives of
 * repositories do), names begin below it.
 */
export class ZipSource implements BookSource {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limit: number,
  ) {}

  /**
   * @throws ZipError for what is no zip archive, for names that lead out of it or stand twice, for links, encryption,
   * and for more than the limits allow: as the archive says it here, by counting when a file is read.
   */
  static async open(bytes: Buffer, limits: ZipLimits): Promise<ZipSource> {
    return ZipSource.of(async () => (await yauzl()).fromBufferPromise(bytes, OPTIONS), limits);
  }

  /** As {@link open}, of a file on this machine: it is read as it is needed, until `close`. */
  static async openFile(path: string, limits: ZipLimits): Promise<ZipSource> {
    return ZipSource.of(async () => (await yauzl()).openPromise(path, { ...OPTIONS, autoClose: false }), limits);
  }

  private static async of(open: () => Promise<ZipFile>, limits: ZipLimits): Promise<ZipSource> {
    let zip: ZipFile | undefined;
    try {
      zip = await open();
      if (zip.entryCount > limits.entries) {
        throw new ZipError(`The archive has more than ${String(limits.entries)} entries`);
      }
      const files = new Map<string, Entry>();
      let total = 0;
      for await (const entry of zip.eachEntry()) {
        checkEntry(entry, limits);
        total += entry.uncompressedSize;
        if (total > limits.total) throw tooLarge('The archive', limits.total);
        if (entry.fileName.endsWith('/')) continue;
        const name = entry.fileName.normalize('NFC');
        if (files.has(name)) throw new ZipError(`The archive holds ${name} twice`);
        files.set(name, entry);
      }
      return new ZipSource(zip, withoutCommonFolder(files), limits.file);
    } catch (error) {
      zip?.close();
      throw asZipError(error);
    }
  }

  /** The bytes of `name`, or `undefined` when the archive has no such file. @throws ZipError for one that is damaged. */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > this.limit) throw tooLarge(name, this.limit);
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      if (crc32(bytes) !== entry.crc32) throw new ZipError(`${name} is damaged`);
      return bytes;
    } catch (error) {
      throw asZipError(error);
    }
  }

  /** Closes the file; nothing can be read any more. */
  close(): void {
    this.zip.close();
  }

  /** The names of all files, sorted. */
  list(): Promise<string[]> {
    return Promise.resolve([...this.entries.keys()].sort());
  }
}

function checkEntry(entry: Entry, limits: ZipLimits): void {
  const { fileName } = entry;
  const segments = fileName.replace(/\/$/, '').split('/');
  if (fileName.length > MAX_NAME || !isStorable(fileName) || segments.includes('') || segments.includes('.')) {
    throw new ZipError('The archive holds a name that cannot be used');
  }
  if (entry.isEncrypted()) throw new ZipError(`${fileName} is encrypted; pack the archive without a password`);
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) {
    throw new ZipError(`${fileName} is a symbolic link; pack the file itself`);
  }
  if (entry.uncompressedSize > limits.file) throw tooLarge(fileName, limits.file);
}

function withoutCommonFolder(files: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  const [first = ''] = files.keys();
  const folder = first.slice(0, first.indexOf('/') + 1);
  if (folder === '' || ![...files.keys()].every((name) => name.startsWith(folder))) return files;
  return new Map([...files].map(([name, entry]) => [name.slice(folder.length), entry]));
}

function tooLarge(what: string, limit: number): ZipError {
  return new ZipError(`${what} is larger than ${String(limit)} bytes when it is unpacked`);
}

/** What the package says is meant for the one who has the archive; it names nothing of ours. */
function asZipError(error: unknown): ZipError {
  if (error instanceof ZipError) return error;
  return new ZipError(`The archive cannot be read: ${error instanceof Error ? error.message : 'it is damaged'}`);
}
