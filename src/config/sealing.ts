import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKey } from './signing.js';

/** Bytes of the random start of a sealed text, and of what proves that it is whole. */
const NONCE = 12;
const TAG = 16;

/**
 * `text`, encrypted for `purpose` with the key of the installation (AES-256-GCM, decision 6.6), as base64url. The same text
 * comes out differently each time; `owner`, the id of what it belongs to, binds it to that record.
 */
export function seal(key: SecretKey, purpose: string, owner: string, text: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key.keyFor(`seal:${purpose}`), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * The text that was {@link seal sealed} for the same purpose and owner, with this key or with the one before it.
 * @throws Error when it was not: the text is lost then.
 */
export function unseal(key: SecretKey, purpose: string, owner: string, sealed: string): string {
  try {
    return open(key, purpose, owner, sealed);
  } catch (error) {
    if (key.former) return unseal(key.former, purpose, owner, sealed);
    throw new Error('What is stored was encrypted with another SECRET_KEY, or damaged', { cause: error });
  }
}

/**
 * What was sealed with the key before this one, sealed with this one; `null`: it is already.
 * @throws Error when it was sealed with neither.
 */
export function reseal(key: SecretKey, purpose: string, owner: string, sealed: string): string | null {
  try {
    open(key, purpose, owner, sealed);
    return null;
  } catch {
    return seal(key, purpose, owner, unseal(key, purpose, owner, sealed));
  }
}

/** The text within `sealed`. @throws Error when it was sealed with another key, for another purpose or owner. */
function open(key: SecretKey, purpose: string, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key.keyFor(`seal:${purpose}`), bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
}
