import { Injectable } from '@nestjs/common';
import { Urls } from '../common/urls.js';
import { SecretKey } from '../config/index.js';
import type { FileEntry } from '../revisions/index.js';

const HOUR = 60 * 60 * 1000;
const PURPOSE = 'file download';

/** Signed addresses of files: they need no token, and stay the same within the hour (decision 3.77). */
@Injectable()
export class FileLinks {
  constructor(
    private readonly urls: Urls,
    private readonly key: SecretKey,
  ) {}

  /** The address of `file` in `space`; it works until the end of the next full hour. */
  of(space: string, file: FileEntry): string {
    const until = (Math.floor(Date.now() / HOUR) + 2) * HOUR;
    const expires = until.toString(36);
    const signature = this.key.sign(PURPOSE, [space, file.id, file.blob, expires].join('/'));
    return this.urls.api('files', space, file.id, `${file.blob}.${expires}.${signature}`);
  }
}
