import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { EvaluationError } from './budget.js';
import { evaluateCondition, variablesOf } from './evaluate-condition.js';
import { Evaluation } from './evaluation.js';
import { ConditionError, parseCondition } from './parse-condition.js';
import { BINARY_OPERATORS, type Condition, LIST_METHODS, METHODS, UNARY_OPERATORS } from './tree.js';
import { measure } from '../../test/support/spent.js';

/** No evaluation takes longer, in seconds of this thread; far above what one needs. */
const TIME = 0.5;

const NAMES = ['a', 'b', 'text', 'list', 'deep', 'gone', 'length', '0', 'unsigned'];
const HOSTILE = [
  '__proto__',
  'constructor',
  'prototype',
  'stolen',
  'toString',
  'valueOf',
  'then',
  'call',
  'push',
  '-1',
];

const claimsOf = (): Record<string, unknown> => ({
  a: 1,
  b: true,
  text: 'Lima',
  list: ['a', 'Lima', 3, null, ['b']],
  deep: { a: { b: 'x' }, list: [{ a: 1 }, { a: 2, b: false }], length: 2 },
  unsigned: { a: '1' },
});

/** Sources of expressions, most of which have a value. `params` are the names of the arrow functions around. */
function expression(depth: number, params: readonly string[]): fc.Arbitrary<string> {
  const claims = ['visitor.claims', ...params];
  const value = fc.oneof(
    fc.constantFrom('1', '0', '-2', '3.5', '"a"', '"Lima"', '""', '"1"', 'true', 'false', 'null', 'undefined'),
    fc
      .tuple(fc.constantFrom(...claims), fc.constantFrom('a', 'b', 'text', 'list', 'gone', 'deep'))
      .map(([from, name]) => `${from}?.${name}`),
    fc.constantFrom(...claims),
  );
  if (depth === 0) return value;
  const inner = expression(depth - 1, params);
  const param = `p${params.length}`;
  const withParam = expression(depth - 1, [...params, param]);
  const list = fc.oneof(
    fc.constantFrom('visitor.claims.list', 'visitor.claims.deep.list'),
    fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  );
  const text = fc.oneof(
    fc.constantFrom('visitor.claims.text', '" Ab "'),
    inner.map((part) => `\`x\${${part}}\``),
  );
  const pair = fc.tuple(inner, inner);
  return fc.oneof(
    value,
    fc.tuple(fc.constantFrom(...UNARY_OPERATORS), inner).map(([operator, of]) => `(${operator} ${of})`),
    fc.tuple(fc.constantFrom(...BINARY_OPERATORS), pair).map(([operator, [a, b]]) => `(${a} ${operator} ${b})`),
    fc.tuple(fc.constantFrom('&&', '||', '??'), pair).map(([operator, [a, b]]) => `(${a} ${operator} ${b})`),
    fc.tuple(inner, inner, inner).map(([test, a, b]) => `(${test} ? ${a} : ${b})`),
    fc
      .tuple(inner, fc.constantFrom('.a', '?.a', '["b"]', '?.[0]', '.list?.a', '.length'))
      .map(([a, b]) => `(${a})${b}`),
    fc.tuple(inner, inner).map(([object, key]) => `(${object})?.[${key}]`),
    fc.tuple(fc.constantFrom('a', 'b'), inner).map(([key, of]) => `({ ${key}: ${of} })`),
    list,
    fc.tuple(list, fc.constantFrom('includes', 'at'), inner).map(([a, method, b]) => `${a}.${method}(${b})`),
    fc
      .tuple(list, fc.constantFrom(...LIST_METHODS), withParam)
      .map(([a, method, b]) => `${a}.${method}(${param} => ${b})`),
    fc.tuple(text, fc.constantFrom('toLowerCase', 'toUpperCase', 'trim')).map(([a, method]) => `${a}.${method}()`),
    fc
      .tuple(text, fc.constantFrom('startsWith', 'endsWith', 'includes'), pair, fc.boolean())
      .map(([a, method, [b, at], two]) => `${a}.${method}(${two ? `${b}, ${at}` : b})`),
    fc.tuple(text, inner).map(([a, at]) => `${a}.at(${at})`),
  );
}

