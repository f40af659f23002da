import type { JSONDocument } from '../revisions/index.js';

/** Key of the block that shows a source: readers of Markdown give no such keys. */
const SOURCE = 'source';

/**
 * A text as a document that shows its source, a line each in one block of code: for Markdown that is too large or too
 * intricate to be read into nodes. Nothing of it is left out.
 */
export function sourceDocument(markdown: string): JSONDocument {
  const lines = markdown.split(/\r\n|\r|\n/).map((text, index) => ({
    object: 'block' as const,
    type: 'code-line' as const,
    key: `line-${index}`,
    isVoid: false as const,
    data: {},
    nodes: [
      {
        object: 'text' as const,
        key: `text-${index}`,
        leaves: [{ object: 'leaf' as const, text, marks: [] }],
      },
    ],
  }));
  const code = { object: 'block' as const, type: 'code' as const, key: SOURCE, isVoid: false as const };
  return { object: 'document', data: {}, nodes: [{ ...code, data: { syntax: 'markdown' }, nodes: lines }] };
}

/** Whether `document` is one that shows a source. */
export function showsSource({ nodes }: JSONDocument): boolean {
  return nodes[0]?.key === SOURCE;
}
