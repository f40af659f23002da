import { lengthOf } from '../common/validation.js';
import { checkDocument, DocumentError, type JSONDocument, plainText } from '../revisions/index.js';

/** Longest text of a comment, characters (decision 3.54). */
export const MAX_TEXT = 100_000;
/** Longest tree of nodes, characters of JSON: what 100,000 characters of ordinary Markdown take, twice over. */
const MAX_DOCUMENT = 2 * 1024 * 1024;

export const BODY_FORMS = ['markdown', 'document', 'empty'] as const;
/** In which form a text was given, and is kept. */
export type BodyForm = (typeof BODY_FORMS)[number];

/** The text of a comment as it is kept. */
export interface KeptBody {
  form: BodyForm;
  /** Markdown byte for byte, or a tree of nodes as JSON; empty for `empty`. */
  text: string;
}

/** The text of a comment as it is given: one of three shapes, none with anything else in it. */
export type GivenBody = { markdown: string } | { document: object } | Record<string, never>;

/** Whether `value` has one of the three shapes of a {@link GivenBody}; of a `document` it says no more than object. */
export function isBody(value: unknown): value is GivenBody {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [first, ...more] = Object.entries(value) as [string, unknown][];
  if (first === undefined) return true;
  const [name, inner] = first;
  if (more.length > 0) return false;
  if (name === 'markdown') return typeof inner === 'string';
  return name === 'document' && typeof inner === 'object' && inner !== null && !Array.isArray(inner);
}

/** `body` as it is kept. @throws DocumentError for a tree of nodes that is none, or too long; the message names the place. */
export function keptBody(body: GivenBody): KeptBody {
  if ('markdown' in body) return { form: 'markdown', text: body.markdown };
  if (!('document' in body)) return { form: 'empty', text: '' };
  const document = checkDocument(body.document);
  const text = JSON.stringify(document);
  if (text.length > MAX_DOCUMENT || lengthOf(plainText(document.nodes)) > MAX_TEXT) {
    throw new DocumentError(`must hold at most ${MAX_TEXT} characters of text, and ${MAX_DOCUMENT} as JSON`);
  }
  return { form: 'document', text };
}

/** The tree of nodes in `body`, which is kept as one. */
export const documentIn = ({ text }: KeptBody): JSONDocument => JSON.parse(text) as JSONDocument;
