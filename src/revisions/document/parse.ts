import type { Literal, Root } from 'mdast';
import { fromMarkdown, type Extension as TreeExtension } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Code, Construct, Extension, State } from 'micromark-util-types';
import { meter, type Budget } from './meter.js';

/** A line of one or more block tags: `{% tabs %}{% tab title="A" %}`. */
export interface BlockTags extends Literal {
  type: 'blockTags';
}

declare module 'mdast' {
  interface RootContentMap {
    blockTags: BlockTags;
  }
}
declare module 'micromark-util-types' {
  interface TokenTypeMap {
    blockTags: 'blockTags';
  }
}

const PERCENT = 37;
const OPEN = 123;
const CLOSE = 125;

/** Reads a line that begins with `{%` and ends with `%}`; it interrupts a paragraph. */
const tagLine: Construct = {
  name: 'blockTags',
  tokenize(effects, ok, nok) {
    let last: Code = null;
    let beforeLast: Code = null;
    const inside: State = (code) => {
      if (code === null || markdownLineEnding(code)) {
        if (beforeLast !== PERCENT || last !== CLOSE) return nok(code);
        effects.exit('blockTags');
        return ok(code);
      }
      if (!markdownSpace(code)) [beforeLast, last] = [last, code];
      effects.consume(code);
      return inside;
    };
    const second: State = (code) => {
      if (code !== PERCENT) return nok(code);
      effects.consume(code);
      return inside;
    };
    return (code) => {
      effects.enter('blockTags');
      effects.consume(code);
      return second;
    };
  },
};

const syntax: Extension[] = [
  frontmatter(['yaml']),
  gfm(),
  math({ singleDollarTextMath: false }),
  { flow: { [OPEN]: tagLine } },
];

const tree: TreeExtension[] = [
  frontmatterFromMarkdown(['yaml']),
  // without the search for addresses in finished text, which would undo what an escape says
  ...gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  mathFromMarkdown(),
  {
    enter: {
      blockTags(token) {
        this.enter({ type: 'blockTags', value: this.sliceSerialize(token).trim() }, token);
      },
    },
    exit: {
      blockTags(token) {
        this.exit(token);
      },
    },
  },
];

/** Identifiers of definitions and footnotes that stand elsewhere. */
export interface Known {
  readonly definitions: readonly string[];
  readonly footnotes: readonly string[];
}

/**
 * Reads Markdown in the dialect of pages. @param known what it may refer to beside what it defines.
 * @throws DocumentError when it would take too long, or is nested too deep.
 */
export function parseMarkdown(markdown: string, budget: Budget, known?: Known): Root {
  const extensions = [...syntax, meter(markdown, budget)];
  if (known !== undefined) extensions.push(knownElsewhere(known));
  return fromMarkdown(markdown, { extensions, mdastExtensions: tree });
}

/** Tells the parser, when it comes to the first block, what is defined elsewhere. */
function knownElsewhere({ definitions, footnotes }: Known): Extension {
  let isTold = false;
  const tell: Construct = {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        if (!isTold) {
          this.parser.defined.push(...definitions.map((identifier) => identifier.toUpperCase()));
          this.parser.gfmFootnotes = [
            ...(this.parser.gfmFootnotes ?? []),
            ...footnotes.map((identifier) => identifier.toUpperCase()),
          ];
        }
        isTold = true;
        return nok(code);
      };
    },
  };
  return { flow: { null: tell } };
}
