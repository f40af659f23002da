import type { FrontMatter } from './front-matter.js';

/** A heading and its anchor, unique in the document. */
export interface Heading {
  readonly slug: string;
  readonly text: string;
  /** 1 to 6. */
  readonly depth: number;
}

/** A link, image or link definition written in the Markdown, or in HTML in it: what is shown or played is an image there. */
export interface MarkdownLink {
  readonly kind: 'link' | 'image' | 'definition';
  /** The address it means, with escapes resolved. */
  readonly url: string;
  /** Where the address is written: offsets into the Markdown, `end` not included. */
  readonly start: number;
  readonly end: number;
  /** The words shown for it, at most 200 characters; of HTML the alternative text of images alone. */
  readonly text: string;
  /** How it stands in an attribute of HTML, if it does. */
  readonly inHtml?: 'quoted' | 'unquoted';
  /** Anchor of the heading of level 1 to 3 that it stands under; absent before the first. */
  readonly under?: string;
}

/** What stands under a heading of level 1 to 3, or before the first one (then `anchor` and `title` are empty). */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  /** Level of the heading; 0 before the first. */
  readonly depth: number;
  /** Plain text, code included, without the heading. */
  readonly text: string;
}

/** What is known about a Markdown text without reading it again. */
export interface Outline {
  /** From the front matter, else the heading that it begins with. */
  readonly title?: string;
  readonly description?: string;
  readonly frontMatter?: FrontMatter;
  readonly headings: readonly Heading[];
  /** Anchors that HTML in the text sets by `id` or `name`; absent when it sets none. */
  readonly anchors?: readonly string[];
  readonly links: readonly MarkdownLink[];
  readonly sections: readonly Section[];
}
