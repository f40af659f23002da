/** What JSON holds. Keys come from outside: read objects with {@link own} or `Object.entries`. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of `key`, as long as the object itself has it. */
export const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** The object that `key` holds; an empty one where it holds something else. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The list that `key` holds; an empty one where it holds something else. */
export function listAt(object: JsonObject, key: string): Json[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

/** The text that `key` holds, cut to `max` characters. */
export function textAt(object: JsonObject, key: string, max: number): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? cut(value, max) : undefined;
}

/** The first `max` UTF-16 units of `text`, without half a character at their end. */
export const cut = (text: string, max: number): string =>
  text.length <= max
    ? text.toWellFormed()
    : text
        .slice(0, max)
        .replace(/[\uD800-\uDBFF]$/, '')
        .toWellFormed();

/** `value` as JSON with the keys of every object in order: equal for values that differ in the order of keys alone. */
export function canonical(value: Json | undefined): string {
  const parts: string[] = [];
  spell(value ?? null, (part) => parts.push(part));
  return parts.join('');
}

/** Hands the parts of {@link canonical} to `write`, so that a long value needs no long text. */
export function spell(value: Json, write: (part: string) => void): void {
  if (Array.isArray(value)) {
    write('[');
    value.forEach((item, index) => {
      if (index > 0) write(',');
      spell(item, write);
    });
    write(']');
  } else if (isObject(value)) {
    write('{');
    Object.keys(value)
      .sort()
      .forEach((key, index) => {
        write(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
        spell(value[key] ?? null, write);
      });
    write('}');
  } else {
    write(JSON.stringify(value));
  }
}
