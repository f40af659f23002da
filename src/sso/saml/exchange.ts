import type { SAML } from '@node-saml/node-saml';
import { lazy } from '../../common/lazy.js';
import { checkIssuer, LEEWAY, readAssertion, type SamlIdentity } from './assertion.js';
import { certificatesIn } from './certificate.js';
import { SamlRefusal } from './refusal.js';
import { readResponse, type SamlResponse } from './response.js';

/** Read when somebody signs in so: it is much, and most installations never do. */
export const nodeSaml = lazy(() => import('@node-saml/node-saml'));

/** The two sides of an exchange. */
export interface Parties {
  /** The identity provider, as its administrator entered it. */
  provider: { ssoURL: string; entityID: string; certificate: string };
  /** This service, as the identity provider knows it. */
  service: { acsURL: string; entityID: string };
}

/** The address of the identity provider with a request of the id `request`; it brings `relayState` back. */
export async function requestAddress(parties: Parties, request: string, relayState: string): Promise<string> {
  const library = await libraryFor(parties, parties.provider.certificate, { response: true, assertion: true });
  library.options.generateUniqueId = () => request;
  return library.getAuthorizeUrlAsync(relayState, undefined, {});
}

/**
 * Whom the response `encoded` is about. Everything is read from what a signature was verified to cover; whether the request
 * that it answers is one of ours is not asked. @throws SamlRefusal
 */
export async function verifyResponse(encoded: string, parties: Parties): Promise<SamlIdentity> {
  const { provider, service } = parties;
  const response = readResponse(encoded);
  if (response.destination !== null && response.destination !== service.acsURL) {
    throw new SamlRefusal('The response was sent to another address than this one');
  }
  const expected = {
    issuer: provider.entityID,
    audience: service.entityID,
    recipient: service.acsURL,
    now: Date.now(),
  };
  if (response.issuer !== null) checkIssuer(response.issuer, expected);
  const identity = readAssertion(await signedAssertion(response, parties), expected);
  if (identity.assertion !== response.assertion) throw new SamlRefusal('What is signed is another assertion');
  if (response.inResponseTo !== null && response.inResponseTo !== identity.inResponseTo) {
    throw new SamlRefusal('The response and its assertion answer different requests');
  }
  return identity;
}

/** The assertion as it was signed, each signature that the response bears having been verified. */
async function signedAssertion({ xml, signed }: SamlResponse, parties: Parties): Promise<string> {
  const library = await libraryFor(parties, certificatesIn(parties.provider.certificate), signed);
  try {
    const { profile } = await library.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    });
    const assertion = profile?.getAssertionXml?.();
    if (assertion !== undefined) return assertion;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SamlRefusal(`The response does not hold: ${reason.slice(0, 300)}`);
  }
  throw new SamlRefusal('The response has no assertion');
}

async function libraryFor(
  { provider, service }: Parties,
  idpCert: string | string[],
  signed: SamlResponse['signed'],
): Promise<SAML> {
  const { SAML } = await nodeSaml();
  return new SAML({
    idpCert,
    entryPoint: provider.ssoURL,
    issuer: service.entityID,
    audience: service.entityID,
    callbackUrl: service.acsURL,
    acceptedClockSkewMs: LEEWAY,
    wantAuthnResponseSigned: signed.response,
    wantAssertionsSigned: signed.assertion,
    // how people sign in is the business of the identity provider
    disableRequestedAuthnContext: true,
  });
}
