import { evaluateCondition, variablesOf } from './evaluate-condition.js';
import { parseCondition } from './parse-condition.js';
import type { Condition } from './tree.js';
import { measure } from '../../test/support/spent.js';

const shown = (source: string, claims: Record<string, unknown>): boolean =>
  evaluateCondition(parseCondition(source), variablesOf({ unsigned: {}, ...claims }));

const CLAIMS = { plan: 'pro', beta: true, unsigned: { lang: 'fr' } };

/** Claims that hold something of every kind. */
const RICH = {
  text: 'Lima',
  empty: '',
  zero: 0,
  five: 5,
  yes: true,
  no: false,
  list: ['a', 'b'],
  numbers: [5],
  group: { deep: { er: 1 }, 'a-b': 2, length: 'own' },
  people: [
    { name: 'Ann', age: 40 },
    { name: 'Ben', age: 9 },
  ],
};

describe('evaluateCondition', () => {
  it.each([
    ['visitor.claims.plan === "pro" && visitor.claims.beta', true],
    ['visitor.claims.beta === "true"', false],
    ['visitor.claims.Plan === "pro"', false],
    ['visitor.claims.gone', false],
    ['!visitor.claims.gone', true],
    ['visitor.claims.gone !== true', true],
    ['visitor.claims.gone > 1', false],
    ['visitor.claims.gone < 1', false],
    ['visitor.claims.gone.deep', false],
    ['!visitor.claims.gone.deep', false],
    ['visitor.claims.gone.deep !== true', false],
    ['!visitor.claims.gone.includes("a")', false],
    ['visitor.claims.plan === "pro" || visitor.claims.gone.deep', true],
    ['["pro"].includes(visitor.claims.gone)', false],
    ['(visitor.claims.role ?? "reader") !== "reader"', false],
  ])('answers %j with %j', (source, expected) => {
    expect(shown(source, CLAIMS)).toBe(expected);
  });

  it.each([
    ['visitor.claims.isStaff === true', [{ isStaff: true }], [{}, { isStaff: 'true' }, { isStaff: 1 }]],
    [
      'visitor.claims.plan === "gold" || visitor.claims.plan === "silver"',
      [{ plan: 'gold' }, { plan: 'silver' }],
      [{}, { plan: 'Gold' }],
    ],
    ['["eu","uk"].includes(visitor.claims.region)', [{ region: 'uk' }], [{}, { region: 'us' }]],
    ['visitor.claims.unsigned.locale == "it"', [{ unsigned: { locale: 'it' } }], [{}, { locale: 'it' }]],
    ['!visitor.claims.unsigned.hideBeta', [{}, { hideBeta: true }], [{ unsigned: { hideBeta: true } }]],
    [
      'visitor.claims.access.alpha && !visitor.claims.access.suspended',
      [{ access: { alpha: true } }],
      [{}, { access: {} }, { access: { alpha: true, suspended: true } }],
    ],
    ['(visitor.claims.role ?? "reader") !== "reader"', [{ role: 'owner' }], [{}, { role: 'reader' }, { role: null }]],
    ['visitor.claims.products.some(p => p === "search")', [{ products: ['a', 'search'] }], [{}, { products: ['a'] }]],
    [
      '!!visitor.claims.productVersion && visitor.claims.productVersion === space.vars.currentVersion',
      [],
      [{}, { productVersion: '2' }],
    ],
    ['visitor.claims.email.endsWith("@example.org")', [{ email: 'a@example.org' }], [{}, { email: 'a@example.com' }]],
    [
      'visitor.claims.seats >= 10 ? true : visitor.claims.isPartner',
      [{ seats: 10 }, { seats: 3, isPartner: true }, { isPartner: true }],
      [{}, { seats: 9 }],
    ],
    ['visitor.claims.trial !== true', [{}, { trial: false }, { trial: 'true' }], [{ trial: true }]],
    ['visitor.claims.account.tier !== "free"', [{ account: {} }, { account: { tier: 'paid' } }], [{}]],
    ['visitor.claims.account?.tier !== "free"', [{}, { account: {} }], [{ account: { tier: 'free' } }]],
  ])('shows %j to whom it is meant for', (source, to, notTo) => {
    for (const claims of to) expect([claims, shown(source, claims)]).toEqual([claims, true]);
    for (const claims of notTo) expect([claims, shown(source, claims)]).toEqual([claims, false]);
  });

  it.each(['', ' ', '\n\t  '])('shows where the condition is blank: %j', (source) => {
    expect(shown(source, {})).toBe(true);
  });

  it.each(['false', '0', '-0', '""', 'null', 'undefined', '0/0', 'visitor.claims.gone'])('hides by %s', (source) => {
    expect(shown(source, {})).toBe(false);
  });

  it.each([
    // literals
    ['"a" === \'a\' && `a` === "a"', true],
    ['`${c.text} ${c.five}-${c.gone}` === "Lima 5-undefined"', true],
    ['`${c.list}` === "a,b"', true],
    ['0x10 === 16 && 1e3 === 1000 && .5 === 0.5', true],
    ['[1, "a", null].length === 3', true],
    ['({ a: 1, "b c": 2, 3: 4 })["b c"] === 2', true],
    ['({ a: 1 }).a === 1 && ({ text: 1, text: 2 }).text === 2', true],
    ['[] && {}', true],
    // access
    ['c.group["a-b"] === 2 && c["group"].deep["er"] === 1', true],
    ['c.list[0] === "a" && c.list["1"] === "b" && c.list[2] === undefined', true],
    ['c.text[0] === "L" && c.text["length"] === 4 && c.text[9] === undefined', true],
    ['c.list[c.zero] === "a"', true],
    ['c.gone?.deep.er.est === undefined', true],
    ['c.gone?.includes("x") === undefined', true],
    ['c.gone?.[c.no.no.no] === undefined', true],
    ['(c.gone?.deep).er === undefined', false],
    ['c.gone?.deep.some(x => x.no.no) === undefined', true],
    ['c.group?.deep?.er === 1', true],
    ['c.group.length === "own"', true],
    ['c.five.length === undefined && c.yes.no === undefined', true],
    ['c.null.a', false],
    // what an object inherits is not there
    ['c.toString === undefined && c.hasOwnProperty === undefined && c.valueOf === undefined', true],
    ['c.list.push === undefined && c.text.slice === undefined && ({}).toString === undefined', true],
    ['"toString" in c || "push" in c.list', false],
    // comparison
    ['c.five == "5" && c.five != "6" && c.yes == 1 && c.zero == "" && c.zero == false', true],
    ['null == undefined && null != 0 && undefined != 0 && null !== undefined', true],
    ['c.gone == null && c.list != null && c.group != null', true],
    ['c.list === c.list && c.list == c.list && [] !== [] && [] != []', true],
    ['c.numbers == 5 && c.list == "a,b"', true],
    ['0/0 !== 0/0 && [0/0].includes(0/0)', true],
    ['"b" > "a" && "10" < "9" && "10" > 9 && 2 <= 2 && 2 >= 2', true],
    ['null >= 0 && !(undefined >= 0)', true],
    // in
    ['"text" in c && !("gone" in c) && "unsigned" in c', true],
    ['0 in c.list && "1" in c.list && !(2 in c.list) && "length" in c.list', true],
    ['"a" in c.text', false],
    ['"a" in c.gone', false],
    // logic
    ['c.no || c.text', true],
    ['(c.zero ?? 7) === 0 && (c.gone ?? 7) === 7 && (c.zero || 7) === 7', true],
    ['(c.no && c.gone.deep) === false', true],
    ['c.yes ? c.no ? 1 : 2 : 3', true],
    // arithmetic
    ['1 + 2 * 3 - 4 / 2 === 5 && 7 % 4 === 3 && -c.five === -5', true],
    ['"a" + 1 + true + null + undefined === "a1truenullundefined"', true],
    ['1 + true + null === 2 && "6" * "7" === 42 && -"3" === -3', true],
    ['[1] + [2, 3] === "12,3"', true],
    ['typeof c.text === "string" && typeof c.gone === "undefined" && typeof c.list === "object"', true],
    ['typeof null === "object" && typeof c.five === "number" && typeof c.no === "boolean"', true],
    ['typeof c.gone.deep === "undefined"', false],
    // texts
    ['c.text.at(0) === "L" && c.text.at(-1) === "a" && c.text.at(9) === undefined', true],
    [
      'c.text.startsWith("Li") && c.text.startsWith("im", 1) && c.text.endsWith("ma") && c.text.endsWith("Li", 2)',
      true,
    ],
    ['c.text.includes("im") && !c.text.includes("L", 1)', true],
    ['c.text.toLowerCase() === "lima" && c.text.toUpperCase() === "LIMA" && " a ".trim() === "a"', true],
    ['"a5".includes(c.five) && "undefined".startsWith(c.gone)', true],
    ['c.five.includes("5")', false],
    ['c.list.trim()', false],
    ['c.group.length.at(0) === "o"', true],
    // lists
    ['c.list.length === 2 && c.list.at(-1) === "b" && c.list.includes("a") && !c.list.includes("a", 1)', true],
    ['c.people.some(p => p.age > 18) && !c.people.every(p => p.age > 18)', true],
    ['c.people.filter(p => p.age > 18).map(p => p.name).at(0) === "Ann"', true],
    ['c.people.map((p, i, all) => p.age * i + all.length).includes(11)', true],
    ['c.list.map(() => 1).length === 2 && [].every(x => false) && ![].some(x => true)', true],
    ['c.list.map(x => c.list.map(y => x + y)).at(1).at(0) === "ba"', true],
    ['c.list.map(x => ({ x: x }))[0].x === "a" && c.list.map(x => ({ x }))[1].x === "b"', true],
    ['["q"].some(visitor => visitor === "q")', true],
    ['[1].map(x => [2].map(x => x)[0] + x)[0] === 3', true],
    ['c.people.every(p => p.pet.name)', false],
    ['c.text.some(x => x)', false],
    // objects have no text and are no numbers
    ['c.group == "x"', false],
    ['c.group != "x"', false],
    ['"" + c.group', false],
    ['c.group > 1', false],
    ['c.list[c.group]', false],
    ['`${c.group}`', false],
  ])('evaluates %j as JavaScript does: %j', (source, expected) => {
    expect(shown(source.replace(/\bc\b/g, 'visitor.claims'), RICH)).toBe(expected);
  });

  it.each([
    'visitor.claims["con" + "structor"]',
    '!visitor.claims["con" + "structor"]',
    '[visitor.claims["__pro" + "to__"]].length',
    '[visitor.claims[`${"proto"}type`]].length',
    'visitor.claims[["constructor"]] === undefined',
    '!(("con" + "structor") in visitor.claims)',
    '["constructor"].some(name => visitor.claims[name] === undefined)',
    '"".concat === undefined && "a"["con" + "structor"] === undefined',
    'visitor.claims.list["con" + "structor"] === undefined',
    'visitor?.claims?.["con" + "structor"] === undefined',
  ])('fails where a name leads out of plain data: %s', (source) => {
    expect(shown(source, { list: [] })).toBe(false);
  });

  it('keeps to what it was given: what is no plain data is an error', () => {
    class Person {
      name = 'Ann';
    }
    const odd: Record<string, unknown> = {
      call: () => 1,
      symbol: Symbol('x'),
      big: 1n,
      date: new Date(0),
      map: new Map(),
      person: new Person(),
      inherits: Object.create({ plan: 'pro' }) as unknown,
    };
    for (const name of Object.keys(odd)) {
      expect([name, shown(`visitor.claims.${name} !== 5`, odd)]).toEqual([name, false]);
      expect([name, shown(`typeof visitor.claims.${name}`, odd)]).toEqual([name, false]);
    }
  });

  it('runs no accessor and no method of a value', () => {
    let runs = 0;
    const variables = variablesOf({
      get plan() {
        runs += 1;
        return 'pro';
      },
      text: { toString: () => (runs += 1), valueOf: () => (runs += 1), toJSON: () => (runs += 1) },
    });
    for (const source of ['plan !== 1', 'text + "" !== 1', 'text == 1', 'text != 1', 'text > 0']) {
      expect(evaluateCondition(parseCondition(`visitor.claims.${source}`), variables)).toBe(false);
    }
    expect(runs).toBe(0);
  });

  it('asks a proxy for nothing but what it holds itself', () => {
    const asked = new Set<string>();
    const traps = Object.fromEntries(
      Reflect.ownKeys(Reflect)
        .filter((trap): trap is string => typeof trap === 'string')
        .map((trap) => [
          trap,
          (...args: unknown[]): unknown => {
            asked.add(trap);
            return (Reflect as unknown as Record<string, (...of: unknown[]) => unknown>)[trap]?.(...args);
          },
        ]),
    );
    const claims = new Proxy({ plan: 'pro', list: new Proxy(['a'], traps) }, traps);
    const variables = variablesOf(claims);
    for (const source of [
      'visitor.claims.plan == "pro"',
      '"plan" in visitor.claims',
      'visitor.claims === visitor.claims',
    ]) {
      expect(evaluateCondition(parseCondition(source), variables)).toBe(true);
    }
    expect(asked).toEqual(new Set(['getPrototypeOf', 'getOwnPropertyDescriptor']));
    expect(evaluateCondition(parseCondition('visitor.claims.list.map(x => x) == "a"'), variables)).toBe(true);
    // the length of a list, its own as well
    expect(asked).toEqual(new Set(['getPrototypeOf', 'getOwnPropertyDescriptor', 'get']));
  });

  it('stops at its budget', () => {
    const list = Array.from({ length: 400 }, (_, index) => index);
    expect(shown('visitor.claims.list.every(x => x >= 0)', { list: list.slice(0, 100) })).toBe(true);
    expect(shown('visitor.claims.list.every(x => x >= 0)', { list })).toBe(false);
    expect(shown('true || visitor.claims.list.every(x => x >= 0)', { list })).toBe(true);
    expect(shown('visitor.claims.list.map(x => visitor.claims.list.map(y => 1)) || true', { list })).toBe(false);

    const long = 'ä'.repeat(10_000);
    expect(shown('visitor.claims.long.length === 10000', { long })).toBe(true);
    expect(shown('visitor.claims.long !== 1', { long: `${long}x` })).toBe(false);
    expect(shown('visitor.claims.long + "x" !== 1', { long })).toBe(false);
    expect(shown('`${visitor.claims.long}x` !== 1', { long })).toBe(false);
    expect(shown('visitor.claims.long.toUpperCase() !== 1', { long: 'ß'.repeat(6000) })).toBe(false);
    expect(shown('visitor.claims.long !== 1', { long: '😀'.repeat(10_000) })).toBe(true);
    expect(shown('[visitor.claims.long, visitor.claims.long] == 1', { long })).toBe(false);

    const many = Array.from({ length: 1001 }, () => 0);
    expect(shown('visitor.claims.many !== 1', { many })).toBe(false);
    expect(shown('visitor.claims.many !== 1', { many: many.slice(1) })).toBe(true);
    expect(shown('visitor.claims.many != 1', { many: many.slice(2) })).toBe(false);
    expect(shown('visitor.claims.many != 1', { many: many.slice(20) })).toBe(true);

    const nots = (count: number): Condition =>
      count === 0 ? { kind: 'literal', value: true } : { kind: 'unary', operator: '!', of: nots(count - 1) };
    expect(evaluateCondition(nots(62), variablesOf({}))).toBe(true);
    expect(evaluateCondition(nots(64), variablesOf({}))).toBe(false);
  });

  it('does not multiply what it is given', () => {
    const spent = measure();
    const doubled = `["a"].map(a => [a,a])${'.map(a => [a,a])'.repeat(40)}`;
    expect(shown(`${doubled}.length === 1`, {})).toBe(true);
    expect(shown(`${doubled} != 1`, {})).toBe(false);
    expect(shown(`!\`\${${doubled}}\``, {})).toBe(false);
    // of all texts, the ones that take longest to search
    const claims = { text: 'a'.repeat(10_000), part: `${'a'.repeat(2500)}b${'a'.repeat(2499)}`, list: [1, 2, 3] };
    expect(shown('!visitor.claims.text.includes(visitor.claims.part)', claims)).toBe(true);
    expect(shown('visitor.claims.list.every(x => !visitor.claims.text.includes(visitor.claims.part))', claims)).toBe(
      false,
    );
    expect(spent()).toBeLessThan(1);
  });

  it('hides by a tree that is none', () => {
    for (const tree of ['{}', '{"kind":"eval"}', '{"kind":"unary"}', 'null', '[]', '{"kind":"call","object":{}}']) {
      const condition = JSON.parse(tree) as ReturnType<typeof parseCondition>;
      expect(evaluateCondition(condition, variablesOf({}))).toBe(false);
    }
  });
});
