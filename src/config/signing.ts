import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The key of the installation. What it is used for never shares a derived key with anything else. */
export class SecretKey {
  private readonly derived = new Map<string, Buffer>();

  constructor(private readonly secret: string) {}

  /** 32 bytes for `purpose` alone, the same in every process that holds the same secret. */
  keyFor(purpose: string): Buffer {
    let key = this.derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.secret, 'colophon', purpose, 32));
      this.derived.set(purpose, key);
    }
    return key;
  }

  /** The signature of `text` for `purpose`: 43 characters of base64url. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  /** Whether `signature` is that of `text`, compared in constant time. */
  verify(purpose: string, text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
