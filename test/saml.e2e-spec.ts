import { TeamsService } from '../src/teams/index.js';
import { UsersService } from '../src/users/index.js';
import type { TestApp } from './support/app.js';
import { newCertified, newCurveCertified } from './support/certificates.js';
import type { TestUser } from './support/factories.js';
import { givenOrganization, type GivenOrganization } from './support/given.js';
import {
  type Claims,
  EMAIL_FORMAT,
  encode,
  IdentityProvider,
  type Provider,
  requestOf,
  RSA_SHA512,
  type Session,
  SHA512,
} from './support/identity-provider.js';

const APP = 'https://app.test/docs';
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const TOKEN = expect.stringMatching(/^colophon_[\w-]{43}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe('single sign-on', () => {
  let app: TestApp;
  let idp: IdentityProvider;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let provider: Provider;
  let people = 0;

  beforeAll(() => {
    idp = IdentityProvider.make();
  });
  givenOrganization(
    async (given) => {
      ({ app, organization, admin } = given);
      provider = await add({});
    },
    { APP_URL: APP },
  );

  const newEmail = (): string => `person${String(++people)}@acme.test`;
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
  const change = (fields: object) =>
    app.as(admin).patch(`/v1/orgs/${organization._id}/saml/${provider.id}`).send(fields).expect(200);
  /** Begins to sign in; answers where the browser is sent to. */
  const begin = async (query: object = {}, at = provider): Promise<URL> => {
    const { headers, text } = await app.anonymous().get(`/saml/${at.id}/login`).query(query).expect(302);
    expect([text, headers['cache-control']]).toEqual(['', 'no-store']);
    return new URL(headers.location ?? '');
  };
  /** What is right to say about `email` in answer to a new request. */
  const claimsOf = async (email: string, at = provider): Promise<Claims> => {
    const { id } = requestOf((await begin({}, at)).searchParams.get('SAMLRequest') ?? '');
    const { acsURL, entityID } = at.service;
    return { acsURL, audience: entityID, issuer: idp.entityID, request: id, email };
  };
  const send = (form: object, at = provider) => app.anonymous().post(`/saml/${at.id}/acs`).type('form').send(form);
  const signIn = async (email: string, more: Partial<Claims> = {}): Promise<Session> => {
    const { body } = await send({ SAMLResponse: idp.answer({ ...(await claimsOf(email)), ...more }) }).expect(200);
    return body as Session;
  };
  const refuse = async (email: string, message: RegExp): Promise<void> => {
    const { body } = await send({ SAMLResponse: idp.answer(await claimsOf(email)) }).expect(403);
    expect(body).toEqual(refusal(403, matching(message)));
  };
  const memberOf = async (user: string): Promise<unknown> =>
    (await app.as(admin).get(`/v1/orgs/${organization._id}/members/${user}`).expect(200)).body;
  const mark = (user: string) => app.as(admin).post(`/v1/orgs/${organization._id}/members/${user}/sso`).expect(200);
  const invite = async (body: object): Promise<{ users: string[] }> => {
    const answer = await app.as(admin).post(`/v1/orgs/${organization._id}/invites`).send(body).expect(200);
    return answer.body as { users: string[] };
  };

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

  describe('and people who are known already', () => {
    it('asks strangers with an account to be invited first', async () => {
      const known = await app.create.user({ email: newEmail() });
      await refuse(known.email, /^Use your existing way to sign in: your account does not belong to the organization/);
      await app.as(admin).get(`/v1/orgs/${organization._id}/members/${known._id}`).expect(404);
    });

    it('lets members in from when an administrator marks them, and takes their names as they are', async () => {
      const known = await app.create.user({
        email: newEmail(),
        in: organization,
        role: 'review',
        displayName: 'Known',
      });
      await refuse(known.email, new RegExp(`by POST /v1/orgs/${organization._id}/members/${known._id}/sso$`));
      await mark(known._id);
      const { user } = await signIn(known.email, { firstName: 'Other' });
      expect(user).toMatchObject({ id: known._id, displayName: 'Known' });
      expect(await memberOf(known._id)).toMatchObject({ role: 'review', sso: true });
    });

    it('does not take the word of one organization for an account that others rely on', async () => {
      const victim = await app.create.user({ email: newEmail() });
      await app.create.organization({ admin: victim });
      await invite({ emails: [victim.email] });
      await mark(victim._id);
      await refuse(victim.email, /^Use your existing way to sign in: your account belongs to other organizations too/);
      // who came in before keeps that way when others add them
      const { user } = await signIn(newEmail());
      const { _id } = await app.create.organization();
      await app.connection
        .collection<{ _id: string }>('members')
        .insertOne({ _id: `${_id}:${user.id}`, organization: _id, user: user.id } as never);
      await signIn(user.email);
    });

    it('lets people in who were invited for it, and no others', async () => {
      const [meant, otherwise, elsewhere] = [newEmail(), newEmail(), newEmail()];
      const { users } = await invite({ emails: [{ email: meant, role: 'comment' }], sso: true });
      const { user } = await signIn(meant, { firstName: 'Grace', lastName: 'Hopper' });
      expect(user).toMatchObject({ id: users[0], displayName: 'Grace Hopper' });
      expect(await memberOf(user.id)).toMatchObject({ role: 'comment', sso: true });
      const { body } = await app.as(admin).get(`/v1/orgs/${organization._id}/members?search=hopper`).expect(200);
      expect(body).toMatchObject({ count: 1 });

      const invited = await invite({ emails: [otherwise] });
      await refuse(otherwise, /^Register with the invitation that you were sent/);
      await mark(invited.users[0] ?? '');
      expect((await signIn(otherwise)).user.id).toBe(invited.users[0]);

      const others = await app.create.organization();
      await app
        .as(others.admin)
        .post(`/v1/orgs/${others._id}/invites`)
        .send({ emails: [elsewhere] })
        .expect(200);
      await refuse(elsewhere, /^Another organization has invited you: register/);
      await invite({ emails: [elsewhere], sso: true });
      await refuse(elsewhere, /^Another organization has invited you: register/);
    });

    it('lets nobody in whose membership was ended, until they are invited again', async () => {
      const email = newEmail();
      const { user } = await signIn(email);
      await app.as(admin).delete(`/v1/orgs/${organization._id}/members/${user.id}`).expect(204);
      await refuse(email, /^Use your existing way to sign in: your account does not belong to the organization/);
      await invite({ emails: [email] });
      await mark(user.id);
      expect((await signIn(email)).user.id).toBe(user.id);
    });
  });

  it('is demanded of all but administrators while there is an active identity provider', async () => {
    const password = 'correct horse battery';
    const [member, head] = [
      await app.create.user({ email: newEmail(), password, in: organization }),
      await app.create.user({ email: newEmail(), password, in: organization, role: 'admin' }),
    ];
    const login = ({ email }: TestUser, status: number) =>
      app.anonymous().post('/v1/auth/login').send({ email, password }).expect(status);
    await login(member, 200);
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    const { body } = await login(member, 403);
    expect(body).toEqual(refusal(403, 'Your organization "Acme" asks you to use its single sign-on'));
    await login(head, 200);
    await app.as(member).get('/v1/user').expect(200);
    await mark(member._id);
    await signIn(member.email);
    await app.as(admin).delete(`/v1/orgs/${organization._id}/saml/${provider.id}`).expect(204);
    await login(member, 200);
    expect(await memberOf(member._id)).toMatchObject({ sso: true });
  });

  it('is not demanded by organizations that somebody was added to unasked: nobody is locked out by others', async () => {
    const password = 'correct horse battery';
    const victim = await app.create.user({ email: newEmail(), password });
    const home = await app.create.organization({ admin: victim });
    const login = (status: number) =>
      app.anonymous().post('/v1/auth/login').send({ email: victim.email, password }).expect(status);
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    await invite({ emails: [victim.email] });
    await refuse(victim.email, /^Use your existing way to sign in/);
    await login(200);
    // who was there since is one of them
    await app.as(victim).post(`/v1/orgs/${organization._id}/ping`).expect(200);
    await login(403);
    // and so is who comes by a link
    const other = await app.create.user({ email: newEmail(), password, in: home });
    await invite({ emails: [other.email] });
    const link = await app
      .as(admin)
      .post(`/v1/orgs/${organization._id}/link-invites`)
      .send({ role: 'read' })
      .expect(201);
    const credentials = { email: other.email, password };
    await app.anonymous().post('/v1/auth/login').send(credentials).expect(200);
    const { id } = link.body as { id: string };
    await app.as(other).post(`/v1/orgs/${organization._id}/invites/${id}`).expect(200);
    await app.anonymous().post('/v1/auth/login').send(credentials).expect(403);
  });

  it('does not keep people from an organization that invited them, where another did too', async () => {
    const email = newEmail();
    const friendly = await app.create.organization();
    const { body } = await app
      .as(friendly.admin)
      .post(`/v1/orgs/${friendly._id}/invites`)
      .send({ emails: [email] })
      .expect(200);
    const [{ invite: secret } = { invite: '' }] = (body as { invitations: { invite: string }[] }).invitations;
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    await invite({ emails: [email] });
    await app
      .anonymous()
      .post('/v1/auth/register')
      .send({ email, displayName: 'New Name', password: 'correct horse battery', invite: secret })
      .expect(201);
  });

  it('finds people who signed in before by their address alone', async () => {
    const email = newEmail();
    const { user } = await signIn(email.replace('person', 'PERSON'));
    expect(await app.nest.get(UsersService, { strict: false }).findByEmail(email)).toMatchObject({
      _id: user.id,
      password: null,
      emailVerified: true,
      placeholder: false,
    });
  });
});
