import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new signing secret, spelled as the Standard Webhooks specification does: 32 bytes as base64 behind `whsec_`. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** What is signed: which message it is, and when it is sent. */
export interface Message {
  id: string;
  at: Date;
  /** Exactly what is sent. */
  body: string;
}

/**
 * The headers that prove where `message` comes from (Standard Webhooks 1.0): its id, the time of this attempt in seconds
 * since 1970, and the HMAC-SHA256 over both and the body.
 */
export function signatureHeaders(secret: string, { id, at, body }: Message): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
