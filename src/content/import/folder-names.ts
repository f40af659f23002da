import { posix } from 'node:path';
import { splitAddress } from '../links/index.js';
import { ownPages } from './folder-outline.js';
import { decodeSegment, isAbsolute } from './web-files.js';

/** Finds the files of a folder that addresses in its texts mean. */
export class FolderNames {
  private readonly names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names);
  }

  /**
   * The file that `written` means in the text of the file `from`, if it is there. A page may be named without its `.md`,
   * a folder for its own page, and `.html` stands for the `.md` that books make it of.
   */
  fileOf(written: string, from: string): string | undefined {
    if (isAbsolute(written)) return undefined;
    const path = decodeSegment(splitAddress(written).path).normalize('NFC');
    if (path === '') return undefined;
    const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(from), path);
    const name = posix.normalize(joined).replace(/(?:^|(?<=\/))index\.html$|\/$/, '');
    const folder = name === '.' || name === '' ? '' : `${name.replace(/\/$/, '')}/`;
    const pages = [name, `${name}.md`, name.replace(/\.html$/, '.md'), ...ownPages(folder)];
    return pages.find((candidate) => this.names.has(candidate));
  }
}
