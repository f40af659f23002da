import type { TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import { givenSites, type SiteBody } from './support/site-records.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_SITE = refusal(404, 'Site not found');
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

describe('sites', () => {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  const { root, at, make, read, change, list, titles, spacesOn } = givenSites((given) => {
    ({ app, organization, admin } = given);
  });

  describe('when they are made', () => {
    it('are empty, public and not published unless told otherwise', async () => {
      const made = await app.as(admin).post(root()).expect(201);
      const site = made.body as SiteBody;
      expect(site).toEqual({
        object: 'site',
        id: ID,
        type: 'basic',
        title: 'Untitled site',
        icon: null,
        basename: 'untitled-site',
        visibility: 'public',
        published: false,
        siteSpaces: 0,
        createdAt: ISO,
        adaptiveContent: { enabled: false },
        features: [{ id: 'sites-public-visibility', plan: 'basic', frozen: false }],
        urls: {
          location: `http://docs.test${at(site.id)}`,
          app: `http://docs.test/o/${organization._id}/sites/${site.id}`,
        },
      });
      expect(made.headers.location).toBe(site.urls.location);
      expect(await read(site.id)).toEqual(site);
      expect(await make()).toMatchObject({ basename: 'untitled-site-2' });
    });

    it('take spaces in their order, the first as the default, and are called after it', async () => {
      const guide = await app.create.space({ organization, title: 'Guide' });
      const api = await app.create.space({ organization, title: 'API' });
      const site = await make({ spaces: [guide._id, api._id], type: 'sponsored', visibility: 'unlisted' });
      expect(site).toMatchObject({
        title: 'Guide',
        basename: 'guide',
        type: 'sponsored',
        visibility: 'unlisted',
        siteSpaces: 2,
        ads: { status: 'pending', submittable: false },
        features: [
          { id: 'sites-multivariant-site', plan: 'sponsored', frozen: false },
          { id: 'sites-unlisted-visibility', plan: 'sponsored', frozen: false },
        ],
      });
      expect(await spacesOn(site.id)).toEqual(['Guide*', 'API']);
      const short = await app.create.space({ organization, title: 'Q' });
      expect(await make({ spaces: [short._id] })).toMatchObject({ title: 'Site Q', basename: 'site-q' });
    });

    it('come with a new space on request, with pages or without', async () => {
      const title = 'A title that is longer than the fifty characters that a space may have';
      const site = await make({ spaces: 'sample', title });
      expect(await spacesOn(site.id)).toEqual([`${title.slice(0, 50)}*`]);
      const pagesOf = async (id: string): Promise<string[]> => {
        const { body } = await app.as(admin).get(at(id, '/site-spaces')).expect(200);
        const { items } = body as { items: { space: { id: string } }[] };
        const pages = await app
          .as(admin)
          .get(`/v1/spaces/${items[0]?.space.id ?? ''}/content/pages`)
          .expect(200);
        return (pages.body as { pages: { title: string }[] }).pages.map((page) => page.title);
      };
      expect(await pagesOf(site.id)).toEqual(['Welcome', 'Quickstart', 'Writing pages']);
      expect(await pagesOf((await make({ spaces: 'empty' })).id)).toEqual([]);
    });

    it('take only spaces that the caller may put on a site', async () => {
      const space = await app.create.space({ organization });
      const hidden = await app.create.space({ organization, defaultLevel: null });
      const strange = await app.create.space();
      const creator = await app.create.user({ in: organization, role: 'create' });
      const low = await app.create.space({ organization, defaultLevel: 'edit' });
      const post = (spaces: unknown, user = creator) => app.as(user).post(root()).send({ spaces });
      for (const one of [hidden._id, strange._id, NOWHERE, '$where', '']) {
        const { body } = await post([space._id, one]).expect(400);
        expect(body).toEqual(
          refusal(400, 'spaces must name spaces of this organization that you can see, not in the trash'),
        );
      }
      await post([low._id]).expect(403);
      await post([space._id, space._id]).expect(409);
      await app.as(admin).delete(`/v1/spaces/${space._id}`).expect(205);
      await post([space._id]).expect(400);
      await post([1]).expect(400);
      await post('all').expect(400);
      await post(Array(501).fill(low._id)).expect(400);
      expect(await titles({})).toEqual([]);
    });

    it('refuse what does not fit, from whoever may not', async () => {
      const post = (body: unknown) =>
        app
          .as(admin)
          .post(root())
          .send(body as object);
      for (const body of [
        { title: 'a' },
        { title: 'x'.repeat(129) },
        { title: null },
        { type: 'gold' },
        { visibility: 'none' },
      ])
        await post(body).expect(400);
      expect((await post({ title: '𝒳'.repeat(128) }).expect(201)).body).toMatchObject({ title: '𝒳'.repeat(128) });
      const reviewer = await app.create.user({ in: organization, role: 'review' });
      await app.as(reviewer).post(root()).send({ title: 5 }).expect(403);
      await app
        .as(await app.create.user())
        .post(root())
        .expect(404);
      await app.anonymous().post(root()).expect(401);
      expect(await make({}, await app.create.user({ in: organization, role: 'create' }))).toMatchObject({
        siteSpaces: 0,
      });
    });

    it('get different basenames however many are called the same, at one moment too', async () => {
      const made = await Promise.all(Array.from({ length: 12 }, () => make({ title: 'Docs' })));
      const names = made.map(({ basename }) => basename);
      expect(new Set(names).size).toBe(12);
      for (const name of names) expect(name).toMatch(/^docs(-[a-z0-9]+)?$/);
      const other = await app.create.organization();
      const { body } = await app
        .as(other.admin)
        .post(`/v1/orgs/${other._id}/sites`)
        .send({ title: 'Docs' })
        .expect(201);
      expect(body).toMatchObject({ basename: 'docs' });
    });
  });

  describe('in lists', () => {
    it('stand newest first, in pages', async () => {
      for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await make({ title });
      const first = await list({ limit: 2 });
      expect([first.count, first.items.map(({ title }) => title)]).toEqual([5, ['Five', 'Four']]);
      await make({ title: 'Six' });
      const second = await list({ limit: 2, page: first.next?.page });
      const third = await list({ limit: 2, page: second.next?.page });
      expect([...second.items, ...third.items].map(({ title }) => title)).toEqual(['Three', 'Two', 'One']);
      expect(third).not.toHaveProperty('next');
      expect(await list({ limit: 0 })).toEqual({ count: 6, items: [] });
      await app.as(admin).get(root()).query({ page: first.next?.page, title: 'e' }).expect(400);
      await app.as(admin).get(root()).query({ limit: 1001 }).expect(400);
    });

    it('are found by space, part of the title and publication, all at once', async () => {
      const space = await app.create.space({ organization });
      const other = await app.create.space({ organization });
      const [first] = [await make({ title: 'Straße (1.0)', spaces: [space._id] })];
      await make({ title: 'Strasse [b]', spaces: [other._id, space._id] });
      await make({ title: 'Weg' });
      await app.as(admin).post(at(first.id, '/publish')).expect(200);
      expect(await titles({ space: space._id })).toEqual(['Strasse [b]', 'Straße (1.0)']);
      expect(await titles({ space: other._id })).toEqual(['Strasse [b]']);
      expect(await titles({ space: NOWHERE })).toEqual([]);
      expect(await titles({ title: 'STRASSE' })).toEqual(['Strasse [b]', 'Straße (1.0)']);
      expect(await titles({ title: '(1.' })).toEqual(['Straße (1.0)']);
      for (const title of ['.*', '^', '[a-z]', '(a+)+$', '$where']) expect(await titles({ title })).toEqual([]);
      expect(await titles({ published: true })).toEqual(['Straße (1.0)']);
      expect(await titles({ published: false })).toEqual(['Weg', 'Strasse [b]']);
      expect(await titles({ published: false, space: space._id, title: 'b' })).toEqual(['Strasse [b]']);
      await app.as(admin).get(root()).query({ published: 'maybe' }).expect(400);
      await app
        .as(admin)
        .get(root())
        .query({ title: 'x'.repeat(129) })
        .expect(400);
      await app.as(admin).get(`${root()}?title=a&title=b`).expect(400);
    });

    it('are those that the caller can see', async () => {
      const space = await app.create.space({ organization });
      const open = await make({ title: 'Open', spaces: [space._id] });
      const closed = await make({ title: 'Closed' });
      const reader = await app.create.user({ in: organization, role: 'read' });
      const guest = await app.create.user({ in: organization, role: null });
      expect(await titles({}, reader)).toEqual(['Closed', 'Open']);
      expect(await titles({}, guest)).toEqual([]);
      await app.as(guest).get(at(open.id)).expect(404, NO_SITE);
      const entry = { users: [guest._id], role: 'read' };
      await app.as(admin).post(`/v1/spaces/${space._id}/permissions`).send(entry).expect(204);
      expect(await titles({}, guest)).toEqual(['Open']);
      expect(await titles({ title: 'clos' }, guest)).toEqual([]);
      expect(await read(open.id, guest)).toEqual(open);
      await app.as(guest).get(at(closed.id)).expect(404, NO_SITE);
      await change(open.id, { title: 'Mine' }, guest).expect(403);
      await change(open.id, { title: 'Mine' }, reader).expect(403);
      const stranger = await app.create.user();
      await app.as(stranger).get(root()).expect(404);
      await app.as(stranger).get(at(open.id)).expect(404, refusal(404, 'Organization not found'));
      await app.anonymous().get(at(open.id)).expect(401);
    });

    it('take the same number of queries however many there are', async () => {
      await make({ title: 'One' });
      const few = await app.commandsOf(() => titles({}));
      for (let count = 0; count < 5; count += 1) await make({ title: 'More', spaces: 'empty' });
      expect((await app.commandsOf(() => titles({}))).length).toBe(few.length);
    });
  });
});
