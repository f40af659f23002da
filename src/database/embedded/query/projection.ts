import { badValue, Document, EngineError, unsupported } from '../errors.js';
import { isDocument, own, plainNumber, put } from '../bson/types.js';
import { compileField } from './operators.js';
import { compileFilter } from './match.js';
import { checkFieldPath, splitPath } from './paths.js';
import { checkValue, isOperators } from './values.js';

/** What a projection does with a value: answers the one to show, or undefined to leave the field out. */
type Show = (value: unknown) => unknown;

/** The fields that a projection names, by component of their paths. */
export type FieldTree<T> = Map<string, FieldTree<T> | T>;

const keep: Show = (value) => value;
const omit: Show = () => undefined;

/**
 * Compiles a projection: inclusion, exclusion, `$slice`, `$elemMatch`. An included `_id` comes first. Undefined for none or an empty one.
 * @throws EngineError for a mixture (31253, 31254), colliding paths (31249, 31250), malformed paths and what is not supported.
 */
export function compileProjection(projection: Document | undefined): ((doc: Document) => Document) | undefined {
  const fields = flatten(projection ?? {});
  if (fields.size === 0) return undefined;
  const inclusive = isInclusion(fields);
  const shows = [...fields].map(([path, spec]) => [path, showOf(path, spec, inclusive)] as const);
  if (inclusive && !fields.has('_id')) shows.unshift(['_id', keep]);
  const tree = fieldTree(shows);
  return (doc) => idFirst(inclusive ? includeFields(doc, tree) : excludeFields(doc, tree));
}

/** An exclusion of whole fields, as `$unset` and `$project` want it. */
export function compileExclusion(paths: string[]): (doc: Document) => Document {
  const tree = fieldTree(paths.map((path) => [path, omit] as const));
  return (doc) => excludeFields(doc, tree);
}

/** An inclusion of whole fields, `_id` only if it is named; those in `emptied` are entered on their way but left out. */
export function compileInclusion(paths: string[], emptied: string[] = []): (doc: Document) => Document {
  const tree = fieldTree([
    ...paths.map((path) => [path, keep] as const),
    ...emptied.map((path) => [path, omit] as const),
  ]);
  return (doc) => idFirst(includeFields(doc, tree));
}

/** Arranges paths and what is to happen at them as a tree. @throws EngineError (31249, 31250) when one path leads through another. */
export function fieldTree<T extends object>(fields: (readonly [string, T])[]): FieldTree<T> {
  const root: FieldTree<T> = new Map();
  for (const [path, leaf] of fields) {
    const components = splitPath(path);
    if (components.includes('$')) throw unsupported('the positional projection ($)');
    checkFieldPath(components);
    let branch = root;
    for (const component of components.slice(0, -1)) {
      const next = branch.get(component) ?? new Map();
      if (!(next instanceof Map)) throw new EngineError(31249, `Path collision at ${path}`);
      branch.set(component, next);
      branch = next as FieldTree<T>;
    }
    const last = components.at(-1) ?? '';
    if (branch.has(last)) throw new EngineError(31250, `Path collision at ${path}`);
    branch.set(last, leaf);
  }
  return root;
}

/** `doc` with `_id`, if it has one, as its first field. */
export function idFirst(doc: Document): Document {
  const [first] = Object.keys(doc);
  return first === '_id' || !Object.hasOwn(doc, '_id') ? doc : { _id: doc['_id'], ...doc };
}

/** Every path that a projection names, embedded documents taken as longer paths. */
export function flatten(projection: Document, prefix = '', depth = 0): Map<string, unknown> {
  if (depth > 100) throw badValue('the projection is nested too deeply');
  const fields = new Map<string, unknown>();
  for (const [key, spec] of Object.entries(projection)) {
    const nested = isDocument(spec) && !isOperators(spec);
    if (nested && Object.keys(spec).length === 0)
      throw new EngineError(51270, 'An empty sub-projection is not a valid value');
    for (const [path, leaf] of nested
      ? flatten(spec, `${prefix}${key}.`, depth + 1)
      : [[`${prefix}${key}`, spec] as const]) {
      if (fields.has(path)) throw new EngineError(31250, `Path collision at ${path}`);
      fields.set(path, leaf);
    }
  }
  return fields;
}

