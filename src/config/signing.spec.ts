import fc from 'fast-check';
import { SecretKey } from './signing.js';

const key = new SecretKey('a key that is made of 32 characters');
const other = new SecretKey('another key, made of 32 characters');

describe('SecretKey', () => {
  it('knows its own signatures, in every process that holds the secret', () => {
    const elsewhere = new SecretKey('a key that is made of 32 characters');
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (purpose, text) => {
        const signature = key.sign(purpose, text);
        expect(signature).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(elsewhere.verify(purpose, text, signature)).toBe(true);
      }),
    );
  });

  it('refuses a signature of anything else', () => {
    const different = fc.tuple(fc.string(), fc.string()).filter(([one, another]) => one !== another);
    fc.assert(
      fc.property(different, fc.string(), ([one, another], same) => {
        const signature = key.sign(same, one);
        expect(key.verify(same, another, signature)).toBe(false);
        expect(key.verify(another, same, key.sign(one, same))).toBe(false);
        expect(other.verify(same, one, signature)).toBe(false);
      }),
    );
  });

  it.each(['', 'x', 'ü'.repeat(43), '\0'.repeat(43), 'A'.repeat(43), 'A'.repeat(100_000)])(
    'refuses %# as a signature',
    (signature) => {
      expect(key.verify('purpose', 'text', signature)).toBe(false);
    },
  );

  it('knows what the key before it has signed and is stored, and signs with its own', () => {
    const between = new SecretKey('the present key of the installation', 'the former key of the installation');
    const [former, present] = ['the former key of the installation', 'the present key of the installation'].map((one) =>
      new SecretKey(one).sign('purpose', 'text'),
    );
    expect(between.sign('purpose', 'text')).toBe(present);
    expect(between.signatures('purpose', 'text')).toEqual([present, former]);
    expect(between.verify('purpose', 'text', former ?? '')).toBe(false);
    for (const signature of [present, former]) {
      expect(between.verifyStored('purpose', 'text', signature ?? '')).toBe(true);
      expect(between.verifyStored('other', 'text', signature ?? '')).toBe(false);
    }
    expect(new SecretKey('another key of the installation').verifyStored('purpose', 'text', present ?? '')).toBe(false);
  });

  it('gives every purpose 32 bytes of its own', () => {
    const keys = ['', 'a', 'b', '__proto__', 'file download'].map((purpose) => key.keyFor(purpose));
    expect(keys.map(({ length }) => length)).toEqual([32, 32, 32, 32, 32]);
    expect(new Set(keys.map((bytes) => bytes.toString('hex'))).size).toBe(5);
    expect(key.keyFor('a')).toEqual(keys[1]);
    expect(other.keyFor('a')).not.toEqual(keys[1]);
  });

  it('is told from others by its fingerprint', () => {
    expect(key.fingerprint).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(other.fingerprint).not.toBe(key.fingerprint);
  });

  it('shows the secret in none of what it gives away', () => {
    expect(key.keyFor('x').toString('latin1') + key.sign('x', '') + key.fingerprint).not.toContain('a key that');
  });
});
