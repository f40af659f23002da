import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { givenOrganization, type GivenOrganization } from './given.js';
import { type Claims, IdentityProvider, type Provider, requestOf, type Session } from './identity-provider.js';

/** Address of the application, where people are sent back to. */
export const APP = 'https://app.test/docs';
export const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
export const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

/** What a test of single sign-on begins with. */
export interface GivenSignOn extends GivenOrganization {
  /** The same for all tests around. */
  idp: IdentityProvider;
  /** The organization's, with that. */
  provider: Provider;
}

let people = 0;
/** An address that nobody else has. */
export const newEmail = (): string => `person${String(++people)}@acme.test`;

/** Starts the service for the tests around, and hands an organization with an identity provider to `use` before each of them. */
export function givenSignOn(use: (given: GivenSignOn) => void) {
  let app: TestApp;
  let idp: IdentityProvider;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let provider: Provider;

  beforeAll(() => {
    idp = IdentityProvider.make();
  });
  givenOrganization(
    async (given) => {
      ({ app, organization, admin } = given);
      provider = await add({});
      use({ ...given, idp, provider });
    },
    { APP_URL: APP },
  );

  /** Adds an identity provider with what differs. */
  const add = async (fields: object): Promise<Provider> => {
    const body = {
      label: 'Acme',
      ssoURL: 'https://idp.test/sso?tenant=acme',
      entityID: idp.entityID,
      certificate: idp.certificate,
      ...fields,
    };
    return (await app.as(admin).post(`/v1/orgs/${organization._id}/saml`).send(body).expect(201)).body as Provider;
  };
  /** Begins to sign in; answers where the browser is sent to. */
  const begin = async (query: object = {}): Promise<URL> => {
    const { headers, text } = await app.anonymous().get(`/saml/${provider.id}/login`).query(query).expect(302);
    expect([text, headers['cache-control']]).toEqual(['', 'no-store']);
    return new URL(headers.location ?? '');
  };
  /** What is right to say about `email` in answer to a new request. */
  const claimsOf = async (email: string): Promise<Claims> => {
    const { id } = requestOf((await begin()).searchParams.get('SAMLRequest') ?? '');
    const { acsURL, entityID } = provider.service;
    return { acsURL, audience: entityID, issuer: idp.entityID, request: id, email };
  };
  const send = (form: object) => app.anonymous().post(`/saml/${provider.id}/acs`).type('form').send(form);
  const signIn = async (email: string, more: Partial<Claims> = {}): Promise<Session> => {
    const { body } = await send({ SAMLResponse: idp.answer({ ...(await claimsOf(email)), ...more }) }).expect(200);
    return body as Session;
  };
  /** Has `email` refused with `message`. */
  const refuse = async (email: string, message: RegExp): Promise<void> => {
    const { body } = await send({ SAMLResponse: idp.answer(await claimsOf(email)) }).expect(403);
    expect(body).toEqual(refusal(403, matching(message)));
  };
  const memberOf = async (user: string): Promise<unknown> =>
    (await app.as(admin).get(`/v1/orgs/${organization._id}/members/${user}`).expect(200)).body;
  return { add, begin, claimsOf, send, signIn, refuse, memberOf };
}
