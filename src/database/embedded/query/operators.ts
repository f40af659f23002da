import { badValue, Document, failedToParse, typeMismatch } from '../errors.js';
import { compareValues, equalValues, typeName, typeRank } from '../bson/compare.js';
import { approximate, isNumber } from '../bson/numbers.js';
import { isDocument, isTagged, plainNumber, promote } from '../bson/types.js';
import { visitPath } from './paths.js';
import { checkValue, compileRegex, isOperators, isValueTest } from './values.js';

/** Where a match notes the array position that `$` stands for in an update. */
export interface Recorder {
  arrayIndex?: number;
}

/** A condition on a document: what a whole filter compiles to. */
export type Node = (doc: Document, recorder?: Recorder) => boolean;

/** A condition on a field, applied to whatever its path leads to in a document, or to one value by itself (an element, in `$elemMatch`). */
export interface Condition {
  path: Node;
  single: (value: unknown, recorder?: Recorder) => boolean;
}

/** What the operators of one field need: its path, and how to compile a filter within (`$elemMatch`). */
export interface Field {
  path: string[];
  nested: (filter: Document) => Node;
}

type Test = (value: unknown, recorder?: Recorder) => boolean;
type Parse = (operand: unknown, field: Field, siblings: Document) => Condition;

/** The names that `$type` takes, each at the place that its number names. */
const TYPE_NAMES =
  'double string object array binData undefined objectId bool date null regex dbPointer javascript symbol javascriptWithScope int timestamp long decimal';
const TYPE_CODES = new Map<number, string>([
  [-1, 'minKey'],
  [127, 'maxKey'],
  ...TYPE_NAMES.split(' ').map((name, i) => [i + 1, name] as const),
]);

const OPERATORS = new Map<string, Parse>([
  ['$eq', (operand, field) => equality(operand, field)],
  ['$ne', (operand, field) => negation(equality(operand, field))],
  ['$gt', (operand, field) => range(operand, field, (order) => order > 0, false)],
  ['$gte', (operand, field) => range(operand, field, (order) => order >= 0, true)],
  ['$lt', (operand, field) => range(operand, field, (order) => order < 0, false)],
  ['$lte', (operand, field) => range(operand, field, (order) => order <= 0, true)],
  ['$in', membership],
  ['$nin', (operand, field) => negation(membership(operand, field))],
  ['$exists', existence],
  ['$type', (operand, field) => leaf(field, typeTest(operand))],
  ['$regex', (operand, field, siblings) => pattern(field, operand, siblings['$options'])],
  ['$options', (_operand, _field, siblings) => optionsOnly(siblings)],
  ['$all', all],
  ['$elemMatch', elementMatch],
  ['$size', size],
  ['$mod', (operand, field) => leaf(field, modulo(operand))],
  ['$not', not],
]);

/** The condition that a field's part of a filter sets: an operator document, a regular expression or a value to equal. @throws EngineError for what is malformed or not supported. */
export function compileField(operand: unknown, field: Field): Condition {
  if (typeName(operand) === 'regex') return pattern(field, operand);
  return isOperators(operand) ? compileOperators(operand, field) : equality(operand, field);
}

function compileOperators(operators: Document, field: Field): Condition {
  return conjunction(
    Object.keys(operators).map((name) => {
      const parse = OPERATORS.get(name);
      if (parse !== undefined) return parse(operators[name], field, operators);
      throw badValue(`unknown operator: ${name}`);
    }),
  );
}

function leaf({ path }: Field, test: Test, expand = true): Condition {
  return {
    single: test,
    path: (doc, recorder) =>
      visitPath(doc, path, expand, (value, index) => {
        if (!test(value, recorder)) return false;
        if (recorder !== undefined && index !== undefined) recorder.arrayIndex = index;
        return true;
      }),
  };
}

function conjunction(conditions: Condition[]): Condition {
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return {
    path: (doc, recorder) => conditions.every((condition) => condition.path(doc, recorder)),
    single: (value, recorder) => conditions.every((condition) => condition.single(value, recorder)),
  };
}

function negation(condition: Condition): Condition {
  return { path: (doc) => !condition.path(doc), single: (value) => !condition.single(value) };
}

function equality(operand: unknown, field: Field): Condition {
  checkValue(operand, 'filters');
  return leaf(field, equalTo(promote(operand)));
}

