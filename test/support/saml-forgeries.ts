import { newCertified } from './certificates.js';
import {
  assertionOf,
  type Claims,
  encode,
  type IdentityProvider,
  responseOf,
  RSA_SHA1,
  SHA1,
  xmlId,
} from './identity-provider.js';

/** What forgers have: an identity provider that signs whatever is about themselves, and nothing else. */
export interface Forging {
  idp: IdentityProvider;
  /** What is right to say about the forger, in answer to a request that was just made. */
  claims: Claims;
  /** Address of whom the forger would like to be. */
  victim: string;
}

type Forgery = (forging: Forging) => string;

const OTHER = newCertified();
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** A response that is signed, in its parts. */
function parts({ idp, claims, victim }: Forging, what: 'assertion' | 'response' = 'assertion') {
  const xml = idp.sign(responseOf(claims), { what });
  const part = (pattern: RegExp): string => pattern.exec(xml)?.[0] ?? '';
  const signature = part(/<ds:Signature.*?<\/ds:Signature>/s);
  const assertion = part(/<saml:Assertion.*?<\/saml:Assertion>/s);
  const bare = assertion.replace(signature, '');
  const forged = bare.replace(claims.email, victim).replace(/ ID="[^"]*"/, ` ID="${xmlId()}"`);
  return { xml, signature, assertion, bare, forged, victim };
}

const inside = (text: string, element: string): string => element.replace(/<\/[\w:]+>$/, (end) => `${text}${end}`);
const afterIssuer = (text: string, element: string): string =>
  element.replace('</saml:Issuer>', `</saml:Issuer>${text}`);
const object = (text: string): string => `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${text}</ds:Object>`;

/** Signatures that are right, of something else than what a careless reader would read. */
const WRAPPED: Record<string, Forgery> = {
  'wraps the signed response in the signature of a forged one (XSW1)': (forging) => {
    const { xml, signature, victim } = parts(forging, 'response');
    const bare = xml.replace(signature, '');
    const forged = bare.replace(forging.claims.email, victim).replace(/ ID="[^"]*"/, ` ID="${xmlId()}"`);
    return afterIssuer(inside(bare, signature), forged);
  },
  'has the signed response stand before its signature in a forged one (XSW2)': (forging) => {
    const { xml, signature, victim } = parts(forging, 'response');
    const bare = xml.replace(signature, '');
    const forged = bare.replace(forging.claims.email, victim).replace(/ ID="[^"]*"/, ` ID="${xmlId()}"`);
    return afterIssuer(bare + signature, forged);
  },
  'has a forged assertion before the signed one (XSW3)': (forging) => {
    const { xml, assertion, forged } = parts(forging);
    return xml.replace(assertion, forged + assertion);
  },
  'has the signed assertion in a forged one (XSW4)': (forging) => {
    const { xml, assertion, forged } = parts(forging);
    return xml.replace(assertion, inside(assertion, forged));
  },
  'has the signature in a forged assertion, and what it signs at the end (XSW5)': (forging) => {
    const { xml, assertion, signature, bare, forged } = parts(forging);
    return xml.replace(assertion, afterIssuer(signature, forged) + bare);
  },
  'has the signed assertion in the signature of a forged one (XSW6)': (forging) => {
    const { xml, assertion, signature, bare, forged } = parts(forging);
    return xml.replace(assertion, afterIssuer(inside(bare, signature), forged));
  },
  'has a forged assertion of the same id among extensions (XSW7)': (forging) => {
    const { xml, assertion, bare, victim } = parts(forging);
    const forged = bare.replace(forging.claims.email, victim);
    return xml.replace(assertion, `<samlp:Extensions>${forged}</samlp:Extensions>${assertion}`);
  },
  'has the signed assertion in an object of the signature of a forged one (XSW8)': (forging) => {
    const { xml, assertion, signature, bare, victim } = parts(forging);
    const forged = bare.replace(forging.claims.email, victim);
    return xml.replace(assertion, afterIssuer(inside(object(bare), signature), forged));
  },
  'has a forged assertion after the signed one': (forging) => {
    const { xml, assertion, forged } = parts(forging);
    return xml.replace(assertion, assertion + forged);
  },
  'has a forged assertion of another namespace beside the signed one': (forging) => {
    const { xml, assertion, forged } = parts(forging);
    return xml.replace(assertion, assertion + forged.replace(':2.0:assertion"', ':1.0:assertion"'));
  },
  'has the signed assertion in advice of a forged one': (forging) => {
    const { xml, assertion, forged } = parts(forging);
    return xml.replace(assertion, inside(`<saml:Advice>${assertion}</saml:Advice>`, forged));
  },
  'moves the signature of the assertion up into the response': (forging) => {
    const { xml, signature, victim } = parts(forging);
    return afterIssuer(signature, xml.replace(signature, '').replace(forging.claims.email, victim));
  },
  'has two elements of the id that is signed': (forging) => {
    const { xml, bare } = parts(forging);
    const id = / ID="([^"]*)"/.exec(bare)?.[1] ?? '';
    return xml.replace('<samlp:Status>', `<samlp:Status id="${id}">`);
  },
  'has two roots': (forging) => {
    const { xml, victim } = parts(forging);
    return xml.replace(forging.claims.email, victim) + xml;
  },
  'signs the whole by an empty reference': (forging) => {
    const { xml } = parts(forging);
    return xml.replace(/ URI="[^"]*"/, ' URI=""');
  },
  'has two references in its signature': (forging) => {
    const { xml } = parts(forging);
    return xml.replace(/<ds:Reference.*?<\/ds:Reference>/s, '$&$&');
  },
  'has two descriptions of what is signed': (forging) => {
    const { xml } = parts(forging);
    return xml.replace(/<ds:SignedInfo.*?<\/ds:SignedInfo>/s, '$&$&');
  },
  'has two signatures in one place': (forging) => {
    const { xml, signature } = parts(forging);
    return xml.replace(signature, signature + signature);
  },
};

