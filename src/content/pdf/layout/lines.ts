import type { Face, Fonts } from './fonts.js';
import type { Picture } from './picture.js';
import { lineHeight, type Style } from './style.js';

/** What is to be set into lines: text, in which `\n` ends a line, or a picture of a size in points. */
export type Run = { text: string; style: Style } | { picture: Picture; width: number; height: number; style: Style };

/** What stands in a line at `x`. */
export type Item = { readonly x: number; readonly width: number; readonly style: Style } & (
  { readonly text: string; readonly face: Face } | { readonly picture: Picture; readonly height: number }
);

/** A line: `base` is how far below its top its letters stand. */
export interface Line {
  readonly items: readonly Item[];
  readonly width: number;
  readonly height: number;
  readonly base: number;
}

type Part = { width: number; style: Style } & (
  { text: string; face: Face; shaped?: boolean; leftward?: boolean } | { picture: Picture; height: number }
);

const TOKENS = /(\n)|([ \t\f\v\u2000-\u2006\u2008-\u200a]+)|[^\n \t\f\v\u2000-\u2006\u2008-\u200a]+/g;
/** More characters than fit into any line. */
const LINE_LENGTH = 1000;
/** Where a word may be cut: behind a hyphen, dash or slash that follows a letter or digit. */
const CUTS = /(?<=[\p{L}\p{N}][-\u2010\u2013\u2014/\\])(?=[\p{L}\p{N}])/u;

const HAS_CUT = /[-\u2010\u2013\u2014/\\]/;

/** How runs are set into lines. */
export interface Setting {
  fonts: Fonts;
  /** Points. */
  width: number;
  /** Keep blanks as they are, and cut anywhere: for code. */
  pre?: boolean;
}

/** The lines that `runs` make, one at a time. A word that is wider than a line is cut. There is one line, at least. */
export function* linesOf(runs: Iterable<Run>, setting: Setting): Generator<Line> {
  const breaker = new Breaker(setting);
  let style: Style | undefined;
  for (const run of runs) {
    style = run.style;
    if ('picture' in run) yield* breaker.word([run]);
    else yield* breaker.text(run.text, run.style);
  }
  yield* breaker.end(style);
}

class Breaker {
  private line: Part[] = [];
  private lineWidth = 0;
  private blanks: Part[] = [];
  private open: Part[] = [];
  private openWidth = 0;
  private hasLine = false;

  constructor(private readonly setting: Setting) {}

  *text(text: string, style: Style): Generator<Line> {
    for (const [token, end, blank] of text.matchAll(TOKENS)) {
      if (end !== undefined) {
        yield* this.close();
        yield this.finish(style);
      } else if (blank !== undefined) {
        yield* this.close();
        if (this.setting.pre === true) {
          yield* this.word(this.parts(blank, style));
          yield* this.close();
        } else if (this.line.length > 0) this.blanks = this.parts(' ', style);
      } else {
        const [first = '', ...others] = HAS_CUT.test(token) ? token.split(CUTS) : [token];
        yield* this.word(this.parts(first, style));
        for (const part of others) {
          yield* this.close();
          yield* this.word(this.parts(part, style));
        }
      }
    }
  }

  /** Adds to the word that is open. */
  *word(parts: readonly Part[]): Generator<Line> {
    for (const part of parts) {
      let rest: Part | undefined = part;
      while (rest && this.openWidth + rest.width > this.setting.width) rest = yield* this.cut(rest);
      if (!rest) continue;
      this.open.push(rest);
      this.openWidth += rest.width;
    }
  }

  *end(style: Style | undefined): Generator<Line> {
    yield* this.close();
    if (this.line.length > 0 || !this.hasLine) yield this.finish(style);
  }

