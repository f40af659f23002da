import { decodeSegment } from './web-files.js';

/** Parameters of a query that say where a visitor came from, and nothing of the page. */
const TRACKING = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_cid|mc_eid|ref)$/i;
/** What a link to it may well lead to, but no page. */
const NO_PAGE =
  /\.(?:7z|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|epub|exe|gif|gz|ico|jar|jpe?g|js|json|mjs|mp[34]|msi|ogg|pdf|png|pptx?|rar|rss|svg|tar|tgz|ttf|txt|wasm|wav|webm|webp|woff2?|xlsx?|xml|ya?ml|zip)$/i;
const INDEX = /^(?:index|default)\.\w{1,5}$/i;
const ENDING = /\.(?:html?|xhtml|php|aspx?|jsp|md)$/i;

/** Which pages belong to a site that is imported: those of the same origin below the address where it starts. */
export class SiteScope {
  private readonly origin: string;
  /** Path of the folder, without a slash at its end. */
  private readonly folder: string;

  /** @param start Where the site starts: a folder, or a file of one (`index.html`). */
  constructor(start: string) {
    const { origin, pathname } = new URL(start);
    this.origin = origin;
    this.folder = pathname.replace(/\/[^/]*\.[^/]*$/, '').replace(/\/+$/, '');
  }

  /** Whether `address` belongs to the site. */
  holds(address: string): boolean {
    const { origin, pathname } = new URL(address);
    return origin === this.origin && (pathname === this.folder || pathname.startsWith(`${this.folder}/`));
  }

  /** Whether a link to `address` is followed. */
  wants(address: string): boolean {
    return this.holds(address) && !NO_PAGE.test(new URL(address).pathname);
  }

  /** Where the page at `address` lies below the start, in segments that people can read; nothing for the start. */
  pathOf(address: string): string[] {
    const segments = new URL(address).pathname.slice(this.folder.length).split('/').filter(Boolean).map(decodeSegment);
    const last = segments.pop();
    if (last === undefined || INDEX.test(last)) return segments;
    return [...segments, last.replace(ENDING, '') || last];
  }
}

/** `address` as it tells pages apart: without fragment and tracking, its query in order. */
export function pageAddress(address: string): string {
  const url = new URL(address);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.href;
}
