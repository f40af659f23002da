import { lengthOf } from '../common/validation.js';
import { MAX_LEVELS } from './tree.js';

const MAX_VISITS = 1000;
/** Code points of a text, and items of a list, that a condition may handle. */
const MAX_TEXT = 10_000;
const MAX_ITEMS = 1000;

/** Why a condition has no value: it fails, and what it decides about is hidden. */
export class EvaluationError extends Error {}

/** What the evaluation of one condition may cost: 1000 visits of nodes, in 64 levels. */
export class Budget {
  private visits = 0;
  private level = 0;

  /** What `visit` answers, counted as one visit, a level further down. @throws EvaluationError over the limits */
  spend<T>(visit: () => T): T {
    this.charge(1);
    this.level += 1;
    if (this.level > MAX_LEVELS) throw new EvaluationError('too many levels');
    const value = visit();
    this.level -= 1;
    return value;
  }

  /** Counts work that costs as much as `visits`. @throws EvaluationError over the limit */
  charge(visits: number): void {
    this.visits += visits;
    if (this.visits > MAX_VISITS) throw new EvaluationError('too much to evaluate');
  }
}

/** `value` itself. @throws EvaluationError for what is too large, or is not plain data. */
export function checked(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      if (value.length > MAX_TEXT && (value.length > 2 * MAX_TEXT || lengthOf(value) > MAX_TEXT)) {
        throw new EvaluationError('a text is too long');
      }
      return value;
    case 'object':
      if (Array.isArray(value) ? value.length > MAX_ITEMS : !isPlain(value)) {
        throw new EvaluationError('not a plain value, or too long a list');
      }
      return value;
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    default:
      throw new EvaluationError('not a plain value');
  }
}

function isPlain(value: object | null): boolean {
  if (value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
