import { startApp, type TestApp } from './support/app.js';
import { ISO } from './support/editing.js';
import { refusal, Sites } from './support/sites.js';

let app: TestApp;
let sites: Sites;

beforeAll(async () => {
  app = await startApp();
  sites = await Sites.start(app);
});
afterAll(() => app.close());

describe('addresses in the application', () => {
  it('name a collection, a space, a change request, a page', async () => {
    const space = await sites.space('Mine', 'Start here');
    const collection = await sites.send<{ id: string }>('post', `/v1/orgs/${sites.organization}/collections`, {
      title: 'All',
    });
    const draft = await sites.send<{ number: number; id: string }>(
      'post',
      `/v1/spaces/${space.space}/change-requests`,
      {},
    );
    const find = (path: string, as = sites.admin) =>
      app
        .as(as)
        .get('/v1/urls/content')
        .query({ url: `http://docs.test${path}` });
    const view = await sites.send('get', `/v1/spaces/${space.space}`);
    expect((await find(`/c/${collection.id}`)).body).toEqual({
      collection: await sites.send('get', `/v1/collections/${collection.id}`),
    });
    expect((await find(`/s/${space.space}`)).body).toEqual({ space: view });
    expect((await find(`/s/${space.space}/start-here`)).body).toEqual({
      space: view,
      page: await space.read(`/path/start-here`),
    });
    const changes = `/s/${space.space}/~/changes/${String(draft.number)}`;
    const { body } = await find(`${changes}/start-here`).expect(200);
    expect(body).toEqual({
      space: view,
      changeRequest: await sites.send('get', `/v1/spaces/${space.space}/change-requests/${draft.id}`),
      page: expect.objectContaining({ title: 'Start here', createdAt: ISO }) as unknown,
    });
    for (const path of [
      '/s/nobody',
      '/c/nobody',
      `/s/${space.space}/nothing`,
      `/s/${space.space}/~/changes/99`,
      '/x/y',
    ])
      expect([path, (await find(path)).status]).toEqual([path, 404]);
    const stranger = await app.create.user();
    for (const path of [`/s/${space.space}`, `/c/${collection.id}`]) await find(path, stranger).expect(404);
    await sites.site({ title: 'Shown', spaces: [space.space] });
    expect((await find(`/s/${space.space}/start-here`, stranger).expect(200)).body).toMatchObject({
      space: { id: space.space, visibility: 'public', permissions: { view: true, access: false } },
    });
    await find(changes, stranger).expect(404);
    await app.as(sites.admin).get('/v1/urls/content').expect(400);
    await app.anonymous().get('/v1/urls/content').query({ url: 'http://docs.test/' }).expect(401);
  });

  it('of organizations are found by their subdomain, former ones too', async () => {
    const stranger = await app.create.user();
    const target = { type: 'organization', organization: sites.organization };
    expect((await app.as(stranger).get(`/v1/subdomains/${sites.hostname}`).expect(200)).body).toEqual({
      object: 'subdomain',
      subdomain: sites.hostname,
      target,
      isActive: true,
    });
    expect((await app.as(stranger).get('/v1/subdomains/nobody-here')).body).toEqual(
      refusal(404, 'Subdomain not found'),
    );
    await app.anonymous().get(`/v1/subdomains/${sites.hostname}`).expect(401);
  });
});
