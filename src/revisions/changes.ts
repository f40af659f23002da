import type { EntryChange } from './chunk-diff.js';
import { type FileEntry, KEPT, type Keeping, type PageLinks, type PageNode, type ReusableContent } from './entries.js';
import { sameJson, type Json } from './json.js';

/** What happened to one page, file or reusable content. `moved`: a page whose parent or order alone changed. */
export interface ContentChange<T> {
  readonly kind: 'created' | 'updated' | 'moved' | 'deleted';
  readonly id: string;
  /** Absent when it was created. */
  readonly before?: T;
  /** Absent when it was deleted. */
  readonly after?: T;
}

/** What differs between two revisions. Pages below a moved or renamed page are not changed by that, and not listed. */
export interface ContentChanges {
  readonly pages: readonly ContentChange<PageNode>[];
  readonly files: readonly ContentChange<FileEntry>[];
  readonly reusableContents: readonly ContentChange<ReusableContent>[];
  /** What the addresses in a page's text mean; the id is that of the page. */
  readonly links: readonly ContentChange<PageLinks>[];
}

/** Reads the changes of pages, files and reusable contents out of a comparison of two maps. */
export function toChanges(entries: readonly EntryChange[]): ContentChanges {
  return {
    pages: only(KEPT.pages, entries),
    files: only(KEPT.files, entries),
    reusableContents: only(KEPT.reusableContents, entries),
    links: only(KEPT.links, entries),
  };
}

/** Whether `page` lies elsewhere: under another parent, or at another place among its siblings. */
export function isMoved(before: PageNode, after: PageNode): boolean {
  return before.parent !== after.parent || before.order !== after.order;
}

function only<T extends PageNode | FileEntry | ReusableContent | PageLinks>(
  { prefix, as }: Keeping<T>,
  entries: readonly EntryChange[],
): ContentChange<T>[] {
  return entries
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key, before, after }) => toChange(key.slice(prefix.length), as(before), as(after)));
}

function toChange<T extends PageNode | FileEntry | ReusableContent | PageLinks>(
  id: string,
  before: T | null,
  after: T | null,
): ContentChange<T> {
  if (before === null) return after === null ? { kind: 'updated', id } : { kind: 'created', id, after };
  if (after === null) return { kind: 'deleted', id, before };
  return { kind: onlyPlaceChanged(before, after) ? 'moved' : 'updated', id, before, after };
}

function onlyPlaceChanged(before: object, after: object): boolean {
  if (!('order' in before && 'order' in after)) return false;
  const rest = (node: object): Json => ({ ...node, order: '', parent: null, updatedAt: '' });
  return sameJson(rest(before), rest(after));
}
