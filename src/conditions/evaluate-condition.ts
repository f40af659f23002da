import { Evaluation } from './evaluation.js';
import type { Condition } from './tree.js';

/** What conditions read. */
export interface ConditionVariables {
  visitor: { claims: VisitorClaims };
  space: { vars: Readonly<Record<string, unknown>> };
}

/** What is known of a visitor: `visitor.claims`. */
export type VisitorClaims = Readonly<Record<string, unknown>>;

/** The claims of a visitor of whom nothing is known. */
export const NO_CLAIMS = Object.freeze({ unsigned: Object.freeze({}) });

/** The variables of a visitor with `claims`. There are no variables of spaces. */
export function variablesOf(claims: VisitorClaims): ConditionVariables {
  return { visitor: { claims }, space: { vars: {} } };
}

/**
 * Whether what `condition` decides about is shown. It is hidden when the value is `false`, `0`, `NaN`, an empty text,
 * `null` or `undefined`, and when there is none: something was read through what is missing, or the evaluation went over
 * 1000 visits of nodes, 64 levels, texts of 10,000 characters or lists of 1000 items. Never throws.
 */
export function evaluateCondition(condition: Condition, variables: ConditionVariables): boolean {
  try {
    return Boolean(new Evaluation(variables).of(condition));
  } catch {
    return false;
  }
}

/** The value of `expression` as text: that of a text, a number or a truth; none for anything else, and for errors. Never throws. */
export function evaluateText(expression: Condition, variables: ConditionVariables): string {
  try {
    const value = new Evaluation(variables).of(expression);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  } catch {
    return '';
  }
}
