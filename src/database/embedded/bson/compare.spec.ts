import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues, equalValues, identicalValues, typeName, typeRank, valueKey } from './compare.js';
import { addNumbers, multiplyNumbers } from './numbers.js';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

const ordered: unknown[][] = [
  [new MinKey()],
  [null, undefined],
  [NaN, new Double(NaN)],
  [-Infinity],
  [Long.fromString('-9223372036854775808')],
  [-1, new Int32(-1), decimal('-1.0')],
  [0, -0, new Double(-0), decimal('0E+3')],
  [0.1],
  [decimal('0.1000000000000000055511151231257828')],
  [1, new Int32(1), new Double(1), Long.fromNumber(1), decimal('1.00')],
  [9007199254740992, Long.fromString('9007199254740992')],
  [Long.fromString('9007199254740993'), decimal('9007199254740993')],
  [decimal('1E+400')],
  [Infinity, decimal('Infinity')],
  [''],
  ['a'],
  ['a\0'],
  ['ab'],
  ['\uffff'],
  ['\u{10000}'],
  [{}],
  [{ a: 1 }],
  [{ a: 1, b: 1 }],
  [{ b: 1 }],
  [{ a: 'x' }],
  [[]],
  [[1]],
  [[1, 2]],
  [[2]],
  [new Binary(new Uint8Array([9]))],
  [new Binary(new Uint8Array([1, 2]))],
  [new Binary(new Uint8Array([1, 2]), 4)],
  [new ObjectId('000000000000000000000001')],
  [new ObjectId('000000000000000000000002')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(5)],
  [new Timestamp({ t: 1, i: 2 })],
  [new Timestamp({ t: 2, i: 1 })],
  [/a/, new BSONRegExp('a')],
  [/a/i],
  [new MaxKey()],
];

const scalars = fc.constantFrom(...ordered.flat());
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.double(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('doc'),
  ),
  doc: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
})).value;

describe('compareValues', () => {
  it('orders all types and values as MongoDB does', () => {
    const flat = ordered.flatMap((group, rank) => group.map((value) => ({ value, rank })));
    for (const a of flat) {
      for (const b of flat)
        expect([a, b, Math.sign(compareValues(a.value, b.value))]).toEqual([a, b, Math.sign(a.rank - b.rank)]);
    }
  });

  it('is a total order that equality and keys agree with', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const order = Math.sign(compareValues(a, b));
        expect(Math.sign(compareValues(b, a)) + order).toBe(0);
        expect(compareValues(a, a)).toBe(0);
        expect(equalValues(a, b)).toBe(order === 0);
        if ((a ?? null) !== null && (b ?? null) !== null && valueKey(a) === valueKey(b)) expect(order).toBe(0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('gives equal values one key', () => {
    for (const group of ordered.slice(2, -2)) expect(new Set(group.map(valueKey)).size).toBe(1);
    expect(new Set(ordered.slice(2).map(([value]) => valueKey(value))).size).toBe(ordered.length - 2);
  });

  it('tells stored types apart', () => {
    expect(identicalValues(new Int32(1), new Double(1))).toBe(false);
    expect(identicalValues([new Int32(1)], [1])).toBe(true);
    expect(identicalValues({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
    expect(identicalValues(undefined, null)).toBe(false);
  });

  it.each([
    [1, 'int'],
    [-0, 'double'],
    [1.5, 'double'],
    [2147483648, 'double'],
    [1n, 'long'],
    [new Uint8Array(1), 'binData'],
    [undefined, 'missing'],
    [{ _bsontype: 'Int32' }, 'object'],
    [decimal('1'), 'decimal'],
    [/a/, 'regex'],
  ])('names the type of %p', (value, name) => {
    expect(typeName(value)).toBe(name);
  });

  it('ranks documents that pretend to be something else as documents', () => {
    expect(typeRank({ _bsontype: 'MaxKey' })).toBe(typeRank({}));
  });
});

describe('arithmetic', () => {
  it.each<[unknown, unknown, unknown]>([
    [new Int32(1), new Int32(2), new Int32(3)],
    [new Int32(2147483647), new Int32(1), Long.fromNumber(2147483648)],
    [new Int32(1), new Double(2), new Double(3)],
    [Long.fromNumber(1), new Int32(1), Long.fromNumber(2)],
    [decimal('0.10'), decimal('0.20'), decimal('0.30')],
    [decimal('1'), new Double(0.1), decimal('1.100000000000000')],
    [decimal('9999999999999999999999999999999999'), new Int32(1), decimal('1.000000000000000000000000000000000E+34')],
    [decimal('NaN'), new Int32(1), decimal('NaN')],
    [0.5, 0.25, 0.75],
  ])('adds %p and %p', (a, b, expected) => {
    expect(identicalValues(addNumbers(a, b), expected)).toBe(true);
  });

  it('multiplies within the wider type', () => {
    expect(identicalValues(multiplyNumbers(new Int32(65536), new Int32(65536)), Long.fromNumber(4294967296))).toBe(
      true,
    );
    expect(identicalValues(multiplyNumbers(decimal('1.5'), new Int32(-2)), decimal('-3.0'))).toBe(true);
  });

  it('refuses a long that overflows', () => {
    expect(() => addNumbers(Long.MAX_VALUE, new Int32(1))).toThrow('overflow');
  });
});
