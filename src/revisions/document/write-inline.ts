import { destination, escapeLine, escapeText, titleText } from './escape.js';
import { imageTag, markTags, voidTag } from './inline-tags.js';
import { readHtmlTag } from './markup.js';
import type { Annotation, Inline, InlineContent, Link, Mark } from './model.js';
import type { WriteRef } from './references.js';

/** What writing the text of one document shares. */
export interface InlineContext {
  readonly write: WriteRef;
  /** Takes the note of an annotation and answers the name of its footnote. */
  readonly note: (annotation: Annotation) => string;
}
/** Where text is written: lines of a paragraph, or one line; `cell`: in a table. */
export type TextMode = 'flow' | 'line' | 'cell';

/** A stretch of text, or an inline; `marks` is `undefined` where any would do. */
interface Token {
  readonly content: string | Inline;
  readonly marks: readonly Mark[] | undefined;
}
/** A token whose marks are settled. */
type SetToken = Token & { readonly marks: readonly Mark[] };
/** What a range of tokens stands in. */
interface Range {
  readonly active: readonly Mark[];
  readonly before: string;
  readonly after: string;
  readonly inLabel: boolean;
  /** Names of the tags around it: source that would end them is written as text. */
  readonly tags: readonly string[];
}

const MARK_ORDER: readonly Mark['type'][] = [
  ...(['color', 'bold', 'italic', 'strikethrough', 'keyboard', 'superscript', 'subscript', 'code'] as const),
];
const DELIMITERS: Readonly<Partial<Record<Mark['type'], readonly string[]>>> = {
  bold: ['**'],
  italic: ['_', '*'],
  strikethrough: ['~~'],
};

/** Spells text as Markdown that is read back as the same nodes. */
export function writeInlines(nodes: readonly InlineContent[], context: InlineContext, mode: TextMode): string {
  const tokens = settle(tokensOf(nodes));
  const text = new InlineWriter(context, mode).range(tokens, {
    active: [],
    before: '',
    after: '',
    inLabel: false,
    tags: [],
  });
  if (mode === 'cell') return escapeLine(text.replaceAll('\n', '<br>'), 'heading').replaceAll('|', '\\|');
  if (mode === 'line') return escapeLine(text.replaceAll('\n', '<br>'), 'heading');
  return lines(text);
}

/** Breaks end lines with a backslash, unless the next line would then be something else than text. */
function lines(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const made = [first];
  for (const [index, line] of rest.entries()) {
    const isText = line !== '' || index < rest.length - 1;
    if (isText && !line.startsWith('<') && !line.startsWith('[^')) made.push(line);
    else made.push(`${made.pop() ?? ''}<br>${line}`);
  }
  return made.map((line, index) => escapeLine(line, index === 0 ? 'first' : 'next')).join('\\\n');
}

class InlineWriter {
  constructor(
    private readonly context: InlineContext,
    private readonly mode: TextMode,
  ) {}

  range(tokens: readonly SetToken[], range: Range): string {
    const parts: string[] = [];
    let { before } = range;
    for (let index = 0; index < tokens.length;) {
      const token = tokens[index];
      if (token === undefined) break;
      const mark = nextMark(tokens, index, range.active);
      const end = mark === undefined ? index + 1 : runEnd(tokens, index, mark, range.active);
      const next = tokens[end];
      const place = { ...range, before, after: next === undefined ? range.after : startOf(next, range.active) };
      const part = mark === undefined ? this.token(token, place) : this.marked(mark, tokens.slice(index, end), place);
      parts.push(part);
      before = part.at(-1) ?? before;
      index = end;
    }
    return parts.join('');
  }

  private marked(mark: Mark, tokens: readonly SetToken[], range: Range): string {
    const active = [...range.active, mark];
    const [only] = tokens;
    if (mark.type === 'code' && tokens.length === 1 && typeof only?.content === 'string') {
      const span = this.codeSpan(only.content);
      if (span !== undefined) return span;
    }
    const inner = this.range(tokens, { ...range, active, before: '*', after: '*' });
    const isInBold = active.some(({ type }) => type === 'bold') || tokens.some(({ marks }) => has(marks, 'bold'));
    for (const delimiter of DELIMITERS[mark.type] ?? []) {
      if (delimiter === '*' && isInBold) continue;
      if (delimits(delimiter, inner, range)) return `${delimiter}${inner}${delimiter}`;
    }
    const [open, close] = markTags(mark);
    const name = close.slice(2, -1);
    const isSafe = !tokens.some(({ content }) => typeof content !== 'string' && sourceTag(content) === name);
    const tags = [...range.tags, name];
    return `${open}${isSafe ? inner : this.range(tokens, { ...range, active, before: '>', after: '<', tags })}${close}`;
  }

