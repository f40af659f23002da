import { Double, Int32 } from 'bson';
import { badValue, Document, failedToParse, typeMismatch, unsupported } from '../errors.js';
import { compareValues, typeName } from '../bson/compare.js';
import { addNumbers, isNumber, multiplyNumbers } from '../bson/numbers.js';
import { isDocument, own } from '../bson/types.js';
import { plainValue } from '../query/paths.js';
import { checkValue } from '../query/values.js';
import { addToSet, pop, pull, pullAll, push } from './arrays.js';
import { Environment, Modifier } from './modifier.js';
import { isPositional, parsePath } from './paths.js';

/** A modifier at its path. */
export type Entry = [path: string[], modifier: Modifier];

type Parse = (operand: unknown, path: string) => Modifier;

const MODIFIERS = new Map<string, Parse>([
  ['$set', set],
  ['$setOnInsert', set],
  ['$unset', () => ({ apply: () => undefined, creates: false })],
  ['$inc', (operand, path) => arithmetic('$inc', operand, path, addNumbers)],
  ['$mul', (operand, path) => arithmetic('$mul', operand, path, multiplyNumbers)],
  ['$min', (operand) => extreme(operand, -1)],
  ['$max', (operand) => extreme(operand, 1)],
  ['$currentDate', currentDate],
  ['$push', push],
  ['$addToSet', addToSet],
  ['$pull', pull],
  ['$pullAll', pullAll],
  ['$pop', pop],
]);

/** The modifiers that an update names, by operator. @throws EngineError for unknown operators (9) and malformed operands. */
export function parseModifiers(name: string, operand: unknown): Entry[] {
  const parse = MODIFIERS.get(name);
  if (parse === undefined && name !== '$rename') {
    throw failedToParse(
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDocument(operand)) {
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(operand)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
    );
  }
  return Object.keys(operand).flatMap((path) =>
    parse === undefined ? rename(path, operand[path]) : [[parsePath(path), parse(operand[path], path)] satisfies Entry],
  );
}

function set(operand: unknown): Modifier {
  checkValue(operand, 'updates');
  const value = operand ?? null;
  return { apply: () => value, creates: true };
}

function arithmetic(
  name: string,
  operand: unknown,
  path: string,
  combine: (a: unknown, b: unknown) => unknown,
): Modifier {
  const verb = name === '$inc' ? 'increment' : 'multiply';
  if (!isNumber(operand))
    throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${typeName(operand)}}`);
  checkValue(operand, 'updates');
  return {
    creates: true,
    apply: (current, { root }) => {
      if (current === undefined) return name === '$inc' ? operand : zeroLike(operand);
      if (isNumber(current)) return combine(current, operand);
      const id = String(own(root, '_id'));
      throw typeMismatch(
        `Cannot apply ${name} to a value of non-numeric type. {_id: ${id}} has the field '${path}' of non-numeric type ${typeName(current)}`,
      );
    },
  };
}

/** Zero, of the type of `operand`. */
function zeroLike(operand: unknown): unknown {
  return typeName(operand) === 'double' ? new Double(0) : new Int32(0);
}

function extreme(operand: unknown, direction: -1 | 1): Modifier {
  checkValue(operand, 'updates');
  const value = operand ?? null;
  return {
    creates: true,
    apply: (current) => (current === undefined || compareValues(value, current) * direction > 0 ? value : current),
  };
}

function currentDate(operand: unknown): Modifier {
  const type = isDocument(operand) && Object.keys(operand).join() === '$type' ? operand['$type'] : undefined;
  if (type === 'timestamp') throw unsupported('timestamps in $currentDate');
  if (typeof operand !== 'boolean' && type !== 'date') {
    throw badValue(
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  return { apply: (_current, { now }) => now, creates: true };
}

/** A rename is two modifiers: the source loses its value, the target takes it from the document as it was. */
function rename(from: string, to: unknown): Entry[] {
  if (typeof to !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${from}`);
  const [source, target] = [parsePath(from), parsePath(to)];
  if ([...source, ...target].some(isPositional))
    throw badValue(`The source and target fields for $rename may not be dynamic: ${from}`);
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}`);
  const take = (current: unknown, { root }: Environment): unknown => {
    refuseArrays(root, source, 'source');
    const value = plainValue(root, source);
    if (value !== undefined) refuseArrays(root, target, 'destination');
    return value === undefined ? current : value;
  };
  return [
    [source, { apply: () => undefined, creates: false }],
    [target, { apply: take, creates: true }],
  ];
}

function refuseArrays(root: Document, path: string[], role: string): void {
  const inArray = path.slice(1).some((_, i) => Array.isArray(plainValue(root, path.slice(0, i + 1))));
  if (inArray)
    throw badValue(`The ${role} field cannot be an array element, '${path.join('.')}' leads through an array`);
}
