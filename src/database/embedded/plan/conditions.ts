import { keyRank } from '../bson/key.js';
import { isDocument, isTagged } from '../bson/types.js';
import type { Document } from '../errors.js';

/** One end of a range of values. */
export interface Limit {
  value: unknown;
  inclusive: boolean;
}

/** A range of values of one type. */
export interface ValueRange {
  lower?: Limit;
  upper?: Limit;
}

/** What a filter demands of one field, as far as an index can use it. */
export interface Demand {
  /** The field, or an element of it, is one of these. */
  points?: unknown[];
  /** The field, or an element of it, is within each of these; within `together` at once. */
  ranges: { range: ValueRange; together: boolean }[];
  /** Operators and operands as given, for comparison with those of a partial index. */
  given: [operator: string, operand: unknown][];
}

/** What a filter demands: always at least what these fields say. */
export interface Demands {
  fields: Map<string, Demand>;
  /** Whether these fields say all of it. */
  complete: boolean;
}

const MIN_RANGE_RANK = keyRank(0);
const UNORDERED = new Set([keyRank({}), keyRank([]), keyRank(/x/)]);
const MAX_RANGE_RANK = keyRank(new Date(0));

/** Reads a filter's conditions that hold for every document it matches. */
export function demandsOf(filter: Document): Demands {
  const demands: Demands = { fields: new Map(), complete: true };
  collect(filter, demands);
  return demands;
}

function collect(filter: Document, demands: Demands): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value)) for (const part of value) collect(part as Document, demands);
    else if (key === '$comment') continue;
    else if (key.startsWith('$') || hasIndexComponent(key)) demands.complete = false;
    else if (!demand(demandOf(demands, key), value)) demands.complete = false;
  }
}

function hasIndexComponent(path: string): boolean {
  return /(^|\.)\d+(\.|$)/.test(path);
}

function demandOf(demands: Demands, path: string): Demand {
  let found = demands.fields.get(path);
  if (!found) demands.fields.set(path, (found = { ranges: [], given: [] }));
  return found;
}

function demand(into: Demand, condition: unknown): boolean {
  const operators = operatorsOf(condition);
  if (!operators) return applyOperator(into, '$eq', condition);
  let complete = true;
  for (const [operator, operand] of operators) {
    if (!applyOperator(into, operator, operand)) complete = false;
  }
  return complete;
}

/** The operators of a condition such as `{ $gt: 1 }`; `undefined` for a plain value. */
export function operatorsOf(condition: unknown): [string, unknown][] | undefined {
  if (!isDocument(condition)) return undefined;
  const entries = Object.entries(condition);
  return entries[0]?.[0].startsWith('$') ? entries : undefined;
}

// answers whether the demand says all that the operator does
function applyOperator(into: Demand, operator: string, operand: unknown): boolean {
  into.given.push([operator, operand]);
  if (operator === '$eq') return addPoints(into, [operand]);
  if (operator === '$in' && Array.isArray(operand)) return addPoints(into, operand);
  if (operator === '$elemMatch') {
    const range = rangeOf(operatorsOf(operand) ?? []);
    if (range) into.ranges.push({ range, together: true });
    return false;
  }
  // that is an equality with null, and with what is missing
  if ((operator === '$gte' || operator === '$lte') && operand === null) return addPoints(into, [null]);
  const range = rangeOf([[operator, operand]]);
  if (range) into.ranges.push({ range, together: false });
  return range !== undefined;
}

function addPoints(into: Demand, values: unknown[]): boolean {
  if (!values.every(isPoint)) return false;
  const first = into.points === undefined;
  if (first || values.length < (into.points?.length ?? 0)) into.points = values;
  return first && values.every((value) => value !== null && keyRank(value) !== keyRank({}));
}

function isPoint(value: unknown): boolean {
  const rank = keyRank(value);
  return rank !== keyRank([]) && rank !== keyRank(/x/) && !isTagged(value, 'Decimal128');
}

function rangeOf(operators: [string, unknown][]): ValueRange | undefined {
  const range: ValueRange = {};
  for (const [operator, value] of operators) {
    const rank = keyRank(value);
    if (rank < MIN_RANGE_RANK || rank > MAX_RANGE_RANK || UNORDERED.has(rank) || isTagged(value, 'Decimal128'))
      return undefined;
    if (typeof value === 'number' && Number.isNaN(value)) return undefined;
    if ((operator === '$gt' || operator === '$gte') && !range.lower)
      range.lower = { value, inclusive: operator === '$gte' };
    else if ((operator === '$lt' || operator === '$lte') && !range.upper) {
      range.upper = { value, inclusive: operator === '$lte' };
    } else return undefined;
  }
  // NaN sorts below all numbers, and is below none of them
  if (range.upper && !range.lower && keyRank(range.upper.value) === MIN_RANGE_RANK) {
    range.lower = { value: -Infinity, inclusive: true };
  }
  const mixed = range.lower && range.upper && keyRank(range.lower.value) !== keyRank(range.upper.value);
  return operators.length === 0 || mixed ? undefined : range;
}

/** The top-level fields that a filter looks at; `undefined`: it may look at any. */
export function fieldsOf(filter: Document, found = new Set<string>()): Set<string> | undefined {
  for (const [key, value] of Object.entries(filter)) {
    if ((key === '$and' || key === '$or' || key === '$nor') && Array.isArray(value)) {
      for (const part of value) if (!fieldsOf(part as Document, found)) return undefined;
    } else if (key.startsWith('$') && key !== '$comment') return undefined;
    else if (key !== '$comment') found.add(topField(key));
  }
  return found;
}

/** The field of the document that a path begins with. */
export function topField(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}
