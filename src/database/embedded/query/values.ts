import { badValue, CODES, Document, EngineError, unsupported } from '../errors.js';
import { regexOf } from '../bson/compare.js';
import { isDocument, typeName } from '../bson/types.js';

const STORABLE = new Set([
  'string',
  'int',
  'double',
  'bool',
  'null',
  'missing',
  'date',
  'objectId',
  'binData',
  'array',
  'object',
]);
const MAX_DEPTH = 200;

/**
 * Checks that `value` holds only types that the engine takes in filters and updates; `place` (`filters`, `updates`) is named in the refusal.
 * @throws EngineError for any other type, and for nesting deeper than 200 levels.
 */
export function checkValue(value: unknown, place: string, depth = 0): void {
  if (depth > MAX_DEPTH) throw new EngineError(CODES.Overflow, `values are nested deeper than ${MAX_DEPTH} levels`);
  const type = typeName(value);
  if (!STORABLE.has(type)) throw unsupported(`values of type ${type} in ${place}`);
  if (Array.isArray(value)) for (const element of value) checkValue(element, place, depth + 1);
  else if (isDocument(value)) for (const key of Object.keys(value)) checkValue(value[key], place, depth + 1);
  else if (type === 'object') throw unsupported(`references (DBRef) in ${place}`);
}

/** Whether `value` is a document whose first field is an operator. */
export function isOperators(value: unknown): value is Document {
  return isDocument(value) && (Object.keys(value)[0]?.startsWith('$') ?? false);
}

/** Whether `value` is a document of operators on a value itself, and not a filter of documents that begins with `$and`, `$or` or `$nor`. */
export function isValueTest(value: unknown): value is Document {
  return isOperators(value) && !['$and', '$or', '$nor', '$expr'].includes(Object.keys(value)[0] ?? '');
}

/** A test of strings by a regular expression of either class, or its source with `$options`. @throws EngineError for a pattern or an option that cannot be. */
export function compileRegex(pattern: unknown, options?: unknown): (text: string) => boolean {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof pattern !== 'string' && typeName(pattern) !== 'regex') throw badValue('$regex has to be a string');
  const [source, own] = typeof pattern === 'string' ? [pattern, ''] : regexOf(pattern);
  if (own !== '' && options !== undefined) throw new EngineError(51075, 'options set in both $regex and $options');
  if (source.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte');
  const expression = build(source, options ?? own);
  return (text) => expression.test(text);
}

function build(source: string, options: string): RegExp {
  for (const option of options) {
    if (option === 'x') throw unsupported('the option x of regular expressions');
    if (!'imsu'.includes(option)) throw new EngineError(51108, `invalid flag in regex options: ${option}`);
  }
  try {
    // patterns are always read as Unicode by MongoDB; the flag u of JavaScript would refuse escapes that are good there
    return new RegExp(source, [...new Set(options)].filter((option) => option !== 'u').join(''));
  } catch (error) {
    throw new EngineError(51091, `Regular expression is invalid: ${error instanceof Error ? error.message : source}`);
  }
}
