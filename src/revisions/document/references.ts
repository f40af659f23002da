import type { ContentRef } from './model.js';

/** Says what `url`, as written in Markdown, leads to; `undefined` leaves it to the general rules. */
export type ResolveRef = (url: string, kind: 'link' | 'image') => ContentRef | undefined;
/** Spells `ref` as the address that Markdown is to have. */
export type WriteRef = (ref: ContentRef) => string;

const PATH =
  /^(?:\/spaces\/([^/?#]+))?(?:\/(pages|files|spaces|users|collections|reusable-contents|openapi)\/([^/?#]+))?(?:#(.+))?$/s;

/** What `url` leads to by the general rules: `/pages/<id>`, `/files/<id>`, `/spaces/<id>`, `#anchor` …, else a URL. */
export function refOf(url: string): ContentRef {
  const ref = readPath(url);
  if (ref === undefined) return { kind: 'url', url };
  // only an address that would be written the same again is read as more than a URL
  return ref.kind === 'anchor' || urlOf(ref) === url ? ref : { kind: 'url', url };
}

/** Spells `ref` by the general rules; `refOf` reads it back. */
export function urlOf(ref: ContentRef): string {
  const within =
    'space' in ref && ref.kind !== 'space' && ref.space !== undefined ? `/spaces/${encode(ref.space)}` : '';
  switch (ref.kind) {
    case 'url':
      return ref.url;
    case 'anchor':
      return `${within}${ref.page === undefined ? '' : `/pages/${encode(ref.page)}`}#${ref.anchor}`;
    case 'page':
      return `${within}/pages/${encode(ref.page)}`;
    case 'file':
      return `/files/${encode(ref.file)}`;
    case 'space':
      return `/spaces/${encode(ref.space)}`;
    case 'user':
      return `/users/${encode(ref.user)}`;
    case 'collection':
      return `/collections/${encode(ref.collection)}`;
    case 'reusable-content':
      return `${within}/reusable-contents/${encode(ref.reusableContent)}`;
    case 'openapi':
      return `/openapi/${encode(ref.spec)}`;
  }
}

function encode(part: string): string {
  return encodeURIComponent(part);
}

/** Undoes percent-encoding, unless what comes out could be undone once more. */
function decode(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    const decoded = decodeURIComponent(part);
    return decoded.includes('%') ? part : decoded;
  } catch {
    return part;
  }
}

function readPath(url: string): ContentRef | undefined {
  const match = PATH.exec(url);
  if (match === null) return undefined;
  const [space, id, anchor] = [decode(match[1]), decode(match[3]), decode(match[4])];
  const within = space === undefined ? {} : { space };
  if (anchor !== undefined) {
    if (match[2] !== undefined && match[2] !== 'pages') return undefined;
    return { kind: 'anchor', anchor, ...(id === undefined ? {} : { page: id }), ...within };
  }
  if (id === undefined) return space === undefined ? undefined : { kind: 'space', space };
  switch (match[2]) {
    case 'pages':
      return { kind: 'page', page: id, ...within };
    case 'reusable-contents':
      return { kind: 'reusable-content', reusableContent: id, ...within };
    case 'files':
      return { kind: 'file', file: id };
    case 'users':
      return { kind: 'user', user: id };
    case 'collections':
      return { kind: 'collection', collection: id };
    case 'openapi':
      return { kind: 'openapi', spec: id };
    default:
      return undefined;
  }
}
