import { startApp, type TestApp } from './support/app.js';
import {
  type Claims,
  encode,
  IdentityProvider,
  type Provider,
  requestOf,
  responseOf,
} from './support/identity-provider.js';
import { FORGERIES } from './support/saml-forgeries.js';
import { measure } from './support/spent.js';

const NOT_OURS = 'The response answers no sign-in that began here, or it took too long; sign in again';
const USED = 'The response was used already; sign in again';

describe('responses that are refused', () => {
  let app: TestApp;
  /** Another process on the same database. */
  let second: TestApp;
  let idp: IdentityProvider;
  let provider: Provider;
  let add: (fields?: object) => Promise<Provider>;
  let people = 0;

  beforeAll(async () => {
    app = await startApp();
    second = await startApp({}, app.connection.name);
    idp = IdentityProvider.make();
    const organization = await app.create.organization();
    add = async (fields = {}) => {
      const path = `/v1/orgs/${organization._id}/saml`;
      const own = { ssoURL: 'https://idp.test/sso', entityID: idp.entityID, certificate: idp.certificate };
      const body = { label: 'Acme', defaultRole: 'admin', ...own, ...fields };
      return (await app.as(organization.admin).post(path).send(body).expect(201)).body as Provider;
    };
    provider = await add();
  });
  afterAll(async () => {
    await second.nest.close();
    await app.close();
  });

  const newEmail = (): string => `person${String(++people)}@acme.test`;
  const claimsOf = async (email = newEmail(), at = provider): Promise<Claims> => {
    const { headers } = await app.anonymous().get(`/saml/${at.id}/login`).expect(302);
    const request = new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? '';
    const { acsURL, entityID } = at.service;
    return { acsURL, audience: entityID, issuer: idp.entityID, request: requestOf(request).id, email };
  };
  const send = (SAMLResponse: string, at = provider, to = app, more: object = {}) =>
    to
      .anonymous()
      .post(`/saml/${at.id}/acs`)
      .type('form')
      .send({ SAMLResponse, ...more });
  const accept = async (response: string): Promise<void> => {
    await send(response).expect(200);
  };
  /** How much there is of all that a sign-in writes. */
  const written = (): Promise<number[]> =>
    Promise.all(
      ['users', 'members', 'tokens', 'saml_uses', 'saml_trusts'].map((name) =>
        app.connection.collection(name).countDocuments({}),
      ),
    );
  /** Expects that `response` is refused and writes nothing; answers why. */
  const refuse = async (response: string, at = provider, to = app, more: object = {}): Promise<string> => {
    const before = await written();
    const { status, body } = await send(response, at, to, more);
    const { code, message } = (body as { error: { code: number; message: string } }).error;
    expect([status, code, await written()]).toEqual([403, 403, before]);
    expect(message).toMatch(/^[A-Z].{10,}/);
    return message;
  };

  it('are those that are forged or were made for something else', async () => {
    expect(Object.keys(FORGERIES).length).toBeGreaterThan(80);
    // what each is made from is right
    await accept(idp.answer(await claimsOf()));
    await accept(idp.answer(await claimsOf(), { what: 'response' }));
    await accept(idp.answer(await claimsOf(), { what: 'both' }));
  });

  it.each(Object.entries(FORGERIES))('are those where one %s', async (_name, forge) => {
    await refuse(forge({ idp, claims: await claimsOf(), victim: newEmail() }));
  });

  it('say what is wrong with them', async () => {
    const reasons = await Promise.all(
      ['was made for another service', 'is not signed', 'is signed by SHA-1', 'has expired', 'is encrypted'].map(
        async (name) => {
          const forged = FORGERIES[name]?.({ idp, claims: await claimsOf(), victim: newEmail() }) ?? '';
          return ((await send(forged)).body as { error: { message: string } }).error.message;
        },
      ),
    );
    expect(reasons).toEqual([
      expect.stringMatching(/^The response does not hold: SAML assertion audience mismatch/),
      'The response is not signed',
      'The response is signed by an algorithm that is not accepted here: http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      'The response does not hold: SAML assertion expired: clocks skewed too much',
      'The response is encrypted; have the identity provider send it signed and not encrypted',
    ]);
  });

  it('are those within a minute of the right time no more', async () => {
    for (const right of [{ notOnOrAfter: -50 }, { notBefore: 50 }, { issued: 50 }, { confirmedUntil: -50 }]) {
      await accept(idp.answer({ ...(await claimsOf()), ...right }));
    }
  });

  it('are those that were used, whoever asks, and in whichever process', async () => {
    const response = idp.answer(await claimsOf());
    await accept(response);
    expect(await refuse(response)).toBe(USED);
    expect(await refuse(response, provider, second)).toBe(USED);
    // at one moment, in two processes
    const raced = idp.answer(await claimsOf());
    const answers = await Promise.all([app, second, app, second].map((to) => send(raced, provider, to)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  it('are those that answer a request, or bear an assertion, a second time', async () => {
    const claims = await claimsOf();
    await accept(idp.answer({ ...claims, assertionId: '_first' }));
    // another assertion, the same request
    expect(await refuse(idp.answer({ ...claims, assertionId: '_second' }))).toBe(USED);
    // the same assertion id, another request
    expect(await refuse(idp.answer({ ...(await claimsOf()), assertionId: '_first' }))).toBe(USED);
    await accept(idp.answer({ ...(await claimsOf()), assertionId: '_third' }));
  });

  it('are those that answer requests to other identity providers, or that ended', async () => {
    const other = await add({ label: 'Other' });
    const { request } = await claimsOf(newEmail(), other);
    const claims = await claimsOf();
    expect(await refuse(idp.answer({ ...claims, request }))).toBe(NOT_OURS);
    // the response of another one, as it is
    await refuse(idp.answer(await claimsOf(newEmail(), other)));
    // one that has ended, and one whose end was moved
    const [end, ...rest] = (claims.request ?? '').slice(1).split('.');
    for (const moved of [Number(end) - 31 * 60_000, Number(end) + 60_000]) {
      const changed = [`_${String(moved)}`, ...rest].join('.');
      expect(await refuse(idp.answer({ ...claims, request: changed }))).toBe(NOT_OURS);
    }
    await accept(idp.answer(claims));
  });

  it('are those of identity providers that are removed, or were given another certificate', async () => {
    const gone = await add({ label: 'Gone', certificate: IdentityProvider.make().certificate });
    expect(await refuse(idp.answer(await claimsOf(newEmail(), gone)), gone)).toMatch(/Invalid signature/);
  });

  it('are those that would lead out of the application', async () => {
    const response = idp.answer(await claimsOf());
    for (const RelayState of ['https://evil.test/', 'javascript:alert(1)', 'http://docs.test#x', '/in']) {
      expect(await refuse(response, provider, app, { RelayState })).toBe(
        'The relay state is no address of the application',
      );
    }
    const { headers } = await send(response, provider, app, { RelayState: 'http://docs.test/in' }).expect(303);
    expect(headers.location).toMatch(/^http:\/\/docs\.test\/in#token=colophon_/);
  });

  it('are those that are no forms, or are too large', async () => {
    const path = `/saml/${provider.id}/acs`;
    const { body } = await app.anonymous().post(path).send({ SAMLResponse: 'eA==' }).expect(415);
    expect(body).toEqual({
      error: { code: 415, message: expect.stringMatching(/application\/x-www-form-urlencoded/) as string },
    });
    for (const form of ['', 'RelayState=a', 'SAMLResponse=a&SAMLResponse=b', 'SAMLResponse[a]=b']) {
      const answer = await app.anonymous().post(path).type('form').send(form).expect(400);
      expect(answer.body).toEqual({ error: { code: 400, message: 'SAMLResponse must be given once, as text' } });
    }
    await app.anonymous().post(path).expect(400);
    await app
      .anonymous()
      .post(path)
      .type('form')
      .send(`SAMLResponse=${'a'.repeat(600_000)}`)
      .expect(413);
    const tooLong = await app
      .anonymous()
      .post(path)
      .type('form')
      .send(`SAMLResponse=${'a'.repeat(400_000)}`)
      .expect(403);
    expect(tooLong.body).toEqual({ error: { code: 403, message: 'The response must be at most 262144 bytes' } });
    await app.anonymous().post('/v1/auth/login').type('form').send('email=a&password=b').expect(415);
  });

  it('take little time, whatever they are made of', async () => {
    const claims = await claimsOf();
    const signed = idp.sign(responseOf(claims));
    const within = (more: string): string =>
      encode(signed.replace('<samlp:Status>', `<samlp:Extensions>${more}</samlp:Extensions><samlp:Status>`));
    const many = Array.from({ length: 4900 }, (_, n) => `a${String(n)}="b"`).join(' ');
    const heavy = [
      within('<a:x xmlns:a="b">'.repeat(45) + '</a:x>'.repeat(45)),
      within('<x xmlns:a="b"/>'.repeat(450)),
      within('<x>'.repeat(480) + '</x>'.repeat(480)),
      within('<x/>'.repeat(980)),
      within(`<x ${'a'.repeat(180_000)}="b"/>`),
      within(`<x ${many}/>`),
      within('&#x26;'.repeat(30_000)),
      encode(`<samlp:Response${' '.repeat(250_000)}`),
      ...[' ', 'A', '='].map((character) => character.repeat(160_000)),
    ];
    for (const response of heavy) {
      const spent = measure();
      const { status } = await send(response);
      expect([status, spent() < 2]).toEqual([status === 200 ? 200 : 403, true]);
    }
  });
});
