import type { RootContent } from 'mdast';
import type { Budget } from './meter.js';
import { parseMarkdown, type Known } from './parse.js';
import { surveyPieces, type Piece } from './survey.js';

/** Characters after which a page is cut: the parser takes time and memory out of proportion for long texts. */
const CUT_AFTER = 32 * 1024;
/** After a blank line, what begins so ends every list, quote and footnote before it. */
const CUT = /\n[ \t]*\n(?=[\p{L}#])/gu;
const CLOSERS: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [/^<(?:pre|script|style|textarea)[\s>]/i, /<\/(?:pre|script|style|textarea)>/i],
];

/** Parses a page, a long one in pieces, as if it were in one. @throws DocumentError as `parseMarkdown` does. */
export function parsePieces(markdown: string, budget: Budget): Piece[] {
  const parts = cut(markdown);
  const known = parts.length > 1 ? findKnown(parts, budget) : undefined;
  const pieces: Piece[] = [];
  let count = 1;
  for (let index = 0; index < parts.length;) {
    const source = parts.slice(index, index + count).join('');
    const tree = parseMarkdown(source, budget, known);
    const isLast = index + count >= parts.length;
    if (isLast || !isOpen(tree.children.at(-1), source)) {
      pieces.push({ source, tree });
      index += count;
      count = 1;
    } else {
      // a cut went through something long; twice as much each time keeps the sum in proportion
      count *= 2;
    }
  }
  return pieces;
}

function cut(markdown: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (markdown.length - start > CUT_AFTER) {
    CUT.lastIndex = start + CUT_AFTER;
    const match = CUT.exec(markdown);
    if (match === null) break;
    parts.push(markdown.slice(start, CUT.lastIndex));
    start = CUT.lastIndex;
  }
  parts.push(markdown.slice(start));
  return parts;
}

/** What links and footnotes may refer to, wherever in the page it is. */
function findKnown(parts: readonly string[], budget: Budget): Known {
  const pieces = parts
    .filter((part) => part.includes(']:'))
    .map((source) => ({ source, tree: parseMarkdown(source, budget) }));
  const { definitions, footnotes } = surveyPieces(pieces);
  return { definitions: [...definitions.keys()], footnotes: [...footnotes.keys()] };
}

/** Whether `node`, the last one of `source`, would go on if more came. */
function isOpen(node: RootContent | undefined, source: string): boolean {
  const text = source.slice(node?.position?.start.offset, node?.position?.end.offset);
  if (node?.type === 'html') return CLOSERS.some(([open, close]) => open.test(node.value) && !close.test(node.value));
  if (node?.type !== 'code' && node?.type !== 'math') return false;
  const fence = /^(?:`{3,}|~{3,}|\${2,})/.exec(text)?.[0];
  if (fence === undefined) return false;
  const lines = text.split(/\r\n|\r|\n/);
  const last = lines.at(-1)?.trim() ?? '';
  return lines.length === 1 || last.length < fence.length || last !== fence.charAt(0).repeat(last.length);
}
