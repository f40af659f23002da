import { FORBIDDEN_NAMES } from '../../conditions/index.js';
import { MAX_DEPTH } from './schema.js';

const PREFIX = 'visitor.';
/** Parameters that are looked at, and UTF-16 units of one value. */
const MAX_PARAMETERS = 100;
const MAX_LENGTH = 2048;

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Claims that are still being gathered; a class of its own, so that a group is told from every value. */
class Group extends Map<string, unknown> {}

/**
 * The claims that an address spells as `visitor.<path>=<value>`, not yet compared with any schema. Dots of the path nest;
 * values are `true`, `false`, `null`, `undefined` (the claim is not there), a number, a JSON object or list, else text.
 * Where paths meet, the later one stands. Paths of more than 5 names, with an empty name or one that no condition can
 * read, values of more than 2048 characters, and parameters after the hundredth are left out. Never throws.
 */
export function unsignedClaimsOf(parameters: URLSearchParams): Record<string, unknown> {
  const claims = new Group();
  let left = MAX_PARAMETERS;
  for (const [key, value] of parameters) {
    if (!key.startsWith(PREFIX)) continue;
    if (left === 0) break;
    left -= 1;
    const path = key.slice(PREFIX.length).split('.', MAX_DEPTH + 1);
    const usable = path.every((name) => name !== '' && !FORBIDDEN_NAMES.has(name));
    if (usable && path.length <= MAX_DEPTH && value.length <= MAX_LENGTH) put(claims, path, valueOf(value));
  }
  return objectOf(claims);
}

/** Puts `value` into `claims` at `path`. */
function put(claims: Group, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) claims.delete(name);
    else claims.set(name, value);
    return;
  }
  const found = claims.get(name);
  const group = found instanceof Group ? found : new Group();
  claims.set(name, group);
  put(group, rest, value);
}

function valueOf(text: string): unknown {
  if (text === 'undefined') return undefined;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (NUMBER.test(text)) return Number(text);
  if (!/^[{[]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function objectOf(group: Group): Record<string, unknown> {
  const entries = [...group].map(([name, value]) => [name, value instanceof Group ? objectOf(value) : value]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
