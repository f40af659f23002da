import { lazy } from '../../common/lazy.js';
import type { JSONDocument } from './model.js';
import type { ResolveRef, WriteRef } from './references.js';

/** What reads and writes Markdown, read with the first text. */
const converter = lazy(() => import('./convert.js'));

/**
 * Reads Markdown as a document. Front matter is left out, everything else is kept. The same Markdown gives the same
 * document, keys included. @param resolve says what an address leads to, where the general rules do not.
 * @throws DocumentError for what is nested too deep, or would take too long to read.
 */
export async function toDocument(markdown: string, resolve?: ResolveRef): Promise<JSONDocument> {
  return (await converter()).toDocument(markdown, resolve);
}

/**
 * Spells `document` as Markdown that {@link toDocument} reads back as the same document, keys aside.
 * @param write spells what links and images lead to.
 */
export async function toMarkdown(document: JSONDocument, write?: WriteRef): Promise<string> {
  return (await converter()).toMarkdown(document, write);
}
