import { X509Certificate } from 'node:crypto';
import { SamlRefusal } from './refusal.js';

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
/** Bits of a key of RSA, at the least. */
const MIN_BITS = 2048;

/**
 * The certificates in `text` as PEM: as many as there are blocks of PEM (one is on its way out while the next comes in), or
 * a single one as bare base64. Dates are not looked at: what counts is that an administrator entered it.
 * @throws SamlRefusal when one cannot be read, or its key is none that responses could be signed with.
 */
export function certificatesIn(text: string): string[] {
  const blocks = [...text.matchAll(PEM)].map(([, base64 = '']) => base64);
  return (blocks.length > 0 ? blocks : [text]).map(toPem);
}

function toPem(base64: string): string {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_BITS) {
      return certificate.toString();
    }
  } catch {
    // said below
  }
  throw new SamlRefusal(
    'The certificate of the identity provider cannot be used: an administrator of the organization must enter one with an RSA key of at least 2048 bits, as PEM',
  );
}
