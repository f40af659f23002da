import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

interface LinkBody {
  id: string;
  name: string;
  active: boolean;
  urls: { published: string };
}
interface List<T> {
  items: T[];
  count: number;
  next?: { page: string };
}

describe('share links', () => {
  let app: TestApp;
  let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  let admin: TestUser;
  let stranger: TestUser;
  let site: string;

  beforeAll(async () => {
    app = await startApp();
    stranger = await app.create.user();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
    const made = await app.create.site({ organization, title: 'Docs', visibility: 'share-link', published: true });
    site = made._id;
  });

  const at = (below = '', id = site) => `/v1/orgs/${organization._id}/sites/${id}${below}`;
  const base = () => `http://docs.test/published/${organization.hostname}/docs`;
  const make = async (name = 'Friends', id = site): Promise<LinkBody> =>
    (await app.as(admin).post(at('/share-links', id)).send({ name }).expect(201)).body as LinkBody;
  const change = (link: LinkBody, body: object) =>
    app
      .as(admin)
      .patch(at(`/share-links/${link.id}`))
      .send(body);
  const keyOf = ({ urls: { published } }: LinkBody): string => published.slice(published.lastIndexOf('/') + 1);
  /** What a stranger gets who sends `shareKey`. */
  const visit = async (shareKey?: string, below = '/site-spaces', user = stranger): Promise<number> =>
    (
      await app
        .as(user)
        .get(at(below))
        .query(shareKey === undefined ? {} : { shareKey })
    ).status;

  it('are made with a key of their own, which managers see again', async () => {
    const made = await app.as(admin).post(at('/share-links')).send({ name: '' }).expect(201);
    const link = made.body as LinkBody;
    expect(link).toEqual({
      object: 'share-link',
      id: ID,
      createdAt: ISO,
      name: '',
      active: true,
      urls: { published: expect.stringMatching(/\/docs\/[A-Za-z0-9]{32}$/) as string },
    });
    expect(link.urls.published).toBe(`${base()}/${keyOf(link)}`);
    expect(made.headers.location).toBe(`http://docs.test${at(`/share-links/${link.id}`)}`);
    const other = await make('');
    expect(keyOf(other)).not.toBe(keyOf(link));
    const { body } = await app.as(admin).get(at('/share-links')).expect(200);
    expect(body).toEqual({ count: 2, items: [other, link] });
    // nothing that is stored lets somebody in
    const records = await app.connection.collection('site_share_links').find({ site }).toArray();
    expect(JSON.stringify(records)).not.toContain(keyOf(link));
    await app.as(admin).patch(at()).send({ proxy: 'example.com/shared' }).expect(200);
    expect((await change(link, {}).expect(200)).body).toMatchObject({
      urls: { published: `https://example.com/shared/${keyOf(link)}` },
    });
  });

  it('are renamed, switched off and on, and deleted', async () => {
    const link = await make();
    expect((await change(link, { name: 'Others', active: false }).expect(200)).body).toEqual({
      ...link,
      name: 'Others',
      active: false,
    });
    expect((await change(link, {}).expect(200)).body).toMatchObject({ name: 'Others', active: false });
    expect((await change(link, { active: true, name: 'Friends' }).expect(200)).body).toEqual(link);
    for (const body of [{ name: null }, { name: 'x'.repeat(51) }, { active: 'no' }, { active: null }])
      await change(link, body).expect(400);
    for (const body of [{}, { name: 5 }, { name: 'x'.repeat(51) }])
      await app.as(admin).post(at('/share-links')).send(body).expect(400);
    const other = await app.create.site({ organization });
    const elsewhere = at(`/share-links/${link.id}`, other._id);
    const missing = refusal(404, 'Share link not found');
    await app.as(admin).patch(elsewhere).send({}).expect(404, missing);
    await app.as(admin).delete(elsewhere).expect(404, missing);
    await app
      .as(admin)
      .delete(at(`/share-links/${NOWHERE}`))
      .expect(404, missing);
    await app
      .as(admin)
      .delete(at(`/share-links/${link.id}`))
      .expect(205);
    await change(link, {}).expect(404, missing);
    await app.as(admin).get(at('/share-links')).expect(200, { count: 0, items: [] });
  });

  it('are listed newest first, in pages, to managers alone', async () => {
    for (const name of ['One', 'Two', 'Three']) await make(name);
    const list = async (query: object): Promise<List<LinkBody>> =>
      (await app.as(admin).get(at('/share-links')).query(query).expect(200)).body as List<LinkBody>;
    const first = await list({ limit: 2 });
    expect(first.items.map(({ name }) => name)).toEqual(['Three', 'Two']);
    const second = await list({ limit: 2, page: first.next?.page });
    expect([second.items.map(({ name }) => name), second.next]).toEqual([['One'], undefined]);
    const reviewer = await app.create.user({ in: organization, role: 'review' });
    await app.as(reviewer).get(at('/share-links')).expect(403);
    await app.as(reviewer).post(at('/share-links')).send({}).expect(403);
    await app.as(stranger).get(at('/share-links')).expect(404);
    await app
      .as(stranger)
      .get(at('/share-links'))
      .query({ shareKey: keyOf(await make()) })
      .expect(404);
    await app.anonymous().get(at('/share-links')).expect(401);
  });

  it('admit whoever has the key, as long as they are active, the site published and shared by links', async () => {
    const link = await make();
    const key = keyOf(link);
    expect(await visit()).toBe(404);
    for (const wrong of ['', 'x', key.slice(1), `${key}x`, key.toLowerCase(), link.id, 'x'.repeat(2000)])
      expect([wrong, await visit(wrong)]).toEqual([wrong, 404]);
    for (const below of ['/site-spaces', '/sections', '/structure']) expect(await visit(key, below)).toBe(200);
    // what is not published is not theirs
    for (const below of ['', '/section-groups', '/share-links']) expect(await visit(key, below)).toBe(404);
    await change(link, { active: false }).expect(200);
    expect(await visit(key)).toBe(404);
    await change(link, { active: true }).expect(200);
    expect(await visit(key)).toBe(200);
    const other = await app.create.site({ organization, visibility: 'share-link', published: true });
    expect((await app.as(stranger).get(at('/structure', other._id)).query({ shareKey: key })).status).toBe(404);
    await app.as(admin).post(at('/unpublish')).expect(200);
    expect(await visit(key)).toBe(404);
    await app.as(admin).post(at('/publish')).expect(200);
    await app.as(admin).patch(at()).send({ visibility: 'visitor-auth' }).expect(200);
    expect(await visit(key)).toBe(404);
    await app.as(admin).patch(at()).send({ visibility: 'share-link' }).expect(200);
    await app
      .as(admin)
      .delete(at(`/share-links/${link.id}`))
      .expect(205);
    expect(await visit(key)).toBe(404);
  });

  it('stand in the addresses of what is read with them, right after the site', async () => {
    const link = await make();
    const spaceId = (await app.create.space({ organization, title: 'API' }))._id;
    await app.as(admin).post(at('/sections')).send({ spaceId }).expect(201);
    const urls = async (user: TestUser, shareKey?: string): Promise<(string | undefined)[]> => {
      const { body } = await app.as(user).get(at('/sections')).query({ shareKey }).expect(200);
      const { items } = body as List<{ urls: { published?: string }; siteSpaces: { urls: { published?: string } }[] }>;
      return items.flatMap((one) => [
        one.urls.published,
        ...one.siteSpaces.map((siteSpace) => siteSpace.urls.published),
      ]);
    };
    const keyed = `${base()}/${keyOf(link)}`;
    expect(await urls(stranger, keyOf(link))).toEqual([keyed, keyed, `${keyed}/api`, `${keyed}/api`]);
    expect(await urls(admin, keyOf(link))).toEqual([keyed, keyed, `${keyed}/api`, `${keyed}/api`]);
    expect(await urls(admin)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await urls(admin, 'wrong')).toEqual([undefined, undefined, undefined, undefined]);
    expect((await app.as(admin).get(at()).expect(200)).body).toMatchObject({ urls: { published: base() } });
  });

  it('are one of four ways to be read by strangers', async () => {
    const key = keyOf(await make());
    const reader = await app.create.user({ in: organization, role: 'read' });
    const guest = await app.create.user({ in: organization, role: null });
    const table: [visibility: string, published: boolean, withoutKey: number, withKey: number][] = [
      ['public', true, 200, 200],
      ['unlisted', true, 200, 200],
      ['share-link', true, 404, 200],
      ['visitor-auth', true, 404, 404],
      ['public', false, 404, 404],
      ['unlisted', false, 404, 404],
      ['share-link', false, 404, 404],
      ['visitor-auth', false, 404, 404],
    ];
    for (const [visibility, published, withoutKey, withKey] of table) {
      await app.as(admin).patch(at()).send({ visibility }).expect(200);
      await app
        .as(admin)
        .post(at(published ? '/publish' : '/unpublish'))
        .expect(200);
      for (const user of [stranger, guest]) {
        const found = [await visit(undefined, '/structure', user), await visit(key, '/structure', user)];
        expect([visibility, published, ...found]).toEqual([visibility, published, withoutKey, withKey]);
      }
      // members see it whatever it is
      expect(await visit(undefined, '/structure', reader)).toBe(200);
      // and nobody else changes anything
      await app.as(stranger).patch(at()).send({ title: 'Mine' }).expect(404);
      await app.as(guest).patch(at()).send({ title: 'Mine' }).expect(404);
      await app.anonymous().get(at('/structure')).expect(401);
    }
  });
});