  /** Code between backticks; `undefined` where that cannot hold it. */
  private codeSpan(text: string): string | undefined {
    return text.includes('\n') || !this.keeps(text) ? undefined : fenced(text, '`', 1);
  }

  private token({ content }: SetToken, range: Range): string {
    if (typeof content === 'string') return escapeText(content, range);
    const { write } = this.context;
    switch (content.type) {
      case 'link':
        return this.link(content, range);
      case 'annotation':
        return this.annotation(content, range);
      case 'inline-image': {
        const { ref, refDark, caption = '', title, size } = content.data;
        if (size !== undefined || refDark !== undefined)
          return imageTag({ ref, refDark, alt: caption, title, size }, write);
        return `![${this.label(caption)}](${destination(write(ref))}${titleText(title)})`;
      }
      case 'inline-math':
        return this.math(content, range);
      case 'mention': {
        const url = write(content.data.ref);
        return `[${this.label(content.data.label ?? url)}](${destination(url)} "mention")`;
      }
      case 'source': {
        const source = content.data.source.replaceAll('\n', ' ');
        const isSource = /^(?:<[!/?a-z][^\n]*>|\[\^[^[\]\s]+\])$/i.test(source);
        return isSource && !range.tags.includes(sourceTag(content) ?? '') ? source : escapeText(source, range);
      }
      default:
        return voidTag(content, write, (text) => this.label(text));
    }
  }

  private math(node: Extract<Inline, { type: 'inline-math' }>, { before }: Range): string {
    const formula = node.data.formula.replaceAll('\n', ' ');
    if (formula === '') return '';
    const fits = before !== '$' && this.keeps(formula);
    return fits ? fenced(formula, '$', 2) : voidTag(node, this.context.write, (text) => this.label(text));
  }

  /** Whether `text` can stand between marks of code or of a formula: nothing in it is escaped there. */
  private keeps(text: string): boolean {
    if (this.mode === 'cell' && /\\(?:\||$)/.test(text)) return false;
    return this.mode !== 'line' || !/<\/?(?:summary|figcaption|p|details)\b/i.test(text);
  }

  /** Plain text inside brackets or tags. */
  private label(text: string): string {
    return escapeText(text, { before: '[', after: ']', inLabel: true }).replaceAll('\n', ' ');
  }

  private link({ data, nodes }: Link, range: Range): string {
    const url = this.context.write(data.ref);
    const tokens = settle(tokensOf(nodes));
    const [only] = tokens;
    const isBare = tokens.length === 1 && only !== undefined && missing(only.marks, range.active).length === 0;
    const alone = isBare && data.title === undefined && typeof only.content === 'string' ? only.content : undefined;
    if (alone !== undefined && isAutolink(alone, url)) return `<${alone}>`;
    const text = this.range(tokens, { ...range, before: '[', after: ']', inLabel: true });
    return `[${text}](${destination(url)}${titleText(data.title)})`;
  }

  private annotation(node: Annotation, range: Range): string {
    const label = this.context.note(node);
    const tokens = settle(tokensOf(node.nodes));
    const [only] = tokens;
    const isLabel = tokens.length === 1 && only?.content === label && node.data.label === label;
    if (isLabel && has(only.marks, 'superscript')) return `[^${label}]`;
    const text = this.range(tokens, { ...range, before: '[', after: ']', inLabel: true });
    return `[${text}](#user-content-fn-${label})[^${label}]`;
  }
}

/** The name of the tag that an inline is the source of, if it is. */
function sourceTag(node: Inline): string | undefined {
  return node.type === 'source' ? readHtmlTag(node.data.source)?.name : undefined;
}

