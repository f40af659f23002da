import { type Budget, checked, EvaluationError } from './budget.js';
import { FORBIDDEN_NAMES } from './tree.js';

/*
 * What JavaScript does with values, for plain data alone: nothing here calls a method of a value, reads what a value
 * inherits, or runs an accessor.
 */

type Primitive = string | number | boolean | null | undefined;

const INDEX = /^(?:0|[1-9]\d*)$/;

/** What `object` itself holds under `key`; `undefined` when nothing. @throws EvaluationError for an accessor */
export function ownOf(object: object, key: string): unknown {
  const found = Object.getOwnPropertyDescriptor(object, key);
  if (found === undefined) return undefined;
  if (!Object.hasOwn(found, 'value')) throw new EvaluationError('not a plain value');
  return found.value;
}

/** `value.name`, also of texts and lists. @throws EvaluationError through something missing */
export function memberOf(value: unknown, name: string): unknown {
  checkName(name);
  if (value === null || value === undefined) throw new EvaluationError(`nothing to read ${name} of`);
  if (typeof value === 'string') {
    if (name === 'length') return value.length;
    return INDEX.test(name) ? value[Number(name)] : undefined;
  }
  return typeof value === 'object' ? ownOf(value, name) : undefined;
}

/** `name in value`. @throws EvaluationError unless `value` is an object or list */
export function isIn(name: string, value: unknown): boolean {
  checkName(name);
  if (typeof value !== 'object' || value === null) throw new EvaluationError('in needs an object or a list');
  return Object.hasOwn(value, name);
}

function checkName(name: string): void {
  if (FORBIDDEN_NAMES.has(name)) throw new EvaluationError(`${name} is not possible`);
}

/** The items of a list, copied. @throws EvaluationError for anything else */
export function itemsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new EvaluationError('not a list');
  checked(value);
  return Array.from({ length: value.length }, (_, index) => ownOf(value, String(index)));
}

/**
 * What arithmetic, texts and comparisons make of `value`: of a list the texts of its items, joined. Each item counts as
 * one visit.
 *
 * @throws EvaluationError for an object, which has no text
 */
export function primitiveOf(value: unknown, budget: Budget): Primitive {
  if (Array.isArray(value)) {
    const items = itemsOf(value);
    budget.charge(items.length);
    const texts = items.map((item) => (item === null || item === undefined ? '' : textOf(item, budget)));
    return checked(texts.join(',')) as string;
  }
  if (typeof value === 'object' && value !== null) throw new EvaluationError('an object is no text and no number');
  return checked(value) as Primitive;
}

/** `value` as text. @throws EvaluationError for an object */
export function textOf(value: unknown, budget: Budget): string {
  return String(primitiveOf(value, budget));
}

/** `value` as a number, `NaN` where it is none. @throws EvaluationError for an object */
export function numberOf(value: unknown, budget: Budget): number {
  return Number(primitiveOf(value, budget));
}

/** `left == right`. Objects and lists equal themselves only. @throws EvaluationError where an object meets a text */
export function looselyEqual(left: unknown, right: unknown, budget: Budget): boolean {
  const missing = [left, right].filter((value) => value === null || value === undefined).length;
  if (missing > 0) return missing === 2;
  if (typeof left === typeof right) return left === right;
  const [one, other] = [primitiveOf(left, budget), primitiveOf(right, budget)];
  return typeof one === typeof other ? one === other : Number(one) === Number(other);
}

/** `left + right`. @throws EvaluationError for an object */
export function sumOf(left: unknown, right: unknown, budget: Budget): string | number {
  const [one, other] = [primitiveOf(left, budget), primitiveOf(right, budget)];
  if (typeof one === 'string' || typeof other === 'string') return String(one) + String(other);
  return Number(one) + Number(other);
}

/** `left` and `right` as `<` and its kin compare them: both texts, or both numbers. @throws EvaluationError for an object */
export function comparableOf(left: unknown, right: unknown, budget: Budget): [string, string] | [number, number] {
  const [one, other] = [primitiveOf(left, budget), primitiveOf(right, budget)];
  if (typeof one === 'string' && typeof other === 'string') return [one, other];
  return [Number(one), Number(other)];
}
