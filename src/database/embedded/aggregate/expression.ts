import { Context, evalExpr, ProcessingMode } from 'mingo/core';
import type { ExpressionOperator, Options } from 'mingo/types';
import * as mingo from 'mingo/operators/expression';
import { badValue, CODES, Document, EngineError, unsupported } from '../errors.js';
import { isDocument, own, promote } from '../bson/types.js';
import { checkFieldPath } from '../query/paths.js';
import { ownOperators } from './operators.js';

export { isTruthy } from './operators.js';

/** The value of an expression for a document; undefined when it is missing. */
export type Evaluate = (doc: Document) => unknown;

/** mingo's own options, bound to a root document; it makes them once and then passes them through. */
interface Computing extends Options {
  update(locals: { root: unknown }): Computing;
}

/** Operators whose results in mingo are not MongoDB's, and those that would run code or give a different answer each time. */
const REFUSED = new Set(
  '$function $rand $sampleRate $toHashedIndexKey $median $percentile $sigmoid $minN $maxN $toDecimal $bitAnd $bitOr $bitXor $bitNot $getField $setField $unsetField'.split(
    ' ',
  ),
);
const SYSTEM_VARIABLES = ['ROOT', 'CURRENT', 'REMOVE', 'NOW'];
const BIND = '$bindOptions';

const operators = new Map(
  [...Object.entries<unknown>(mingo), ...Object.entries<unknown>(ownOperators)].filter(isOperator),
);
const context = Context.init({
  expression: {
    ...Object.fromEntries(operators),
    [BIND]: (_doc: unknown, _operand: unknown, options: Options) => options,
  },
});

/**
 * Checks an expression and answers how to evaluate it for (promoted) documents. `variables` are read at each evaluation, so that their values may change; their names may not.
 * @throws EngineError for unknown operators (168), undefined variables (17276), malformed field paths and what is not supported; evaluation throws it too (2).
 */
export function compileExpression(expression: unknown, variables: Document = {}): Evaluate {
  check(expression, new Set([...SYSTEM_VARIABLES, ...Object.keys(variables)]), 0);
  const promoted = promote(expression);
  if (typeof promoted !== 'string' && (typeof promoted !== 'object' || promoted === null)) return () => promoted;
  if (typeof promoted === 'string') {
    if (!promoted.startsWith('$')) return () => promoted;
    if (/^\$[^$.]+$/.test(promoted)) return (doc) => own(doc, promoted.slice(1));
  }
  const options = bind(variables);
  return (doc) => {
    try {
      return tidy(evalExpr(doc, promoted, options.update({ root: doc })));
    } catch (error) {
      throw error instanceof EngineError ? error : badValue(`cannot evaluate the expression: ${messageOf(error)}`);
    }
  };
}

function isOperator(entry: [string, unknown]): entry is [string, ExpressionOperator] {
  return entry[0].startsWith('$') && !REFUSED.has(entry[0]);
}

function bind(variables: Document): Computing {
  const options = {
    context,
    variables,
    idKey: '_id',
    processingMode: ProcessingMode.CLONE_OFF,
    useStrictMode: true,
    scriptEnabled: false,
    failOnError: true,
  };
  return evalExpr({}, { [BIND]: null }, options) as Computing;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Missing values vanish from documents and are null in arrays. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => tidy(element) ?? null);
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === undefined ? [] : [[key, tidy(field)]])),
  );
}

function check(expression: unknown, variables: Set<string>, depth: number): void {
  if (depth > 200) throw new EngineError(CODES.Overflow, 'the expression is nested too deeply');
  if (typeof expression === 'string') checkPath(expression, variables);
  else if (Array.isArray(expression)) for (const element of expression) check(element, variables, depth + 1);
  else if (isDocument(expression)) checkDocument(expression, variables, depth);
}

function checkDocument(expression: Document, variables: Set<string>, depth: number): void {
  const names = Object.keys(expression);
  const [name = ''] = names;
  if (!name.startsWith('$')) {
    const odd = names.find((key) => key.startsWith('$') || key === '__proto__');
    if (odd !== undefined) throw new EngineError(16410, `FieldPath field names may not be '${odd}'`);
    for (const key of names) check(expression[key], variables, depth + 1);
    return;
  }
  if (names.length > 1)
    throw new EngineError(15983, 'An object representing an expression must have exactly one field');
  if (REFUSED.has(name)) throw unsupported(`the expression ${name}`);
  if (!operators.has(name)) throw new EngineError(CODES.InvalidPipelineOperator, `Unrecognized expression '${name}'`);
  if (name !== '$literal') checkOperand(name, expression[name], variables, depth);
}

/** Operators that name variables for a part of their operand. */
function checkOperand(name: string, operand: unknown, variables: Set<string>, depth: number): void {
  const scope = isDocument(operand) ? scopeOf(name, operand) : [];
  if (!isDocument(operand) || scope.length === 0) {
    check(operand, variables, depth + 1);
    return;
  }
  for (const [key, part] of Object.entries(operand)) {
    if (key === 'as') continue;
    const inner = key === 'in' || key === 'cond' ? new Set([...variables, ...scope]) : variables;
    check(part, inner, depth + 1);
  }
}

function scopeOf(name: string, operand: Document): string[] {
  const as = own(operand, 'as');
  const vars = own(operand, 'vars');
  if (name === '$reduce') return ['this', 'value'];
  if (name === '$map' || name === '$filter') return [typeof as === 'string' ? as : 'this'];
  return name === '$let' && isDocument(vars) ? Object.keys(vars) : [];
}

function checkPath(text: string, variables: Set<string>): void {
  if (!text.startsWith('$')) return;
  const isVariable = text.startsWith('$$');
  const components = text.slice(isVariable ? 2 : 1).split('.');
  if (isVariable && !variables.has(components[0] ?? ''))
    throw new EngineError(17276, `Use of undefined variable: ${components[0] ?? ''}`);
  checkFieldPath(components);
}
