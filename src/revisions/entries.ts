import type { KeyRange } from './chunk-map.js';
import { prefixRange } from './chunk-map.js';
import type { Json, JsonObject } from './json.js';

/** What a page can be. Documents and groups have a slug and pages below; links and computed pages have neither. */
export const PAGE_KINDS = ['document', 'group', 'link', 'computed'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Where a page or text stands in a Git repository that it came from. */
export type GitPlace = { readonly oid: string; readonly path: string };

/** A page of a revision, without its text. Absent flags are false. */
export type PageNode = {
  /** Stays the same over all revisions: how a page is recognised after a rename or a move. */
  readonly id: string;
  readonly kind: PageKind;
  /** The page it lies under; `null` at the top. */
  readonly parent: string | null;
  /** Where it stands among its siblings: they are sorted by it, and no two have the same. */
  readonly order: string;
  readonly title: string;
  /** Last segment of its path, unique among the siblings; documents and groups only. */
  readonly slug?: string;
  /** Somebody wrote the slug by hand, so it no longer follows the title. */
  readonly slugSet?: boolean;
  readonly emoji?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly layout?: JsonObject;
  readonly cover?: JsonObject;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  /** Key of its text; documents only. */
  readonly document?: string;
  /** What a link points to. */
  readonly target?: JsonObject;
  readonly href?: string;
  /** What a computed page is made from. */
  readonly computed?: JsonObject;
  readonly computedSeed?: string;
  readonly git?: GitPlace;
  /** Name of the file that it was imported from, and that it is exported to; segments joined with `/`. */
  readonly source?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
};

/** A file of a revision; its bytes lie elsewhere, under their hash. */
export type FileEntry = {
  /** Stays when the bytes are replaced. */
  readonly id: string;
  /** 1 to 256 characters. */
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Hash of the bytes. */
  readonly blob: string;
  /** Pixels, of images. */
  readonly dimensions?: { readonly width: number; readonly height: number };
  readonly git?: GitPlace;
};

/** A text that pages show by reference. */
export type ReusableContent = {
  readonly id: string;
  readonly title: string;
  /** Key of its text. */
  readonly document: string;
  readonly git?: GitPlace;
};

/**
 * What the addresses in a page's text mean, beside the text: it is kept as written, and says nothing of this. Only
 * addresses that lead to a page or a file of the same space are here; each means the same wherever it stands in the text.
 */
export type PageLinks = {
  /** Path of the page when the text was written: what relative addresses started from. */
  readonly path: string;
  /** By the address without its anchor, as written. */
  readonly to: { readonly [address: string]: LinkTarget };
};

/** A page with the path it had when the text was written, or a file. */
export type LinkTarget =
  | { readonly page: string; readonly path: string | null; readonly file?: undefined }
  | { readonly file: string; readonly page?: undefined };

/** All pages, files and reusable contents of a map, each by id. */
export const PAGES = prefixRange('p/');
export const FILES = prefixRange('f/');
export const FILE_NAMES = prefixRange('n/');
export const REUSABLE_CONTENTS = prefixRange('r/');

/** `p/<page>` holds the page itself. */
export function pageKey(page: string): string {
  return `p/${page}`;
}

/** `o/<parent>/<order>` holds the id of the page at that place. */
export function orderEntryKey(parent: string | null, order: string): string {
  return `o/${parent ?? ''}/${order}`;
}

/** `s/<parent>/<slug>` holds the id of the page with that slug. */
export function slugEntryKey(parent: string | null, slug: string): string {
  return `s/${parent ?? ''}/${slug}`;
}

/** `f/<file>` holds the file's entry. */
export function fileKey(file: string): string {
  return `f/${file}`;
}

/** `n/<folded name>/<file>` holds the file's id: files in the order of their names. */
export function fileNameKey(file: Pick<FileEntry, 'id' | 'name'>): string {
  return `n/${file.name.normalize('NFKC').toLowerCase()}/${file.id}`;
}

/** `r/<reusable content>` holds its entry. */
export function reusableKey(id: string): string {
  return `r/${id}`;
}

/** `l/<page>` holds what the addresses in its text mean; nothing for a page whose text leads nowhere in the space. */
export function linksKey(page: string): string {
  return `l/${page}`;
}

/** The places under `parent`, in order. */
export function childRange(parent: string | null): KeyRange {
  return prefixRange(orderEntryKey(parent, ''));
}

/** Reads what `pageKey` holds. */
export function asPage(value: Json | undefined): PageNode | null {
  return value === undefined ? null : (value as PageNode);
}

/** Reads what `fileKey` holds. */
export function asFile(value: Json | undefined): FileEntry | null {
  return value === undefined ? null : (value as FileEntry);
}

/** Reads what `reusableKey` holds. */
export function asReusable(value: Json | undefined): ReusableContent | null {
  return value === undefined ? null : (value as ReusableContent);
}

/** Reads what `linksKey` holds. */
export function asLinks(value: Json | undefined): PageLinks | null {
  return value === undefined ? null : (value as PageLinks);
}

/** How a kind of thing is held by id: what its keys begin with, and how its values are read. */
export interface Keeping<T> {
  readonly prefix: string;
  readonly as: (value: Json | undefined) => T | null;
}

const keeping = <T>(prefix: string, as: Keeping<T>['as']): Keeping<T> => ({ prefix, as });

/** What a map holds by id. */
export const KEPT = {
  pages: keeping('p/', asPage),
  files: keeping('f/', asFile),
  reusableContents: keeping('r/', asReusable),
  links: keeping('l/', asLinks),
};

/** Reads an id that a place, slug or name holds. */
export function asId(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Whether pages of this kind have a slug, a path and pages below. */
export function hasPath(kind: PageKind): boolean {
  return kind === 'document' || kind === 'group';
}