/** Text between runs of `mark` that are longer than those in it, or of another length. */
function fenced(text: string, mark: string, least: number): string {
  const runs = new Set((text.match(mark === '$' ? /\$+/g : /`+/g) ?? []).map((run) => run.length));
  let size = least;
  while (runs.has(size)) size++;
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  const pad = isPadded || text.startsWith(mark) || text.endsWith(mark) ? ' ' : '';
  return `${mark.repeat(size)}${pad}${text}${pad}${mark.repeat(size)}`;
}

function isAutolink(text: string, url: string): boolean {
  if (text.includes('|')) return false;
  if (url === `mailto:${text}`) return /^[a-z\d.+_-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d]+)+$/i.test(text);
  return text === url && /^[a-z][a-z\d+.-]{1,31}:[!-;=?-~]*$/i.test(url);
}

function tokensOf(nodes: readonly InlineContent[]): Token[] {
  return nodes.flatMap((node): Token[] => {
    if (node.object === 'inline') return [{ content: node, marks: marksOf(node) }];
    return node.leaves.filter(({ text }) => text !== '').map(({ text, marks }) => ({ content: text, marks }));
  });
}

/** The marks that can stand around an inline: those that all of its text has. Code spans go inside. */
function marksOf(node: Inline): readonly Mark[] | undefined {
  if (node.type !== 'link' && node.type !== 'annotation') return undefined;
  const sets = tokensOf(node.nodes).flatMap(({ marks }) => (marks === undefined ? [] : [marks]));
  const [first, ...others] = sets;
  const common = first?.filter((mark) => others.every((marks) => holds(marks, mark)));
  const isNumber = node.type === 'annotation' && node.data.label !== undefined;
  return common?.filter(({ type }) => type !== 'code' && !(isNumber && type === 'superscript'));
}

/** Gives tokens that any marks would do the ones of both neighbours, joins texts that are set alike. */
function settle(tokens: readonly Token[]): SetToken[] {
  const settled: SetToken[] = [];
  const following = tokens.map(() => [] as readonly Mark[]);
  for (let index = tokens.length - 2; index >= 0; index--) {
    following[index] = tokens[index + 1]?.marks ?? following[index + 1] ?? [];
  }
  for (const [index, { content, marks }] of tokens.entries()) {
    const last = settled.at(-1);
    const shared = (last?.marks ?? []).filter((mark) => mark.type !== 'code' && holds(following[index], mark));
    const own = marks ?? shared;
    const isSame = typeof content === 'string' && typeof last?.content === 'string' && sameSet(last.marks, own);
    if (isSame && typeof last.content === 'string')
      settled[settled.length - 1] = { content: last.content + content, marks: own };
    else settled.push({ content, marks: own });
  }
  return settled;
}

/** The mark to open at `index`: the one that goes furthest, code spans last. */
function nextMark(tokens: readonly SetToken[], index: number, active: readonly Mark[]): Mark | undefined {
  const open = missing(tokens[index]?.marks ?? [], active);
  const ordered = open.sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
  const candidates = ordered.some(({ type }) => type !== 'code')
    ? ordered.filter(({ type }) => type !== 'code')
    : ordered;
  const [first] = candidates;
  if (first === undefined || candidates.length === 1) return first;
  return candidates.reduce((best, mark) =>
    runEnd(tokens, index, mark, active) > runEnd(tokens, index, best, active) ? mark : best,
  );
}

function runEnd(tokens: readonly SetToken[], from: number, mark: Mark, active: readonly Mark[]): number {
  let end = from;
  while (end < tokens.length && holds(tokens[end]?.marks, mark)) {
    if (mark.type === 'code' && missing(tokens[end]?.marks ?? [], active).length > 1) break;
    end++;
  }
  return end;
}

function missing(marks: readonly Mark[], active: readonly Mark[]): Mark[] {
  return marks.filter((mark) => !holds(active, mark));
}

function holds(marks: readonly Mark[] | undefined, mark: Mark): boolean {
  return marks?.some((other) => sameMark(other, mark)) === true;
}

function has(marks: readonly Mark[], type: Mark['type']): boolean {
  return marks.some((mark) => mark.type === type);
}

function sameMark(a: Mark, b: Mark): boolean {
  if (a.type !== 'color' || b.type !== 'color') return a.type === b.type;
  return a.data.text === b.data.text && a.data.background === b.data.background;
}

function sameSet(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && missing(a, b).length === 0;
}

/** The first character that `token` is written with, as far as it matters to what stands before it. */
function startOf({ content, marks }: SetToken, active: readonly Mark[]): string {
  if (missing(marks, active).length > 0) return '*';
  if (typeof content === 'string') return content.charAt(0);
  switch (content.type) {
    case 'inline-image':
      return '!';
    case 'inline-math':
      return '$';
    case 'link':
    case 'annotation':
    case 'mention':
      return '[';
    default:
      return '<';
  }
}

/** Whether `delimiter` around `inner` is read as emphasis by the rules of CommonMark. */
function delimits(delimiter: string, inner: string, { before, after }: Range): boolean {
  const [first = '', last = ''] = [[...inner.slice(0, 2)][0], [...inner.slice(-2)].at(-1)];
  const character = delimiter.charAt(0);
  if (isSpace(first) || isSpace(last) || [before, first, last].includes(character)) return false;
  if (character === '*' && delimiter.length === 1 && after === '*') return false;
  const isOpen = isSpace(before) || isPunctuation(before);
  const isClosed = isSpace(after) || isPunctuation(after);
  if (character === '_' && (!isOpen || !isClosed)) return false;
  // a character outside the basic plane counts as a letter here and as what it is there, so both must do
  return (
    (isOpen || !(isPunctuation(first) || first.length > 1)) && (isClosed || !(isPunctuation(last) || last.length > 1))
  );
}

function isSpace(character: string): boolean {
  return character === '' || /\s/.test(character);
}

function isPunctuation(character: string): boolean {
  return /^[\p{P}\p{S}]$/u.test(character);
}
