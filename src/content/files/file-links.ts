import { Injectable } from '@nestjs/common';
import { Urls } from '../../common/urls.js';
import { SecretKey } from '../../config/index.js';
import type { FileEntry } from '../../revisions/index.js';

/** What a signed address leads to. */
export interface LinkedFile {
  name: string;
  contentType: string;
  /** Hash of the bytes. */
  blob: string;
  /** Until when the address works. */
  expires: Date;
}

/** The parts of a signed address, as they came. */
export interface SignedAddress {
  space: string;
  file: string;
  /** `<blob>.<expires>.<signature>` */
  signature: string;
  name: unknown;
  type: unknown;
}

const HOUR = 60 * 60 * 1000;
const PURPOSE = 'file download';

/**
 * Signed addresses of files: they need no token, and stay the same within the hour (decision 3.77). An address says all
 * that a download needs, so that it leads to the same bytes whatever becomes of the file in later revisions.
 */
@Injectable()
export class FileLinks {
  constructor(
    private readonly urls: Urls,
    private readonly key: SecretKey,
  ) {}

  /** The address of `file` in `space`; it works until the end of the next full hour. */
  of(space: string, { id, name, contentType, blob }: FileEntry): string {
    const until = (Math.floor(Date.now() / HOUR) + 2) * HOUR;
    const expires = until.toString(36);
    const signature = this.key.sign(PURPOSE, textOf({ space, file: id, name, type: contentType }, blob, expires));
    const query = new URLSearchParams({ name, type: contentType });
    return `${this.urls.api('files', space, id, `${blob}.${expires}.${signature}`)}?${query.toString()}`;
  }

  /** What `address` leads to; `undefined` when it is forged or expired. */
  read(address: SignedAddress): LinkedFile | undefined {
    const { name, type } = address;
    const [blob = '', expires = '', signature = '', ...rest] = address.signature.split('.');
    if (typeof name !== 'string' || typeof type !== 'string' || rest.length > 0) return undefined;
    if (!this.key.verify(PURPOSE, textOf({ ...address, name, type }, blob, expires), signature)) return undefined;
    const until = parseInt(expires, 36);
    return until > Date.now() ? { name, contentType: type, blob, expires: new Date(until) } : undefined;
  }
}

/** What is signed. */
function textOf(
  { space, file, name, type }: Record<'space' | 'file' | 'name' | 'type', string>,
  blob: string,
  expires: string,
): string {
  return JSON.stringify([space, file, blob, expires, name, type]);
}
