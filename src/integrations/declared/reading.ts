import { isStorable, lengthOf } from '../../common/validation.js';

/** Something that is not accepted; the message names it by its path. */
export class DeclarationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DeclarationError';
  }
}

/** @throws DeclarationError always. */
export function fail(at: string, problem: string): never {
  throw new DeclarationError(`${at} ${problem}`);
}

/** `value` as an object. @throws DeclarationError for anything else, a list included. */
export function objectAt(value: unknown, at: string): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(at, 'must be an object');
  // a map: names such as `__proto__` are names like all others
  return new Map(Object.entries(value));
}

/** `value` as a text of `min` to `max` characters. @throws DeclarationError. */
export function textAt(value: unknown, at: string, max: number, min = 0): string {
  if (typeof value !== 'string') return fail(at, 'must be a string');
  if (!isStorable(value)) return fail(at, 'must be well-formed text without NUL characters');
  const length = lengthOf(value);
  if (length < min || length > max) return fail(at, `must be ${String(min)} to ${String(max)} characters long`);
  return value;
}

/** `value` as a list of at most `max` texts. @throws DeclarationError. */
export function readTexts(value: unknown, at: string, max: number, length: number): string[] {
  if (!Array.isArray(value)) return fail(at, 'must be a list of strings');
  if (value.length > max) return fail(at, `must have at most ${String(max)} items`);
  return value.map((one: unknown, index) => textAt(one, `${at}.${String(index)}`, length));
}

/** A name that others chose, short enough for a message. */
export function shown(name: string): string {
  return [...name.slice(0, 200)].slice(0, 50).join('').toWellFormed();
}

/** What is wrong with what `read` reads; `undefined`: nothing. */
export function mistakeIn(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof DeclarationError) return error.message;
    throw error;
  }
}
