import { Binary, BSONRegExp, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues } from './compare.js';
import { afterPrefix, KeyWriter } from './key.js';

const encode = (value: unknown, descending = false): Buffer => new KeyWriter().start(1).add(value, descending).finish();

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\u{ff}', '\u{ffff}', '\u{1f600}') }),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0, 4)).map(([bytes, kind]) => new Binary(bytes, kind)),
  fc.tuple(fc.nat(), fc.nat()).map(([t, i]) => new Timestamp({ t, i })),
  fc.constantFrom(new MinKey(), new MaxKey(), new BSONRegExp('a', 'i'), new BSONRegExp('b')),
  fc.integer().map((value) => new Int32(value)),
  fc.integer().map((value) => new Double(value)),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { noNullPrototype: true }),
  ),
}));

describe('index keys', () => {
  it('are in the order of BSON values', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const order = Math.sign(compareValues(a, b));
        expect(encode(a).compare(encode(b))).toBe(order);
        expect(encode(a, true).compare(encode(b, true))).toBe(order === 0 ? 0 : -order);
      }),
      { numRuns: 3000 },
    );
  });

  it('never begin with one another, so that they can be joined', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [first, second] = [encode(a), encode(b)];
        if (first.compare(second) !== 0) expect(second.subarray(0, first.length).equals(first)).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('keep longs apart that share a double', () => {
    const longs = ['9007199254740992', '9007199254740993', '9007199254740994', '9223372036854775807'];
    const keys = longs.map((text) => encode(Long.fromString(text)));
    expect([...keys].sort((a, b) => a.compare(b))).toEqual(keys);
    expect(encode(Long.fromNumber(2 ** 53))).toEqual(encode(2 ** 53));
    expect(encode(-0)).toEqual(encode(0));
  });

  it('are shortened to a prefix and a hash when they are long', () => {
    const long = (end: string): { key: Buffer; shortened: boolean } => {
      const writer = new KeyWriter().start(1).add('x'.repeat(5000) + end);
      return { shortened: writer.shorten(), key: writer.finish() };
    };
    expect(long('a').shortened).toBe(true);
    expect(long('a').key.length).toBeLessThan(1600);
    expect(long('a').key).toEqual(long('a').key);
    expect(long('a').key).not.toEqual(long('b').key);
  });

  it('end where the next prefix begins', () => {
    expect(afterPrefix(Buffer.from([1, 2]))).toEqual(Buffer.from([1, 3]));
    expect(afterPrefix(Buffer.from([1, 0xff, 0xff]))).toEqual(Buffer.from([2]));
  });

  it('refuse decimals by name', async () => {
    const { Decimal128 } = await import('bson');
    expect(() => encode(Decimal128.fromString('1.5'))).toThrow(/Decimal128/);
  });

  it('are not deceived by documents that pretend to be values of another type', () => {
    for (const type of ['ObjectId', 'Long', 'Decimal128', 'Binary', 'MinKey']) {
      const key = encode({ _bsontype: type, id: 'x', value: 1 });
      expect(key[4]).toBe(encode({})[4]);
      expect(key).not.toEqual(encode({ _bsontype: type, id: 'y', value: 1 }));
    }
  });
});
