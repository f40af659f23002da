import { hash } from 'node:crypto';

/** What a header names: these, or whatever tag there is (`*`). */
export type TagList = '*' | readonly string[];

/** One tag of a list: what is within the quotes is printable and has no quote in it (RFC 9110, 8.8.3). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
const BETWEEN = /^[ \t]*(?:,[ \t]*)+/;

/** The strong entity tag of the representation `json`. */
export const tagOf = (json: string): string => `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;

/** The tags that `header` names, as they are written there; `null`: it is malformed. */
export function tagsIn(header: string): TagList | null {
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  for (let rest = header.trim(); rest !== '';) {
    const [tag] = TAG.exec(rest) ?? [];
    if (tag === undefined) return null;
    tags.push(tag);
    rest = rest.slice(tag.length);
    const [between = ''] = BETWEEN.exec(rest) ?? [];
    if (rest.trim() !== '' && between === '') return null;
    rest = rest.slice(between.length).trimStart();
  }
  return tags.length === 0 ? null : tags;
}

/**
 * Whether `If-Match: tags` holds for what has the tag `present`; `null`: there is nothing. The comparison is strong (RFC 9110, 13.1.1):
 * a weak tag matches nothing.
 */
export const isMatched = (tags: TagList, present: string | null): boolean =>
  present !== null && (tags === '*' || tags.includes(present));

/** Whether `If-None-Match: tags` holds. The comparison is weak (RFC 9110, 13.1.2). `present`, as we make it, is strong. */
export const isUnmatched = (tags: TagList, present: string | null): boolean =>
  present === null || (tags !== '*' && !tags.includes(present) && !tags.includes(`W/${present}`));

/**
 * `body` as it is sent, where it represents a single thing: what has an entity tag. `null`: it is a list, which promises none, or no
 * JSON object.
 */
export function representationOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  if ('items' in body && Array.isArray(body.items)) return null;
  return JSON.stringify(body);
}
