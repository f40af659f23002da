import type { Table } from './search-segment.schema.js';

/** A segment among the others of its space. */
export interface ViewSegment {
  id: string;
  table: Table;
  /** Number of its first page in the view. */
  offset: number;
  /** 1 for each page that a later segment hides. */
  hidden: Uint8Array;
  /** Those of its removed pages that no later segment has brought back. */
  tombstones: string[];
}

/** All that can be searched in a space at one moment. */
export interface View {
  space: string;
  /** Latest first. */
  segments: ViewSegment[];
  /** Number of pages in all segments, hidden ones too. */
  size: number;
  /** Number of pages that are not hidden. */
  pages: number;
}

/** A page of a view. */
export interface PagePlace {
  page: string;
  /** Key of its document. */
  document: string;
}

/** What the segments of `space` show together. @param parts Latest first: the first one that names a page speaks for it. */
export function viewOf(space: string, parts: { id: string; table: Table }[]): View {
  const seen = new Set<string>();
  const view: View = { space, segments: [], size: 0, pages: 0 };
  for (const { id, table } of parts) {
    const hidden = Uint8Array.from(table.pages, (page) => (seen.has(page) ? 1 : 0));
    const tombstones = table.removed.filter((page) => !seen.has(page));
    view.segments.push({ id, table, offset: view.size, hidden, tombstones });
    view.size += hidden.length;
    view.pages += hidden.reduce((shown, flag) => shown - flag, hidden.length);
    for (const page of table.pages) seen.add(page);
    for (const page of table.removed) seen.add(page);
  }
  return view;
}

/** The page that has `number` in `view`. @throws RangeError for a number that it has not. */
export function placeOf(view: View, number: number): PagePlace {
  const segment = view.segments.findLast(({ offset }) => offset <= number);
  const page = segment?.table.pages[number - segment.offset];
  const document = segment?.table.documents[number - segment.offset];
  if (page === undefined || document === undefined) throw new RangeError(`No page ${number} in this view`);
  return { page, document };
}

/** Id of the block `number` of `segment`. */
export const blockId = (segment: string, number: number): string => `${segment}:${number}`;

/** Ids of the blocks of `segment` that hold words from `from` on and before `to`, if it has any. */
export function blocksWithin({ id, table: { words } }: ViewSegment, from: string, to: string): string[] {
  // a word may begin in one block and fill the next, so the search starts before the first block at or after `from`
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] ?? '') < from) low = middle + 1;
    else high = middle;
  }
  const ids: string[] = [];
  for (let number = Math.max(0, low - 1); number < words.length && (words[number] ?? '') < to; number += 1) {
    ids.push(blockId(id, number));
  }
  return ids;
}
