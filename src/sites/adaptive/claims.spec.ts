import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { evaluateCondition, parseCondition, variablesOf } from '../../conditions/index.js';
import { type Claims, claimsOf, type ClaimValue } from './claims.js';
import { readAdaptiveSchema } from './read-schema.js';
import { stateHash } from './state-hash.js';
import { unsignedClaimsOf } from './unsigned-claims.js';

const boolean = { type: 'boolean', description: '' };
const number = { type: 'number', description: '' };
const string = { type: 'string', description: '' };
const object = (properties: object) => ({ type: 'object', description: '', properties });
const list = (items: object) => ({ type: 'array', description: '', items });

const schema = readAdaptiveSchema({
  type: 'object',
  properties: {
    isStaff: boolean,
    seats: number,
    email: string,
    plan: { ...string, enum: ['free', 'gold'] },
    products: list(string),
    grades: list({ ...string, enum: ['a', 'b'] }),
    account: object({ tier: string, owner: object({ since: number, unsigned: boolean }) }),
    unsigned: object({ beta: boolean, lang: string, access: object({ alpha: boolean }), sizes: list(number) }),
  },
});

describe('claimsOf', () => {
  it('keeps what the schema declares', () => {
    const signed = {
      isStaff: false,
      seats: 1.5,
      email: '',
      plan: 'gold',
      products: ['search', ''],
      grades: [],
      account: { tier: 'paid', owner: { since: 2020, unsigned: true } },
    };
    const unsigned = { beta: true, lang: 'it', access: { alpha: true }, sizes: [1, -2] };
    expect(claimsOf(schema, signed, unsigned)).toEqual({ ...signed, unsigned });
  });

  it('drops what the schema does not declare, or declares of another type', () => {
    const signed = {
      isStaff: 'true',
      seats: '5',
      email: 5,
      plan: 'silver',
      products: 'search',
      grades: ['a', 'c'],
      account: { tier: null, owner: [], extra: 1 },
      exp: 1,
      beta: true,
      unsigned: { beta: true, lang: 'fr' },
    };
    expect(claimsOf(schema, signed, { isStaff: true, lang: 1, access: { beta: true }, sizes: [1, '2'] })).toEqual({
      account: {},
      unsigned: { access: {} },
    });
    for (const seats of [NaN, Infinity, -Infinity, 1n, null, [1], {}]) {
      expect(claimsOf(schema, { seats }, {})).toEqual({ unsigned: {} });
    }
    for (const account of [null, [], 'x', 5, true]) {
      expect(claimsOf(schema, { account }, {})).toEqual({ unsigned: {} });
    }
    expect(claimsOf(schema, { products: ['a', null] }, {})).toEqual({ unsigned: {} });
  });

  it('has no claims without a schema, and none of what is no object', () => {
    expect(claimsOf(null, { isStaff: true }, { beta: true })).toEqual({ unsigned: {} });
    const bare = readAdaptiveSchema({ type: 'object', properties: { isStaff: boolean } });
    expect(claimsOf(bare, { isStaff: true }, { beta: true, isStaff: true })).toEqual({ isStaff: true, unsigned: {} });
    for (const none of [undefined, null, 5, 'text', [], [{ isStaff: true }], true]) {
      expect(claimsOf(schema, none, none)).toEqual({ unsigned: {} });
    }
  });

  it('takes nothing that is inherited', () => {
    const inheriting = Object.create({ isStaff: true, beta: true }) as object;
    expect(claimsOf(schema, inheriting, inheriting)).toEqual({ unsigned: {} });
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"isStaff":true},"constructor":{"isStaff":true},"account":{"__proto__":1}}',
    );
    expect(claimsOf(schema, hostile, hostile)).toEqual({ account: {}, unsigned: {} });
    const odd = readAdaptiveSchema({ type: 'object', properties: { toString: boolean, valueOf: string } });
    expect(claimsOf(odd, {}, {})).toEqual({ unsigned: {} });
    expect(claimsOf(odd, { toString: true }, {})).toEqual({ toString: true, unsigned: {} });
  });

  it('counts claims that are too large as none, each kind for itself', () => {
    const email = (bytes: number) => 'ä'.repeat((bytes - '{"email":""}'.length) / 2);
    expect(claimsOf(schema, { email: email(4096) }, {})).toEqual({ email: email(4096), unsigned: {} });
    expect(claimsOf(schema, { email: email(4098), isStaff: true }, { beta: true })).toEqual({
      unsigned: { beta: true },
    });
    expect(claimsOf(schema, { isStaff: true }, { lang: 'x'.repeat(2048), beta: true })).toEqual({
      isStaff: true,
      unsigned: {},
    });
  });

  it('takes any JSON, and answers what it would answer itself', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(true, 1, 'gold', ['a'], { tier: 'x', alpha: true }));
    const names = fc.constantFrom(
      'isStaff',
      'seats',
      'email',
      'plan',
      'products',
      'grades',
      'account',
      'beta',
      'access',
    );
    const given = fc.oneof(fc.jsonValue(), fc.dictionary(fc.oneof(names, fc.string()), value));
    fc.assert(
      fc.property(given, given, (signed, unsigned) => {
        const claims = claimsOf(schema, signed, unsigned);
        expect(claimsOf(schema, claims, claims.unsigned)).toEqual(claims);
        // negative zero is all that JSON does not keep
        expect(stateHash(JSON.parse(JSON.stringify(claims)) as Claims)).toBe(stateHash(claims));
      }),
      { numRuns: cases(300, 5000) },
    );
  });
});

