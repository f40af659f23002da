import { LRUCache } from 'lru-cache';
import { evaluateCondition, evaluateText, variablesOf, type VisitorClaims } from './evaluate-condition.js';
import { ConditionError, parseCondition } from './parse-condition.js';
import type { Condition } from './tree.js';

/** Conditions that were read, by their text; `null`: one that cannot be. */
const read = new LRUCache<string, { tree: Condition | null }>({ max: 1000 });

/**
 * Whether what stands under `condition` is shown to a visitor with `claims`: an error hides, and so does what cannot be read.
 *
 * @param condition The expression as it was written; `null`: none.
 */
export function isShown(condition: string | null, claims: VisitorClaims): boolean {
  if (condition === null) return true;
  const tree = treeOf(condition);
  return tree !== null && evaluateCondition(tree, variablesOf(claims));
}

/** What `expression` comes to for a visitor with `claims`, as text: none for what cannot be read, or is no plain value. */
export function textFor(expression: string, claims: VisitorClaims): string {
  const tree = treeOf(expression);
  return tree === null ? '' : evaluateText(tree, variablesOf(claims));
}

function treeOf(condition: string): Condition | null {
  const known = read.get(condition) ?? { tree: parsed(condition) };
  read.set(condition, known);
  return known.tree;
}

function parsed(condition: string): Condition | null {
  try {
    return parseCondition(condition);
  } catch (error) {
    // what is checked when it is written may be too much for a later version; texts of pages are not checked at all
    if (error instanceof ConditionError) return null;
    throw error;
  }
}
