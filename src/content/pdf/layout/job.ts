import type { ContentRef } from '../../../revisions/index.js';

/** What a PDF is made of, but for texts and images: those are asked for one at a time. */
export interface Plan {
  /** Title of the space. */
  title: string;
  /** Id of the revision. */
  revision: string;
  /** When the revision was made, ISO 8601. */
  date: string;
  /** Whether it begins with a title page and a table of contents. */
  front: boolean;
  chapters: readonly ChapterPlan[];
}

/** A page of the space, as it is printed. */
export interface ChapterPlan {
  readonly id: string;
  readonly title: string;
  readonly emoji?: string;
  readonly description?: string;
  /** Whether it is nothing but a line in the contents, leading to `target`. */
  readonly isLink: boolean;
  readonly target?: Target;
  readonly chapters: readonly ChapterPlan[];
}

/** What an address in a text leads to; `url` is where it is found outside of the PDF. */
export type Target =
  | { kind: 'page'; page: string; title: string; anchor?: string; url?: string }
  | { kind: 'file'; file: string; name: string; contentType: string }
  | { kind: 'reusable-content'; id: string }
  | { kind: 'other'; title?: string; url?: string };

/** A text that is asked for: that of a page, or a reusable content. */
export type TextOf = { page: string } | { reusableContent: string };

/** Answers what the layout asks for, and takes what it makes. */
export interface Desk {
  /** The Markdown, as it was written; `undefined` when there is none. */
  text(of: TextOf): Promise<string | undefined>;
  /** What each of `refs`, found in that text, leads to, in the same order. */
  targets(of: TextOf, refs: readonly ContentRef[]): Promise<Target[]>;
  /** The bytes of a file; `undefined` when there are none, or too many. */
  image(file: string): Promise<Uint8Array | undefined>;
  /** Takes the next bytes of the PDF. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Printed pages of one PDF. */
export const MAX_PRINTED = 5000;
/** Bytes of one PDF. */
export const MAX_BYTES = 128 * 1024 * 1024;

/** The PDF would be larger than any may be. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  constructor() {
    super(`A PDF holds at most ${String(MAX_PRINTED)} printed pages and ${String(MAX_BYTES / 1024 / 1024)} MiB`);
  }
}
