import { ObjectId } from 'bson';
import { evalExpr } from 'mingo/core';
import type { Options } from 'mingo/types';
import { CODES, Document, EngineError, typeMismatch, unsupported } from '../errors.js';
import { compareValues, equalValues, typeName, valueKey } from '../bson/compare.js';
import { addNumbers, approximate, isNumber, multiplyNumbers } from '../bson/numbers.js';
import { isDate, isDocument, isTagged, own, put } from '../bson/types.js';
import { compileSort } from '../query/sort.js';

type Operator = (doc: unknown, operand: unknown, options: Options) => unknown;

/** The types that `$convert` can be asked for by name. */
const TARGETS = ['double', 'string', 'objectId', 'bool', 'date', 'int', 'long'];

/** The operators whose meaning in mingo is not MongoDB's: other equality, other order, plain numbers only, or results read as expressions again. */
export const ownOperators: Record<`$${string}`, Operator> = {
  $eq: comparison('$eq', (order) => order === 0),
  $ne: comparison('$ne', (order) => order !== 0),
  $gt: comparison('$gt', (order) => order > 0),
  $gte: comparison('$gte', (order) => order >= 0),
  $lt: comparison('$lt', (order) => order < 0),
  $lte: comparison('$lte', (order) => order <= 0),
  $cmp: comparison('$cmp', Math.sign),
  $and: (doc, operand, options) => listOf(operand).every((part) => isTruthy(evalExpr(doc, part, options))),
  $or: (doc, operand, options) => listOf(operand).some((part) => isTruthy(evalExpr(doc, part, options))),
  $not: (doc, operand, options) => !isTruthy(values('$not', doc, operand, options, 1)[0]),
  $in: (doc, operand, options) => contains(values('$in', doc, operand, options, 2)),
  $add: (doc, operand, options) => reduceNumbers('$add', values('$add', doc, operand, options), addOperands),
  $multiply: (doc, operand, options) =>
    reduceNumbers('$multiply', values('$multiply', doc, operand, options), multiplyNumbers),
  $subtract: (doc, operand, options) => subtract(values('$subtract', doc, operand, options, 2)),
  $sum: (doc, operand, options) => sum(spread(doc, operand, options)),
  $avg: (doc, operand, options) => average(spread(doc, operand, options)),
  $min: (doc, operand, options) => extreme(spread(doc, operand, options), -1),
  $max: (doc, operand, options) => extreme(spread(doc, operand, options), 1),
  $type: (doc, operand, options) => typeName(values('$type', doc, operand, options, 1)[0]),
  $toString: (doc, operand, options) => toText(values('$toString', doc, operand, options, 1)[0]),
  $toObjectId: (doc, operand, options) => toObjectId(values('$toObjectId', doc, operand, options, 1)[0]),
  $convert: convert,
  $mergeObjects: (doc, operand, options) => mergeObjects(spread(doc, operand, options)),
  $sortArray: sortArray,
  $arrayToObject: (doc, operand, options) => toDocument(values('$arrayToObject', doc, operand, options, 1)[0]),
  $setUnion: sets((first, others) => new Map([first, ...others].flatMap((set) => [...set]))),
  $setIntersection: sets((first, others) => new Map([...first].filter(([key]) => others.every((set) => set.has(key))))),
  $setDifference: sets((first, others) => new Map([...first].filter(([key]) => !others.some((set) => set.has(key))))),
  $setIsSubset: (doc, operand, options) => isEmptyList(evalExpr(doc, { $setDifference: operand }, options)),
  $setEquals: (doc, operand, options) => {
    const [a, b] = listOf(operand);
    return isTruthy(evalExpr(doc, { $and: [{ $setIsSubset: [a, b] }, { $setIsSubset: [b, a] }] }, options));
  },
};

/** What counts as true: everything but false, zero, null and missing. */
export function isTruthy(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined && !(isNumber(value) && approximate(value) === 0);
}

