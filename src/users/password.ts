import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

const COST = { N: 2 ** 15, r: 8, p: 1 };
const LENGTH = 32;

/** The stored form of `password`: `scrypt$N$r$p$salt$hash`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Whether `password` is the one that `stored` was made from. Takes as long for `null` (nobody, or somebody without a
 * password), so that the time tells nothing.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) {
    await derive(password, randomBytes(16), COST);
    return false;
  }
  const expected = Buffer.from(hash, 'base64url');
  const given = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const options = { ...cost, maxmem: 128 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    // the same characters typed on two keyboards may differ in their bytes
    scrypt(password.normalize('NFKC'), salt, LENGTH, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
