import { webAddress, withoutFragment } from './convert/html-tree.js';
import { decodeSegment } from './web-files.js';

/** Where a wiki keeps its pages. */
export class WikiAddress {
  /** The page `Name` is at `<base>/Name`. */
  readonly base: string;
  /** The source of the page `Name` is at `<raw>/Name.md`. */
  private readonly raw: string;

  /** @param address Of the wiki, of one of its pages, or of the repository that it belongs to. */
  constructor(address: string) {
    const { origin, hostname, pathname } = new URL(address);
    const [, owner, repository] = /^\/([^/]+)\/([^/]+?)(?:\.wiki)?(?:\.git)?(?:\/|$)/.exec(pathname) ?? [];
    if (hostname === 'github.com' && owner !== undefined && repository !== undefined) {
      this.base = `${origin}/${owner}/${repository}/wiki`;
      this.raw = `https://raw.githubusercontent.com/wiki/${owner}/${repository}`;
    } else {
      const [wiki] = /^.*?\/wiki(?=\/|$)/.exec(pathname) ?? [pathname.replace(/\/+$/, '')];
      this.base = origin + wiki;
      // as the hosts of wikis themselves serve it
      this.raw = this.base;
    }
  }

  /** Where the source of the page `name` is served. */
  sourceOf(name: string): string {
    return `${this.raw}/${encodeURIComponent(name)}.md`;
  }

  /** What an address in a page means, absolute and without its anchor; what lies beside the pages, at its source. */
  resolve(written: string): string | undefined {
    const address = webAddress(written, `${this.base}/`);
    return address === undefined ? undefined : withoutFragment(address);
  }

  /** Where a file of the wiki at `address` is served. */
  fileAt(address: string): string {
    return address.startsWith(`${this.base}/`) ? this.raw + address.slice(this.base.length) : address;
  }

  /** The name of the page at `address`; `undefined` when that is none of the wiki, or one that only serves the others. */
  nameAt(address: string): string | undefined {
    const url = new URL(address);
    const path = url.origin + url.pathname;
    if (path === this.base || path === `${this.base}/`) return 'Home';
    if (!path.startsWith(`${this.base}/`)) return undefined;
    const name = decodeSegment(path.slice(this.base.length + 1)).replace(/\.(?:md|markdown)$/i, '');
    return name === '' || name.startsWith('_') || /[/.]/.test(name) ? undefined : name;
  }
}

/** What tells the names of pages apart: neither case nor spaces do. */
export function nameKey(name: string): string {
  return name.replaceAll(' ', '-').toLowerCase();
}