/** The sum of those of `items` that are numbers; 0 when there is none. */
export function sum(items: Iterable<unknown>): unknown {
  let total: unknown = 0;
  for (const item of items) if (isNumber(item)) total = addNumbers(total, item);
  return total;
}

/** The mean of those of `items` that are numbers, as a double; null when there is none. */
export function average(items: Iterable<unknown>): unknown {
  const numbers = [...items].filter(isNumber);
  return numbers.length === 0 ? null : approximate(sum(numbers)) / numbers.length;
}

/** The smallest (`direction` -1) or greatest (1) of `items`, null and missing left aside; null when nothing is left. */
export function extreme(items: Iterable<unknown>, direction: -1 | 1): unknown {
  let best: unknown = null;
  for (const item of items) {
    if (item === null || item === undefined) continue;
    if (best === null || compareValues(item, best) * direction > 0) best = item;
  }
  return best;
}

/** One document of the fields of all `items`, later ones winning; null and missing count as empty. @throws EngineError for anything else. */
export function mergeObjects(items: Iterable<unknown>): Document {
  const merged: Document = {};
  for (const item of items) {
    if (item === null || item === undefined) continue;
    if (!isDocument(item))
      throw new EngineError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(item)}`);
    for (const key of Object.keys(item)) put(merged, key, item[key]);
  }
  return merged;
}

function listOf(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : [operand];
}

/** The values of an operator's arguments, which are exactly `count` if that is given. */
function values(name: string, doc: unknown, operand: unknown, options: Options, count?: number): unknown[] {
  const list = listOf(operand);
  if (count !== undefined && list.length !== count) {
    throw new EngineError(16020, `Expression ${name} takes exactly ${count} arguments. ${list.length} were passed in.`);
  }
  return list.map((part) => evalExpr(doc, part, options));
}

/** The arguments of an operator that also takes one array for them all. */
function spread(doc: unknown, operand: unknown, options: Options): unknown[] {
  const list = values('', doc, operand, options);
  return list.length === 1 && Array.isArray(list[0]) ? list[0] : list;
}

function comparison(name: string, answer: (order: number) => unknown): Operator {
  return (doc, operand, options) => {
    const [a, b] = values(name, doc, operand, options, 2);
    // other than to a filter, missing is less than null here
    const order =
      a === undefined || b === undefined ? Number(b === undefined) - Number(a === undefined) : compareValues(a, b);
    return answer(order);
  };
}

/** An operator on arrays as sets: of values that equal each other, the last counts; null if an array is null or missing. */
function sets(
  combine: (first: Map<string, unknown>, others: Map<string, unknown>[]) => Map<string, unknown>,
): Operator {
  return (doc, operand, options) => {
    const lists = values('', doc, operand, options);
    if (lists.some((list) => list === null || list === undefined)) return null;
    const [first = new Map<string, unknown>(), ...others] = lists.map((list) => {
      if (!Array.isArray(list))
        throw new EngineError(17044, `All operands of a set expression must be arrays, not ${typeName(list)}`);
      return new Map(list.map((value) => [valueKey(value), value]));
    });
    return [...combine(first, others).values()];
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A document of pairs, each an array of a name and a value or a document of `k` and `v`. */
function toDocument(pairs: unknown): unknown {
  if (pairs === null || pairs === undefined) return null;
  if (!Array.isArray(pairs))
    throw new EngineError(40386, `$arrayToObject requires an array input, found: ${typeName(pairs)}`);
  const made: Document = {};
  for (const pair of pairs) {
    const [key, value] = isDocument(pair)
      ? [own(pair, 'k'), own(pair, 'v')]
      : Array.isArray(pair)
        ? (pair as unknown[])
        : [];
    if (typeof key !== 'string') throw new EngineError(40392, '$arrayToObject requires pairs of a string and a value');
    put(made, key, value ?? null);
  }
  return made;
}

function contains([item, list]: unknown[]): boolean {
  if (!Array.isArray(list))
    throw new EngineError(40081, `$in requires an array as a second argument, found: ${typeName(list)}`);
  return list.some((element) => equalValues(element, item));
}

function reduceNumbers(name: string, items: unknown[], combine: (a: unknown, b: unknown) => unknown): unknown {
  if (items.some((item) => item === null || item === undefined)) return null;
  const odd = items.find((item) => !isNumber(item) && !(name === '$add' && isDate(item)));
  if (odd !== undefined) throw typeMismatch(`${name} only supports numeric types, not ${typeName(odd)}`);
  return items.length === 0 ? Number(name === '$multiply') : items.reduce(combine);
}

function addOperands(a: unknown, b: unknown): unknown {
  if (isDate(a) && isDate(b)) throw new EngineError(16612, 'only one date allowed in an $add expression');
  if (isDate(a)) return new Date(a.getTime() + approximate(b));
  return isDate(b) ? new Date(b.getTime() + approximate(a)) : addNumbers(a, b);
}

function subtract([a, b]: unknown[]): unknown {
  if (a === null || a === undefined || b === null || b === undefined) return null;
  if (isDate(a) && isDate(b)) return a.getTime() - b.getTime();
  if (isDate(a) && isNumber(b)) return new Date(a.getTime() - approximate(b));
  if (isNumber(a) && isNumber(b)) return addNumbers(a, multiplyNumbers(b, -1));
  throw typeMismatch(`can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function toText(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (isDate(value)) return value.toISOString();
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number' || isTagged(value, 'ObjectId')) return value.toString();
  if (isTagged(value, 'Long') || isTagged(value, 'Decimal128')) return value.toString();
  throw new EngineError(
    CODES.ConversionFailure,
    `Unsupported conversion from ${typeName(value)} to string in $convert with no onError value`,
  );
}

function toObjectId(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (isTagged(value, 'ObjectId')) return value;
  if (typeof value === 'string' && /^[\da-f]{24}$/i.test(value)) return new ObjectId(value);
  throw new EngineError(
    CODES.ConversionFailure,
    `Failed to parse objectId in $convert with no onError value: ${typeName(value)}`,
  );
}

function convert(doc: unknown, operand: unknown, options: Options): unknown {
  if (!isDocument(operand)) throw new EngineError(CODES.FailedToParse, '$convert expects an object of named arguments');
  const input = evalExpr(doc, own(operand, 'input'), options);
  if (input === null || input === undefined) return evalExpr(doc, own(operand, 'onNull'), options) ?? null;
  const to = evalExpr(doc, own(operand, 'to'), options);
  if (typeof to !== 'string' || !TARGETS.includes(to)) throw unsupported('this target of $convert');
  try {
    return evalExpr(doc, { [`$to${to.charAt(0).toUpperCase()}${to.slice(1)}`]: { $literal: input } }, options);
  } catch (error) {
    if (Object.hasOwn(operand, 'onError')) return evalExpr(doc, operand['onError'], options);
    throw error;
  }
}

function sortArray(doc: unknown, operand: unknown, options: Options): unknown {
  if (!isDocument(operand)) throw new EngineError(CODES.FailedToParse, '$sortArray requires an object as an argument');
  const input = evalExpr(doc, own(operand, 'input'), options);
  if (input === null || input === undefined) return null;
  if (!Array.isArray(input))
    throw new EngineError(
      CODES.BadValue,
      `The input argument to $sortArray must be an array, but was of type: ${typeName(input)}`,
    );
  const sortBy = own(operand, 'sortBy');
  const items: unknown[] = [...(input as unknown[])];
  if (!isDocument(sortBy)) return items.sort((a, b) => compareValues(a, b) * Math.sign(Number(sortBy)));
  const compare = compileSort(sortBy);
  return items.sort((a, b) => compare(isDocument(a) ? a : {}, isDocument(b) ? b : {}));
}