/** Any tree, also such as no source leads to. */
const { tree: anyTree } = fc.letrec<{ tree: Condition }>((tie) => {
  const of = tie('tree');
  const name = fc.constantFrom(...NAMES, ...HOSTILE);
  const optional = fc.boolean();
  const text = fc.oneof(name, fc.string());
  return {
    tree: fc.oneof(
      { maxDepth: 8, depthSize: 'medium', withCrossShrink: true },
      fc.record({
        kind: fc.constant('literal' as const),
        value: fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null)),
      }),
      fc.record({ kind: fc.constant('name' as const), name: fc.constantFrom('visitor', 'space', 'p', ...HOSTILE) }),
      fc.record({ kind: fc.constant('member' as const), object: of, name, optional }),
      fc.record({ kind: fc.constant('item' as const), object: of, key: of, optional }),
      fc.record({
        kind: fc.constant('call' as const),
        object: of,
        method: fc.constantFrom(...(Object.keys(METHODS) as (keyof typeof METHODS)[])),
        args: fc.array(of, { maxLength: 2 }),
        optional,
      }),
      fc.record({
        kind: fc.constant('each' as const),
        object: of,
        method: fc.constantFrom(...LIST_METHODS),
        params: fc.subarray(['p', 'visitor', 'stolen']),
        body: of,
        optional,
      }),
      fc.record({ kind: fc.constant('array' as const), items: fc.array(of, { maxLength: 4 }) }),
      fc.record({
        kind: fc.constant('object' as const),
        entries: fc.array(fc.record({ key: name, value: of }), { maxLength: 3 }),
      }),
      fc.array(of, { maxLength: 3 }).chain((parts) =>
        fc.record({
          kind: fc.constant('template' as const),
          texts: fc.array(text, { minLength: parts.length + 1, maxLength: parts.length + 1 }),
          parts: fc.constant(parts),
        }),
      ),
      fc.record({ kind: fc.constant('chain' as const), of }),
      fc.record({ kind: fc.constant('unary' as const), operator: fc.constantFrom(...UNARY_OPERATORS), of }),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(...BINARY_OPERATORS),
        left: of,
        right: of,
      }),
      fc.record({
        kind: fc.constant('logic' as const),
        operator: fc.constantFrom('&&' as const, '||' as const, '??' as const),
        left: of,
        right: of,
      }),
      fc.record({ kind: fc.constant('choice' as const), test: of, then: of, otherwise: of }),
    ),
  };
});

/** Text out of what expressions consist of, most of which is none. */
const anySource = fc.oneof(
  fc.string({ maxLength: 60, unit: 'binary' }),
  expression(3, []),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...BINARY_OPERATORS,
          ...UNARY_OPERATORS,
          '&&',
          '||',
          '??',
          '?',
          ':',
          '?.',
          '.',
          ',',
          '...',
          '`',
        ),
        fc.constantFrom('(', ')', '[', ']', '{', '}', '${', '=>', '=', '++', ';', '/', '//', '\\', '\n', '"', "'", '#'),
        fc.constantFrom('visitor', 'visitor.claims', 'space.vars', 'this', 'new', 'await', 'async', 'function', 'eval'),
        fc.constantFrom(...NAMES, ...HOSTILE, ...LIST_METHODS, ...Object.keys(METHODS), '1', '1n', '.5', '"x"'),
      ),
      { maxLength: 30 },
    )
    .chain((parts) => fc.constantFrom('', ' ').map((blank) => parts.join(blank))),
);

