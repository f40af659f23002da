import { newSecret } from '../../common/ids.js';
import type { SecretKey } from '../../config/index.js';

const PURPOSE = 'saml-request';
/** How long somebody may take to sign in at the identity provider, in ms. */
const LIFETIME = 30 * 60_000;

/**
 * A new id for a request to `provider`, at `now` in ms since 1970. It is signed and says when it ends, so that nothing is
 * stored for people who begin to sign in: only used ones are.
 */
export function newRequestId(key: SecretKey, provider: string, now: number): string {
  const text = `_${String(now + LIFETIME)}.${newSecret()}`;
  return `${text}.${key.sign(PURPOSE, `${provider} ${text}`)}`;
}

/** When the request `id` to `provider` ends; `null` when it has, or when it is none of ours. */
export function endOfRequest(key: SecretKey, provider: string, id: string, now: number): Date | null {
  const [, text = '', end = '', signature = ''] = /^(_(\d{13,15})\.[\w-]{43})\.([\w-]{43})$/.exec(id) ?? [];
  if (text === '' || !key.verify(PURPOSE, `${provider} ${text}`, signature)) return null;
  return Number(end) > now ? new Date(Number(end)) : null;
}
