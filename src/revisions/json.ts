import { ContentError } from './content-error.js';

const MAX_DEPTH = 32;

/** A value that JSON can carry. `undefined` members are left out when it is written. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * The one way to write `value`: members sorted by name, absent ones left out, no white space. Equal values give equal
 * texts. @throws ContentError (`invalid`) for what JSON cannot carry and for nesting over 32 levels.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** Whether two values are written the same. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
}

function write(value: Json, depth: number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ContentError('invalid', 'Not a finite number');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) throw new ContentError('invalid', `Nested deeper than ${MAX_DEPTH} levels`);
  if (isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join()}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${write(member, depth + 1)}`);
  }
  return `{${members.join()}}`;
}

function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
