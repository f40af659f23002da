import type { KeptBody } from './comment-body.js';
import type { StoredBody } from './comment.schema.js';

/** Replies and reactions that are removed in one step. */
export const BATCH = 500;

/** Characters of texts that one page of a list holds at the most: it ends early then, but not before its first item. */
export const LIST_WEIGHT = { field: 'size', most: 1_000_000 } as const;

/** What changes in a comment or a reply that gets the text `body`; nothing when it has it already. */
export function changedBody(
  { body: { form, text } }: { body: StoredBody },
  body: KeptBody,
): { body?: StoredBody; size?: number; editedAt?: Date } {
  if (form === body.form && text === body.text) return {};
  return { body, size: body.text.length, editedAt: new Date() };
}
