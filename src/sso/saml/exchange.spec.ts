import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';
import { type Parties, verifyResponse } from './exchange.js';
import { SamlRefusal } from './refusal.js';

const idp = IdentityProvider.make();
const service = { acsURL: 'https://docs.test/saml/a/acs', entityID: 'https://docs.test/saml/a/metadata' };
const parties: Parties = {
  provider: { ssoURL: 'https://idp.test/sso', entityID: idp.entityID, certificate: idp.certificate },
  service,
};
const claims = {
  acsURL: service.acsURL,
  audience: service.entityID,
  issuer: idp.entityID,
  request: '_request',
  assertionId: '_assertion',
  email: 'ann@acme.test',
  firstName: 'Ann',
  lastName: 'Author',
};
const identity = {
  email: 'ann@acme.test',
  displayName: 'Ann Author',
  assertion: '_assertion',
  inResponseTo: '_request',
};
const responses = (['assertion', 'response', 'both'] as const).map((what) =>
  Buffer.from(idp.answer(claims, { what }), 'base64').toString(),
);

/** Whom `xml` is taken to be about; `null` when it is refused. */
async function read(xml: string): Promise<unknown> {
  try {
    return await verifyResponse(Buffer.from(xml).toString('base64'), parties);
  } catch (error) {
    // nothing else may come out, whatever it was made of
    if (!(error instanceof SamlRefusal)) throw error;
    return null;
  }
}

/** Pieces of `xml` that belong together: elements, with what is in them. */
function elementsIn(xml: string): string[] {
  const names = ['ds:Signature', 'ds:SignedInfo', 'ds:Reference', 'ds:KeyInfo', 'saml:Assertion', 'saml:Subject'];
  return [...names, 'saml:NameID', 'saml:Conditions', 'saml:AttributeStatement', 'saml:Issuer', 'samlp:Status'].flatMap(
    (name) => xml.match(new RegExp(`<${name}[ >].*?</${name}>`, 's')) ?? [],
  );
}

describe('verifyResponse', () => {
  it('reads whom a response is about', async () => {
    for (const xml of responses) expect(await read(xml)).toEqual(identity);
  });

  it('reads the same, or nothing, whatever is changed by hand', async () => {
    const place = fc.nat(10_000);
    const forger = fc.constantFrom(
      'eve@acme.test',
      '<!---->',
      '<saml:NameID>',
      '"',
      '&',
      '<x/>',
      '&#x40;',
      '\u0000',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...responses), place, fc.nat(40), forger, async (xml, from, length, text) => {
        const at = from % xml.length;
        const found = await read(xml.slice(0, at) + text + xml.slice(at + length));
        expect([null, identity]).toContainEqual(found);
      }),
      { numRuns: cases(60, 2000) },
    );
  });

  it('reads the same, or nothing, when its elements stand elsewhere, or twice, and say something else', async () => {
    const pieces = (xml: string) => fc.tuple(fc.constant(xml), fc.constantFrom(...elementsIn(xml)));
    const target = fc.constantFrom('</samlp:Status>', '<saml:Assertion', '</saml:Assertion>', '</saml:Subject>');
    const other = fc.constantFrom(
      '<ds:KeyInfo',
      '</ds:Signature>',
      '</ds:SignedInfo>',
      '</samlp:Response>',
      '<samlp:Status',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...responses).chain(pieces),
        fc.oneof(target, other),
        fc.boolean(),
        fc.boolean(),
        async ([xml, piece], before, moved, renamed) => {
          const forged = piece.replace('ann@acme.test', 'eve@acme.test');
          const copy = renamed ? forged.replace(/ ID="_assertion"/, ' ID="_forged"') : forged;
          const rest = moved ? xml.replace(piece, '') : xml;
          const found = await read(rest.replace(before, `${copy}${before}`));
          expect([null, identity]).toContainEqual(found);
        },
      ),
      { numRuns: cases(60, 2000) },
    );
  });
});
