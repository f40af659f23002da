import fc from 'fast-check';
import { reseal, seal, unseal } from './sealing.js';
import { SecretKey } from './signing.js';

const key = new SecretKey('a secret that is long enough to be one');

describe('sealed texts', () => {
  it('come out as they went in, and differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = seal(key, 'test', 'owner', text);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(unseal(key, 'test', 'owner', sealed)).toBe(text);
        expect(seal(key, 'test', 'owner', text)).not.toBe(sealed);
      }),
    );
  });

  it('open with the same key, purpose and owner only, and as a whole', () => {
    const sealed = seal(key, 'test', 'owner', 'a secret');
    expect(sealed).not.toContain(Buffer.from('a secret').toString('base64url'));
    const bytes = Buffer.from(sealed, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const tries = [
      () => unseal(new SecretKey('another secret that is long enough'), 'test', 'owner', sealed),
      () => unseal(key, 'other', 'owner', sealed),
      () => unseal(key, 'test', 'another', sealed),
      () => unseal(key, 'test', 'owner', sealed.slice(0, -2)),
      () => unseal(key, 'test', 'owner', bytes.toString('base64url')),
      () => unseal(key, 'test', 'owner', ''),
    ];
    for (const open of tries) expect(open).toThrow('another SECRET_KEY, or damaged');
  });

  it('open with the key before the present one, and are sealed anew with that', () => {
    const before = new SecretKey('the former secret that is long enough');
    const between = new SecretKey('a secret that is long enough to be one', 'the former secret that is long enough');
    const sealed = seal(before, 'test', 'owner', 'a secret');
    expect(unseal(between, 'test', 'owner', sealed)).toBe('a secret');
    expect(() => unseal(key, 'test', 'owner', sealed)).toThrow('another SECRET_KEY, or damaged');
    const again = reseal(between, 'test', 'owner', sealed) ?? '';
    expect(unseal(key, 'test', 'owner', again)).toBe('a secret');
    expect(reseal(between, 'test', 'owner', again)).toBeNull();
    expect(() => reseal(key, 'test', 'owner', sealed)).toThrow('another SECRET_KEY, or damaged');
    expect(() => reseal(between, 'test', 'another', sealed)).toThrow('another SECRET_KEY, or damaged');
  });
});
