import { newId } from '../src/common/ids.js';
import type { Organization } from '../src/organizations/index.js';
import { MAX_PROVIDERS } from '../src/sso/saml-provider.schema.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_PROVIDER = refusal(404, 'SAML provider not found');
const WHOLE = { ssoURL: 'https://idp.test/sso', entityID: 'https://idp.test/metadata', certificate: 'MIIC' };

interface Provider {
  id: string;
  label: string;
  status: string;
}
interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}

describe('identity providers', () => {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let admin: TestUser;
  let root: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
    root = `/v1/orgs/${organization._id}/saml`;
  });

  const make = async (body: object): Promise<Provider> =>
    (
      await app
        .as(admin)
        .post(root)
        .send({ label: 'Acme', ...body })
        .expect(201)
    ).body as Provider;
  const read = async (id: string): Promise<object> =>
    (await app.as(admin).get(`${root}/${id}`).expect(200)).body as object;
  const change = (id: string, body: object) => app.as(admin).patch(`${root}/${id}`).send(body);
  const logins = async (user = admin): Promise<unknown> =>
    (await app.as(user).get(`/v1/orgs/${organization._id}/sso`).expect(200)).body;

  it('are added by their label alone, and tell what they have to know of this service', async () => {
    const { body, headers } = await app.as(admin).post(root).send({ label: 'Acme' }).expect(201);
    const { id } = body as Provider;
    expect(body).toEqual({
      object: 'saml-provider',
      id: ID,
      label: 'Acme',
      defaultRole: null,
      status: 'pending',
      createdAt: ISO,
      service: {
        acsURL: `http://docs.test/saml/${id}/acs`,
        startURL: `http://docs.test/saml/${id}/login`,
        entityID: `http://docs.test/saml/${id}/metadata`,
      },
      urls: { location: `http://docs.test${root}/${id}` },
    });
    expect(headers.location).toBe(`http://docs.test${root}/${id}`);
    expect(await read(id)).toEqual(body);
  });

  it('are active as soon as all is set that a sign-in needs', async () => {
    const { _id: team } = await app.create.team({ organization, title: 'Newcomers' });
    const { id, ...made } = await make({});
    for (const [body, status] of [
      [{ ssoURL: WHOLE.ssoURL }, 'pending'],
      [{ entityID: WHOLE.entityID }, 'pending'],
      [{ certificate: WHOLE.certificate }, 'active'],
      [{ label: 'New', defaultRole: 'create', defaultTeam: team }, 'active'],
    ] as const) {
      expect((await change(id, body).expect(200)).body).toMatchObject({ status });
    }
    const whole = {
      ...made,
      ...WHOLE,
      id,
      label: 'New',
      status: 'active',
      defaultRole: 'create',
      defaultTeam: {
        object: 'team',
        id: team,
        title: 'Newcomers',
        members: 0,
        spaces: 0,
        createdAt: ISO,
        permissions: { admin: true, view: true },
      },
    };
    expect(await read(id)).toEqual(whole);
    expect((await change(id, {}).expect(200)).body).toEqual(whole);
    const { defaultTeam: _, ...without } = whole;
    expect((await change(id, { defaultTeam: null, defaultRole: null }).expect(200)).body).toEqual({
      ...without,
      defaultRole: null,
    });
    const cleared = (await change(id, { certificate: '', entityID: '' }).expect(200)).body as object;
    expect(cleared).toEqual({ ...made, id, label: 'New', ssoURL: WHOLE.ssoURL });
  });

  it('forget their team when it is deleted', async () => {
    const team = await app.create.team({ organization });
    const { id } = await make({ defaultTeam: team._id });
    await app.as(admin).delete(`/v1/orgs/${organization._id}/teams/${team._id}`).expect(204);
    expect(await read(id)).not.toHaveProperty('defaultTeam');
  });

  it('are listed newest first, page by page, with their teams', async () => {
    const team = await app.create.team({ organization });
    for (const label of ['One', 'Two', 'Three']) await make({ label, defaultTeam: team._id });
    const pages: string[][] = [];
    for (let page: string | undefined; ;) {
      const { body } = await app.as(admin).get(root).query({ limit: 2, page }).expect(200);
      const { items, count, next } = body as List<Provider & { defaultTeam: { id: string } }>;
      expect([count, items.every(({ defaultTeam }) => defaultTeam.id === team._id)]).toEqual([3, true]);
      pages.push(items.map(({ label }) => label));
      if (!next) break;
      page = next.page;
    }
    expect(pages).toEqual([['Three', 'Two'], ['One']]);
    const work = () => app.as(admin).get(root).expect(200);
    const few = await app.commandsOf(work);
    for (let more = 0; more < 5; more += 1) await make({ defaultTeam: team._id });
    expect(await app.commandsOf(work)).toEqual(few);
  });

  it('are shown to every member as entries to sign in by, when they are active', async () => {
    await make({});
    const first = await make({ ...WHOLE, label: 'First' });
    const second = await make({ ...WHOLE, label: 'Second' });
    const guest = await app.create.user({ in: organization, role: null });
    const items = [second, first].map(({ id, label }) => ({
      id,
      label,
      startURL: `http://docs.test/saml/${id}/login`,
    }));
    expect(await logins(guest)).toEqual({ items });
    await app.as(guest).get(root).expect(403);
    await app.as(guest).get(`${root}/${first.id}`).expect(403);
    await app.as(admin).delete(`${root}/${second.id}`).expect(204);
    expect(await logins(guest)).toEqual({ items: items.slice(1) });
  });

  it('are removed', async () => {
    const { id } = await make(WHOLE);
    expect((await app.as(admin).delete(`${root}/${id}`).expect(204)).text).toBe('');
    expect((await app.as(admin).delete(`${root}/${id}`).expect(404)).body).toEqual(NO_PROVIDER);
    expect((await app.as(admin).get(`${root}/${id}`).expect(404)).body).toEqual(NO_PROVIDER);
    expect((await change(id, { label: 'x' }).expect(404)).body).toEqual(NO_PROVIDER);
    await app.anonymous().get(`/saml/${id}/login`).expect(404);
  });

  it('are those of one organization only', async () => {
    const other = await app.create.organization();
    const team = await app.create.team({ organization: other });
    const { body } = await app.as(other.admin).post(`/v1/orgs/${other._id}/saml`).send({ label: 'Other' }).expect(201);
    const { id } = body as Provider;
    for (const call of [
      app.as(admin).get(`${root}/${id}`),
      app.as(admin).patch(`${root}/${id}`).send({ label: 'Mine' }),
      app.as(admin).delete(`${root}/${id}`),
    ]) {
      expect((await call.expect(404)).body).toEqual(NO_PROVIDER);
    }
    await app.as(admin).get(`/v1/orgs/${other._id}/saml`).expect(404);
    await app.as(admin).get(`/v1/orgs/${other._id}/sso`).expect(404);
    const mine = await make({});
    const foreign = refusal(400, 'defaultTeam must be the id of a team of this organization');
    for (const defaultTeam of [team._id, newId(), '$ne']) {
      expect((await change(mine.id, { label: 'New', defaultTeam }).expect(400)).body).toEqual(foreign);
      const made = await app.as(admin).post(root).send({ label: 'New', defaultTeam }).expect(400);
      expect(made.body).toEqual(foreign);
    }
    expect(await read(mine.id)).toEqual(mine);
  });

  it.each<[object, string]>([
    [{ label: '' }, 'label must be 1 to 30 characters long'],
    [{ label: 'x'.repeat(31) }, 'label must be 1 to 30 characters long'],
    [{ label: null }, 'label must be a string'],
    [{ entityID: 'x'.repeat(1025) }, 'entityID must be 0 to 1024 characters long'],
    [{ entityID: null }, 'entityID must be a string'],
    [{ certificate: 'x'.repeat(10_001) }, 'certificate must be 0 to 10000 characters long'],
    [{ certificate: { $gt: '' } }, 'certificate must be a string'],
    [{ ssoURL: 'idp.test' }, 'ssoURL must be an absolute http or https address of at most 2048 characters'],
    [{ ssoURL: 'javascript:alert(1)' }, 'ssoURL must be an absolute http or https address of at most 2048 characters'],
    [{ ssoURL: '' }, 'ssoURL must be an absolute http or https address of at most 2048 characters'],
    [{ ssoURL: null }, 'ssoURL must be an absolute http or https address of at most 2048 characters'],
    [{ defaultTeam: 5 }, 'defaultTeam must be a string'],
    [{ defaultRole: 'owner' }, 'defaultRole must be one of: read, comment, edit, review, create, admin, null'],
  ])('do not take %j', async (fields, message) => {
    const { id, ...made } = await make({});
    expect((await change(id, fields).expect(400)).body).toEqual(refusal(400, message));
    const { body } = await app
      .as(admin)
      .post(root)
      .send({ label: 'Acme', ...fields })
      .expect(400);
    expect(body).toEqual(refusal(400, message));
    expect(await read(id)).toEqual({ id, ...made });
  });

  it('keep to themselves what is not to be written', async () => {
    const given = { id: 'mine', status: 'active', organization: 'other', service: { acsURL: 'x' }, createdAt: 'now' };
    const { id, ...made } = await make(given);
    expect({ id, ...made }).toMatchObject({ id: ID, status: 'pending', createdAt: ISO });
    expect((await change(id, given).expect(200)).body).toEqual({ id, ...made });
    await app.as(admin).post(root).send({}).expect(400);
    await app.as(admin).post(root).expect(400);
  });

  it('are no more than an organization can have', async () => {
    for (let made = 0; made < MAX_PROVIDERS; made += 20) {
      await Promise.all(Array.from({ length: 20 }, () => make(WHOLE)));
    }
    const { body } = await app.as(admin).post(root).send({ label: 'More' }).expect(409);
    expect(body).toEqual(refusal(409, `An organization has at most ${String(MAX_PROVIDERS)} identity providers`));
    expect((await logins()) as { items: unknown[] }).toMatchObject({ items: { length: MAX_PROVIDERS } });
  });
});