function equalTo(wanted: unknown): Test {
  return wanted === null || wanted === undefined
    ? isNull
    : (value) => value !== undefined && equalValues(value, wanted);
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function isNaNumber(value: unknown): boolean {
  return isNumber(value) && Number.isNaN(approximate(value));
}

function range(operand: unknown, field: Field, holds: (order: number) => boolean, inclusive: boolean): Condition {
  checkValue(operand, 'filters');
  const bound = promote(operand);
  // null and NaN are next to nothing: they only equal themselves
  if (isNull(bound)) return leaf(field, (value) => inclusive && isNull(value));
  if (isNaNumber(bound)) return leaf(field, (value) => inclusive && isNaNumber(value));
  const rank = typeRank(bound);
  return leaf(field, (value) => typeRank(value) === rank && !isNaNumber(value) && holds(compareValues(value, bound)));
}

function membership(operand: unknown, field: Field): Condition {
  if (!Array.isArray(operand)) throw badValue('$in needs an array');
  const patterns = operand.filter((item) => typeName(item) === 'regex').map((item) => compileRegex(item));
  const values = operand.filter((item) => typeName(item) !== 'regex');
  checkValue(values, 'filters');
  if (values.some(isOperators)) throw badValue('cannot nest $ under $in');
  const scalars = new Set(values.map(scalarOf).filter((scalar) => scalar !== undefined));
  const tests = values.filter((value) => scalarOf(value) === undefined).map((value) => equalTo(promote(value)));
  return leaf(field, (value) => {
    const scalar = scalarOf(value);
    if (scalar === undefined) return tests.some((test) => test(value));
    return scalars.has(scalar) || (typeof scalar === 'string' && patterns.some((matches) => matches(scalar)));
  });
}

function scalarOf(value: unknown): string | number | undefined {
  return typeof value === 'string' ? value : plainNumber(value);
}

function existence(operand: unknown, field: Field): Condition {
  const wanted = operand !== null && operand !== undefined && operand !== false && plainNumber(operand) !== 0;
  const exists = leaf(field, (value) => value !== undefined, false);
  return wanted ? exists : negation(exists);
}

function typeTest(operand: unknown): Test {
  const wanted = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typesOf));
  if (wanted.size === 0) throw failedToParse('$type must match at least one type');
  return (value) => wanted.has(typeName(value));
}

function typesOf(alias: unknown): string[] {
  if (alias === 'number') return ['int', 'long', 'double', 'decimal'];
  if (typeof alias === 'string') {
    if (![...TYPE_CODES.values()].includes(alias)) throw badValue(`Unknown type name alias: ${alias}`);
    return [alias];
  }
  const code = plainNumber(alias);
  if (code === undefined) throw typeMismatch('type must be represented as a number or a string');
  const name = TYPE_CODES.get(code);
  if (name === undefined) throw badValue(`Invalid numerical type code: ${code}`);
  return [name];
}

function pattern(field: Field, source: unknown, options?: unknown): Condition {
  const matches = compileRegex(source, options);
  return leaf(field, (value) => typeof value === 'string' && matches(value));
}

function optionsOnly(siblings: Document): Condition {
  if (!Object.hasOwn(siblings, '$regex')) throw badValue('$options needs a $regex');
  return conjunction([]);
}

function all(operand: unknown, field: Field): Condition {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  const [first] = operand as unknown[];
  if (first === undefined) return leaf(field, () => false);
  const wantsElements = isOperators(first);
  return conjunction(
    operand.map((item: unknown) => {
      if (isOperators(item) !== wantsElements) throw badValue('no $ expressions in $all');
      if (!isOperators(item)) return compileField(item, field);
      if (Object.keys(item).join() !== '$elemMatch') throw badValue('no $ expressions in $all');
      return elementMatch(item['$elemMatch'], field);
    }),
  );
}

function elementMatch(operand: unknown, field: Field): Condition {
  if (!isDocument(operand)) throw badValue('$elemMatch needs an Object');
  const test = elementTest(operand, field);
  return leaf(
    field,
    (value, recorder) => {
      const index = Array.isArray(value) ? value.findIndex((element) => test(element)) : -1;
      if (recorder !== undefined && index >= 0) recorder.arrayIndex = index;
      return index >= 0;
    },
    false,
  );
}

/** A test of one element: by operators on the value itself, or by a filter on a document. */
function elementTest(operand: Document, { nested }: Field): Test {
  if (isValueTest(operand)) return compileOperators(operand, { path: [], nested }).single;
  const node = nested(operand);
  return (element) => {
    if (isDocument(element)) return node(element);
    return Array.isArray(element) && node(Object.fromEntries(element.entries()));
  };
}

function size(operand: unknown, field: Field): Condition {
  const wanted = plainNumber(operand);
  if (wanted === undefined || !Number.isInteger(wanted))
    throw failedToParse('Failed to parse $size. Expected an integer');
  if (wanted < 0) throw failedToParse('Failed to parse $size. Expected a non-negative number');
  return leaf(field, (value) => Array.isArray(value) && value.length === wanted, false);
}

function modulo(operand: unknown): Test {
  if (!Array.isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const [divisor, remainder] = operand.map((item: unknown) => {
    const number = plainNumber(item);
    if (number === undefined || !Number.isFinite(number))
      throw badValue('malformed mod, divisor and remainder must be finite numbers');
    return Math.trunc(number);
  });
  if (divisor === undefined || divisor === 0) throw badValue('divisor cannot be 0');
  return (value) => {
    if (isTagged(value, 'Long')) return Number(value.toBigInt() % BigInt(divisor)) === remainder;
    // `%` keeps the sign of -0, which === does not mind
    return isNumber(value) && Math.trunc(approximate(value)) % divisor === remainder;
  };
}

function not(operand: unknown, field: Field): Condition {
  if (typeName(operand) === 'regex') return negation(pattern(field, operand));
  if (!isDocument(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  return negation(compileOperators(operand, field));
}