/** Whether a projection's value says to show (true) or to leave out (false); undefined if it says something else. */
export function flagOf(spec: unknown): boolean | undefined {
  if (typeof spec === 'boolean') return spec;
  const number = plainNumber(spec);
  return number === undefined ? undefined : number !== 0;
}

/** Whether the fields other than `_id` are those to show; `computes` tells that any other value makes it so. @throws EngineError (31253, 31254) for a mixture. */
export function isInclusion(fields: Map<string, unknown>, computes = isElementMatch): boolean {
  let inclusive: boolean | undefined;
  for (const [path, spec] of fields) {
    const flag = flagOf(spec) ?? (computes(spec) || undefined);
    if (flag === undefined || (path === '_id' && flagOf(spec) !== undefined)) continue;
    if (inclusive === false && flag)
      throw new EngineError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    if (inclusive === true && !flag)
      throw new EngineError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    inclusive = flag;
  }
  return inclusive ?? (flagOf(fields.get('_id')) === true && fields.size === 1);
}

function isElementMatch(spec: unknown): boolean {
  return isOperators(spec) && Object.hasOwn(spec, '$elemMatch');
}

function showOf(path: string, spec: unknown, inclusive: boolean): Show {
  const flag = flagOf(spec);
  if (flag !== undefined) return flag ? keep : omit;
  if (!isOperators(spec)) throw unsupported(`the projection of ${path} to an expression`);
  const [name = '', ...others] = Object.keys(spec);
  if (others.length > 0) throw badValue('a projection operator stands alone');
  if (name === '$slice') return slice(spec['$slice']);
  if (name !== '$elemMatch') throw unsupported(`the projection operator ${name}`);
  if (path.includes('.')) throw new EngineError(31275, 'Cannot use $elemMatch projection on a nested field');
  return inclusive ? elementMatch(spec) : keep;
}

function slice(operand: unknown): Show {
  const [skip, limit, ...others] = (Array.isArray(operand) ? operand : [operand]).map(plainNumber);
  const malformed =
    skip === undefined || others.length > 0 || (Array.isArray(operand) && (limit === undefined || limit <= 0));
  if (malformed) throw new EngineError(28667, '$slice takes a number, or a number to skip and a positive limit');
  return (value) => {
    if (!Array.isArray(value)) return value;
    const array: unknown[] = value;
    if (limit === undefined) return skip < 0 ? array.slice(skip) : array.slice(0, skip);
    const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
    return array.slice(start, start + limit);
  };
}

function elementMatch(spec: Document): Show {
  const operand = spec['$elemMatch'];
  checkValue(operand, 'projections');
  const { single } = compileField({ $elemMatch: operand }, { path: [], nested: compileFilter });
  return (value) => {
    const found: unknown = Array.isArray(value) ? value.find((element) => single([element])) : undefined;
    return found === undefined ? undefined : [found];
  };
}

function includeFields(doc: Document, tree: FieldTree<Show>): Document {
  const shown: Document = {};
  for (const key of Object.keys(doc)) {
    const branch = tree.get(key);
    if (branch === undefined) continue;
    const value = branch instanceof Map ? includeWithin(own(doc, key), branch) : branch(own(doc, key));
    if (value !== undefined) put(shown, key, value);
  }
  return shown;
}

function includeWithin(value: unknown, tree: FieldTree<Show>): unknown {
  if (Array.isArray(value))
    return value.map((element) => includeWithin(element, tree)).filter((element) => element !== undefined);
  return isDocument(value) ? includeFields(value, tree) : undefined;
}

function excludeFields(doc: Document, tree: FieldTree<Show>): Document {
  const shown: Document = {};
  for (const key of Object.keys(doc)) {
    const branch = tree.get(key) ?? keep;
    const value = branch instanceof Map ? excludeWithin(own(doc, key), branch) : branch(own(doc, key));
    if (value !== undefined) put(shown, key, value);
  }
  return shown;
}

function excludeWithin(value: unknown, tree: FieldTree<Show>): unknown {
  if (Array.isArray(value)) return value.map((element) => excludeWithin(element, tree));
  return isDocument(value) ? excludeFields(value, tree) : value;
}
