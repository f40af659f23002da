import { isId, newId, newSecret, randomText } from './ids.js';

describe('randomText', () => {
  it.each([0, 1, 2, 19, 20, 61, 500])('answers %i letters and digits', (length) => {
    expect(randomText(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  });

  it('takes each of them equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomText(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // seven standard deviations around 1,000
    expect(Math.min(...counts.values())).toBeGreaterThan(780);
    expect(Math.max(...counts.values())).toBeLessThan(1220);
  });
});

describe('newId', () => {
  it('is new each time, and spelled as ids are', () => {
    const ids = Array.from({ length: 5000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Za-z0-9]{20}$/.test(id) || /^\d+$/.test(id) || !isId(id))).toEqual([]);
  });
});

describe('newSecret', () => {
  it('holds 256 bits, without characters that mean something in an address', () => {
    const secrets = Array.from({ length: 500 }, newSecret);
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(secrets.filter((secret) => !/^[A-Za-z0-9_-]{43}$/.test(secret))).toEqual([]);
    expect(Buffer.from(secrets[0] ?? '', 'base64url')).toHaveLength(32);
  });
});

describe('isId', () => {
  it.each(['a', '7', 'A-b_C', '__proto__', 'x'.repeat(64)])('takes %j', (value) => {
    expect(isId(value)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a.b',
    'a/b',
    '../a',
    'a\n',
    'ä',
    '$a',
    'a\0',
    'x'.repeat(65),
    5,
    null,
    undefined,
    ['a'],
    {},
  ])('refuses %j', (value) => {
    expect(isId(value)).toBe(false);
  });
});
