import { ContentError } from './content-error.js';

/** A stretch of Markdown that can be read by itself. */
export interface MarkdownPart {
  readonly start: number;
  readonly end: number;
  /** A code block, HTML block or line too long to be parsed: taken as plain text. */
  readonly isVerbatim: boolean;
}

/** Parts end at the next safe place after so many characters: the parser's time grows faster than its input. */
const ENOUGH = 8 * 1024;
/** Parts end at any line after so many characters. */
const TOO_MUCH = 16 * 1024;
/** Lines over so many characters are not parsed: nobody wrote them by hand. */
const LONG_LINE = 64 * 1024;
const MAX_MARKS = 4000;
const MAX_OPEN_BRACKETS = 300;
const MAX_CONTAINERS = 100;

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const MARKER = '(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]|$))';
const CONTAINERS = new RegExp(`^[ \\t]*(?:${MARKER}[ \\t]*){${MAX_CONTAINERS}}`);
/** An item so far to the right that it must lie in very many lists. */
const FAR_ITEM = new RegExp(`^[ \\t]{300,}${MARKER}`);
const RULE = /^[ \t]*([-*_])(?:[ \t]*\1)*[ \t]*$/;
/** The row below the head of a table. */
const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
/** Lines that start a block whatever stands before them, other than HTML. */
const STARTS_BLOCK = /^(?:#{1,6}[ \t]|[-*+] +[^\s])/;
/** HTML blocks that blank lines do not end, and what ends them. */
const RAW_HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![A-Za-z]/, />/],
];

/**
 * Cuts `markdown`, from offset `from`, where its blocks can be told apart without knowing what stands before.
 * @throws ContentError (`complex`) for nesting and markup so dense that reading it would take very long.
 */
export function splitMarkdown(markdown: string, from = 0): MarkdownPart[] {
  const splitter = new Splitter(from);
  for (let start = from; start < markdown.length;) {
    const newline = markdown.indexOf('\n', start);
    const end = newline === -1 ? markdown.length : newline + 1;
    splitter.take(markdown.slice(start, end).replace(/\r?\n$/, ''), start, end);
    start = end;
  }
  return splitter.finish(markdown.length);
}

class Splitter {
  private readonly parts: MarkdownPart[] = [];
  private readonly density = new Density();
  /** The code or HTML block that is open, and how its last line is known. */
  private raw: { readonly start: number; readonly isEnd: (line: string) => boolean } | null = null;
  private afterBlank = true;
  private inHtml = false;

  constructor(private start: number) {}

  take(line: string, start: number, end: number): void {
    if (this.raw !== null) {
      if (this.raw.isEnd(line)) this.closeRaw(end);
      return;
    }
    if (line.length > LONG_LINE) {
      this.takeVerbatim(start, end);
      return;
    }
    if (this.mayCut(line, start)) this.cut(start);
    const isEnd = rawBlock(line);
    if (isEnd !== null) {
      this.raw = { start, isEnd };
      // an HTML block may end on its first line; a fence has its end on a line of its own
      if (!FENCE.test(line) && isEnd(line)) this.closeRaw(end);
      return;
    }
    this.afterBlank = line.trim() === '';
    this.inHtml = !this.afterBlank && (this.inHtml || line.trimStart().startsWith('<'));
    if (this.afterBlank) this.density.reset();
    else this.density.take(line);
  }

  finish(end: number): MarkdownPart[] {
    if (this.raw !== null) this.closeRaw(end);
    this.cut(end);
    return this.parts;
  }

  private mayCut(line: string, start: number): boolean {
    const size = start - this.start;
    if (size < ENOUGH) return false;
    if (size >= TOO_MUCH) return true;
    return (this.afterBlank && /^\S/.test(line)) || (!this.inHtml && STARTS_BLOCK.test(line));
  }

  private closeRaw(end: number): void {
    const start = this.raw?.start ?? end;
    this.raw = null;
    this.afterBlank = false;
    this.density.reset();
    if (end - start >= TOO_MUCH) this.takeVerbatim(start, end);
  }

  private takeVerbatim(start: number, end: number): void {
    this.cut(start);
    this.parts.push({ start, end, isVerbatim: true });
    this.start = end;
  }

  private cut(end: number): void {
    if (end > this.start) this.parts.push({ start: this.start, end, isVerbatim: false });
    this.start = end;
    this.density.reset();
  }
}

/** Counts the markup of one block, and refuses what the parser would take too long for. */
class Density {
  private marks = 0;
  private closed = 0;
  private open = 0;
  private lines = 0;
  /** Columns that the first line of the block would have as the head of a table. */
  private columns = 0;
  private inTable = false;

  reset(): void {
    this.restart();
    this.lines = 0;
    this.inTable = false;
  }

  take(line: string): void {
    if (FAR_ITEM.test(line) || (CONTAINERS.test(line) && !RULE.test(line)))
      throw tooComplex('lists and quotes are nested too deeply');
    this.followTable(line);
    // the rows of a table are read one by one
    if (this.inTable) this.restart();
    this.marks += line.match(/[*~]+|(?<![A-Za-z0-9_])_+|_+(?![A-Za-z0-9_])/g)?.length ?? 0;
    for (const bracket of line.match(/[[\]]/g) ?? []) {
      if (bracket === '[') this.open++;
      else this.closed++;
      if (bracket === ']' && this.open > 0) this.open--;
      if (this.open > MAX_OPEN_BRACKETS) throw tooComplex('brackets are nested too deeply');
    }
    if (this.marks > MAX_MARKS || this.closed > MAX_MARKS) throw tooComplex('a paragraph has too much markup');
  }

  private restart(): void {
    this.marks = 0;
    this.closed = 0;
    this.open = 0;
  }

  /** Takes for a table only what certainly is one: a block that begins with a head and a fitting delimiter row. */
  private followTable(line: string): void {
    this.lines++;
    if (this.lines === 1) this.columns = columnsOf(line);
    else if (this.lines === 2) this.inTable = DELIMITERS.test(line.trim()) && columnsOf(line) === this.columns;
    else this.inTable &&= line.includes('|') && !/^[ \t]*(?:[#>*+<=-]|\d+[.)])/.test(line);
  }
}

function columnsOf(line: string): number {
  const row = line.trim().replace(/\\[\\|]/g, '');
  const inner = row.slice(row.startsWith('|') ? 1 : 0, row.length > 1 && row.endsWith('|') ? -1 : undefined);
  return inner.split('|').length;
}

function rawBlock(line: string): ((line: string) => boolean) | null {
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    const end = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
    return (candidate) => end.test(candidate);
  }
  const html = RAW_HTML.find(([start]) => start.test(line));
  return html === undefined ? null : (candidate) => html[1].test(candidate);
}

function tooComplex(why: string): ContentError {
  return new ContentError('complex', `The Markdown cannot be read: ${why}`, 'document');
}
