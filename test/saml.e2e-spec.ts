import { TeamsService } from '../src/teams/index.js';
import type { TestApp } from './support/app.js';
import { newCertified, newCurveCertified } from './support/certificates.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import {
  EMAIL_FORMAT,
  encode,
  type IdentityProvider,
  type Provider,
  requestOf,
  RSA_SHA512,
  type Session,
  SHA512,
} from './support/identity-provider.js';
import { APP, givenSignOn, matching, newEmail, refusal } from './support/single-sign-on.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const TOKEN = expect.stringMatching(/^colophon_[\w-]{43}$/) as string;

describe('single sign-on', () => {
  let app: TestApp;
  let idp: IdentityProvider;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let provider: Provider;

  const { add, begin, claimsOf, send, signIn, refuse, memberOf } = givenSignOn((given) => {
    ({ app, idp, organization, admin, provider } = given);
  });

  const change = (fields: object) =>
    app.as(admin).patch(`/v1/orgs/${organization._id}/saml/${provider.id}`).send(fields).expect(200);

  it('records who joins, as their own doing', async () => {
    const {
      user: { id },
    } = await signIn(newEmail());
    const trail = await app.as(admin).get(`/v1/orgs/${organization._id}/audit-events`).query({ actor: id }).expect(200);
    expect((trail.body as { items: unknown[] }).items).toEqual([
      expect.objectContaining({
        actor: { type: 'user', id },
        action: 'member.join',
        resource: { object: 'member', id },
        changes: { role: { after: null }, sso: { after: true } },
      }),
    ]);
  });

  it('sends the browser to the identity provider with a request', async () => {
    const address = await begin({ RelayState: `${APP}/after?next=1` });
    expect(address.origin + address.pathname).toBe('https://idp.test/sso');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: 'acme',
      SAMLRequest: expect.any(String) as string,
      RelayState: `${APP}/after?next=1`,
    });
    const { id, acsURL, issuer, xml } = requestOf(address.searchParams.get('SAMLRequest') ?? '');
    expect([acsURL, issuer]).toEqual([provider.service.acsURL, provider.service.entityID]);
    expect(xml).toContain(`Format="${EMAIL_FORMAT}"`);
    expect(xml).not.toContain('RequestedAuthnContext');
    expect(id).toMatch(/^_[\w.-]+$/);
    const again = requestOf((await begin()).searchParams.get('SAMLRequest') ?? '');
    expect(again.id).not.toBe(id);
  });

  it('begins at active identity providers only, and stays with addresses of the application', async () => {
    const pending = await add({ certificate: '' });
    for (const id of [pending.id, 'AAAAAAAAAAAAAAAAAAAA', '..%2f', '$ne']) {
      const { body } = await app.anonymous().get(`/saml/${id}/login`).expect(404);
      expect(body).toEqual(refusal(404, 'SAML provider not found'));
      await app.anonymous().post(`/saml/${id}/acs`).type('form').send({ SAMLResponse: 'eA==' }).expect(404);
    }
    for (const RelayState of [
      'https://evil.test/',
      'https://app.test/',
      'https://app.test/docsy',
      'https://app.test/docs/../other',
      'https://app.test@evil.test/docs/',
      'https://u:p@app.test/docs/',
      'http://app.test/docs/',
      'https://app.test:8443/docs/',
      '//app.test/docs',
      '/docs/x',
      'javascript:alert(1)//app.test/docs',
      `${APP}/#token=mine`,
      `${APP}/ x`,
      'x'.repeat(2049),
    ]) {
      const { body } = await app.anonymous().get(`/saml/${provider.id}/login`).query({ RelayState }).expect(400);
      expect([RelayState, body]).toEqual([RelayState, refusal(400, matching(/^RelayState must be /))]);
    }
    await app.anonymous().get(`/saml/${provider.id}/login?RelayState=a&RelayState=b`).expect(400);
    for (const RelayState of [APP, `${APP}/`, `${APP}/a?b=c`]) await begin({ RelayState });
  });

  it('tells identity providers what they have to know, before they are set up too', async () => {
    const pending = await add({ ssoURL: undefined });
    const path = `/saml/${pending.id}/metadata`;
    const { text } = await app
      .anonymous()
      .get(path)
      .expect(200)
      .expect('Content-Type', /^application\/samlmetadata\+xml/);
    expect(text).toContain(`entityID="${pending.service.entityID}"`);
    expect(text).toContain(`Location="${pending.service.acsURL}"`);
    expect(text).toContain('Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"');
    expect(text).toContain('WantAssertionsSigned="true"');
    expect(text).toContain(`<NameIDFormat>${EMAIL_FORMAT}</NameIDFormat>`);
    expect((await app.anonymous().get(path).expect(200)).text).toBe(text);
    await app
      .anonymous()
      .get('/saml/AAAAAAAAAAAAAAAAAAAA/metadata')
      .expect(404)
      .expect('Content-Type', /^application\/json/);
  });

  it('lets somebody in as a browser does it, who is made a member with role and team', async () => {
    const team = await app.create.team({ organization, title: 'Newcomers' });
    const email = newEmail();
    const server = await idp.listen(() => ({ email: email.toUpperCase(), firstName: 'Ada', lastName: 'Lovelace' }));
    try {
      await change({ ssoURL: `${server.url}/sso`, defaultRole: 'edit', defaultTeam: team._id });
      const form = (await (await fetch(await begin())).json()) as { action: string; fields: object };
      expect(form.action).toBe(provider.service.acsURL);
      const answer = await send(form.fields).expect(200);
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(answer.body).toEqual({
        user: {
          object: 'user',
          id: ID,
          displayName: 'Ada Lovelace',
          email,
          urls: { location: matching(/^http:\/\/docs\.test\/v1\/users\//) },
        },
        token: TOKEN,
      });
      const { user, token } = answer.body as Session;
      expect(await memberOf(user.id)).toMatchObject({
        id: user.id,
        role: 'edit',
        sso: true,
        teams: 1,
        disabled: false,
      });
      const own = app.anonymous().get(`/v1/orgs/${organization._id}/members/${user.id}/teams`);
      const { body } = await own.set('Authorization', `Bearer ${token}`).expect(200);
      expect(body).toMatchObject({ count: 1, items: [{ team: { id: team._id }, member: { role: 'member' } }] });

      const form2 = (await (await fetch(await begin({ RelayState: `${APP}/in?x=1` }))).json()) as { fields: object };
      const handed = await send(form2.fields).expect(303);
      expect([handed.text, handed.headers['cache-control']]).toEqual(['', 'no-store']);
      const [address, fragment] = (handed.headers.location ?? '').split('#');
      expect(address).toBe(`${APP}/in?x=1`);
      const [, second] = /^token=(colophon_[\w-]{43})$/.exec(fragment ?? '') ?? [];
      expect(second).not.toBe(token);
      const me = await app
        .anonymous()
        .get('/v1/user')
        .set('Authorization', `Bearer ${String(second)}`)
        .expect(200);
      expect(me.body).toMatchObject({ id: user.id });
    } finally {
      await server.close();
    }
  });

  it('takes signatures of the assertion, of the response, of both, and by other good algorithms', async () => {
    const email = newEmail();
    const first = await signIn(email);
    for (const signing of [
      { what: 'response' },
      { what: 'both' },
      { signature: RSA_SHA512, digest: SHA512 },
      { canonicalization: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments' },
    ] as const) {
      const SAMLResponse = idp.answer(await claimsOf(email), signing);
      // lines of base64 may be broken
      const { body } = await send({ SAMLResponse: SAMLResponse.replace(/.{76}/g, '$&\r\n') }).expect(200);
      expect((body as Session).user.id).toBe(first.user.id);
    }
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\r\n${Buffer.from(idp.answer(await claimsOf(email)), 'base64').toString()}`;
    await send({ SAMLResponse: encode(xml) }).expect(200);
  });

  it('takes certificates as PEM, as base64, and an old one beside a new one', async () => {
    const bare = idp.certificate.replace(/-----[A-Z ]+-----/g, '');
    for (const certificate of [bare, bare.replace(/\s/g, ''), `${newCertified().certificate}${idp.certificate}`]) {
      await change({ certificate });
      await signIn(newEmail());
    }
    for (const certificate of ['none', newCertified(1024).certificate, newCurveCertified().certificate]) {
      await change({ certificate });
      await refuse(newEmail(), /^The certificate of the identity provider cannot be used: an administrator /);
    }
  });

  it('makes guests where no role is set, and names people by their addresses', async () => {
    const email = newEmail();
    const { user } = await signIn(email);
    expect(user.displayName).toBe(email.split('@')[0]);
    expect(await memberOf(user.id)).toMatchObject({ role: null, sso: true, teams: 0 });
    const named = await signIn(newEmail(), { firstName: ' Ada \n', lastName: `${'x'.repeat(70)}&amp;` });
    expect(named.user.displayName).toBe(`Ada ${'x'.repeat(60)}`);
    // names count at the beginning only
    const again = await signIn(email, { firstName: 'Somebody', lastName: 'Else' });
    expect(again.user).toEqual(user);
  });

  it('confirms the address', async () => {
    const email = newEmail();
    await app.create.organization({ title: 'Looked for', emailDomains: ['acme.test'] });
    const { token } = await signIn(email);
    const { body } = await app
      .anonymous()
      .get('/v1/email-domains/acme.test/orgs')
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect((body as { organizations: { title: string }[] }).organizations.map(({ title }) => title)).toContain(
      'Looked for',
    );
  });

  it('forgets a default team that is deleted', async () => {
    const team = await app.create.team({ organization });
    await change({ defaultTeam: team._id });
    await app.nest.get(TeamsService, { strict: false }).remove(team);
    const { user } = await signIn(newEmail());
    expect(await memberOf(user.id)).toMatchObject({ teams: 0 });
  });

  it('lets people in who come at one moment, each once', async () => {
    const team = await app.create.team({ organization });
    await change({ defaultTeam: team._id });
    const email = newEmail();
    const claims = await Promise.all([1, 2, 3, 4].map(() => claimsOf(email)));
    const answers = await Promise.all(claims.map((one) => send({ SAMLResponse: idp.answer(one) })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => (body as Session).user.id)).size).toBe(1);
    expect(await app.as(admin).get(`/v1/orgs/${organization._id}/teams/${team._id}`)).toMatchObject({
      body: { members: 1 },
    });
  });
});