describe('unsignedClaimsOf', () => {
  it.each<[string, unknown]>([
    ['', {}],
    ['visitor.beta=true&visitor.off=false&visitor.none=null', { beta: true, off: false, none: null }],
    ['visitor.gone=undefined', {}],
    ['visitor.n=5&visitor.m=-1.5e3&visitor.zip=007&visitor.big=1e999', { n: 5, m: -1500, zip: 7, big: Infinity }],
    ['visitor.a=&visitor.b=%20true&visitor.c=True&visitor.d=0x10', { a: '', b: ' true', c: 'True', d: '0x10' }],
    ['visitor.list=[1,"a"]&visitor.o={"a":{"b":1}}&visitor.bad={a', { list: [1, 'a'], o: { a: { b: 1 } }, bad: '{a' }],
    ['visitor.text=caf%C3%A9+au+lait', { text: 'café au lait' }],
    ['visitor.access.beta=true&visitor.access.alpha=1', { access: { beta: true, alpha: 1 } }],
    ['visitor.a=1&visitor.a=2', { a: 2 }],
    ['visitor.a=1&visitor.a=undefined', {}],
    ['visitor.a=1&visitor.a.b=2', { a: { b: 2 } }],
    ['visitor.a.b=2&visitor.a=1', { a: 1 }],
    ['visitor.a={"c":1}&visitor.a.b=2', { a: { b: 2 } }],
    ['visitor.a.b=2&visitor.a.c=3&visitor.a.b=undefined', { a: { c: 3 } }],
    ['visitor.=1&visitor..a=1&visitor.a.=1&visitor=1&Visitor.a=1&page=2', {}],
    ['visitor.a.b.c.d.e=1&visitor.a.b.c.d.e.f=1', { a: { b: { c: { d: { e: 1 } } } } }],
    ['visitor.__proto__.x=1&visitor.a.constructor=1&visitor.prototype=1', {}],
    ['visitor.toString=1', { toString: 1 }],
    [`visitor.a=${'x'.repeat(2048)}&visitor.b=${'x'.repeat(2049)}`, { a: 'x'.repeat(2048) }],
  ])('reads %j', (query, expected) => {
    expect(unsignedClaimsOf(new URLSearchParams(query))).toEqual(expected);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('looks at a hundred parameters', () => {
    const query = Array.from({ length: 200 }, (_, index) => `page=1&visitor.c${index}=1`).join('&');
    expect(Object.keys(unsignedClaimsOf(new URLSearchParams(query)))).toHaveLength(100);
  });

  it('reads any address', () => {
    const part = fc.constantFrom(
      'visitor.',
      '.',
      '=',
      '&',
      '{',
      '[',
      '"a"',
      ':',
      '1',
      '__proto__',
      'toString',
      '%',
      'e9',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (query) => {
          const claims = unsignedClaimsOf(new URLSearchParams(query));
          expect(Object.getPrototypeOf(claims)).toBe(Object.prototype);
          expect(claimsOf(schema, null, claims)).toHaveProperty('unsigned');
        },
      ),
      { numRuns: cases(300, 5000) },
    );
  });

  it('leads to what conditions see under unsigned alone', () => {
    const unsigned = unsignedClaimsOf(
      new URLSearchParams('visitor.lang=it&visitor.isStaff=true&visitor.access.alpha=true'),
    );
    const variables = variablesOf(claimsOf(schema, null, unsigned));
    const shown = (source: string) => evaluateCondition(parseCondition(source), variables);
    expect(shown('visitor.claims.unsigned.lang == "it" && visitor.claims.unsigned.access.alpha')).toBe(true);
    expect(shown('visitor.claims.isStaff || visitor.claims.lang || visitor.claims.unsigned.isStaff')).toBe(false);
    expect(shown('!visitor.claims.unsigned.beta')).toBe(true);
  });
});

describe('stateHash', () => {
  const hash = (claims: Record<string, ClaimValue>) => stateHash({ unsigned: {}, ...claims });

  it('is the same for the same claims, whatever their order', () => {
    expect(hash({})).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hash({ a: 1, b: { c: true, d: ['x'] } })).toBe(hash({ b: { d: ['x'], c: true }, a: 1 }));
    expect(hash({ a: -0 })).toBe(hash({ a: 0 }));
  });

  it('differs where anything differs', () => {
    const different: Record<string, ClaimValue>[] = [
      {},
      { a: 1 },
      { a: '1' },
      { a: true },
      { b: 1 },
      { a: [] },
      { a: {} },
      { a: [1] },
      { a: [[1]] },
      { a: { b: 1 } },
      { a: ['b', 1] },
      { a: [['b', 1]] },
      { a: [1, ['b', 1]] },
      { a: { 0: 'b' } },
      { a: ['x', 'y'] },
      { a: ['y', 'x'] },
      { unsigned: { a: 1 } },
      { 'unsigned.a': 1 },
      { a: 'x","b' },
    ];
    expect(new Set(different.map(hash)).size).toBe(different.length);
  });

  it('is a hash of the claims and nothing else', () => {
    const { group } = fc.letrec<{ value: ClaimValue; group: Record<string, ClaimValue> }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.string(), fc.integer(), fc.boolean()),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('group'),
      ),
      // claims come out of JSON, so all have the prototype of other objects
      group: fc.dictionary(fc.oneof(fc.constantFrom('a', 'b'), fc.string()), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }));
    fc.assert(
      fc.property(group, group, (one, other) => {
        const reversed = Object.fromEntries(Object.entries(one).reverse());
        expect(hash(reversed)).toBe(hash(one));
        expect(hash(one) === hash(other)).toBe(isDeepStrictEqual(one, other));
      }),
      { numRuns: cases(300, 5000) },
    );
  });
});
