import { SamlRefusal } from './refusal.js';
import { checkSignatureForm, signatureIn } from './signature.js';
import {
  attributeOf,
  childrenNamed,
  elementsOf,
  isNamed,
  onlyChild,
  parseXml,
  textOf,
  type XmlElement,
} from './xml.js';

/** The largest response that is read, in bytes: one who belongs to thousands of groups needs a good part of it. */
export const MAX_RESPONSE = 256 * 1024;

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/** What would have to be decrypted; nobody has a key of ours. */
const ENCRYPTED = ['EncryptedAssertion', 'EncryptedID', 'EncryptedAttribute', 'EncryptedData', 'EncryptedKey'];

/** What a response says around its assertion. All of it may be forged until the signatures are verified. */
export interface SamlResponse {
  /** The response as XML. */
  xml: string;
  /** Which of its parts bear a signature; one at least does. */
  signed: { response: boolean; assertion: boolean };
  /** Id of the assertion. */
  assertion: string;
  /** Entity id of the identity provider, where it stands outside of the assertion. */
  issuer: string | null;
  destination: string | null;
  inResponseTo: string | null;
}

/**
 * Reads a response as forms carry it, in base64, and refuses each in which a signature could be about something else than
 * what is read: there is one assertion, directly in the response, no id stands twice, and every signature is about the
 * element that it stands in. @throws SamlRefusal
 */
export function readResponse(encoded: string): SamlResponse {
  const xml = decode(encoded);
  const root = parseXml(xml);
  if (!isNamed(root, 'protocol', 'Response')) throw new SamlRefusal('This is no SAML response');
  checkVersion(root);
  checkStatus(root);
  const assertion = onlyAssertion(root);
  checkIds(root);
  checkSignatures(root, assertion);
  const [issuer, ...others] = childrenNamed(root, 'assertion', 'Issuer');
  if (others.length > 0) throw new SamlRefusal('The response must have one Issuer');
  return {
    xml,
    signed: { response: signatureIn(root) !== null, assertion: signatureIn(assertion) !== null },
    assertion: attributeOf(assertion, 'ID') ?? '',
    issuer: issuer ? textOf(issuer) : null,
    destination: attributeOf(root, 'Destination'),
    inResponseTo: attributeOf(root, 'InResponseTo'),
  };
}

/** @throws SamlRefusal when `element` is not of SAML 2.0. */
export function checkVersion(element: XmlElement): void {
  if (attributeOf(element, 'Version') !== '2.0') throw new SamlRefusal('The response must be of SAML 2.0');
}

function decode(encoded: string): string {
  const base64 = encoded.replace(/[\t\n\r ]/g, '');
  if (base64 === '') throw new SamlRefusal('The response is empty');
  if (base64.length > (MAX_RESPONSE / 3) * 4) {
    throw new SamlRefusal(`The response must be at most ${String(MAX_RESPONSE)} bytes`);
  }
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new SamlRefusal('The response is not encoded in base64');
  }
  try {
    // as XML has line ends read, before anything is verified
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64')).replace(/\r\n?/g, '\n');
  } catch {
    throw new SamlRefusal('The response is not written in UTF-8');
  }
}

function checkStatus(root: XmlElement): void {
  const code = onlyChild(onlyChild(root, 'protocol', 'Status'), 'protocol', 'StatusCode');
  const value = attributeOf(code, 'Value') ?? '';
  if (value === SUCCESS) return;
  const [inner] = childrenNamed(code, 'protocol', 'StatusCode');
  const named = [value, inner && attributeOf(inner, 'Value')].map((one) => (one ?? '').split(':').at(-1)?.slice(0, 50));
  throw new SamlRefusal(`The identity provider did not sign you in: ${named.filter((one) => one !== '').join(', ')}`);
}

function onlyAssertion(root: XmlElement): XmlElement {
  const elements = [...elementsOf(root)];
  if (elements.some(({ localName }) => ENCRYPTED.includes(localName))) {
    throw new SamlRefusal('The response is encrypted; have the identity provider send it signed and not encrypted');
  }
  // in whatever namespace and place: others might read what is not read here
  const assertions = elements.filter(({ localName }) => localName === 'Assertion');
  const responses = elements.filter(({ localName }) => localName === 'Response');
  const [assertion] = childrenNamed(root, 'assertion', 'Assertion');
  if (!assertion || assertions.length !== 1 || responses.length !== 1) {
    throw new SamlRefusal('The response must have one assertion, directly in it');
  }
  return assertion;
}

function checkIds(root: XmlElement): void {
  const seen = new Set<string>();
  for (const element of elementsOf(root)) {
    for (const { name, localName, value } of Array.from(element.attributes)) {
      if ((localName || name).toLowerCase() !== 'id') continue;
      if (seen.has(value)) throw new SamlRefusal('The response has two elements with one id');
      seen.add(value);
    }
  }
}

function checkSignatures(root: XmlElement, assertion: XmlElement): void {
  const signatures = [...elementsOf(root)].filter(({ localName }) => localName === 'Signature');
  const expected = [signatureIn(root), signatureIn(assertion)].filter((signature) => signature !== null);
  if (expected.length === 0) throw new SamlRefusal('The response is not signed');
  if (signatures.length !== expected.length) throw new SamlRefusal('The response has a signature in a strange place');
  for (const signature of expected) checkSignatureForm(signature);
}
