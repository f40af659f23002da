import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { type Certified, newCertified } from './certificates.js';
import { startWebServer, type WebServer } from './web-server.js';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const RSA_SHA512 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512';
export const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
export const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** What tests look at of an identity provider, as the service knows it. */
export interface Provider {
  id: string;
  service: { acsURL: string; startURL: string; entityID: string };
}

/** What tests look at of a sign-in. */
export interface Session {
  user: { id: string; displayName: string; email: string };
  token: string;
}

/** What a response says; each of it is right unless a test has it otherwise. `null` leaves it out. */
export interface Claims {
  /** Where responses are sent, and who they are for. */
  acsURL: string;
  audience: string | null;
  issuer: string;
  /** Id of the request. */
  request: string | null;
  email: string;
  firstName?: string;
  lastName?: string;
  nameId?: string;
  format?: string | null;
  recipient?: string | null;
  destination?: string | null;
  responseIssuer?: string | null;
  /** Of the response, where it is another than the assertion's. */
  responseRequest?: string | null;
  method?: string;
  status?: string;
  version?: string;
  /** Times in seconds from now. */
  issued?: number;
  notBefore?: number;
  notOnOrAfter?: number | null;
  confirmedUntil?: number | null;
  sessionEnd?: number;
  assertionId?: string;
  responseId?: string;
  /** Further elements, as they are. */
  conditions?: string;
  subject?: string;
  statements?: string;
  extensions?: string;
}

/** How a response is signed. */
export interface Signing {
  by?: Certified;
  what?: 'assertion' | 'response' | 'both';
  signature?: string;
  digest?: string;
  canonicalization?: string;
  transforms?: string[];
}

/** A time some seconds from now, as SAML spells it. */
export const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A new id, as XML allows it. */
export const xmlId = (): string => `_${randomBytes(16).toString('hex')}`;

const attribute = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined ? '' : ` ${name}="${value}"`;

const named = (name: string, value: string | undefined): string =>
  value === undefined
    ? ''
    : `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;

/** The XML of an assertion. */
export function assertionOf(claims: Claims): string {
  const { format = EMAIL_FORMAT, method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer', recipient = claims.acsURL } = claims;
  const end = (seconds: number | null | undefined): string | null => (seconds === null ? null : at(seconds ?? 300));
  const audience =
    claims.audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${claims.audience}</saml:Audience></saml:AudienceRestriction>`;
  const attributes = named('first_name', claims.firstName) + named('last_name', claims.lastName);
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${claims.assertionId ?? xmlId()}"` +
    ` Version="${claims.version ?? '2.0'}" IssueInstant="${at(claims.issued ?? 0)}">` +
    `<saml:Issuer>${claims.issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID${attribute('Format', format)}>${claims.nameId ?? claims.email}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData` +
    attribute('InResponseTo', claims.request) +
    attribute('Recipient', recipient) +
    attribute('NotOnOrAfter', end(claims.confirmedUntil)) +
    `/></saml:SubjectConfirmation>${claims.subject ?? ''}</saml:Subject>` +
    `<saml:Conditions NotBefore="${at(claims.notBefore ?? -5)}"${attribute('NotOnOrAfter', end(claims.notOnOrAfter))}>` +
    `${audience}${claims.conditions ?? ''}</saml:Conditions>` +
    (claims.statements ??
      `<saml:AuthnStatement AuthnInstant="${at(0)}"` +
        attribute('SessionNotOnOrAfter', claims.sessionEnd === undefined ? null : at(claims.sessionEnd)) +
        '><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password' +
        '</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>') +
    (attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`) +
    '</saml:Assertion>'
  );
}

/** The XML of a response around `assertion`. */
export function responseOf(claims: Claims, assertion = assertionOf(claims)): string {
  const { destination = claims.acsURL, responseIssuer = claims.issuer, responseRequest = claims.request } = claims;
  const status = claims.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success';
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${claims.responseId ?? xmlId()}"` +
    ` Version="2.0" IssueInstant="${at(0)}"` +
    attribute('Destination', destination) +
    attribute('InResponseTo', responseRequest) +
    '>' +
    (responseIssuer === null
      ? ''
      : `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${responseIssuer}</saml:Issuer>`) +
    (claims.extensions ?? '') +
    `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${assertion}</samlp:Response>`
  );
}

/** An identity provider: answers requests, in the right way or as a test has it, and lets browsers sign in over HTTP. */
export class IdentityProvider {
  readonly entityID = 'https://idp.test/metadata';

  private constructor(private readonly keys: Certified) {}

  /** One with a new key. */
  static make(): IdentityProvider {
    return new IdentityProvider(newCertified());
  }

  get certificate(): string {
    return this.keys.certificate;
  }

  /** Has it listen at `/sso`: whoever comes is `claims` at once, and gets the form to bring back, as JSON. */
  listen(claims: () => Pick<Claims, 'email' | 'firstName' | 'lastName'>): Promise<WebServer> {
    return startWebServer({
      '/sso': (request, response) => {
        const query = new URL(request.url ?? '', 'http://idp.test').searchParams;
        const { id, acsURL, issuer } = requestOf(query.get('SAMLRequest') ?? '');
        const claimed = { acsURL, audience: issuer, issuer: this.entityID, request: id, ...claims() };
        const fields = { SAMLResponse: this.answer(claimed), RelayState: query.get('RelayState') ?? '' };
        response.end(JSON.stringify({ action: acsURL, fields }));
      },
    });
  }

  /** A signed response, as a form carries it. */
  answer(claims: Claims, signing: Signing = {}): string {
    return encode(this.sign(responseOf(claims), signing));
  }

  /** `xml` with its assertion signed, or the whole, or both. */
  sign(xml: string, { what = 'assertion', ...how }: Signing = {}): string {
    const inner = what === 'response' ? xml : this.signOne(xml, 'Assertion', how);
    return what === 'assertion' ? inner : this.signOne(inner, 'Response', how);
  }

  private signOne(xml: string, name: string, { by = this.keys, ...how }: Omit<Signing, 'what'>): string {
    const signer = new SignedXml({
      privateKey: by.privateKey,
      publicCert: by.certificate,
      signatureAlgorithm: how.signature ?? RSA_SHA256,
      canonicalizationAlgorithm: how.canonicalization ?? EXCLUSIVE,
    });
    const place = `//*[local-name(.)='${name}']`;
    signer.addReference({
      xpath: place,
      transforms: how.transforms ?? [ENVELOPED, EXCLUSIVE],
      digestAlgorithm: how.digest ?? SHA256,
    });
    signer.computeSignature(xml, {
      prefix: 'ds',
      location: { reference: `${place}/*[local-name(.)='Issuer']`, action: 'after' },
    });
    return signer.getSignedXml();
  }
}

/** `xml` as a form carries it. */
export const encode = (xml: string): string => Buffer.from(xml).toString('base64');

/** What a request says, as it stands in an address. */
export function requestOf(encoded: string): { id: string; acsURL: string; issuer: string; xml: string } {
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString();
  const of = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    id: of(/ ID="([^"]*)"/),
    acsURL: of(/ AssertionConsumerServiceURL="([^"]*)"/),
    issuer: of(/<saml:Issuer[^>]*>([^<]*)</),
    xml,
  };
}
