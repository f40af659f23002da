import type { TestApp } from './support/app.js';
import { ID, ISO } from './support/editing.js';
import { givenInstallations, type Installed } from './support/installations.js';
import { install, type Owner, publish, refusal } from './support/integrations.js';

const NO_INSTALLATION = refusal(404, 'Installation not found');

let app: TestApp;
/** Publishes. */
let owner: Owner;
/** Installs. */
let acme: Owner;
let name: string;
let root: string;

const { get, patch, post, remove, spaceOf, siteOf, republish } = givenInstallations((given) => {
  ({ app, owner, acme, name } = given);
  root = `/v1/integrations/${name}/installations`;
});

describe('an installation', () => {
  it('is made once for an organization, and shown to administrators on both sides', async () => {
    const { body, headers } = await post(root, { organization: acme._id }).expect(201);
    const { id } = body as Installed;
    const location = `http://docs.test${root}/${id}`;
    expect(body).toEqual({
      id: ID,
      status: 'active',
      space_selection: 'selected',
      site_selection: 'selected',
      spaces: 0,
      configuration: {},
      createdAt: ISO,
      updatedAt: ISO,
      urls: {
        location,
        app: `http://docs.test/o/${acme._id}/integrations/${name}`,
        publicEndpoint: `http://docs.test/v1/integrations/${name}/script`,
      },
      externalIds: [],
      target: { organization: acme._id },
    });
    expect(headers.location).toBe(location);
    for (const user of [acme.admin, owner.admin]) {
      expect(await get(`${root}/${id}`, user)).toEqual(body);
      expect(await get(root, user)).toEqual({ count: 1, items: [body] });
    }
    expect((await post(root, { organization: acme._id }).expect(409)).body).toEqual(
      refusal(409, 'The integration is installed in this organization already'),
    );
  });

  it('is made by administrators, in organizations of theirs', async () => {
    const member = await app.create.user({ in: acme, role: 'create' });
    expect((await post(root, { organization: acme._id }, member).expect(403)).body).toEqual(
      refusal(403, 'organization: this takes an administrator of the organization'),
    );
    for (const organization of [owner._id, 'nobody', acme.hostname]) {
      expect((await post(root, { organization }).expect(400)).body).toEqual(
        refusal(400, 'organization must name an organization that you belong to'),
      );
    }
    for (const body of [{}, { organization: null }, { organization: 5 }, { organization: '' }]) {
      expect((await post(root, body).expect(400)).body).toEqual(
        refusal(400, expect.stringMatching(/^organization must/)),
      );
    }
    await app.anonymous().post(root).send({ organization: acme._id }).expect(401);
    await post(`/v1/integrations/nothing/installations`, { organization: acme._id }).expect(404);
    expect((await get(root)).count).toBe(0);
  });

  it('of a private integration is for its owner alone', async () => {
    const hidden = await publish(app, owner);
    const both = await app.create.organization({ admin: owner.admin });
    const at = `/v1/integrations/${hidden.name}/installations`;
    await post(at, { organization: acme._id }).expect(404);
    expect((await post(at, { organization: both._id }, owner.admin).expect(400)).body).toEqual(
      refusal(400, 'organization must be the owner of the integration, as it is private'),
    );
    await post(at, { organization: owner._id }, owner.admin).expect(201);
  });

  it('is changed in what is named, by those who installed it', async () => {
    const at = await install(app, acme, name);
    const before = await get<Installed>(at);
    expect((await patch(at, {}).expect(200)).body).toEqual(before);
    const body = { externalIds: ['T1', ''], space_selection: 'all', site_selection: 'all' };
    const after = (await patch(at, body).expect(200)).body as Installed;
    expect(after).toEqual({ ...before, ...body, updatedAt: ISO });
    expect(after.updatedAt).not.toBe(before.updatedAt);
    expect((await patch(at, body).expect(200)).body).toEqual(after);
    expect((await patch(at, { externalIds: [] }, owner.admin).expect(403)).body).toEqual(
      refusal(403, 'You may see this installation, but you lack the permission "admin" on it'),
    );
    await remove(at, owner.admin).expect(403);
    const reader = await app.create.user({ in: acme, role: 'review' });
    await app.as(reader).get(at).expect(403);
    for (const user of [await app.create.user(), await app.create.user({ in: acme, role: null })]) {
      expect((await app.as(user).get(at).expect(404)).body).toEqual(NO_INSTALLATION);
    }
  });

  it.each([
    [{ externalIds: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'externalIds must have at most 5 items'],
    [{ externalIds: [5] }, 'externalIds.0 must be a string'],
    [{ externalIds: null }, 'externalIds must be a list of strings'],
    [{ space_selection: 'none' }, 'space_selection must be one of: all, selected'],
    [{ site_selection: null }, 'site_selection must be one of: all, selected'],
    [{ configuration: [] }, 'configuration must be an object'],
    [{ configuration: null }, 'configuration must be an object'],
  ])('refuses %j', async (body, message) => {
    const at = await install(app, acme, name);
    const before = await get(at);
    expect((await patch(at, body).expect(400)).body).toEqual(refusal(400, message));
    expect(await get(at)).toEqual(before);
  });

  it('ends with all that it was put on', async () => {
    const at = await install(app, acme, name);
    const space = await spaceOf();
    await post(`${at}/spaces`, { space: space._id }).expect(201);
    const { headers } = await remove(at).expect(205);
    expect(headers['content-length']).toBe('0');
    expect((await app.as(acme.admin).get(at).expect(404)).body).toEqual(NO_INSTALLATION);
    expect((await remove(at).expect(404)).body).toEqual(NO_INSTALLATION);
    await app.as(acme.admin).get(`${at}/spaces`).expect(404);
    expect(await app.connection.collection('installation_placements').countDocuments({ place: space._id })).toBe(0);
    await install(app, acme, name);
  });

  it('ends with the integration, and elsewhere where that becomes private', async () => {
    const own = await install(app, owner, name);
    const at = await install(app, acme, name);
    await republish({ visibility: 'unlisted' });
    await get(at);
    await republish({ visibility: 'private' });
    await app.as(acme.admin).get(at).expect(404);
    await get(own, owner.admin);
    await republish({});
    await app.as(acme.admin).get(at).expect(404);
    await app.as(owner.admin).delete(`/v1/integrations/${name}`).expect(204);
    await republish({});
    expect(await get(root, owner.admin)).toEqual({ count: 0, items: [] });
  });
});

describe('the lists of installations', () => {
  it('are whole for the owner, and of what others administer, by external id too', async () => {
    const other = await app.create.organization({ admin: acme.admin });
    const third = await app.create.organization();
    const [one, two] = [await install(app, acme, name), await install(app, other, name)];
    const three = await install(app, third, name);
    await patch(one, { externalIds: ['T1', 'T2'] }).expect(200);
    await patch(three, { externalIds: ['T2'] }, third.admin).expect(200);
    const ids = async (user = owner.admin, query: object = {}): Promise<string[]> => {
      const walked: string[] = [];
      for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
        const part = await get(root, user, { ...query, limit: 1, page });
        walked.push(...part.items.map(({ id }) => `${root}/${id}`));
        page = part.next?.page;
      }
      const whole = await get(root, user, query);
      expect(whole.count).toBe(walked.length);
      expect(whole.items.map(({ id }) => `${root}/${id}`)).toEqual(walked);
      return walked;
    };
    expect(await ids()).toEqual([three, two, one]);
    expect(await ids(acme.admin)).toEqual([two, one]);
    expect(await ids(third.admin)).toEqual([three]);
    expect(await ids(owner.admin, { externalId: 'T2' })).toEqual([three, one]);
    expect(await ids(acme.admin, { externalId: 'T2' })).toEqual([one]);
    expect(await ids(acme.admin, { externalId: 'T' })).toEqual([]);
    expect(await ids(await app.create.user({ in: acme, role: 'create' }))).toEqual([]);
    await app.as(acme.admin).get(root).query({ limit: 'all' }).expect(400);
    await app.anonymous().get(root).expect(401);
  });

  it('show what an organization has, each with its integration', async () => {
    const second = await publish(app, acme);
    const [one, two] = [await install(app, acme, name), await install(app, acme, second.name)];
    const path = `/v1/orgs/${acme._id}/installations`;
    const integration = (of: string) => get<object>(`/v1/integrations/${of}`);
    const expected = [
      { installation: await get(two), integration: await integration(second.name) },
      { installation: await get(one), integration: await integration(name) },
    ];
    expect(await get(path)).toEqual({ count: 2, items: expected });
    const { next, items } = await get(path, acme.admin, { limit: 1 });
    expect(items).toEqual(expected.slice(0, 1));
    expect((await get(path, acme.admin, { limit: 1, page: next?.page })).items).toEqual(expected.slice(1));
    expect((await get(path, await app.create.user({ in: acme, role: 'edit' }))).count).toBe(2);
    await app.as(owner.admin).get(path).expect(404);
  });
});

