import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

interface Settings {
  id: string;
  updatedAt: string;
}

describe('translation settings', () => {
  let app: TestApp;
  let admin: TestUser;
  let at: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    const organization = await app.create.organization();
    admin = organization.admin;
    at = `/v1/orgs/${organization._id}/translations`;
  });

  const make = async (body: object): Promise<Settings> =>
    (await app.as(admin).post(at).send(body).expect(201)).body as Settings;

  it('are made in English, read, changed and removed', async () => {
    const { body, headers } = await app.as(admin).post(at).send({ title: 'All', id: 'x' }).expect(201);
    const made = body as Settings;
    const location = `http://docs.test${at}/${made.id}`;
    expect(headers.location).toBe(location);
    expect(made).toEqual({
      object: 'translation-settings',
      id: ID,
      title: 'All',
      createdAt: ISO,
      updatedAt: ISO,
      languages: ['en'],
      permissions: { view: true, edit: true },
      urls: { location },
    });
    expect((await app.as(admin).get(`${at}/${made.id}`).expect(200)).body).toEqual(made);

    const put = (sent: object) => app.as(admin).put(`${at}/${made.id}`).send(sent);
    const changed = { ...made, title: 'Two', languages: ['pt', 'en'], updatedAt: ISO };
    expect((await put({ title: 'Two', languages: ['pt', 'en', 'pt'] }).expect(200)).body).toEqual(changed);
    expect((await put({ title: 'Three' }).expect(200)).body).toEqual({ ...changed, title: 'Three' });

    await app.as(admin).delete(`${at}/${made.id}`).expect(205);
    await app.as(admin).get(`${at}/${made.id}`).expect(404);
    await put({ title: 'Four' }).expect(404);
    await app.as(admin).delete(`${at}/${made.id}`).expect(404);
  });

  it('are listed, newest first; titles need not differ', async () => {
    const made = [];
    for (const languages of [['fr'], ['de'], ['sl']]) made.unshift(await make({ title: 'Same', languages }));
    const first = (await app.as(admin).get(at).query({ limit: 2 }).expect(200)).body as { next: { page: string } };
    expect(first).toEqual({ count: 3, items: made.slice(0, 2), next: { page: expect.any(String) as string } });
    const second = await app.as(admin).get(at).query({ limit: 2, page: first.next.page }).expect(200);
    expect(second.body).toEqual({ count: 3, items: made.slice(2) });
  });

  it('are those of their organization alone; readers see that they may not change them', async () => {
    const { id } = await make({ title: 'All' });
    const elsewhere = await app.create.organization({ admin });
    await app.as(admin).get(`/v1/orgs/${elsewhere._id}/translations/${id}`).expect(404);
    const [, , , organization = ''] = at.split('/');
    const reader = await app.create.user({ in: { _id: organization } as never, role: 'read' });
    const { body } = await app.as(reader).get(`${at}/${id}`).expect(200);
    expect(body).toMatchObject({ permissions: { view: true, edit: false } });
  });

  it.each([
    ['no title', {}, 'title must be a string'],
    ['an empty title', { title: '' }, 'title must be 1 to 100 characters long'],
    ['a long title', { title: 'ä'.repeat(101) }, 'title must be 1 to 100 characters long'],
    ['null for languages', { title: 'a', languages: null }, 'languages must be a list'],
    ['no languages', { title: 'a', languages: [] }, 'languages must be a list'],
    ['an unknown language', { title: 'a', languages: ['en', 'pt-br'] }, 'languages must be a list'],
    ['languages of another type', { title: 'a', languages: 'en' }, 'languages must be a list'],
    ['a name that objects have', { title: 'a', languages: ['constructor'] }, 'languages must be a list'],
  ])('refuse %s, and nothing changes', async (_what, body, message) => {
    const made = await make({ title: 'All' });
    const error = { error: { code: 400, message: expect.stringContaining(message) as string } };
    expect((await app.as(admin).post(at).send(body).expect(400)).body).toEqual(error);
    expect((await app.as(admin).put(`${at}/${made.id}`).send(body).expect(400)).body).toEqual(error);
    expect((await app.as(admin).get(at).expect(200)).body).toEqual({ count: 1, items: [made] });
  });
});
