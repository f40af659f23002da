import type { Definition } from 'mdast';
import { htmlBlockNames, htmlRawNames } from 'micromark-util-html-tag-name';

/** What a stretch of text stands in and next to. */
export interface Surroundings {
  /** The characters right before and after it, as they are written; empty at the edges. */
  readonly before: string;
  readonly after: string;
  /** Inside the square brackets of a link or an image. */
  readonly inLabel: boolean;
}

const HTML_BLOCKS: ReadonlySet<string> = new Set(htmlBlockNames);
const HTML_RAW: ReadonlySet<string> = new Set(htmlRawNames);

/** The name of a footnote that can be written as it is. */
export const FOOTNOTE_LABEL = /^[^\s[\]\\|&^]{1,200}$/;

const RISKY = /[\\`*[\]<&$~!:@.(]|_+/g;
const WORD = /[\p{L}\p{N}]/u;
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** Cuts spaces, tabs and ends of lines off both ends of `text`; other white space is text. */
export function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && ' \t\r\n'.includes(text.charAt(start))) start++;
  while (end > start && ' \t\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** `text` with its lines joined by spaces. */
export function oneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return trimSpaces(text);
  return text
    .split(/[\r\n]/)
    .map(trimSpaces)
    .filter((line) => line !== '')
    .join(' ');
}

/** Whether a footnote can go by this name. */
export function isFootnoteLabel(label: string): boolean {
  return FOOTNOTE_LABEL.test(label);
}

/** Spells the name of a footnote or a definition. */
export function labelText(label: string): string {
  return oneLine(label).replace(/[\\[\]&|]/g, '\\$&');
}

/** Spells a definition. */
export function definitionText({ label, identifier, url, title }: Definition): string {
  return `[${labelText(label ?? identifier)}]: ${destination(url)}${titleText(title ?? undefined)}`;
}

/** Spells a footnote whose Markdown is `body`. A line of white space is blank in a footnote, and keeps all of it. */
export function footnoteText(label: string, body: string): string {
  return `[^${label}]:${body === '' ? '' : ' '}${body.replace(/\n(?=[ \t]*[^ \t\n])/g, '\n    ')}`;
}

/** Spells the address of a link or an image. */
export function destination(url: string): string {
  const text = url.replace(/[\\&]/g, '\\$&').replace(/[\r\n]/g, (end) => `&#${end.charCodeAt(0)};`);
  const isPlain = text !== '' && ![...text].some((character) => character <= ' ' || '<>()\x7f'.includes(character));
  return isPlain ? text : `<${text.replace(/[<>]/g, '\\$&')}>`;
}

/** Spells the title of a link, an image or a definition, with the space before it. */
export function titleText(title: string | undefined): string {
  if (title === undefined || title === '') return '';
  return ` "${title.replace(/[\\&"<]/g, '\\$&').replace(/[\r\n]/g, (end) => `&#${end.charCodeAt(0)};`)}"`;
}

/** Spells text of one line so that all of it is read as text. The edges of lines are `escapeLine`'s. */
export function escapeText(text: string, { before, after, inLabel }: Surroundings): string {
  const at = (index: number): string => (index < 0 ? before : index >= text.length ? after : text.charAt(index));
  return text.replace(RISKY, (found, index: number) => {
    if (found.startsWith('_')) {
      const isInWord = WORD.test(text.charAt(index - 1)) && WORD.test(text.charAt(index + found.length));
      return isInWord ? found : '\\_'.repeat(found.length);
    }
    return isRisky(found, index, at, text, inLabel) ? `\\${found}` : found;
  });
}

function isRisky(
  character: string,
  index: number,
  at: (index: number) => string,
  text: string,
  inLabel: boolean,
): boolean {
  const [previous, next] = [at(index - 1), at(index + 1)];
  switch (character) {
    case '\\':
      // white space at the end of a line is written as a reference
      return /^\s?$/.test(next) || PUNCTUATION.test(next) || index === text.length - 1;
    case '*':
    case '~':
      return !(previous === ' ' && next === ' ');
    case ']':
      return inLabel;
    case '<':
      return next === '' || /[a-z/!?]/i.test(next) || index === text.length - 1;
    case '&':
      return /^&(?:#\d|#x[\da-f]|[a-z])/i.test(text.slice(index, index + 4));
    case '$':
      return previous === '$' || next === '$';
    case '!':
      return index === text.length - 1 && next === '[';
    case ':':
      if (index === 0) return previous === ']';
      return text.startsWith('://', index) && /(?:https?|ftp)$/i.test(text.slice(Math.max(0, index - 5), index));
    case '(':
      return index === 0 && previous === ']';
    case '.':
      return /www$/i.test(text.slice(Math.max(0, index - 3), index));
    case '@':
      return /[\w.+*-]/.test(previous) && /[\w.-]/.test(next);
    default:
      return true;
  }
}

/**
 * Spells a finished line of text so that it begins and ends as text.
 * @param place `first` or `next` line of a paragraph, or the only line of a `heading`.
 */
export function escapeLine(line: string, place: 'first' | 'next' | 'heading'): string {
  const text = line.replace(/[ \t]$/, reference).replace(/^[ \t]/, reference);
  if (place === 'heading') return text.replace(/(^|[ \t])(#+)$/, '$1\\$2');
  const marker = /^(?:#{1,6}(?=[ \t]|$)|[+-](?=[ \t]|$)|>|\{%)/;
  if (marker.test(text) || (place === 'next' ? /^(?:=+[ \t]*|[-:|][-:| \t]*)$/ : /^-[- \t]*$/).test(text))
    return `\\${text}`;
  if (opensHtml(text)) return `\\${text}`;
  return text.replace(/^(\d{1,9})([.)])(?=[ \t]|$)/, '$1\\$2');
}

/** Whether a line that begins so would be a block of HTML. */
function opensHtml(line: string): boolean {
  const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)(?=[\s/>]|$)/i.exec(line.slice(0, 40)) ?? [];
  return (
    /^<[!?]/.test(line) || HTML_BLOCKS.has(name.toLowerCase()) || (slash === '' && HTML_RAW.has(name.toLowerCase()))
  );
}

function reference(character: string): string {
  return character === ' ' ? '&#x20;' : '&#x9;';
}
