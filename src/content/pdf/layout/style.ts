/** How a stretch of text is set. Sizes are in points. */
export interface Style {
  mono?: boolean;
  bold?: boolean;
  italic?: boolean;
  size: number;
  color: string;
  /** Colour behind it. */
  back?: string;
  strike?: boolean;
  /** How far above the line it stands; negative: below. */
  rise?: number;
  /** Address that it leads to. */
  href?: string;
  /** Name of the place in the PDF that it leads to. */
  goTo?: string;
}

/** Colours of what is printed. */
export const INK = {
  text: '#1f2933',
  soft: '#5f6c7b',
  link: '#1a56b0',
  line: '#c9d1d9',
  code: '#f3f5f7',
  head: '#eceff3',
  quote: '#b8c2cc',
} as const;

/** The text of paragraphs. */
export const BODY: Style = { size: 9.5, color: INK.text };
/** Blocks of code. */
export const CODE: Style = { size: 7.8, mono: true, color: INK.text };
/** Captions, notes and what stands in for something. */
export const SMALL: Style = { size: 8, color: INK.soft };

/** Height of a line of text of `size`. */
export function lineHeight(size: number): number {
  return size * 1.45;
}
