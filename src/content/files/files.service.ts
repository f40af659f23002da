import { Readable } from 'node:stream';
import { BadRequestException, Injectable } from '@nestjs/common';
import { Blobs } from '../../blobs/index.js';
import { newId } from '../../common/ids.js';
import { lazy } from '../../common/lazy.js';
import { isStorable, lengthOf } from '../../common/validation.js';
import { Config } from '../../config/index.js';
import { type FetchOptions, Outbound, OutboundError } from '../../outbound/index.js';
import type { FileEntry } from '../../revisions/index.js';
import { contentTypeOf, HEAD, sniffType } from './content-type.js';

/** What reads the sizes of images, read with the first file. */
const sizes = lazy(() => import('./dimensions.js'));

/** A file to store. */
export interface NewFile {
  /** 1 to 256 characters. */
  name: string;
  /** What it is declared to be; what its bytes show goes before it. */
  contentType?: string;
  bytes: Buffer | Readable;
}

/** Longest name of a file, in characters. */
const MAX_NAME = 256;

/** Makes files of revisions: stores their bytes and finds out what they are. */
@Injectable()
export class FilesService {
  constructor(
    private readonly blobs: Blobs,
    private readonly outbound: Outbound,
    private readonly config: Config,
  ) {}

  /**
   * Stores the bytes of a new file and answers the entry to put into a revision, with a new id. It stays outside of a
   * surrounding transaction; bytes that no revision comes to refer to are removed after a day.
   *
   * @throws TooManyBytesError for more than 100 MiB, BadRequestException for a name that cannot be one.
   */
  async add(organization: string, { name, contentType, bytes }: NewFile): Promise<FileEntry> {
    if (name === '' || lengthOf(name) > MAX_NAME || !isStorable(name)) {
      throw new BadRequestException(
        `The name of a file must be 1 to ${String(MAX_NAME)} characters of well-formed text`,
      );
    }
    const head = new Head(bytes);
    const { hash, size } = await this.blobs.put(organization, head.source);
    const beginning = head.bytes;
    const sniffed = await sniffType(beginning);
    const { dimensionsOf } = await sizes();
    const dimensions = dimensionsOf(beginning, sniffed);
    return {
      id: newId(),
      name,
      contentType: contentTypeOf(sniffed, { name, ...(contentType !== undefined && { declared: contentType }) }),
      size,
      blob: hash,
      ...(dimensions && { dimensions }),
    };
  }

  /**
   * Fetches a new file from `url` and stores it as {@link add} does; `limits` are further limits of the request.
   *
   * @throws OutboundError when the address is refused, does not answer with success, or answers with more than
   * `IMPORT_MAX_BYTES`.
   */
  async fetch(
    organization: string,
    { name, url }: { name: string; url: string },
    limits: Pick<FetchOptions, 'timeout' | 'signal'> = {},
  ): Promise<FileEntry> {
    const options = { ...limits, maxBytes: this.config.IMPORT_MAX_BYTES };
    const { status, contentType, body } = await this.outbound.fetch(url, options);
    if (status !== 200) throw new OutboundError('failed', `The address answers with status ${String(status)}, not 200`);
    return this.add(organization, { name, contentType, bytes: body });
  }
}

/** Looks at the beginning of bytes that pass by. */
class Head {
  /** The same bytes, to be read instead. */
  readonly source: Buffer | Readable;
  private readonly parts: Buffer[] = [];
  private missing = HEAD;

  constructor(bytes: Buffer | Readable) {
    this.source = Buffer.isBuffer(bytes) ? bytes : Readable.from(this.watch(bytes), { objectMode: false });
    if (Buffer.isBuffer(bytes)) this.keep(bytes);
  }

  /** The beginning, as far as it has been read. */
  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }

  private async *watch(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      this.keep(part);
      yield part;
    }
  }

  private keep(part: Buffer): void {
    if (this.missing === 0) return;
    const kept = part.subarray(0, this.missing);
    this.parts.push(kept);
    this.missing -= kept.length;
  }
}
