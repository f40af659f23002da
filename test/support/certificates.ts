import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A key, and a certificate of it that it signed itself, as PEM. */
export interface Certified {
  privateKey: string;
  certificate: string;
}

/** A new key of RSA with a certificate. */
export function newCertified(bits = 2048): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return certified(privateKey, publicKey);
}

/** A new key of elliptic curves with a certificate. */
export function newCurveCertified(): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return certified(privateKey, publicKey);
}

const SHA256_RSA = '2a864886f70d01010b';
const SHA256_ECDSA = '2a8648ce3d040302';

function certified(privateKey: KeyObject, publicKey: KeyObject): Certified {
  const isCurve = publicKey.asymmetricKeyType === 'ec';
  const identifier = der(0x06, Buffer.from(isCurve ? SHA256_ECDSA : SHA256_RSA, 'hex'));
  const algorithm = der(0x30, identifier, isCurve ? Buffer.alloc(0) : der(0x05));
  const commonName = der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('idp.test')));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(der(0x30, body, algorithm, signature)),
  };
}

/** A value of ASN.1 with its tag and length. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
