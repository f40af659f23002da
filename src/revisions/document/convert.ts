import { DocumentError } from './document-error.js';
import { Budget } from './meter.js';
import type { Block, JSONDocument } from './model.js';
import { readMarkdown } from './read-blocks.js';
import { urlOf, type ResolveRef, type WriteRef } from './references.js';
import { completeTree, plainText } from './tree.js';
import { BlockWriter } from './write-blocks.js';

/** `toDocument` of `conversion.ts`, once everything is read. @throws DocumentError */
export function toDocument(markdown: string, resolve: ResolveRef = () => undefined): JSONDocument {
  return completeTree({ object: 'document', data: {}, nodes: readBlocks(markdown, resolve, new Budget()) });
}

/** `toMarkdown` of `conversion.ts`, once everything is read. */
export function toMarkdown(document: JSONDocument, write: WriteRef = urlOf): string {
  const budget = new Budget();
  return new BlockWriter(write, (source) => isRaw(source, budget) ?? false).document(document.nodes);
}

function readBlocks(markdown: string, resolve: ResolveRef, budget: Budget): Block[] {
  // line ends of all kinds mean the same, and a document has but one
  const source = markdown
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  const spell = (blocks: readonly Block[]): string => new BlockWriter(urlOf, isRawWithin(budget)).document(blocks);
  return readMarkdown(source, { resolve, budget, spell }, 1);
}

/** Asks {@link isRaw} at the cost of what is being read: notes in notes are read twice on each level. */
function isRawWithin(budget: Budget): (source: string) => boolean {
  return (source) => {
    const isSame = isRaw(source, budget);
    if (isSame === undefined) throw new DocumentError('Too much nesting to read');
    return isSame;
  };
}

/** Whether `source` is read as one block that is kept as the same source; `undefined` when `budget` is spent. */
function isRaw(source: string, budget: Budget): boolean | undefined {
  try {
    const [block, ...more] = readBlocks(source, () => undefined, budget);
    if (block?.type !== 'code' || more.length > 0 || block.data.raw !== true) return false;
    return block.nodes.map((line) => plainText(line.nodes)).join('\n') === source;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return budget.isSpent ? undefined : false;
  }
}
