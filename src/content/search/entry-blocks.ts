import { invert, type SearchEntry } from './analysis.js';
import { type Block, BlockWriter, encodePositions } from './blocks.js';

/** Bytes of a block of pages that were just written: larger ones make fewer records of an edit, until they are merged. */
const EDIT_BLOCK_SIZE = 64 * 1024;

/** The words of `entries`, each page named by its place among them. */
export function blocksOf(entries: SearchEntry[]): Block[] {
  const writer = new BlockWriter(EDIT_BLOCK_SIZE);
  for (const [word, postings] of invert(entries)) {
    for (const { page, impact, positions } of postings) writer.add(word, page, impact, encodePositions(positions));
  }
  return writer.take(true);
}
