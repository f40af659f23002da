import { randomBytes, randomFillSync } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would make the first letters of the alphabet likelier than the others. */
const FAIR = 256 - (256 % ALPHABET.length);

/** Random bytes that nobody has taken yet: to ask the system for those of each id takes longer than to make the id. */
const POOL = Buffer.alloc(4096);
let taken = POOL.length;

function randomByte(): number {
  if (taken === POOL.length) {
    randomFillSync(POOL);
    taken = 0;
  }
  const byte = POOL[taken] ?? 0;
  // nobody finds out later what was made of it
  POOL[taken++] = 0;
  return byte;
}

/** `length` random characters of `[A-Za-z0-9]`, from the system's secure source, each equally likely. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < FAIR) text += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return text;
}

/** A new identifier: 20 characters `[A-Za-z0-9]` (decision 1.16), never digits only, so that no id reads as a number. */
export function newId(): string {
  for (;;) {
    const id = randomText(20);
    if (!/^\d+$/.test(id)) return id;
  }
}

/** A new secret for tokens and links: 43 characters, 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether `value` is spelled like an identifier (decision 1.16). */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(value);
}
