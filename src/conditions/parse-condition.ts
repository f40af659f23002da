import type * as Acorn from 'acorn';
import { createRequire } from 'node:module';
import { lazy } from '../common/lazy.js';
import { lengthOf } from '../common/validation.js';
import { NO_ASSIGNMENT, Refusal, TOO_DEEP, Translation } from './translation.js';
import type { Condition } from './tree.js';

/** Not by `import()`: conditions are read where nothing is waited for. */
const acorn = lazy(() => createRequire(import.meta.url)('acorn') as typeof Acorn);

/** Code points of a condition at the most. */
const MAX_LENGTH = 1024;

/** As a module: strict mode, without the comments that HTML brought into scripts. Parentheses show where the end is. */
const SYNTAX = { ecmaVersion: 2024, sourceType: 'module', preserveParens: true } as const;

/** What the parser says, where it is better said as of what it reads without complaint. */
const IN_OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['Assigning to rvalue', NO_ASSIGNMENT],
  ['Not enough stack space to parse input', TOO_DEEP],
]);

/** A condition that is not accepted. The message goes on from the name of the property, such as `condition`. */
export class ConditionError extends Error {
  constructor(
    problem: string,
    /** Where the problem begins: 1 is the first character, in code points. */
    readonly position: number,
  ) {
    super(`is not accepted at character ${position}: ${problem}`);
    this.name = 'ConditionError';
  }
}

/**
 * The syntax tree of a condition: one JavaScript expression out of a subset that only reads and compares. Blank text is
 * a condition that always holds. The tree is frozen and plain JSON. Whoever keeps it keeps it as JSON text: it may be
 * nested more deeply than a record of the database, and hold halves of surrogate pairs.
 *
 * @throws ConditionError for what is no expression, or none of the subset (decision 3.20), or longer than 1024
 * characters, or nested in more than 64 levels.
 */
export function parseCondition(source: string): Condition {
  if (source.length > 2 * MAX_LENGTH || lengthOf(source) > MAX_LENGTH) {
    throw new ConditionError(`at most ${MAX_LENGTH} characters are possible`, MAX_LENGTH + 1);
  }
  if (source.trim() === '') return Object.freeze({ kind: 'literal', value: true });
  try {
    return new Translation().of(expressionOf(source));
  } catch (error) {
    if (error instanceof Refusal) throw new ConditionError(error.message, positionOf(source, error.offset));
    throw error;
  }
}

/** The expression that is all of `source`. @throws Refusal */
function expressionOf(source: string): Acorn.Expression {
  const { parseExpressionAt, tokenizer } = acorn();
  try {
    const expression = parseExpressionAt(source, 0, SYNTAX);
    // what was read is blanked out, so that places stay what they are
    const next = tokenizer(' '.repeat(expression.end) + source.slice(expression.end), SYNTAX).getToken();
    if (next.type.label !== 'eof') {
      throw new Refusal('the expression has ended here; only one is possible', next.start);
    }
    return expression;
  } catch (error) {
    // it notices when the stack is used up, unless nothing is left to say so with
    if (error instanceof RangeError) throw new Refusal(TOO_DEEP, 0);
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(problemOf(error), offsetOf(error));
  }
}

/** What the parser says, without the place, which it counts in lines. */
function problemOf(error: SyntaxError): string {
  const text = error.message.replace(/ \(\d+:\d+\)$/, '').toWellFormed();
  return IN_OTHER_WORDS.get(text) ?? text.charAt(0).toLowerCase() + text.slice(1);
}

/** Where the parser stopped, in UTF-16 units. */
function offsetOf(error: SyntaxError): number {
  return 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
}

function positionOf(source: string, offset: number): number {
  return lengthOf(source.slice(0, offset)) + 1;
}
