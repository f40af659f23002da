import type { Json } from '../json.js';

/** What a conflict is about (decision 4.3). */
export const CONFLICT_KINDS = ['text', 'property', 'position', 'deleted'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** A page, file or reusable content that both sides changed in ways that do not go together: one of the three ids. */
export interface ItemRef {
  readonly page?: string;
  readonly file?: string;
  readonly reusableContent?: string;
}

/**
 * A conflict as decision 4.4 names it. The values are those of the common ancestor, of the change request (`ours`) and
 * of primary content (`theirs`); a side that does not have the page is left out, and `null` stands for a property that
 * has no value there. They are the Markdown for `text` and `deleted` (the title of what has no text), `{into, at}` for
 * `position`. Markdown is left out of all conflicts behind the first few million characters.
 */
export interface MergeConflict extends ItemRef {
  /** Path of the page, in primary content where it is there, else in the change request; the name or title of others. */
  readonly path?: string;
  readonly kind: ConflictKind;
  /** For `property`: the one that was set differently. */
  readonly property?: string;
  readonly base?: Json;
  readonly ours?: Json;
  readonly theirs?: Json;
}

/** How one conflict is settled (decision 4.5): by a side as a whole, or by a text, the rest as in the change request. */
export type Resolution = ItemRef &
  (
    | { readonly use: 'change-request' | 'primary'; readonly document?: undefined }
    | { readonly document: { readonly markdown: string }; readonly use?: undefined }
  );

/** A conflict before its values are looked up. */
export interface FoundConflict {
  readonly item: ItemRef;
  readonly kind: ConflictKind;
  readonly property?: string;
}

/** Collects conflicts, each once. */
export class Conflicts {
  private readonly found = new Map<string, FoundConflict>();

  add(conflict: FoundConflict): void {
    this.found.set(JSON.stringify([itemKey(conflict.item), conflict.kind, conflict.property]), conflict);
  }

  /** Those found so far; what is about one item stands together. */
  get all(): FoundConflict[] {
    return [...this.found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, conflict]) => conflict);
  }

  get isEmpty(): boolean {
    return this.found.size === 0;
  }
}

/** One text for each item. */
export function itemKey({ page, file, reusableContent }: ItemRef): string {
  if (page !== undefined) return `page ${page}`;
  return file === undefined ? `reusable content ${reusableContent ?? ''}` : `file ${file}`;
}
