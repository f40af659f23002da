import { evaluateCondition, variablesOf } from './evaluate-condition.js';
import { ConditionError, parseCondition } from './parse-condition.js';

function refusalOf(source: string): ConditionError {
  try {
    parseCondition(source);
  } catch (error) {
    if (error instanceof ConditionError) return error;
    throw error;
  }
  throw new Error(`accepted: ${source}`);
}

const c = (rest: string) => `visitor.claims.${rest}`;
const NOT_HERE = 'an arrow function stands in the call of filter, map, some or every only';
const ALL = 'at, startsWith, endsWith, includes, toLowerCase, toUpperCase, trim, filter, map, some, every';

describe('parseCondition', () => {
  it.each([
    // forms that change something, or lead elsewhere
    [c('plan = "x"'), 1, 'an assignment is not possible; compare with ==='],
    [c('plan += "x"'), 1, 'an assignment is not possible; compare with ==='],
    [`true && (${c('plan ??= 1')})`, 10, 'an assignment is not possible; compare with ==='],
    [c('n++'), 1, '++ and -- are not possible'],
    [`--${c('n')}`, 1, '++ and -- are not possible'],
    [`delete ${c('n')}`, 1, 'the operator delete is not possible'],
    [`void ${c('n')}`, 1, 'the operator void is not possible'],
    ['+"1"', 1, 'the operator + is not possible'],
    ['~1', 1, 'the operator ~ is not possible'],
    ['2 ** 3', 1, 'the operator ** is not possible'],
    ['1 << 2', 1, 'the operator << is not possible'],
    ['1 | 2', 1, 'the operator | is not possible'],
    ['visitor instanceof visitor', 1, 'the operator instanceof is not possible'],
    ['new visitor()', 1, 'new is not possible'],
    ['new Date', 1, 'new is not possible'],
    ['(function () { return 1 })', 2, 'functions and classes are not possible'],
    ['(function () { return 1 })()', 1, `only a method can be called, by its name: ${ALL}`],
    ['(class {})', 2, 'functions and classes are not possible'],
    ['() => 1', 1, NOT_HERE],
    ['[x => x]', 2, NOT_HERE],
    [`${c('list')}.includes(x => x)`, 30, NOT_HERE],
    ['async () => 1', 1, NOT_HERE],
    ['1, 2', 1, 'only one expression is possible; join several with && or ||'],
    ['/a+/', 1, 'regular expressions are not possible'],
    ['"a".includes(/a/)', 14, 'regular expressions are not possible'],
    ['[...visitor.claims.list]', 2, 'spreading with ... is not possible'],
    ['"a".includes(...visitor.claims.list)', 14, 'spreading with ... is not possible'],
    ['({ ...visitor })', 4, 'spreading with ... is not possible'],
    ['await visitor', 1, 'await is not possible'],
    ['visitor`a`', 1, 'a tag in front of a template text is not possible'],
    ['this', 1, 'this is not possible; begin with visitor or space'],
    ['import("fs")', 1, 'import is not possible'],
    ['import.meta.url', 1, 'import is not possible'],
    ['1n', 1, 'this number is not possible'],
    ['1e999', 1, 'this number is not possible'],
    ['[1,,2]', 1, 'a list has a gap; write undefined there'],
    ['({ get a() { return 1 } })', 4, 'an object holds plain names and values only'],
    ['({ a() { return 1 } })', 4, 'an object holds plain names and values only'],
    ['({ [visitor]: 1 })', 4, 'an object holds plain names and values only'],
    // names
    ['plan === "pro"', 1, 'there is no plan; begin with visitor or space'],
    ['process.env', 1, 'there is no process; begin with visitor or space'],
    ['globalThis', 1, 'there is no globalThis; begin with visitor or space'],
    ['eval', 1, 'there is no eval; begin with visitor or space'],
    ['[1].map(x => x).some(y => x)', 27, 'there is no x; begin with visitor or space'],
    ['visitor.constructor', 9, 'constructor is not possible'],
    ['visitor["constructor"]', 9, 'constructor is not possible'],
    ['visitor[("constructor")]', 10, 'constructor is not possible'],
    ['visitor.__proto__', 9, '__proto__ is not possible'],
    ['visitor?.prototype', 10, 'prototype is not possible'],
    ['visitor.con\\u0073tructor', 9, 'constructor is not possible'],
    ['constructor', 1, 'constructor is not possible'],
    ['({ __proto__: 1 })', 4, '__proto__ is not possible'],
    ['({ "constructor": 1 })', 4, 'constructor is not possible'],
    ['[1].map(constructor => 1)', 9, 'constructor is not possible'],
    ['"a".constructor("return 1")()', 1, `only a method can be called, by its name: ${ALL}`],
    // calls
    ['visitor()', 1, `only a method can be called, by its name: ${ALL}`],
    ['visitor.claims["at"+""]()', 1, `only a method can be called, by its name: ${ALL}`],
    ['visitor.claims.plan.replace("a", "b")', 21, `there is no method replace; there are ${ALL}`],
    ['visitor.claims.toString()', 16, `there is no method toString; there are ${ALL}`],
    ['visitor.claims.list.at?.(1)', 23, '?.( is not possible'],
    ['"a".includes()', 5, 'includes takes 1 or 2 values'],
    ['"a".trim(1)', 5, 'trim takes 0 values'],
    ['"a".at(1, 2)', 5, 'at takes 1 value'],
    ['[1].some()', 1, 'some takes one arrow function, such as item => item === "x"'],
    ['[1].some(visitor.claims.f)', 1, 'some takes one arrow function, such as item => item === "x"'],
    ['[1].some(x => x, 1)', 1, 'some takes one arrow function, such as item => item === "x"'],
    ['[1].some(x => { return x })', 15, 'the body of an arrow function is one expression, without await'],
    ['[1].some(async x => x)', 21, 'the body of an arrow function is one expression, without await'],
    ['[1].some((a, b, c, d) => 1)', 10, 'an arrow function takes the item, its index and the list'],
    ['[1].some(([a]) => a)', 11, 'a parameter is a plain name'],
    ['[1].some((a = 1) => a)', 11, 'a parameter is a plain name'],
    ['[1].some((...a) => a)', 11, 'a parameter is a plain name'],
    ['[1].some(undefined => 1)', 10, 'undefined is no name for a parameter'],
    // what is no expression
    ['true; false', 5, 'the expression has ended here; only one is possible'],
    ['true false', 6, 'the expression has ended here; only one is possible'],
    ['true)', 5, 'the expression has ended here; only one is possible'],
    ['true }', 6, 'the expression has ended here; only one is possible'],
    ['true §', 6, "unexpected character '§'"],
    ['if (true) true', 1, 'unexpected token'],
    ['let a = 1', 1, "the keyword 'let' is reserved"],
    ['{{ visitor }}', 2, 'unexpected token'],
    ['visitor.', 9, 'unexpected token'],
    ['"open', 1, 'unterminated string constant'],
    ['`open', 2, 'unterminated template'],
    ['/* open', 1, 'unterminated comment'],
    ['/* nothing */', 14, 'unexpected token'],
    ['1 --> 2', 1, 'an assignment is not possible; compare with ==='],
    ['010', 1, 'invalid number'],
    ['"😀" §', 5, "unexpected character '§'"],
    ['true && 1 = 1', 1, 'an assignment is not possible; compare with ==='],
  ])('refuses %j at %i: %s', (source, position, problem) => {
    const { message, position: at } = refusalOf(source);
    expect({ at, message }).toEqual({ at: position, message: `is not accepted at character ${position}: ${problem}` });
  });

  it('takes 1024 characters, counted as people do', () => {
    const fits = `"${'😀'.repeat(1022)}"`;
    expect(parseCondition(fits)).toEqual({ kind: 'literal', value: '😀'.repeat(1022) });
    expect(refusalOf(`${fits} `)).toMatchObject({
      position: 1025,
      message: 'is not accepted at character 1025: at most 1024 characters are possible',
    });
    expect(refusalOf('"'.repeat(10_000_000)).position).toBe(1025);
  });

  it('takes 64 levels', () => {
    const or = (count: number) => Array.from({ length: count }, () => 'visitor.claims.a').join('||');
    expect(evaluateCondition(parseCondition(`${or(56)}||1`), variablesOf({ a: true }))).toBe(true);
    expect(evaluateCondition(parseCondition(`${'!'.repeat(63)}1`), variablesOf({}))).toBe(false);
    expect(evaluateCondition(parseCondition(`${'!'.repeat(62)}1`), variablesOf({}))).toBe(true);
    expect(refusalOf(`${'!'.repeat(64)}1`).message).toBe(
      'is not accepted at character 65: at most 64 levels are possible',
    );
    expect(parseCondition(`${'('.repeat(300)}1${')'.repeat(300)}`)).toEqual({ kind: 'literal', value: 1 });
    for (const deep of ['!', '[', '(', '-', '{a:', 'x=>', '[1].map(x=>', '1?', '`${', 'a.', '(x', 'a?.[']) {
      expect(refusalOf(deep.repeat(1024).slice(0, 1024))).toBeInstanceOf(ConditionError);
    }
  });

  it('refuses what takes more of the stack than there is', () => {
    const below = (calls: number): string => {
      if (calls > 0) return below(calls - 1);
      return refusalOf('['.repeat(1024)).message;
    };
    // the fewer frames are left, the earlier the parser gives up
    let message = '';
    for (let calls = 0; !message.endsWith('at most 64 levels are possible'); calls += 250) {
      message = below(calls);
      expect(message).toMatch(/^is not accepted at character \d+: (unexpected token|at most 64 levels are possible)$/);
    }
  });

  it('answers a tree that is plain JSON and cannot be changed', () => {
    const source = 'visitor.claims?.list.some((p, i) => p === `a${i}` && [-i, { b: undefined }][0] ? 1 : "\\ud800")';
    const tree = parseCondition(source);
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree);
    const parts: unknown[] = [tree];
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      expect(Object.isFrozen(part)).toBe(true);
      parts.push(...(Object.values(part) as unknown[]));
    }
    expect(parts.length).toBeGreaterThan(60);
    expect(parseCondition('visitor.claims.plan === "gold"')).toEqual({
      kind: 'binary',
      operator: '===',
      left: {
        kind: 'member',
        object: {
          kind: 'member',
          object: { kind: 'name', name: 'visitor' },
          name: 'claims',
          optional: false,
        },
        name: 'plan',
        optional: false,
      },
      right: { kind: 'literal', value: 'gold' },
    });
  });

  it.each(['true // always', '/* a */ true /* b */', '\n true \n', '(true)', '((true))'])(
    'reads past comments, blanks and parentheses: %j',
    (source) => {
      expect(parseCondition(source)).toEqual({ kind: 'literal', value: true });
    },
  );
});
