import { gfmFromMarkdown } from 'mdast-util-gfm';
import { fromMarkdown, type Extension } from 'mdast-util-from-markdown';
import { gfm } from 'micromark-extension-gfm';
import { ContentError } from './content-error.js';
import type { MarkdownRoot, UrlSpans } from './outline-builder.js';

const SYNTAX = gfm();
const TREE = gfmFromMarkdown();

/**
 * The tree of Markdown from which an outline is read; where its addresses are written is added to `spans`.
 * @throws ContentError (`complex`) for what is nested too deeply.
 */
export function parseForOutline(text: string, spans: UrlSpans): MarkdownRoot {
  try {
    return fromMarkdown(text, { extensions: [SYNTAX], mdastExtensions: [TREE, urlSpans(spans)] });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ContentError('complex', 'The Markdown cannot be read: it is nested too deeply', 'document');
  }
}

/** Notes where addresses are written; the parser itself only tells where the whole link is. */
function urlSpans(spans: UrlSpans): Extension {
  const enter: Required<Extension>['enter'] = {};
  for (const name of ['resourceDestinationString', 'definitionDestinationString'] as const) {
    enter[name] = function (token) {
      const node = this.stack.at(-1);
      if (node !== undefined) spans.set(node, [token.start.offset, token.end.offset]);
      this.buffer();
    };
  }
  return { enter };
}