/** What is not signed by whom, and as, it should be. */
const UNSIGNED: Record<string, Forgery> = {
  'is not signed': ({ claims }) => responseOf(claims),
  'was changed after it was signed': ({ idp, claims, victim }) =>
    idp.sign(responseOf(claims)).replace(claims.email, victim),
  'had its attributes changed after it was signed': ({ idp, claims }) =>
    idp.sign(responseOf({ ...claims, firstName: 'Ada' })).replace('>Ada<', '>Eve<'),
  'is signed by another key': ({ idp, claims }) => idp.sign(responseOf(claims), { by: OTHER }),
  'brings the certificate that it is signed by': ({ idp, claims }) =>
    idp.sign(responseOf(claims), { by: OTHER, what: 'both' }),
  'is signed rightly in one place and wrongly in the other': ({ idp, claims }) =>
    idp.sign(idp.sign(responseOf(claims)), { by: OTHER, what: 'response' }),
  'is signed by SHA-1': ({ idp, claims }) => idp.sign(responseOf(claims), { signature: RSA_SHA1 }),
  'has a digest by SHA-1': ({ idp, claims }) => idp.sign(responseOf(claims), { digest: SHA1 }),
  'is signed by a shared secret': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(/xmldsig-more#rsa-sha256/, 'xmldsig-more#hmac-sha256'),
  'is signed by no algorithm': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(/<ds:SignatureMethod[^>]*>/, '<ds:SignatureMethod Algorithm=""/>'),
  'has an empty signature': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>'),
  'has a digest that is split': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(/<ds:DigestValue>/, '<ds:DigestValue><ds:x/>'),
  'is transformed before it is signed': ({ idp, claims }) =>
    idp.sign(responseOf(claims), { transforms: [EXCLUSIVE, ENVELOPED, EXCLUSIVE] }),
  'is not taken out of what it signs': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(ENVELOPED, 'http://www.w3.org/TR/1999/REC-xpath-19991116'),
  'is canonicalized otherwise': ({ idp, claims }) =>
    idp.sign(responseOf(claims), { canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' }),
};

/** What programs read in different ways. */
const MARKUP: Record<string, Forgery> = {
  'has a document type': ({ idp, claims }) => `<!DOCTYPE Response>${idp.sign(responseOf(claims))}`,
  'declares entities': ({ idp, claims }) =>
    `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${idp.sign(responseOf(claims))}`,
  'multiplies entities': ({ idp, claims }) =>
    `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${idp.sign(responseOf(claims))}`,
  'uses an entity that nobody declared': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('</samlp:Status>', '&nbsp;</samlp:Status>'),
  'cuts the address by a comment': ({ idp, claims, victim }) =>
    idp.sign(responseOf({ ...claims, nameId: `${victim}.forger.test` })).replace(victim, `${victim}<!---->`),
  'has a comment in its digest': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('<ds:DigestValue>', '<ds:DigestValue><!--AAAA-->'),
  'cuts the address by an instruction': ({ idp, claims, victim }) =>
    idp.sign(responseOf({ ...claims, nameId: `${victim}.forger.test` })).replace(victim, `${victim}<?x?>`),
  'has the address as CDATA': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace(claims.email, `<![CDATA[${claims.email}]]>`),
  'has an element in the address': ({ idp, claims, victim }) =>
    idp.sign(responseOf({ ...claims, nameId: `${victim}<saml:x/>.forger.test` })),
  'is not closed': ({ idp, claims }) => idp.sign(responseOf(claims)).slice(0, -3),
  'has an attribute twice': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('<samlp:Response', '<samlp:Response Version="2.0"'),
  'has a prefix of nothing': ({ idp, claims }) => idp.sign(responseOf(claims)).replace(/ xmlns:samlp="[^"]*"/, ''),
  'has elements within elements within elements': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('<samlp:Status>', `<samlp:Status>${'<x>'.repeat(60)}${'</x>'.repeat(60)}`),
  'has more elements than anybody needs': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('<samlp:Status>', `<samlp:Status>${'<x/>'.repeat(25_000)}`),
  'has more attributes than anybody needs': ({ idp, claims }) =>
    idp.sign(responseOf(claims)).replace('<samlp:Response', `<samlp:Response${' xmlns:a="b"'.repeat(6000)}`),
  'is text': () => 'Let me in.',
  'is another document': () => '<html xmlns="http://www.w3.org/1999/xhtml"><body>Let me in.</body></html>',
  'is an assertion alone': ({ idp, claims }) => idp.sign(assertionOf(claims)),
  'is a request': ({ idp, claims }) => idp.sign(responseOf(claims)).replaceAll('samlp:Response', 'samlp:AuthnRequest'),
};

const WITHOUT_TIMES = '<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="tomorrow"/>';

/** What an identity provider signed, for somebody or something else, or at another time. */
const MISMATCHED: Record<string, Partial<Claims>> = {
  'was made for another service': { audience: 'https://other.test/metadata' },
  'was made for nobody in particular': { audience: null },
  'was made for others too, but not for this service': {
    conditions:
      '<saml:AudienceRestriction><saml:Audience>https://other.test</saml:Audience></saml:AudienceRestriction>',
  },
  'has a condition that nobody knows': { conditions: '<saml:Condition/>' },
  'was made for another address': { recipient: 'http://docs.test/saml/AAAAAAAAAAAAAAAAAAAA/acs' },
  'was made for no address': { recipient: null },
  'was sent to another address': { destination: 'https://other.test/acs' },
  'was issued by another identity provider': { issuer: 'https://other.test/metadata' },
  'comes from another than the issuer': { responseIssuer: 'https://other.test/metadata' },
  'has expired': { notOnOrAfter: -61 },
  'is not valid yet': { notBefore: 65 },
  'is dated ahead': { issued: 65 },
  'was to be brought earlier': { confirmedUntil: -61 },
  'may be brought at any time': { confirmedUntil: null },
  'is of a session that has ended': { sessionEnd: -61 },
  'has a time that is none': { statements: WITHOUT_TIMES },
  'says of nobody that they signed in': { statements: '' },
  'is for the holder of a key': { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
  'answers no request': { request: null, responseRequest: null },
  'answers a request that nobody made': { request: xmlId() },
  'answers another request than its assertion': { responseRequest: xmlId() },
  'is of another version': { version: '1.1' },
  'says that nobody signed in': { status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' },
  'names somebody in another way': { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
  'does not tell how it names somebody': { format: null },
  'names nobody': { nameId: '' },
  'names somebody by no address': { nameId: 'ann' },
  'names two addresses': { nameId: 'ann@acme.test,eve@acme.test' },
  'names an address with a space': { nameId: ' eve@acme.test' },
  'names an address of look-alike letters': { nameId: '\u212Aim@acme.test' },
  'names an address of wide letters': { nameId: '\uFF45ve@acme.test' },
  'names two people': { subject: '<saml:NameID>eve@acme.test</saml:NameID>' },
};

/** What is encrypted, or not even XML. */
const CRYPTIC: Record<string, Forgery> = {
  'is encrypted': ({ idp, claims }) => {
    const xml = idp.sign(responseOf(claims), { what: 'response' });
    return xml.replace(
      /<saml:Assertion.*<\/saml:Assertion>/s,
      '<saml:EncryptedAssertion xmlns:saml="x">AAAA</saml:EncryptedAssertion>',
    );
  },
  'has the person encrypted': ({ idp, claims }) =>
    idp.sign(responseOf({ ...claims, subject: '<saml:EncryptedID>AAAA</saml:EncryptedID>' })),
  'has an assertion without an id': ({ idp, claims }) =>
    idp.sign(responseOf({ ...claims, assertionId: '' }).replace(/(<saml:Assertion[^>]*) ID=""/, '$1'), {
      what: 'response',
    }),
  'has no assertion': ({ idp, claims }) => idp.sign(responseOf(claims, ''), { what: 'response' }),
  'has two assertions that are signed': ({ idp, claims, victim }) => {
    const second = idp.sign(assertionOf({ ...claims, email: victim }));
    return idp.sign(responseOf(claims)).replace('</samlp:Response>', `${second}</samlp:Response>`);
  },
};

/** Forms of `SAMLResponse` that are no text in base64. */
const ENCODED: Record<string, (right: string) => string> = {
  'is empty': () => '',
  'is white space': () => ' \n',
  'is not in base64': () => '<samlp:Response/>',
  'is half of something': (right) => right.slice(0, 401),
  'is in base64 twice': (right) => Buffer.from(right).toString('base64'),
  'is in base64 for addresses': () => '_-_-',
  'is in UTF-16': (right) => Buffer.from(Buffer.from(right, 'base64').toString(), 'utf16le').toString('base64'),
  'is no UTF-8': () => Buffer.from([0x3c, 0xff, 0xfe]).toString('base64'),
  'has a NUL': (right) => Buffer.from(`\0${Buffer.from(right, 'base64').toString()}`).toString('base64'),
};

/** Every forgery, as a form carries it, by what is wrong with it. */
export const FORGERIES: Record<string, Forgery> = {
  ...encoded({ ...WRAPPED, ...UNSIGNED, ...MARKUP, ...CRYPTIC }),
  ...Object.fromEntries(
    Object.entries(MISMATCHED).map(([name, wrong]): [string, Forgery] => [
      name,
      ({ idp, claims }) => idp.answer({ ...claims, ...wrong }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ENCODED).map(([name, spell]): [string, Forgery] => [
      name,
      ({ idp, claims }) => spell(idp.answer(claims)),
    ]),
  ),
};

function encoded(forgeries: Record<string, Forgery>): Record<string, Forgery> {
  return Object.fromEntries(
    Object.entries(forgeries).map(([name, forge]) => [name, (forging: Forging) => encode(forge(forging))]),
  );
}
