/*
 * An order key is a whole part and a fraction in base 62. The first letter of the whole part says how many digits
 * follow (a: 1, b: 2 … upwards; Z: 1, Y: 2 … downwards), so that keys compare as plain text, and that going on at
 * either end only counts on instead of growing the key.
 */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FIRST = 'a0';
const LOWEST = `A${'0'.repeat(26)}`;

/** Longest key that is kept; beyond it the siblings of that parent get fresh keys. */
export const MAX_ORDER_KEY = 64;

/** Whether `text` is written as an order key. */
export function isOrderKey(text: string): boolean {
  if (!/^[A-Za-z][0-9A-Za-z]{1,127}$/.test(text) || text === LOWEST) return false;
  const length = wholeLength(text);
  return text.length >= length && (text.length === length || !text.endsWith('0'));
}

/**
 * A key that sorts after `before` and before `after` (by code units); `null` stands for the open end.
 * @throws RangeError when they are not order keys, or not in order.
 */
export function orderKeyBetween(before: string | null, after: string | null): string {
  for (const key of [before, after]) {
    if (key !== null && !isOrderKey(key)) throw new RangeError(`Not an order key: ${key}`);
  }
  if (before !== null && after !== null && before >= after) throw new RangeError(`Not in order: ${before}, ${after}`);
  if (before === null) return after === null ? FIRST : keyBefore(after);
  if (after === null) return keyAfter(before);
  const [whole, fraction] = split(before);
  const [nextWhole, nextFraction] = split(after);
  if (whole === nextWhole) return whole + middle(fraction, nextFraction);
  const next = count(whole, 1);
  return next !== null && next < after ? next : whole + middle(fraction, null);
}

/** `count` keys in order, as short as they come: what a list of siblings starts with. */
export function freshOrderKeys(count: number): string[] {
  return orderKeysBetween(null, null, count);
}

/** `count` keys in order between two, the open ends `null`: short ones, however many there are. */
export function orderKeysBetween(before: string | null, after: string | null, count: number): string[] {
  if (count === 0) return [];
  if (after === null) {
    const keys: string[] = [];
    for (let last = before; keys.length < count;) keys.push((last = orderKeyBetween(last, null)));
    return keys;
  }
  const left = count >> 1;
  const middle = orderKeyBetween(before, after);
  return [...orderKeysBetween(before, middle, left), middle, ...orderKeysBetween(middle, after, count - left - 1)];
}

function keyAfter(before: string): string {
  const [whole, fraction] = split(before);
  return count(whole, 1) ?? whole + middle(fraction, null);
}

function keyBefore(after: string): string {
  const [whole, fraction] = split(after);
  if (whole === LOWEST) return LOWEST + middle('', fraction);
  if (fraction !== '') return whole;
  const lower = count(whole, -1);
  // the lowest whole part only comes with a fraction, so that there is always something before a key
  return lower === null || lower === LOWEST ? LOWEST + middle('', null) : lower;
}

function wholeLength(key: string): number {
  const head = key.charCodeAt(0);
  return head >= 97 ? head - 97 + 2 : 90 - head + 2;
}

function split(key: string): [whole: string, fraction: string] {
  const length = wholeLength(key);
  return [key.slice(0, length), key.slice(length)];
}

/** The whole part one up or down; `null` past the last one. */
function count(whole: string, step: 1 | -1): string | null {
  const digits = Array.from(whole.slice(1));
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = DIGITS.indexOf(whole.charAt(index + 1)) + step;
    if (digit >= 0 && digit < DIGITS.length) {
      digits[index] = DIGITS.charAt(digit);
      return whole.charAt(0) + digits.join('');
    }
    digits[index] = step === 1 ? '0' : 'z';
  }
  return nextHead(whole.charCodeAt(0), step);
}

function nextHead(head: number, step: 1 | -1): string | null {
  const fill = step === 1 ? '0' : 'z';
  if (step === 1 && head === 90) return FIRST;
  if (step === -1 && head === 97) return 'Zz';
  const next = head + step;
  if (next < 65 || next > 122) return null;
  const letter = String.fromCharCode(next);
  return letter + fill.repeat(wholeLength(letter) - 1);
}

/** A fraction between two, the upper one `null` for 1. Never ends in `0`, so that there is room below it. */
function middle(low: string, high: string | null): string {
  let shared = 0;
  while (high !== null && (low.charAt(shared) || '0') === high.charAt(shared)) shared++;
  if (high !== null && shared > 0) return high.slice(0, shared) + middle(low.slice(shared), high.slice(shared));
  const lowDigit = low === '' ? 0 : DIGITS.indexOf(low.charAt(0));
  const highDigit = high === null ? DIGITS.length : DIGITS.indexOf(high.charAt(0));
  if (highDigit - lowDigit > 1) return DIGITS.charAt(Math.round((lowDigit + highDigit) / 2));
  if (high !== null && high.length > 1) return high.charAt(0);
  return DIGITS.charAt(lowDigit) + middle(low.slice(1), null);
}