  /** Ends the word that is open: it goes into the line, or into the next one. */
  private *close(): Generator<Line> {
    if (this.open.length === 0) return;
    const blank = widthOf(this.blanks);
    if (this.line.length > 0 && this.lineWidth + blank + this.openWidth > this.setting.width) {
      yield this.finish();
      this.blanks = [];
    }
    this.line.push(...this.blanks, ...this.open);
    this.lineWidth += widthOf(this.blanks) + this.openWidth;
    this.blanks = [];
    this.open = [];
    this.openWidth = 0;
  }

  /** Fills the line with what there is room for of a word that is too wide. Answers the rest of `part`. */
  private *cut(part: Part): Generator<Line, Part | undefined> {
    if ('picture' in part || this.open.length > 0) {
      const alone = this.open.length === 0;
      yield* this.close();
      if (!alone) {
        yield this.finish();
        return part;
      }
      // a picture that is wider than any line
      this.open.push(part);
      this.openWidth += part.width;
      return undefined;
    }
    const { fonts, width } = this.setting;
    let [head, used] = ['', 0];
    for (const char of part.text.slice(0, LINE_LENGTH)) {
      const wide = fonts.width(char, part.face, part.style.size);
      if (head !== '' && used + wide > width) break;
      head += char;
      used += wide;
    }
    const tail = part.text.slice(head.length);
    this.open.push({ ...part, text: head, width: used });
    this.openWidth += used;
    if (tail === '') return undefined;
    yield* this.close();
    yield this.finish();
    return { ...part, text: tail, width: Math.max(0, part.width - used) };
  }

  private parts(text: string, style: Style): Part[] {
    return this.setting.fonts.pieces(text, style).map((piece) => ({ ...piece, style }));
  }

  /** The line, of which `style` says the height when nothing stands in it. */
  private finish(style?: Style): Line {
    const items: Item[] = [];
    let x = 0;
    let size = this.line.length === 0 ? (style?.size ?? 0) : 0;
    let picture = 0;
    const line = inReadingOrder(this.line);
    for (let at = 0; at < line.length;) {
      const part = line[at++];
      if (!part) break;
      if ('picture' in part) {
        picture = Math.max(picture, part.height);
        items.push({ ...part, x });
        x += part.width;
        continue;
      }
      const { face, style: set } = part;
      let { text, width } = part;
      // what is set the same way is printed at once
      for (let next = line[at]; next && goesOn(part, next); next = line[++at]) {
        text += next.text;
        width += next.width;
      }
      size = Math.max(size, set.size);
      items.push({ text, face, style: set, width, x });
      x += width;
    }
    this.line = [];
    this.lineWidth = 0;
    this.hasLine = true;
    const height = lineHeight(size);
    const base = height / 2 + size * 0.36;
    const more = Math.max(0, picture - base);
    return { items, width: x, height: height + more, base: base + more };
  }
}

type TextPart = Extract<Part, { text: string }>;

/** Whether `next` is printed with `part`, as one text. */
function goesOn(part: TextPart, next: Part): next is TextPart {
  if (!('text' in next) || next.style !== part.style || next.face !== part.face) return false;
  return part.shaped !== true && next.shaped !== true;
}

/** The parts of a line with the words of those that are written from right to left the other way round. */
function inReadingOrder(parts: readonly Part[]): readonly Part[] {
  const isLeftward = (part: Part | undefined): boolean =>
    part !== undefined && 'text' in part && part.leftward === true;
  const isBlank = (part: Part | undefined): boolean => part !== undefined && 'text' in part && part.text.trim() === '';
  if (!parts.some(isLeftward)) return parts;
  const ordered: Part[] = [];
  for (let at = 0; at < parts.length;) {
    const start = at;
    for (; isLeftward(parts[at]) || (at > start && isBlank(parts[at]) && isLeftward(parts[at + 1])); at += 1);
    if (at > start) ordered.push(...parts.slice(start, at).reverse());
    else ordered.push(...parts.slice(at, ++at));
  }
  return ordered;
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { width }) => sum + width, 0);
}
