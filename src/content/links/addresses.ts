import { type LinkTarget, MAX_DEPTH, type PageLinks, refOf } from '../../revisions/index.js';

/** An address as it is written, cut into its parts. */
export interface Address {
  /** Without query and anchor. */
  readonly path: string;
  /** With its question mark; empty when there is none. */
  readonly query: string;
  /** With its number sign; empty when there is none. */
  readonly anchor: string;
}

/** Cuts an address into its parts, which together are the address again. */
export function splitAddress(url: string): Address {
  const [, path = '', query = '', anchor = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return { path, query, anchor };
}

/** The address without its anchor: what the links beside a text are kept under. */
export function withoutAnchor(url: string): string {
  const { path, query } = splitAddress(url);
  return path + query;
}

/**
 * Whether `url` is a path of the space, relative or from the root, and not one of the addresses that speak for
 * themselves: absolute ones, `#anchor`, `/pages/<id>` and their like (decision 5.37).
 */
export function isPath(url: string): boolean {
  return !/^(?:[a-z][a-z\d+.-]*:|\/\/|\?|#|$)/i.test(url) && refOf(url).kind === 'url';
}

/**
 * The page path that the written path `written` names in the text of the page at `from`, with or without `.md`;
 * `null` when it leads out of the space or to no page whatever there is. Read like a URL: the page `a/b` lies in the
 * directory `a/`.
 */
export function namedPath(written: string, from: string): string | null {
  const decoded = decode(written);
  if (decoded === undefined) return null;
  const named = decoded.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of decoded.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') named.push(segment);
    else if (named.pop() === undefined) return null;
  }
  if (named.length === 0 || named.length > MAX_DEPTH) return null;
  return named.join('/').replace(/\.md$/i, '').toLowerCase();
}

/** The path that leads from the page at `from` to the page at `to`. */
export function relativePath(from: string, to: string): string {
  const directory = from.split('/').slice(0, -1);
  const target = to.split('/');
  let shared = 0;
  while (shared < directory.length && shared < target.length - 1 && directory[shared] === target[shared]) shared++;
  return [...directory.slice(shared).map(() => '..'), ...target.slice(shared)].join('/');
}

/**
 * How a written address leads from the page at `from` to the page at `to`: in its own style (from the root or not,
 * with `.md` or not), with its query and anchor.
 */
export function spellAddress(written: string, from: string, to: string): string {
  const { path, query, anchor } = splitAddress(written);
  const end = `${/\.md$/i.test(path) ? '.md' : ''}${query}${anchor}`;
  const rooted = `/${to}${end}`;
  return path.startsWith('/') && isPath(rooted) ? rooted : relativePath(from, to) + end;
}

/**
 * Where the address `written`, kept in `links` with `target`, leads by its words alone, now that its page lies at `now`.
 * One that never was a page path (a file name of an imported book) leads to whatever lies in the same direction.
 */
export function ledTo(written: string, links: Pick<PageLinks, 'path'>, target: LinkTarget, now: string): string | null {
  const { path } = splitAddress(written);
  const then = target.file === undefined ? target.path : null;
  if (namedPath(path, links.path) === then) return namedPath(path, now);
  if (then === null || path.startsWith('/')) return then;
  return namedPath(relativePath(links.path, then), now);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
