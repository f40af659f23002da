import type { errors as Errors, JWTPayload } from 'jose';
import { lazy } from '../../common/lazy.js';

const jose = lazy(() => import('jose'));

/** Characters of a token at the most: as much as a browser keeps in a cookie. */
const MAX_LENGTH = 4096;
/** Seconds by which the clock of whoever signs may differ from ours. */
const LEEWAY = 60;

/** Why a visitor's token is not accepted. */
export type VisitorTokenReason = 'too-large' | 'malformed' | 'algorithm' | 'signature' | 'expired' | 'not-yet-valid';

export type VisitorTokenResult =
  | {
      valid: true;
      /** The whole payload but for `unsigned`, which no token can vouch for. */
      claims: Record<string, unknown>;
      /** `null` where the token does not say. */
      expiresAt: Date | null;
    }
  | { valid: false; reason: VisitorTokenReason };

/**
 * What `token` says of its visitor, where it is a JSON Web Token signed with HS256 and the UTF-8 bytes of `privateKey`
 * (decision 6.4). No other algorithm is accepted, `none` included. `exp`, `nbf` and `iat` count where they are there, with
 * 60 seconds of leeway; a token without `exp` does not expire. At most 4096 characters. Never throws.
 */
export async function verifyVisitorToken(
  token: string,
  privateKey: string,
  now = new Date(),
): Promise<VisitorTokenResult> {
  if (token.length > MAX_LENGTH) return { valid: false, reason: 'too-large' };
  // nobody can have signed with a key that is not there
  if (privateKey === '') return { valid: false, reason: 'signature' };
  const { errors, jwtVerify } = await jose();
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(privateKey), {
      algorithms: ['HS256'],
      clockTolerance: LEEWAY,
      currentDate: now,
    });
    return accepted(payload, now);
  } catch (error) {
    return { valid: false, reason: reasonOf(error, errors) };
  }
}

function accepted(payload: JWTPayload, now: Date): VisitorTokenResult {
  const { unsigned: _, ...claims } = payload;
  const { iat, exp } = payload;
  // the library looks at `iat` only where tokens have an age
  if (iat !== undefined && typeof iat !== 'number') return { valid: false, reason: 'malformed' };
  if (iat !== undefined && iat > now.getTime() / 1000 + LEEWAY) return { valid: false, reason: 'not-yet-valid' };
  return { valid: true, claims, expiresAt: exp === undefined ? null : dateOf(exp) };
}

/** The latest date that there is, for seconds beyond it. */
function dateOf(seconds: number): Date {
  return new Date(Math.min(seconds * 1000, 8.64e15));
}

function reasonOf(error: unknown, errors: typeof Errors): VisitorTokenReason {
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed && error.reason === 'check_failed') return 'not-yet-valid';
  return 'malformed';
}