describe('a configuration', () => {
  const configurations = {
    account: {
      properties: {
        key: { type: 'string' },
        level: { type: 'string', enum: ['low', 'high'], default: 'low' },
        size: { type: 'number' },
        on: { type: 'boolean' },
        connect: { type: 'button', callback_url: '/connect', button_text: 'Connect' },
      },
      required: ['key', 'level'],
    },
    site: { properties: { id: { type: 'string' } }, required: ['id'] },
    space: { componentId: 'form' },
  };
  let at: string;

  beforeEach(async () => {
    await republish({ configurations });
    at = await install(app, acme, name);
  });

  it('makes an installation active with everything that is required, and pending without', async () => {
    expect(await get(at)).toMatchObject({ status: 'pending', configuration: {} });
    const set = async (configuration: object): Promise<Installed> =>
      (await patch(at, { configuration }).expect(200)).body as Installed;
    expect(await set({ key: 'k' })).toMatchObject({ status: 'pending', configuration: { key: 'k' } });
    const whole = { key: 'k', level: 'high', size: 0, on: false, connect: { token: 't' } };
    const after = await set(whole);
    expect(after).toMatchObject({ status: 'active', configuration: whole });
    expect(await set(whole)).toEqual(after);
    expect(await get(at)).toEqual(after);
    expect(await set({ level: 'low' })).toMatchObject({ status: 'pending', configuration: { level: 'low' } });
    await republish({});
    expect(await get(at)).toMatchObject({ status: 'active' });
  });

  it.each([
    [{ key: 5 }, 'configuration.key must be a string'],
    [{ key: null }, 'configuration.key must be a string'],
    [{ level: 'middle' }, 'configuration.level must be one of: low, high'],
    [{ size: '5' }, 'configuration.size must be a number'],
    [{ on: 'true' }, 'configuration.on must be true or false'],
    [{ connect: null }, 'configuration.connect must not be null; leave it out'],
    [{ other: 1 }, 'configuration.other is not known to this integration; leave it out'],
    [{ key: 'x'.repeat(16_385) }, 'configuration.key must be 0 to 16384 characters long'],
    [{ connect: ['x'.repeat(40_000)] }, 'configuration must be at most 32768 bytes of JSON'],
    [{ connect: { 'a\u0000': 1 } }, 'configuration must hold well-formed text without NUL characters'],
  ])('is refused by the name of its property: %j', async (configuration, message) => {
    await patch(at, { configuration: { key: 'k' } }).expect(200);
    expect((await patch(at, { configuration }).expect(400)).body).toEqual(refusal(400, message));
    expect(await get(at)).toMatchObject({ configuration: { key: 'k' } });
  });

  it('is one of its own on each space and site', async () => {
    const [space, site] = [await spaceOf(), await siteOf()];
    const onSite = (await post(`${at}/sites`, { siteId: site }).expect(201)).body as Installed;
    expect(onSite).toMatchObject({ status: 'pending', configuration: {} });
    await patch(`${at}/sites/${site}`, { configuration: { key: 'k' } }).expect(400);
    const body = { configuration: { id: 'G-1' }, externalIds: ['S1'] };
    const set = (await patch(`${at}/sites/${site}`, body).expect(200)).body as Installed;
    expect(set).toEqual({ ...onSite, ...body, status: 'active' });
    expect(await get(`${at}/sites/${site}`)).toEqual(set);
    await post(`${at}/spaces`, { space: space._id }).expect(201);
    const free = { configuration: { anything: [{ goes: 'here' }] } };
    expect((await patch(`${at}/spaces/${space._id}`, free).expect(200)).body).toMatchObject(free);
    expect(await get(at)).toMatchObject({ status: 'pending', configuration: {} });
  });
});

it('an installation is not made while its integration goes, however they meet', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { name: own } = await publish(app, owner, { visibility: 'public' });
    const path = `/v1/integrations/${own}`;
    const [made, gone] = await Promise.all([
      post(`${path}/installations`, { organization: acme._id }),
      remove(path, owner.admin),
    ]);
    expect([201, 404, 409]).toContain(made.status);
    expect(gone.status).toBe(204);
    expect(await app.connection.collection('installations').countDocuments({ integration: own })).toBe(0);
  }
});