/** `value` with a proxy around every object in it, which throws when asked for what it does not hold itself. */
function guarded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, one]) => [key, guarded(one)] as const);
  const copy: object = Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner);
  const refuse = (trap: string) => (): never => {
    throw new TypeError(`asked by ${trap}`);
  };
  return new Proxy(copy, {
    get: (target, key): unknown => (key === 'length' && Array.isArray(target) ? target.length : refuse('get')()),
    set: refuse('set'),
    has: refuse('has'),
    ownKeys: refuse('ownKeys'),
    defineProperty: refuse('defineProperty'),
    deleteProperty: refuse('deleteProperty'),
    setPrototypeOf: refuse('setPrototypeOf'),
  });
}

/** What `run` answers while all objects, lists and texts inherit traps. */
function poisoned<T>(run: () => T): T {
  const prototypes: object[] = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
  const trap = {
    configurable: true,
    get(): never {
      throw new TypeError('something inherited was read');
    },
    set(): never {
      throw new TypeError('something inherited was written');
    },
  };
  for (const prototype of prototypes) Object.defineProperty(prototype, 'stolen', trap);
  try {
    return run();
  } finally {
    for (const prototype of prototypes) Reflect.deleteProperty(prototype, 'stolen');
  }
}

/** The value of `tree`, or `failed`. @throws whatever is no failure of a condition */
function valueOf(tree: Condition, claims: object): unknown {
  try {
    return new Evaluation({ visitor: { claims }, space: { vars: {} } }).of(tree);
  } catch (error) {
    if (error instanceof EvaluationError) return 'failed';
    throw error;
  }
}

describe('conditions', () => {
  it('have the values that JavaScript gives them', () => {
    const context = createContext({});
    let valued = 0;
    let tried = 0;
    fc.assert(
      fc.property(expression(3, []), (source) => {
        fc.pre(source.length <= 1024);
        tried += 1;
        let value: unknown;
        try {
          value = new Evaluation(variablesOf(claimsOf())).of(parseCondition(source));
        } catch (error) {
          // nested or costly beyond the limits, or without a value: hidden
          if (error instanceof ConditionError || error instanceof EvaluationError) return;
          throw error;
        }
        valued += 1;
        const variables = JSON.stringify({ visitor: { claims: claimsOf() }, space: { vars: {} } });
        const script = new Script(`((visitor, space) => ${spelled(source)})(...Object.values(${variables}))`);
        expect(shapeOf(value)).toEqual(shapeOf(script.runInContext(context, { timeout: 60_000 })));
      }),
      { numRuns: cases(500, 20_000) },
    );
    expect(valued / tried).toBeGreaterThan(0.3);
  });

  it('answer shown or hidden whatever is written, and nothing of what is inherited', () => {
    const claims = guarded(claimsOf()) as object;
    fc.assert(
      fc.property(anySource, (source) => {
        let tree: Condition;
        const spent = measure();
        try {
          tree = parseCondition(source);
        } catch (error) {
          if (error instanceof ConditionError) return;
          throw error;
        }
        expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
        poisoned(() => valueOf(tree, claims));
        expect(typeof evaluateCondition(tree, variablesOf(claims as Record<string, unknown>))).toBe('boolean');
        expect(spent()).toBeLessThan(TIME);
      }),
      { numRuns: cases(700, 20_000) },
    );
  });

  it('answer plain data for any tree, in bounded time', () => {
    const claims = guarded(claimsOf()) as object;
    fc.assert(
      fc.property(anyTree, (tree) => {
        const spent = measure();
        const value = poisoned(() => valueOf(tree, claims));
        expect(spent()).toBeLessThan(TIME);
        expect(['string', 'number', 'boolean', 'undefined', 'object']).toContain(typeof value);
      }),
      { numRuns: cases(700, 20_000) },
    );
  });
});

/** `source` for JavaScript: an object inherits names there, which claims do not have. */
function spelled(source: string): string {
  return source.replaceAll('({ ', '({ __proto__: null, ');
}

/** `value` for a comparison between two worlds, each with lists and objects of its own. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)] as const);
}
