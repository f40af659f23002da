import { startApp, type TestApp } from './support/app.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ALL = {
  view: true,
  admin: true,
  ownTeam: false,
  createContent: true,
  createOpenAPISpec: true,
  viewBilling: true,
  listMembers: true,
  listTeams: true,
  listIntegrations: true,
};

describe('organizations', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('are made with a hostname after the title, and read back', async () => {
    const user = await app.create.user();
    const fields = {
      title: 'Ünïted Docs & Söns',
      emailDomains: ['Example.ORG', 'example.org'],
      type: 'community',
      useCase: 'openSourceDocs',
    };
    const { body, headers } = await app.as(user).post('/v1/orgs').send(fields).expect(201);
    const { id } = body as { id: string };
    expect(headers.location).toBe(`http://docs.test/v1/orgs/${id}`);
    expect(body).toEqual({
      object: 'organization',
      id,
      title: 'Ünïted Docs & Söns',
      createdAt: ISO,
      emailDomains: ['example.org'],
      hostname: 'united-docs-sons',
      type: 'community',
      useCase: 'openSourceDocs',
      defaultRole: 'read',
      sso: false,
      ai: false,
      inviteLinks: true,
      plan: 'free_2024',
      billing: { interval: 'monthly', endDate: null, hasPaymentFailed: false, isScheduledToCancel: false },
      trial: { status: 'notapplicable' },
      internal_isOnNewTrial: true,
      urls: { location: `http://docs.test/v1/orgs/${id}`, app: `http://docs.test/o/${id}` },
      permissions: ALL,
    });
    expect((await app.as(user).get(`/v1/orgs/${id}`).expect(200)).body).toEqual(body);
  });

  it('never share a hostname', async () => {
    const titles = ['Same name', 'Same name', 'Same  name!', 'x!'];
    const names = [];
    for (const title of titles) names.push((await app.create.organization({ title })).hostname);
    expect(new Set(names).size).toBe(4);
    expect(names.slice(0, 3)).toEqual(['same-name', 'same-name-2', 'same-name-3']);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/);
  });

  it('are listed for their members alone, newest first, page by page', async () => {
    const user = await app.create.user();
    const made = [];
    for (const title of ['One', 'Two', 'Three'])
      made.push((await app.create.organization({ title: `${title} Ltd`, admin: user }))._id);
    await app.create.organization();
    const first = (await app.as(user).get('/v1/orgs').query({ limit: 2 }).expect(200)).body as {
      items: { id: string }[];
      count: number;
      next: { page: string };
    };
    expect(first.items.map(({ id }) => id)).toEqual([made[2], made[1]]);
    expect(first.count).toBe(3);
    // one that is added meanwhile does not end the walk
    await app.create.organization({ admin: user });
    const rest = await app.as(user).get('/v1/orgs').query({ limit: 2, page: first.next.page }).expect(200);
    expect(rest.body).toEqual({ count: 4, items: [expect.objectContaining({ id: made[0] })] });
  });

  it.each([
    [null, { view: true }],
    ['read', { view: true, listMembers: true, listTeams: true }],
    ['comment', { view: true, listMembers: true, listTeams: true }],
    ['edit', { view: true, listMembers: true, listTeams: true, listIntegrations: true }],
    ['review', { view: true, listMembers: true, listTeams: true, listIntegrations: true }],
    ['create', { ...ALL, admin: false, viewBilling: false }],
    ['admin', ALL],
  ] as const)('tell a member with the role %s what they may do', async (role, allowed) => {
    const organization = await app.create.organization();
    const user = await app.create.user({ in: organization, role });
    const { body } = await app.as(user).get(`/v1/orgs/${organization._id}`).expect(200);
    const nothing = Object.fromEntries(Object.keys(ALL).map((name) => [name, false]));
    const view = body as { permissions: unknown; billing?: unknown };
    expect(view.permissions).toEqual({ ...nothing, ...allowed });
    expect(view.billing === undefined).toBe(role !== 'admin');
  });

  it('do not exist for strangers and disabled members', async () => {
    const organization = await app.create.organization();
    const path = `/v1/orgs/${organization._id}`;
    const gone = { error: { code: 404, message: 'Organization not found' } };
    const stranger = await app.create.user();
    expect((await app.as(stranger).get(path).expect(404)).body).toEqual(gone);
    expect((await app.as(stranger).patch(path).send({ title: 'Mine now' }).expect(404)).body).toEqual(gone);
    const disabled = await app.create.user({ in: organization, role: 'admin' });
    await app.connection.collection('members').updateOne({ user: disabled._id }, { $set: { disabled: true } });
    expect((await app.as(disabled).get(path).expect(404)).body).toEqual(gone);
    expect((await app.as(disabled).get('/v1/orgs').expect(200)).body).toEqual({ count: 0, items: [] });
  });

  describe('PATCH', () => {
    it('changes what it names and nothing else', async () => {
      const organization = await app.create.organization({ title: 'Before' });
      const path = `/v1/orgs/${organization._id}`;
      const before = (await app.as(organization.admin).get(path)).body as Record<string, unknown>;
      const changes = {
        title: 'After',
        emailDomains: ['a.example', 'b.example'],
        hostname: 'after-host',
        defaultRole: null,
        logo: 'https://example.org/logo.svg',
        sso: true,
        ai: true,
        inviteLinks: false,
        defaultContent: null,
      };
      const { body } = await app.as(organization.admin).patch(path).send(changes).expect(200);
      const { logo, defaultContent: _, ...shown } = changes;
      expect(body).toEqual({ ...before, ...shown, urls: { ...(before.urls as object), logo } });
      expect((await app.as(organization.admin).patch(path).send({ logo: null }).expect(200)).body).toEqual({
        ...before,
        ...shown,
      });
      expect((await app.as(organization.admin).patch(path).send({ id: 'x', plan: 'pro' }).expect(200)).body).toEqual({
        ...before,
        ...shown,
      });
    });

    it('needs the role admin', async () => {
      const organization = await app.create.organization();
      const user = await app.create.user({ in: organization, role: 'create' });
      const { body } = await app.as(user).patch(`/v1/orgs/${organization._id}`).send({ title: 'Mine' }).expect(403);
      expect(body).toEqual({
        error: { code: 403, message: 'You may see this organization, but you lack the permission "admin" on it' },
      });
    });

    it('keeps hostnames apart, and a former one with its organization', async () => {
      const [one, other] = [await app.create.organization({ title: 'First one' }), await app.create.organization()];
      const patch = (of: typeof one, hostname: string) =>
        app.as(of.admin).patch(`/v1/orgs/${of._id}`).send({ hostname });
      expect((await patch(other, 'first-one').expect(409)).body).toEqual({
        error: { code: 409, message: 'hostname is taken: another organization holds "first-one"' },
      });
      await patch(one, 'renamed-one').expect(200);
      await patch(other, 'first-one').expect(409);
      await patch(one, 'first-one').expect(200);
    });

    it.each([
      [{ title: 'x' }, 'title must be 2 to 255 characters long'],
      [{ title: null }, 'title must be a string'],
      [{ hostname: '-ab' }, /^hostname must be 3 to 32 characters/],
      [{ hostname: 'AB3' }, /^hostname must be 3 to 32 characters/],
      [{ emailDomains: 'example.org' }, 'emailDomains must be an array of at most 50 domain names'],
      [{ emailDomains: [5] }, /^each value in emailDomains must be a domain name/],
      [
        { emailDomains: Array.from({ length: 51 }, (_, n) => `d${n}.example`) },
        'emailDomains must be an array of at most 50 domain names',
      ],
      [{ defaultRole: 'owner' }, 'defaultRole must be one of: read, comment, edit, review, create, admin, null'],
      [
        { defaultContent: { type: 'site', site: 'nowhere' } },
        'defaultContent.site must be a site of this organization',
      ],
      [{ defaultContent: { type: 'space' } }, /^defaultContent\.type must be site/],
      [{ logo: 'ftp://example.org/x' }, /^logo must be an absolute http or https address/],
      [{ sso: 'true' }, /^sso must be a boolean value/],
    ])('refuses %j', async (changes, message) => {
      const organization = await app.create.organization();
      const { body } = await app.as(organization.admin).patch(`/v1/orgs/${organization._id}`).send(changes).expect(400);
      expect(body).toEqual({
        error: {
          code: 400,
          message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
        },
      });
      expect((await app.as(organization.admin).get(`/v1/orgs/${organization._id}`)).body).toMatchObject({
        title: 'Acme',
      });
    });
  });

  it('are looked up by e-mail domain: the own ones only', async () => {
    const organization = await app.create.organization({ emailDomains: ['lookup.example'] });
    const look = async (as: typeof organization.admin, domain: string) =>
      (await app.as(as).get(`/v1/email-domains/${domain}/orgs`).expect(200)).body as unknown;
    expect(await look(organization.admin, 'LookUp.example')).toEqual({
      organizations: [expect.objectContaining({ id: organization._id })],
    });
    const namesake = await app.create.user({ email: 'me@lookup.example' });
    expect(await look(namesake, 'lookup.example')).toEqual({ organizations: [] });
    expect(await look(organization.admin, 'nobody.example')).toEqual({ organizations: [] });
  });
});
