import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The key of the installation. What it is used for never shares a derived key with anything else. */
export class SecretKey {
  private readonly derived = new Map<string, Buffer>();

  /** The key before this one, while it is being replaced: it opens what it has sealed, and signs nothing any more. */
  readonly former: SecretKey | null;

  constructor(
    private readonly secret: string,
    former?: string,
  ) {
    this.former = former === undefined ? null : new SecretKey(former);
  }

  /** What tells this key from others, 43 characters of base64url, and nothing else about it. */
  get fingerprint(): string {
    return this.sign('fingerprint', 'colophon');
  }

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

  /** The signatures of `text` for `purpose` that stored records may hold: by this key, and by the one before it. */
  signatures(purpose: string, text: string): string[] {
    return [this, ...(this.former ? [this.former] : [])].map((key) => key.sign(purpose, text));
  }

  /** Whether `signature` is that of `text`, compared in constant time. */
  verify(purpose: string, text: string, signature: string): boolean {
    return isSame(this.sign(purpose, text), signature);
  }

  /** Whether `signature` is one of the {@link signatures} of `text`, compared in constant time. */
  verifyStored(purpose: string, text: string, signature: string): boolean {
    return this.signatures(purpose, text).some((expected) => isSame(expected, signature));
  }
}

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
