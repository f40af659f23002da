import { Document, EngineError } from '../errors.js';
import { isDocument, own, typeName } from '../bson/types.js';
import { plainValue, splitPath, withPath } from '../query/paths.js';
import { isOperators } from '../query/values.js';
import { idFirst } from '../query/projection.js';

/**
 * The document that an upsert starts from: the fields that the filter pins to one value, by equality, a single `$in` or `$all`, also within `$and` and an `$or` of one branch.
 * The filter is one that compiles; its numbers keep the types they have. @throws EngineError (54) when a field is pinned twice.
 */
export function upsertSeed(filter: Document): Document {
  let seed: Document = {};
  for (const [name, value] of pinned(filter)) {
    const path = splitPath(name);
    const taken =
      path.some((_, i) => i > 0 && isLeaf(plainValue(seed, path.slice(0, i)))) || plainValue(seed, path) !== undefined;
    if (taken) throw new EngineError(54, `cannot infer query fields to set, path '${name}' is matched twice`);
    seed = withPath(seed, path, value);
  }
  return idFirst(seed);
}

function pinned(filter: Document): [string, unknown][] {
  return Object.entries(filter).flatMap(([key, operand]): [string, unknown][] => {
    if (key === '$and' || (key === '$or' && Array.isArray(operand) && operand.length === 1)) {
      return Array.isArray(operand) ? operand.filter(isDocument).flatMap(pinned) : [];
    }
    if (key.startsWith('$') || typeName(operand) === 'regex') return [];
    return isOperators(operand) ? equalities(operand).map((value) => [key, value]) : [[key, operand]];
  });
}

function equalities(operators: Document): unknown[] {
  const single = ['$in', '$all'].flatMap((name) => {
    const list = own(operators, name);
    return Array.isArray(list) && list.length === 1 ? (list as unknown[]) : [];
  });
  const equal = Object.hasOwn(operators, '$eq') ? [operators['$eq']] : [];
  return [...equal, ...single].filter((value) => typeName(value) !== 'regex' && !isOperators(value));
}

function isLeaf(value: unknown): boolean {
  return value !== undefined && !isDocument(value);
}
