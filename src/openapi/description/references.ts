import { isObject, type Json, type JsonObject, own } from './json.js';

/** What references lead to that lead to each other. */
export const LOOP = Symbol('loop');

/** References that lead to references, one after the other, at the most. */
const MAX_HOPS = 32;

/** The reference that stands in the place of a value; `undefined` where there is none. */
export function referenceOf(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const reference = own(value, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

/**
 * What stands at the end of the references that begin with `value`; `value` itself where there is none. `undefined` for
 * what is not there, or not in this document; {@link LOOP} for references that lead to each other.
 */
export function follow(document: JsonObject, value: Json | undefined): Json | undefined | typeof LOOP {
  let at = value;
  for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
    const reference = referenceOf(at);
    if (reference === undefined) return at;
    at = pointed(document, reference);
  }
  return LOOP;
}

/** The object at the end of the references that begin with `value`; an empty one where there is no object. */
export function resolved(document: JsonObject, value: Json | undefined): JsonObject {
  const found = follow(document, value);
  return isObject(found) ? found : {};
}

function pointed(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: Json | undefined = document;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d{1,9}$/.test(key) ? at[Number(key)] : undefined;
    else at = isObject(at) ? own(at, key) : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
