import { oneLine, trimSpaces } from './escape.js';
import { readAttributes, readHtmlTag, type Tag } from './markup.js';
import type { Align } from './model.js';
import { ALIGNMENTS } from './inline-tags.js';

/** A part of a block of HTML: a tag of a block that opens, its title, images, a paragraph, or the rest as it is. */
export type HtmlPart =
  | { kind: 'tag'; tag: Tag }
  | { kind: 'title'; text: string; source: string }
  | { kind: 'images'; images: readonly HtmlImage[]; align: string | undefined; fullWidth: boolean }
  | { kind: 'paragraph'; text: string; align: Align | undefined }
  | { kind: 'breaks'; count: number }
  | { kind: 'markdown'; text: string }
  | { kind: 'raw'; source: string };
/** An image with the Markdown of the paragraphs of its caption. */
export interface HtmlImage {
  readonly attributes: ReadonlyMap<string, string>;
  readonly caption: readonly string[];
}

const DETAILS = /<details(?:\s+open(?:=(?:""|"open"))?)?\s{0,9}>|<\/details>|<summary>|(?<!\\)<\/summary>/gi;
const LITERAL = /^<(?:pre|script|style|textarea|!|\?)/i;

/** Takes a block of HTML apart. What no other part holds comes back as source, so nothing is lost. */
export function readHtml(source: string): HtmlPart[] {
  const html = trimSpaces(source);
  if (LITERAL.test(html)) return [{ kind: 'raw', source: html }];
  const parts: HtmlPart[] = [];
  let end = 0;
  let title: number | undefined;
  const rest = (to: number): void => {
    const text = trimSpaces(html.slice(end, to));
    if (text !== '') parts.push(...(end === 0 && to === html.length ? readWhole(text) : [readRest(text)]));
  };
  for (const { 0: tag, index } of html.matchAll(DETAILS)) {
    const name = tag.toLowerCase();
    if (name === '</summary>') {
      if (title === undefined) continue;
      const text = html.slice(title + '<summary>'.length, index);
      parts.push({ kind: 'title', text: oneLine(text), source: html.slice(title, index + tag.length) });
      title = undefined;
    } else {
      if (title !== undefined) continue;
      rest(index);
      if (name === '<summary>') title = index;
      else if (name === '</details>')
        parts.push({ kind: 'tag', tag: { name: 'details', attributes: undefined, source: tag } });
      else parts.push({ kind: 'tag', tag: { name: 'details', attributes: new Map(), source: tag } });
    }
    end = index + tag.length;
  }
  if (title !== undefined) return [{ kind: 'raw', source: html }];
  rest(html.length);
  return parts;
}

/** Whether a reader of the page would see any of this HTML. */
export function hasText(html: string): boolean {
  const visible = html.replace(/<!--[^]*?(?:-->|$)/g, '').replace(/<[^>]*(?:>|$)/g, '');
  return visible.trim() !== '' || /<(?:img|input|svg|video|iframe|object|hr)\b/i.test(html);
}

/** Between the tags of a block that opens stands Markdown, or more HTML. */
function readRest(text: string): HtmlPart {
  return { kind: 'markdown', text };
}

function readWhole(html: string): HtmlPart[] {
  const breaks = html.match(/^(?:<br\s?\/?>\s?)+$/i);
  if (breaks !== null) return [{ kind: 'breaks', count: html.split('<').length - 1 }];
  const images = readImages(html);
  if (images !== undefined) return [images];
  const paragraph = /^<p(?:\s+align="(left|center|right)")?>/i.exec(html);
  if (paragraph !== null && /<\/p>$/i.test(html)) {
    const text = html.slice(paragraph[0].length, -'</p>'.length);
    const side = paragraph[1]?.toLowerCase();
    const align = (['start', 'center', 'end'] as const).find((name) => ALIGNMENTS[name] === side);
    if (!/(?<!\\)<\/?p[\s>]/i.test(text)) return [{ kind: 'paragraph', text: oneLine(text), align }];
  }
  return [{ kind: 'raw', source: html }];
}

/** Figures and images, alone or all in one `div`. */
function readImages(html: string): HtmlPart | undefined {
  const scan = new Scanner(html);
  const wrapper = scan.take(/<div(?:\s[^<>]*)?>/iy);
  const frame = readHtmlTag(wrapper ?? '')?.attributes;
  const images: HtmlImage[] = [];
  for (let image = readImage(scan); image !== undefined; image = readImage(scan)) images.push(image);
  if (images.length === 0 || (wrapper !== undefined && scan.take(/<\/div>/iy) === undefined)) return undefined;
  if (!scan.isDone()) return undefined;
  return { kind: 'images', images, align: frame?.get('align'), fullWidth: frame?.get('data-full-width') === 'true' };
}

function readImage(scan: Scanner): HtmlImage | undefined {
  const figure = scan.take(/<figure(?:\s[^<>]*)?>/iy);
  const image = scan.take(/<img(?:\s[^<>]*)?>/iy);
  if (image === undefined) return undefined;
  const attributes = readAttributes(image.slice('<img'.length, -1));
  if (!attributes.has('src')) return undefined;
  if (figure === undefined) return { attributes, caption: [] };
  let caption: string[] = [];
  if (scan.take(/<figcaption(?:\s[^<>]*)?>/iy) !== undefined) {
    const text = scan.until('</figcaption>');
    if (text === undefined) return undefined;
    caption = text
      .split(/(?<!\\)<\/?p>/i)
      .map(oneLine)
      .filter((part) => part !== '');
  }
  return scan.take(/<\/figure>/iy) === undefined ? undefined : { attributes, caption };
}

/** Goes through text from the left, white space left out. */
class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  take(pattern: RegExp): string | undefined {
    while (/\s/.test(this.text.charAt(this.at))) this.at++;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    this.at += match?.length ?? 0;
    return match;
  }

  /** What stands before the next `end`, which is passed over. */
  until(end: string): string | undefined {
    const index = this.text.toLowerCase().indexOf(end, this.at);
    if (index < 0) return undefined;
    const text = this.text.slice(this.at, index);
    this.at = index + end.length;
    return text;
  }

  isDone(): boolean {
    return this.text.slice(this.at).trim() === '';
  }
}
