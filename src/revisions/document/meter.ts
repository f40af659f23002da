import type { Code, Construct, Extension, TokenizeContext } from 'micromark-util-types';
import { DocumentError } from './document-error.js';
import { MAX_DEPTH } from './tree.js';

/** Lines of Markdown that are read; a book of 2 MiB has fewer. */
const MAX_LINES = 100_000;
/** Blocks, and lines of paragraphs, that are read. */
const MAX_STARTS = 40_000;
/** Steps that looking for the other ends of brackets, emphasis and the like may take: about two seconds. */
const MAX_STEPS = 30_000_000;
const MAX_FENCE_SIZES = 8;
/** Pieces of a document that are parsed on their own: captions, titles, what stands between tags of HTML. */
const MAX_PARSES = 5000;

/** What is left to spend on reading one document, however many pieces it is parsed in. */
export class Budget {
  steps = MAX_STEPS;
  starts = MAX_STARTS;
  parses = MAX_PARSES;

  /** Whether more was asked for than there was. */
  get isSpent(): boolean {
    return this.steps < 0 || this.starts < 0 || this.parses < 0;
  }
}

const CLOSERS: Readonly<Record<string, string>> = { '<!--': '-->', '<?': '?>', '<![CDATA[': ']]>', '](': ')' };
const DELIMITERS = '*_~[]<`$!\\&';
/** Steps that reading any delimiter or address takes, and keeping up with what a line stands in, for each column. */
const BASE_STEPS = 100;
const MARKERS = '>*+-0123456789';

/**
 * A parser extension that reads nothing: it watches what the parser tries, and refuses Markdown that would keep it busy.
 * Good for one parse of `markdown`. @throws DocumentError at once when there are too many lines, later through the parser.
 */
export function meter(markdown: string, budget: Budget): Extension {
  if (budget.parses-- <= 0) throw new DocumentError(`More than ${MAX_PARSES} captions, titles and pieces of HTML`);
  if (markdown.split('\n', MAX_LINES + 1).length > MAX_LINES) throw new DocumentError(`More than ${MAX_LINES} lines`);
  const watch = new Watch(markdown, budget);
  watch.addresses();
  const text = construct((context, code) => {
    watch.delimiter(context, code);
  });
  const container = construct((context) => {
    watch.container(context.now().line);
  });
  const start = construct((context) => {
    watch.start(context.now());
  });
  const definition = construct((context) => {
    watch.definition(context.now().offset);
  });
  const at = (characters: string, value: Construct): Record<number, Construct> =>
    Object.fromEntries([...characters].map((character) => [character.charCodeAt(0), value]));
  return {
    text: at(DELIMITERS, text),
    document: at(MARKERS, container),
    flow: { null: start },
    contentInitial: { 91: definition },
  };
}

/** A construct that looks, and leaves the character to the others. */
function construct(look: (context: TokenizeContext, code: Code) => void): Construct {
  return {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        look(this, code);
        return nok(code);
      };
    },
  };
}

class Watch {
  private readonly chunks = new WeakMap<TokenizeContext, { delimiters: number; sizes: Set<string> }>();
  private readonly found = new Map<string, number>();
  private line = 0;
  private markers = 0;

  constructor(
    private readonly markdown: string,
    private readonly budget: Budget,
  ) {}

  /** Addresses and cells are looked for at every place where they could begin. */
  addresses(): void {
    const count = (pattern: RegExp): number => this.markdown.match(pattern)?.length ?? 0;
    this.spend(3 * BASE_STEPS * count(/www\.|:\/\/|@/gi) + (BASE_STEPS / 2) * count(/\|/g), 0);
  }

  start({ line, column }: { line: number; column: number }): void {
    if (this.budget.starts-- <= 0) throw new DocumentError(`More than ${MAX_STARTS} blocks and lines of text`);
    this.spend(BASE_STEPS * column, line);
  }

  container(line: number): void {
    this.markers = line === this.line ? this.markers + 1 : 1;
    this.line = line;
    if (this.markers > MAX_DEPTH) throw new DocumentError(`Line ${line} nests deeper than ${MAX_DEPTH} levels`);
  }

  /** Each delimiter may be compared with all before it in its paragraph; some look far ahead. */
  delimiter(context: TokenizeContext, code: Code): void {
    const chunk = this.chunks.get(context) ?? { delimiters: 0, sizes: new Set<string>() };
    this.chunks.set(context, chunk);
    const { offset, line } = context.now();
    if ((code === 96 || code === 36) && context.previous !== code) {
      chunk.sizes.add(/^(?:`+|\$+)/.exec(this.markdown.slice(offset, offset + 4096))?.[0] ?? '');
      if (chunk.sizes.size > MAX_FENCE_SIZES) throw tooMuch(line);
    }
    this.spend(BASE_STEPS + ++chunk.delimiters + this.ahead(offset), line);
  }

  /** A definition whose title opens with a bracket is looked for up to where the bracket closes. */
  definition(offset: number): void {
    const end = this.markdown.indexOf('\n', this.markdown.indexOf('\n', offset) + 1);
    const lines = this.markdown.slice(offset, Math.min(end < 0 ? Infinity : end, offset + 4096));
    if (/\s\(/.test(lines)) this.spend(this.distance(')', offset), 0);
  }

  private ahead(offset: number): number {
    for (const [opener, closer] of Object.entries(CLOSERS)) {
      if (this.markdown.startsWith(opener, offset)) return this.distance(closer, offset);
    }
    return 0;
  }

  private distance(closer: string, offset: number): number {
    let next = this.found.get(closer);
    if (next === undefined || next < offset) {
      const index = this.markdown.indexOf(closer, offset);
      next = index < 0 ? this.markdown.length : index;
      this.found.set(closer, next);
    }
    return next - offset;
  }

  private spend(steps: number, line: number): void {
    this.budget.steps -= steps;
    if (this.budget.steps < 0) throw tooMuch(line);
  }
}

function tooMuch(line: number): DocumentError {
  return new DocumentError(`${line > 0 ? `Line ${line}: ` : ''}too much nesting, or too many marks, to read`);
}
