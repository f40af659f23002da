import { badValue, CODES, Document, EngineError, failedToParse, typeMismatch } from '../errors.js';
import { compareValues, equalValues, typeName, valueKey } from '../bson/compare.js';
import { isDocument, own, plainNumber } from '../bson/types.js';
import { compileFilter } from '../query/match.js';
import { compileSort } from '../query/sort.js';
import { checkValue, isOperators, isValueTest } from '../query/values.js';
import { Modifier } from './modifier.js';

const PUSH_CLAUSES = ['$each', '$slice', '$sort', '$position'];

/** `$push`, with `$each`, `$position`, `$sort` and `$slice`, which apply in this order. */
export function push(operand: unknown, path: string): Modifier {
  const clauses = clausesOf('$push', operand, PUSH_CLAUSES);
  const position = integer('$position', clauses);
  const slice = integer('$slice', clauses);
  const compare = pushOrder(own(clauses, '$sort'));
  const added = eachOf('$push', clauses);
  return {
    creates: true,
    apply: (current) => {
      const array = [...arrayAt(path, current ?? [])];
      array.splice(position ?? array.length, 0, ...added);
      if (compare !== undefined) array.sort(compare);
      if (slice === undefined) return array;
      return slice < 0 ? array.slice(slice) : array.slice(0, slice);
    },
  };
}

/** `$addToSet`, with `$each`. */
export function addToSet(operand: unknown, path: string): Modifier {
  const added = eachOf('$addToSet', clausesOf('$addToSet', operand, ['$each']));
  return {
    creates: true,
    apply: (current) => {
      const array = [...arrayAt(path, current ?? [])];
      const present = new Set(array.map(valueKey));
      for (const value of added) {
        if (!present.has(valueKey(value))) array.push(value);
        present.add(valueKey(value));
      }
      return array;
    },
  };
}

/** `$pull`: elements that equal a value, pass operators, or are documents that match a filter. */
export function pull(operand: unknown, path: string): Modifier {
  return culling(path, pullTest(operand));
}

/** `$pullAll`: elements that equal one of the values. */
export function pullAll(operand: unknown, path: string): Modifier {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  checkValue(operand, 'updates');
  const unwanted = new Set(operand.map(valueKey));
  return culling(path, (element) => unwanted.has(valueKey(element)));
}

/** `$pop`: the last element (1) or the first (-1). */
export function pop(operand: unknown, path: string): Modifier {
  const end = plainNumber(operand);
  if (end === undefined) throw failedToParse(`Expected a number in: ${path}: ${typeName(operand)}`);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${end}`);
  return {
    creates: false,
    apply: (current) => {
      if (current === undefined) return undefined;
      if (!Array.isArray(current))
        throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeName(current)}'`);
      return (current as unknown[]).slice(...(end === 1 ? [0, -1] : [1]));
    },
  };
}

function culling(path: string, unwanted: (element: unknown) => boolean): Modifier {
  return {
    creates: false,
    apply: (current) =>
      current === undefined ? undefined : arrayAt(path, current).filter((element) => !unwanted(element)),
  };
}

function pullTest(operand: unknown): (element: unknown) => boolean {
  if (isValueTest(operand) || typeName(operand) === 'regex') {
    const matches = compileFilter({ element: operand });
    return (element) => matches({ element });
  }
  if (isDocument(operand)) {
    const matches = compileFilter(operand);
    return (element) => isDocument(element) && matches(element);
  }
  checkValue(operand, 'updates');
  return (element) => equalValues(element, operand);
}

function arrayAt(path: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badValue(`The field '${path}' must be an array but is of type ${typeName(value)}`);
  return value;
}

/** The clauses of an operand; a plain value is the only one that `$each` adds. */
function clausesOf(name: string, operand: unknown, known: string[]): Document {
  if (!isOperators(operand)) return { $each: [operand ?? null] };
  if (!Object.hasOwn(operand, '$each')) {
    throw new EngineError(CODES.DollarPrefixedFieldName, `${name} needs $each beside ${Object.keys(operand).join()}`);
  }
  const odd = Object.keys(operand).find((clause) => !known.includes(clause));
  if (odd !== undefined) throw badValue(`Unrecognized clause in ${name}: ${odd}`);
  return operand;
}

function eachOf(name: string, clauses: Document): unknown[] {
  const each = clauses['$each'];
  if (!Array.isArray(each))
    throw badValue(`The argument to $each in ${name} must be an array but it was of type: ${typeName(each)}`);
  checkValue(each, 'updates');
  return each;
}

function integer(clause: string, clauses: Document): number | undefined {
  if (!Object.hasOwn(clauses, clause)) return undefined;
  const number = plainNumber(clauses[clause]);
  if (number === undefined || !Number.isInteger(number))
    throw badValue(`The value for ${clause} must be an integer value but was given type: ${typeName(clauses[clause])}`);
  return number;
}

function pushOrder(sort: unknown): ((a: unknown, b: unknown) => number) | undefined {
  if (sort === undefined) return undefined;
  if (isDocument(sort)) {
    if (Object.keys(sort).length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
    const compare = compileSort(sort);
    return (a, b) => compare(isDocument(a) ? a : {}, isDocument(b) ? b : {});
  }
  const direction = plainNumber(sort);
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
  return (a, b) => compareValues(a, b) * direction;
}
