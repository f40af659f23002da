import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { cases } from '../../../test/support/cases.js';
import { verifyVisitorToken } from './verify-visitor-token.js';

const KEY = 'the key of a site, mit Umläuten';
const NOW = new Date('2026-03-04T10:20:30Z');
const SECONDS = NOW.getTime() / 1000;
const HEADER = { alg: 'HS256', typ: 'JWT' };

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token that any application could make with `key`. */
function tokenOf(payload: unknown, header: object = HEADER, key = KEY): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

const verified = (token: string, key = KEY) => verifyVisitorToken(token, key, NOW);

describe('verifyVisitorToken', () => {
  it('answers what a token claims', async () => {
    const claims = { plan: 'göld', seats: 3, list: ['a'], account: { tier: null } };
    expect(await verified(tokenOf(claims))).toEqual({ valid: true, claims, expiresAt: null });
    expect(await verified(tokenOf(claims, { alg: 'HS256' }))).toMatchObject({ valid: true });
    const made = await new SignJWT({ plan: 'gold' })
      .setProtectedHeader(HEADER)
      .setIssuedAt(SECONDS)
      .setExpirationTime(SECONDS + 7200)
      .sign(new TextEncoder().encode(KEY));
    expect(await verified(made)).toEqual({
      valid: true,
      claims: { plan: 'gold', iat: SECONDS, exp: SECONDS + 7200 },
      expiresAt: new Date('2026-03-04T12:20:30Z'),
    });
  });

  it('drops what a token calls unsigned, and keeps odd names as plain ones', async () => {
    const token = tokenOf(JSON.parse('{"unsigned":{"beta":true},"__proto__":{"isStaff":true},"constructor":1}'));
    const result = await verified(token);
    const claims = result.valid ? result.claims : {};
    expect(Object.keys(claims)).toEqual(['__proto__', 'constructor']);
    expect(claims.isStaff).toBeUndefined();
  });

  it.each([
    [{ exp: SECONDS + 1 }, 'valid'],
    [{ exp: SECONDS - 59 }, 'valid'],
    [{ exp: SECONDS - 60 }, 'expired'],
    [{ exp: 0 }, 'expired'],
    [{ exp: 1e300 }, 'valid'],
    [{ nbf: SECONDS + 60 }, 'valid'],
    [{ nbf: SECONDS + 61 }, 'not-yet-valid'],
    [{ iat: SECONDS + 60 }, 'valid'],
    [{ iat: SECONDS + 61 }, 'not-yet-valid'],
    [{ iat: 0 }, 'valid'],
    [{ exp: String(SECONDS + 60) }, 'malformed'],
    [{ exp: null }, 'malformed'],
    [{ nbf: true }, 'malformed'],
    [{ iat: 'now' }, 'malformed'],
  ])('takes %j as %s', async (claims, expected) => {
    const result = await verified(tokenOf(claims));
    expect(result.valid ? 'valid' : result.reason).toBe(expected);
    if (result.valid) expect(Number.isNaN(result.expiresAt?.getTime())).toBe(false);
  });

  const good = tokenOf({ plan: 'gold' });
  const [header = '', payload = '', signature = ''] = good.split('.');

  it.each([
    // algorithms other than HS256
    ['algorithm', new UnsecuredJWT({ plan: 'gold' }).encode()],
    ['algorithm', tokenOf({}, { alg: 'none' })],
    ['algorithm', tokenOf({}, { alg: 'None' })],
    ['algorithm', tokenOf({}, { alg: 'hs256' })],
    ['algorithm', tokenOf({}, { alg: 'HS512' })],
    ['algorithm', tokenOf({}, { alg: 'RS256' })],
    ['algorithm', tokenOf({}, { alg: 'ES256', jwk: { kty: 'oct', k: 'x' } })],
    // other signatures
    ['signature', tokenOf({}, HEADER, `${KEY}x`)],
    ['signature', tokenOf({}, HEADER, '')],
    ['signature', `${header}.${encoded({ plan: 'silver' })}.${signature}`],
    ['signature', `${header}.${payload}.`],
    ['signature', `${header}.${payload}.${signature.slice(1)}`],
    // what is no such token
    ['malformed', ''],
    ['malformed', 'text'],
    ['malformed', '..'],
    ['malformed', `${header}.${payload}`],
    ['malformed', `${good}.${signature}`],
    ['malformed', `${header}.${payload}.${signature}!`],
    ['malformed', `!.${payload}.${signature}`],
    ['malformed', tokenOf({}, [])],
    ['malformed', tokenOf({}, {})],
    ['malformed', tokenOf({}, { alg: 5 })],
    ['malformed', tokenOf({}, { alg: 'HS256', crit: ['exp'], exp: 1 })],
    ['malformed', tokenOf({}, { alg: 'HS256', crit: ['b64'], b64: false })],
    ['malformed', tokenOf([])],
    ['malformed', tokenOf(null)],
    ['malformed', tokenOf('text')],
    ['malformed', '\0\ud800'.repeat(100)],
    // others
    ['too-large', tokenOf({ text: 'x'.repeat(4000) })],
    ['too-large', 'x'.repeat(10_000_000)],
  ])('refuses as %s: %#', async (reason, token) => {
    expect(await verified(token)).toEqual({ valid: false, reason });
  });

  it('takes no key for no key at all', async () => {
    expect(await verified(tokenOf({}, HEADER, ''), '')).toEqual({ valid: false, reason: 'signature' });
  });

  it('refuses whatever was not signed, and never throws', async () => {
    const given = fc.oneof(
      fc.string(),
      fc.tuple(fc.jsonValue(), fc.jsonValue()).map(([one, two]) => `${encoded(one)}.${encoded(two)}.${signature}`),
      fc
        .tuple(fc.nat(good.length - 1), fc.constantFrom('', '.', 'AB', '=', ' ', '\0'))
        .map(([at, by]) => good.slice(0, at) + by + good.slice(at + 1)),
    );
    await fc.assert(
      fc.asyncProperty(given, async (token) => {
        fc.pre(token !== good);
        expect(await verified(token)).toMatchObject({ valid: false });
      }),
      { numRuns: cases(300, 5000) },
    );
  });
});
