import { createHash } from 'node:crypto';
import type { Claims, ClaimValue } from './claims.js';

/**
 * A hash of `claims`: 43 characters of base64url. Visitors with the same claims have the same, in whatever order their
 * tokens name them, so whoever has the same sees the same of a site in one state.
 */
export function stateHash(claims: Claims): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(claims)))
    .digest('base64url');
}

/** `value` as lists alone: of an object its names and values, sorted by name, behind a mark that no list begins with. */
function sorted(value: ClaimValue): unknown {
  if (Array.isArray(value)) return [0, ...(value as readonly ClaimValue[]).map(sorted)];
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return [1, ...entries.map(([name, inner]) => [name, sorted(inner)])];
}
