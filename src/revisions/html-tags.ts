import { decodeEntities } from './document/markup.js';

/** An attribute of a tag of HTML. */
export interface HtmlAttribute {
  /** In lower case. */
  readonly name: string;
  /** Entities decoded, without white space at its ends. */
  readonly value: string;
  /** Where the value is written: offsets into the HTML, without quotes, `end` not included. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** An opening tag of HTML. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  /** By name; of those that are given twice the first, as browsers have it. */
  readonly attributes: ReadonlyMap<string, HtmlAttribute>;
}

// all of them match wherever they begin, or fail after one look at what they pass over
const OPENING = /<(?:[a-z]|\/[a-z]|[!?/])/gi;
const TAG_NAME = /[^\t\n\f\r />]+/y;
const ATTRIBUTE_NAME = /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)?/y;
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;
/** Elements whose content is text, whatever it looks like. */
const LITERAL: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'iframe',
  'xmp',
  'noembed',
  'noframes',
]);

/** What stands in HTML. */
export interface ReadHtml {
  /** Those that open, in their order. */
  readonly tags: readonly HtmlTag[];
  /** What is left of it without tags, comments and scripts, a space in place of each. */
  readonly text: string;
}

/**
 * Tells tags in `html` from comments, scripts and text, as browsers do; one that never ends is text here. Takes time in
 * proportion to the length of `html`, whatever is written there.
 */
export function readHtml(html: string): ReadHtml {
  const tags: HtmlTag[] = [];
  const text: string[] = [];
  let done = 0;
  for (let at = next(html, OPENING, 0); at !== -1; at = next(html, OPENING, done)) {
    const tag = readMarkup(html, at);
    if (tag === undefined) break;
    text.push(html.slice(done, at));
    if (tag.attributes) tags.push({ name: tag.name, attributes: tag.attributes });
    done = tag.end;
  }
  return { tags, text: [...text, html.slice(done)].join(' ') };
}

/**
 * Where an offset into `value`, the value of a node of HTML, lies in `written`, the Markdown of that node: there, lines
 * may begin with what marks a quote or a list. Right for what stands within one line of the HTML; to be asked in the
 * order of the text.
 */
export function offsetsIn(written: string, value: string): (offset: number) => number {
  const [lines, writtenLines] = [lineEnds(value), lineEnds(written)];
  let line = 0;
  return (offset) => {
    while ((lines[line] ?? offset) < offset) line += 1;
    return (writtenLines[line] ?? 0) - ((lines[line] ?? 0) - offset);
  };
}

/** A tag, or what else is no text: `attributes` are those of a tag that opens, `end` is where text goes on. */
interface Markup {
  readonly name: string;
  readonly attributes?: ReadonlyMap<string, HtmlAttribute>;
  readonly end: number;
}

/** What begins at `at`; `undefined` when it never ends. */
function readMarkup(html: string, at: number): Markup | undefined {
  const isClosing = html.charAt(at + 1) === '/';
  const nameAt = isClosing ? at + 2 : at + 1;
  const name = /[a-z]/i.test(html.charAt(nameAt)) ? take(html, TAG_NAME, nameAt).toLowerCase() : '';
  if (name === '') {
    // `<!-->` is a whole comment
    const end = after(html, html.startsWith('<!--', at) ? '-->' : '>', at + 2);
    return end === -1 ? undefined : { name, end };
  }
  const attributes = new Map<string, HtmlAttribute>();
  const end = readAttributes(html, nameAt + name.length, attributes);
  if (end === -1) return undefined;
  if (isClosing) return { name, end };
  if (!LITERAL.has(name)) return { name, attributes, end };
  const literalEnd = next(html, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi'), end);
  return { name, attributes, end: literalEnd === -1 ? html.length : literalEnd };
}

/** Reads attributes from `at` on into `found`; answers where the tag ends, -1 when it does not. */
function readAttributes(html: string, from: number, found: Map<string, HtmlAttribute>): number {
  let at = from;
  for (;;) {
    ATTRIBUTE_NAME.lastIndex = at;
    const [passed = '', written] = ATTRIBUTE_NAME.exec(html) ?? [];
    at += passed.length;
    if (written === undefined) return html.charAt(at) === '>' ? at + 1 : -1;
    const equals = take(html, EQUALS, at);
    at += equals.length;
    const quote = equals === '' ? '' : html.charAt(at);
    const isQuoted = quote === '"' || quote === "'";
    const start = isQuoted ? at + 1 : at;
    const end = isQuoted
      ? html.indexOf(quote, start)
      : start + (equals === '' ? '' : take(html, UNQUOTED, start)).length;
    if (end === -1) return -1;
    at = isQuoted ? end + 1 : end;
    const name = written.toLowerCase();
    if (!found.has(name)) found.set(name, { name, isQuoted, ...valueIn(html, start, end) });
  }
}

function valueIn(html: string, from: number, to: number): Pick<HtmlAttribute, 'value' | 'start' | 'end'> {
  const raw = html.slice(from, to);
  const text = raw.trim();
  const start = from + (text === '' ? 0 : raw.indexOf(text));
  return { value: decodeEntities(text), start, end: start + text.length };
}

/** What `pattern` matches right at `at`; empty when it does not. */
function take(text: string, pattern: RegExp, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Where `pattern` matches next, from `at` on; -1 when it does not. */
function next(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? -1;
}

/** Right behind the next `end`, from `at` on; -1 when there is none. */
function after(text: string, end: string, at: number): number {
  const index = text.indexOf(end, at);
  return index === -1 ? -1 : index + end.length;
}

function lineEnds(text: string): number[] {
  return Array.from(text.matchAll(/\r\n?|\n|$/g), ({ index }) => index);
}
