import { Decimal128, Double, Int32, Long } from 'bson';
import { badValue } from '../errors.js';
import { isTagged, typeName } from './types.js';

/** A number as it is: `digits` times ten to the power of `exponent`. */
interface Exact {
  digits: bigint;
  exponent: number;
}

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const DECIMAL_DIGITS = 34;

/** Whether `value` is a number of any of the four types. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || ['int', 'long', 'double', 'decimal'].includes(typeName(value));
}

/** The double nearest to a number of any type. */
export function approximate(value: unknown): number {
  if (typeof value === 'number') return value;
  if (isTagged(value, 'Int32') || isTagged(value, 'Double')) return value.valueOf();
  if (isTagged(value, 'Long')) return Number(value.toBigInt());
  return Number(String(value));
}

/** Orders two numbers of any types by their exact values; NaN comes before all others and equals itself. */
export function compareNumbers(a: unknown, b: unknown): number {
  const x = approximate(a);
  const y = approximate(b);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x !== y) return Number.isNaN(x) ? (Number.isNaN(y) ? 0 : -1) : 1;
  if (isDouble(a) && isDouble(b)) return 0;
  if (!isFiniteNumber(a) || !isFiniteNumber(b))
    return (Number(isFiniteNumber(b)) - Number(isFiniteNumber(a))) * Math.sign(x);
  return compareExact(exact(a), exact(b));
}

/** A text that two numbers share exactly when they are equal, whatever their types. */
export function numberKey(value: unknown): string {
  const near = approximate(value);
  if (compareNumbers(value, near) === 0) return String(near === 0 ? 0 : near);
  let { digits, exponent } = exact(value);
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1;
  }
  return `${digits.toString()}e${exponent}`;
}

/** The sum of two numbers, in the wider of their types; an int that overflows becomes a long. @throws EngineError when a long overflows. */
export function addNumbers(a: unknown, b: unknown): unknown {
  return combine(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
    addExact,
  );
}

/** The product of two numbers, typed as for {@link addNumbers}. @throws EngineError when a long overflows. */
export function multiplyNumbers(a: unknown, b: unknown): unknown {
  return combine(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
    (x, y) => ({ digits: x.digits * y.digits, exponent: x.exponent + y.exponent }),
  );
}

function combine(
  a: unknown,
  b: unknown,
  doubles: (x: number, y: number) => number,
  longs: (x: bigint, y: bigint) => bigint,
  decimals: (x: Exact, y: Exact) => Exact,
): unknown {
  if (typeof a === 'number' && typeof b === 'number') return doubles(a, b);
  const types = [typeName(a), typeName(b)];
  if (types.includes('decimal')) {
    if (!isFiniteNumber(a) || !isFiniteNumber(b))
      return Decimal128.fromString(String(doubles(approximate(a), approximate(b))));
    return toDecimal(decimals(decimalOperand(a), decimalOperand(b)));
  }
  if (types.includes('double')) return new Double(doubles(approximate(a), approximate(b)));
  const result = longs(exact(a).digits, exact(b).digits);
  if (result < LONG_MIN || result > LONG_MAX) throw badValue('integer overflow: the result does not fit into 64 bits');
  if (types.includes('long') || BigInt.asIntN(32, result) !== result) return Long.fromBigInt(result);
  return new Int32(Number(result));
}

function isDouble(value: unknown): boolean {
  return typeof value === 'number' || isTagged(value, 'Int32') || isTagged(value, 'Double');
}

function isFiniteNumber(value: unknown): boolean {
  return isTagged(value, 'Decimal128') ? /^-?\d/.test(value.toString()) : Number.isFinite(approximate(value));
}

function exact(value: unknown): Exact {
  if (isTagged(value, 'Long')) return { digits: value.toBigInt(), exponent: 0 };
  if (isTagged(value, 'Decimal128')) return parseDecimal(value.toString());
  let rest = approximate(value);
  let halvings = 0;
  while (!Number.isInteger(rest)) {
    rest *= 2;
    halvings += 1;
  }
  return { digits: BigInt(rest) * 5n ** BigInt(halvings), exponent: -halvings };
}

function parseDecimal(text: string): Exact {
  const [, whole = '0', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = BigInt(whole + fraction);
  return { digits, exponent: Number(exponent) - fraction.length };
}

/** MongoDB takes a double into decimal arithmetic with 15 digits: 0.1 is then one tenth. */
function decimalOperand(value: unknown): Exact {
  return typeName(value) === 'double' ? parseDecimal(approximate(value).toPrecision(15)) : exact(value);
}

function align(a: Exact, b: Exact): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (x: Exact): bigint => x.digits * 10n ** BigInt(x.exponent - exponent);
  return [scale(a), scale(b), exponent];
}

function compareExact(a: Exact, b: Exact): number {
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

function addExact(a: Exact, b: Exact): Exact {
  const [x, y, exponent] = align(a, b);
  return { digits: x + y, exponent };
}

/** Rounds to the digits that a decimal has, half to even. */
function toDecimal({ digits, exponent }: Exact): Decimal128 {
  const sign = digits < 0n ? '-' : '';
  let magnitude = digits < 0n ? -digits : digits;
  const excess = magnitude.toString().length - DECIMAL_DIGITS;
  if (excess > 0) {
    const unit = 10n ** BigInt(excess);
    const twice = (magnitude % unit) * 2n;
    magnitude /= unit;
    if (twice > unit || (twice === unit && magnitude % 2n === 1n)) magnitude += 1n;
    return Decimal128.fromString(`${sign}${magnitude.toString()}E${exponent + excess}`);
  }
  return Decimal128.fromString(`${sign}${magnitude.toString()}E${exponent}`);
}
