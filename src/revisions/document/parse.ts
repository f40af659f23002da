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

/** Reads Markdown in the dialect of pages. @throws DocumentError when it would take too long, or is nested too deep. */
export function parseMarkdown(markdown: string, budget: Budget): Root {
  return fromMarkdown(markdown, { extensions: [...syntax, meter(markdown, budget)], mdastExtensions: tree });
}
