import { badValue, CODES, Document, EngineError } from '../errors.js';
import { identicalValues } from '../bson/compare.js';
import { isDocument, own, put, typeName } from '../bson/types.js';
import { isIndex } from '../query/paths.js';
import { ElementFilters } from './filters.js';
import { Environment, Modifier } from './modifier.js';
import { Entry } from './modifiers.js';
import { compareComponents, conflict, identifierOf, isPositional } from './paths.js';

/** The modifiers of an update by the components of their paths. Two paths may share `$` or `$[]`; none leads through another's end. */
export type Tree = Map<string, Tree | Modifier>;

/** What applying a tree needs: the array position of `$`, the filters of `$[identifier]`, and what modifiers look at. */
export interface Application extends Environment {
  arrayIndex?: number;
  filters: ElementFilters;
}

/** How many nulls an update may put before an element that it sets beyond the end of an array. */
const MAX_PADDING = 1_500_000;

/** Arranges entries as a tree. @throws EngineError (40) when two of them would change the same field, or a field and one within it. */
export function buildTree(entries: Entry[]): Tree {
  const root: Tree = new Map();
  for (const [path, modifier] of entries) {
    let branch = root;
    for (const [i, component] of path.slice(0, -1).entries()) {
      const next = branch.get(component) ?? new Map<string, Tree | Modifier>();
      if (!(next instanceof Map)) throw conflict(path.join('.'), path.slice(0, i + 1).join('.'));
      branch.set(component, next);
      branch = next;
    }
    const last = path.at(-1) ?? '';
    if (branch.has(last)) throw conflict(path.join('.'), path.join('.'));
    branch.set(last, modifier);
  }
  return root;
}

/** `doc` after the modifiers of `tree`; `doc` itself if nothing changes, which is never altered. @throws EngineError 2, 14, 28 or 40. */
export function applyToDocument(tree: Tree, doc: Document, application: Application, path = ''): Document {
  let copy: Document | undefined;
  for (const [component, node] of orderedFields(tree, application, path)) {
    const before = own(doc, component);
    const after = applyNode(node, before, application, join(path, component));
    if (after === before) continue;
    copy ??= { ...doc };
    if (after === undefined) Reflect.deleteProperty(copy, component);
    else put(copy, component, after);
  }
  return copy ?? doc;
}

function applyNode(node: Tree | Modifier, value: unknown, application: Application, path: string): unknown {
  if (!(node instanceof Map)) {
    const after = node.apply(value, application);
    return after !== value && identicalValues(value, after) ? value : after;
  }
  if (isDocument(value)) return applyToDocument(node, value, application, path);
  if (Array.isArray(value)) return applyToArray(node, value, application, path);
  return value === undefined ? create(node, application, path) : refuseScalar(node, value, path);
}

/** What modifiers make of a document that is not there: nothing, unless one of them makes a field. */
function create(tree: Tree, application: Application, path: string): Document | undefined {
  if (hasArrayUpdates(tree))
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`);
  const made = applyToDocument(tree, {}, application, path);
  return Object.keys(made).length === 0 ? undefined : made;
}

function refuseScalar(tree: Tree, value: unknown, path: string): unknown {
  if (hasArrayUpdates(tree))
    throw badValue(`Cannot apply array updates to non-array element ${path} of type ${typeName(value)}`);
  if (creates(tree)) throw notViable(tree, value, path);
  return value;
}

function applyToArray(tree: Tree, array: unknown[], application: Application, path: string): unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, node] of elementsOf(tree, array, application, path)) {
    const before = array[index];
    const after = applyNode(node, before, application, join(path, String(index)));
    if (after === before) continue;
    if (index > array.length + MAX_PADDING)
      throw badValue(`cannot pad the array at '${path}' with more than ${MAX_PADDING} elements`);
    copy ??= [...array];
    while (copy.length < index) copy.push(null);
    copy[index] = after === undefined ? null : after;
  }
  return copy ?? array;
}

/** The elements that a tree changes, in order, with all that is to happen to each. */
function elementsOf(tree: Tree, array: unknown[], application: Application, path: string): [number, Tree | Modifier][] {
  const elements = new Map<number, Tree | Modifier>();
  const add = (index: number, node: Tree | Modifier): void => {
    const other = elements.get(index);
    elements.set(index, other === undefined ? node : merge(other, node, join(path, String(index))));
  };
  for (const [component, node] of tree) {
    const resolved = component === '$' ? positionOf(application) : component;
    const identifier = identifierOf(component);
    if (identifier !== undefined) {
      const chosen = identifier === '' ? undefined : application.filters.get(identifier);
      for (const [index, element] of array.entries()) if (chosen === undefined || chosen(element)) add(index, node);
    } else if (isIndex(resolved)) add(Number(resolved), node);
    else if (creates(new Map([[component, node]]))) throw notViable(new Map([[component, node]]), array, path);
  }
  return [...elements].sort(([a], [b]) => a - b);
}

function orderedFields(tree: Tree, application: Application, path: string): [string, Tree | Modifier][] {
  if (hasArrayUpdates(tree)) throw badValue(`Cannot apply array updates to non-array element ${path} of type object`);
  const fields = new Map<string, Tree | Modifier>();
  for (const [component, node] of tree) {
    const name = component === '$' ? positionOf(application) : component;
    const other = fields.get(name);
    fields.set(name, other === undefined ? node : merge(other, node, join(path, name)));
  }
  return [...fields].sort(([a], [b]) => compareComponents(a, b));
}

function positionOf({ arrayIndex }: Application): string {
  if (arrayIndex === undefined) throw badValue('The positional operator did not find the match needed from the query.');
  return String(arrayIndex);
}

function merge(a: Tree | Modifier, b: Tree | Modifier, path: string): Tree {
  if (!(a instanceof Map) || !(b instanceof Map)) throw conflict(path, path);
  const merged = new Map(a);
  for (const [component, node] of b) {
    const other = merged.get(component);
    merged.set(component, other === undefined ? node : merge(other, node, join(path, component)));
  }
  return merged;
}

function hasArrayUpdates(tree: Tree): boolean {
  return [...tree.keys()].some((component) => component !== '$' && isPositional(component));
}

function creates(node: Tree | Modifier): boolean {
  return node instanceof Map ? [...node.values()].some(creates) : node.creates;
}

function notViable(tree: Tree, value: unknown, path: string): EngineError {
  const [component = ''] = tree.keys();
  return new EngineError(
    CODES.PathNotViable,
    `Cannot create field '${component}' in element {${path}: ${typeName(value)}}`,
  );
}

function join(path: string, component: string): string {
  return path === '' ? component : `${path}.${component}`;
}
