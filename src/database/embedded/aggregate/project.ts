import { Document, EngineError } from '../errors.js';
import { isDocument, own, put } from '../bson/types.js';
import {
  compileExclusion,
  compileInclusion,
  FieldTree,
  fieldTree,
  flagOf,
  flatten,
  idFirst,
  isInclusion,
} from '../query/projection.js';
import { compileExpression, Evaluate } from './expression.js';
import { mapping, Stage, StageScope } from './stage.js';

/** `$project`: fields to show, to leave out, or to compute. */
export function project(spec: unknown, { variables }: StageScope): Stage {
  const fields = fieldsOf('$project', spec);
  const isComputed = (value: unknown): boolean => flagOf(value) === undefined;
  const inclusive = isInclusion(fields, isComputed);
  const paths = (wanted: (value: unknown) => boolean): string[] =>
    [...fields.keys()].filter((path) => wanted(fields.get(path)));
  if (!inclusive) return mapping(compileExclusion(paths((value) => flagOf(value) === false)));
  const included = paths((value) => flagOf(value) === true);
  const computed = paths(isComputed);
  if (!fields.has('_id')) included.unshift('_id');
  const include = compileInclusion(included, computed);
  const tree = expressions(computed, fields, variables);
  return mapping((doc) => idFirst(addFields(include(doc), tree, doc)));
}

/** `$addFields` and `$set`: fields to compute beside those that are there. */
export function addition(spec: unknown, { variables }: StageScope): Stage {
  const fields = fieldsOf('$addFields', spec);
  const tree = expressions([...fields.keys()], fields, variables);
  return mapping((doc) => addFields(doc, tree, doc));
}

/** `$unset`: fields to leave out. */
export function removal(spec: unknown): Stage {
  const paths: unknown[] = Array.isArray(spec) ? spec : [spec];
  const names = paths.filter((path) => typeof path === 'string');
  if (names.length === 0 || names.length < paths.length) {
    throw new EngineError(31002, '$unset specification must be a string or an array of strings');
  }
  return mapping(compileExclusion(names));
}

function fieldsOf(name: string, spec: unknown): Map<string, unknown> {
  if (!isDocument(spec))
    throw new EngineError(name === '$project' ? 15969 : 40272, `${name} specification stage must be an object`);
  const fields = flatten(spec);
  if (fields.size === 0 && name === '$project')
    throw new EngineError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  return fields;
}

function expressions(paths: string[], fields: Map<string, unknown>, variables: Document): FieldTree<Evaluate> {
  return fieldTree(paths.map((path) => [path, compileExpression(fields.get(path), variables)] as const));
}

function addFields(doc: Document, tree: FieldTree<Evaluate>, root: Document): Document {
  const copy = { ...doc };
  for (const [key, branch] of tree) {
    const value = branch instanceof Map ? addWithin(own(doc, key), branch, root) : branch(root);
    if (value === undefined) Reflect.deleteProperty(copy, key);
    else put(copy, key, value);
  }
  return copy;
}

function addWithin(value: unknown, tree: FieldTree<Evaluate>, root: Document): unknown {
  if (Array.isArray(value)) return value.map((element) => addWithin(element, tree, root));
  return addFields(isDocument(value) ? value : {}, tree, root);
}
