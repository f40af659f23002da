import { Document, EngineError } from '../errors.js';
import { isDocument, own } from '../bson/types.js';

/** Called with a value that a path leads to (undefined when it leads nowhere) and the position in the outermost array passed on the way; true ends the walk. */
export type Visit = (value: unknown, arrayIndex: number | undefined) => boolean;

/** The components of a dotted path. */
export function splitPath(path: string): string[] {
  return path.split('.');
}

/** Whether a path component can be a position in an array: digits without leading zeros. */
export function isIndex(component: string): boolean {
  return /^(0|[1-9]\d{0,8})$/.test(component);
}

/** Checks the components of a field path. @throws EngineError if one is empty, or is one that no document should have. */
export function checkFieldPath(components: string[]): void {
  if (components.join('.') === '') throw new EngineError(16872, "'$' by itself is not a valid FieldPath");
  if (components.at(-1) === '') throw new EngineError(40353, "FieldPath must not end with a '.'.");
  if (components.includes('')) throw new EngineError(15998, 'FieldPath field names may not be empty strings.');
  const odd = components.find((component) => component.startsWith('$') || component === '__proto__');
  if (odd !== undefined) throw new EngineError(16410, `FieldPath field names may not be '${odd}'`);
}

/**
 * Visits everything that `path` leads to in `doc`, in MongoDB's way: arrays on the way are entered (their documents,
 * and the position that a numeric component names); an array at the end is visited element by element if `expand` is set, and then as a whole.
 * Answers whether a visit answered true.
 */
export function visitPath(doc: Document, path: string[], expand: boolean, visit: Visit): boolean {
  return visitFrom(doc, path, 0, expand, visit, undefined);
}

/** The value at `path` through embedded documents only; undefined when there is none or an array is in the way. */
export function plainValue(doc: Document, path: string[]): unknown {
  let value: unknown = doc;
  for (const component of path) value = isDocument(value) ? own(value, component) : undefined;
  return value;
}

/** A copy of `doc` with `value` at `path` (undefined removes it); what stands in the way of the path is replaced by documents. */
export function withPath(doc: Document, [key = '', ...rest]: string[], value: unknown): Document {
  const inner = rest.length === 0 ? value : withPath(childOf(doc, key), rest, value);
  const copy = { ...doc };
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}

function childOf(doc: Document, key: string): Document {
  const child = own(doc, key);
  return isDocument(child) ? child : {};
}

function visitFrom(
  doc: Document,
  path: string[],
  at: number,
  expand: boolean,
  visit: Visit,
  index: number | undefined,
): boolean {
  let value: unknown = doc;
  let next = at;
  while (next < path.length && isDocument(value)) value = own(value, path[next++] ?? '');
  if (Array.isArray(value)) return visitArray(value, path, next, expand, visit, index);
  return visit(next === path.length ? value : undefined, index);
}

function visitArray(
  array: unknown[],
  path: string[],
  at: number,
  expand: boolean,
  visit: Visit,
  index: number | undefined,
): boolean {
  const component = path[at];
  if (component === undefined) {
    return (expand && array.some((element, i) => visit(element, index ?? i))) || visit(array, index);
  }
  const position = isIndex(component) ? Number(component) : -1;
  return array.some((element, i) => {
    const outermost = index ?? i;
    if (isDocument(element) && visitFrom(element, path, at, expand, visit, outermost)) return true;
    return i === position && visitElement(element, path, at + 1, expand, visit, outermost);
  });
}

/** Goes on from an element that the path names by its position: at the end of the path it is not expanded, even if it is an array. */
function visitElement(
  element: unknown,
  path: string[],
  at: number,
  expand: boolean,
  visit: Visit,
  index: number,
): boolean {
  if (at === path.length) return visit(element, index);
  if (isDocument(element)) return visitFrom(element, path, at, expand, visit, index);
  return Array.isArray(element) && visitArray(element, path, at, expand, visit, index);
}
