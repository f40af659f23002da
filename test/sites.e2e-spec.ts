import { Invariants } from '../src/database/index.js';
import { SpacePurge } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_SITE = refusal(404, 'Site not found');
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const DAY = 24 * 60 * 60_000;

interface SiteBody {
  id: string;
  title: string;
  basename: string;
  published: boolean;
  visibility: string;
  siteSpaces: number;
  features: { id: string; plan: string; frozen: boolean }[];
  urls: { location: string; published?: string };
}
interface List {
  items: SiteBody[];
  count: number;
  next?: { page: string };
}

describe('sites', () => {
  let app: TestApp;
  let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  let admin: TestUser;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
  });

  const root = () => `/v1/orgs/${organization._id}/sites`;
  const at = (site: string, below = '') => `${root()}/${site}${below}`;
  const make = async (body?: object, user = admin): Promise<SiteBody> => {
    const sent = app.as(user).post(root());
    return (await (body ? sent.send(body) : sent).expect(201)).body as SiteBody;
  };
  const read = async (site: string, user = admin): Promise<SiteBody> =>
    (await app.as(user).get(at(site)).expect(200)).body as SiteBody;
  const change = (site: string, body: object, user = admin) => app.as(user).patch(at(site)).send(body);
  const list = async (query: object, user = admin): Promise<List> =>
    (await app.as(user).get(root()).query(query).expect(200)).body as List;
  const titles = async (query: object, user = admin): Promise<string[]> =>
    (await list(query, user)).items.map(({ title }) => title);
  /** Titles of the spaces on a site, the default one first marked by a star. */
  const spacesOn = async (site: string): Promise<string[]> => {
    const { body } = await app.as(admin).get(at(site, '/site-spaces')).expect(200);
    const { items } = body as { items: { title: string; default: boolean }[] };
    return items.map(({ title, default: first }) => (first ? `${title}*` : title));
  };
  const publishedUrl = (site: SiteBody) => `http://docs.test/published/${organization.hostname}/${site.basename}`;
  const problems = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const [name, invariant] of app.nest.get(Invariants, { strict: false }).entries())
      if (/site|share link/.test(name))
        for await (const { where, what } of invariant()) found.push(`${where}: ${what}`);
    return found;
  };

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

  describe('when they are changed', () => {
    it('take what is sent, and nothing else', async () => {
      const site = await make({ title: 'Docs' });
      const changed = await change(site.id, {
        title: 'Manual',
        visibility: 'share-link',
        basename: 'manual-2',
        adaptiveContent: { enabled: true },
        type: 'ultimate',
        published: true,
      }).expect(200);
      expect(changed.body).toEqual({
        ...site,
        title: 'Manual',
        visibility: 'share-link',
        basename: 'manual-2',
        adaptiveContent: { enabled: true },
        features: [
          { id: 'sites-share-links', plan: 'basic', frozen: false },
          { id: 'sites-adaptive-content', plan: 'basic', frozen: false },
        ],
      });
      expect(await read(site.id)).toEqual(changed.body);
      expect(await titles({ title: 'manual' })).toEqual(['Manual']);
      expect((await change(site.id, {}).expect(200)).body).toEqual(changed.body);
    });

    it('refuse what does not fit', async () => {
      const site = await make();
      const bad = [
        ...[{ title: 'a' }, { title: null }, { visibility: null }, { visibility: 'secret' }],
        ...[{ basename: '' }, { basename: 'A' }, { basename: 'a--b' }, { basename: '-a' }, { basename: 'a/b' }],
        ...[{ basename: 'a'.repeat(101) }, { basename: null }, { adaptiveContent: {} }, { adaptiveContent: null }],
        ...[{ adaptiveContent: { enabled: 'true' } }, { adaptiveContent: true }, { defaultSiteSpace: null }],
        ...[{ defaultSiteSection: null }, { proxy: '' }, { proxy: 'example.com' }, { proxy: 'https://example.com/a' }],
        ...[{ proxy: 'example.com/a/' }, { proxy: `example.com/${'a'.repeat(512)}` }, { proxy: {} }],
        ...[{ defaultSiteSpace: NOWHERE }, { defaultSiteSection: NOWHERE }],
      ];
      for (const body of bad) {
        const { status, body: answer } = await change(site.id, body);
        expect([body, status]).toEqual([body, 400]);
        expect((answer as { error: { message: string } }).error.message).toContain(Object.keys(body)[0]);
      }
      await app.as(admin).patch(at(site.id)).expect(400);
      expect(await read(site.id)).toEqual(site);
      await change(NOWHERE, { title: 'Docs' }).expect(404, NO_SITE);
      const other = await app.create.organization();
      await app.as(other.admin).patch(`/v1/orgs/${other._id}/sites/${site.id}`).send({}).expect(404, NO_SITE);
    });

    it('have a basename of their own in the organization', async () => {
      const [one, two] = [await make({ title: 'One' }), await make({ title: 'Two' })];
      const { body } = await change(two.id, { basename: 'one', title: 'Three' }).expect(409);
      expect(body).toEqual(refusal(409, 'basename is taken: another site of the organization is at "one"'));
      expect(await read(two.id)).toEqual(two);
      await change(one.id, { basename: 'one' }).expect(200);
      const taken = await Promise.all(
        ['x', 'y'].map((_, index) => change(index ? one.id : two.id, { basename: 'same' })),
      );
      expect(taken.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('are shown under another server, one for each place there', async () => {
      const site = await make({ title: 'Docs', spaces: 'empty' });
      const { body } = await change(site.id, { proxy: 'Example.com/docs' }).expect(200);
      expect(body).toMatchObject({
        proxy: { origin: 'Example.com/docs', target: publishedUrl(site) },
        features: expect.arrayContaining([
          { id: 'sites-custom-subdirectory', plan: 'basic', frozen: false },
        ]) as unknown,
      });
      expect((body as SiteBody).urls).not.toHaveProperty('published');
      const { body: published } = await app.as(admin).post(at(site.id, '/publish')).expect(200);
      expect((published as SiteBody).urls.published).toBe('https://Example.com/docs');
      const other = await make();
      // hosts are the same whatever their case, paths are not
      await change(other.id, { proxy: 'example.COM/docs' }).expect(409);
      await change(other.id, { proxy: 'example.com/Docs' }).expect(200);
      expect((await change(site.id, { proxy: null }).expect(200)).body).toEqual({
        ...site,
        published: true,
        urls: { ...site.urls, published: publishedUrl(site) },
      });
      await change(other.id, { proxy: 'example.com/docs' }).expect(200);
    });
  });

  describe('when they are published', () => {
    it('need a space, and can be unpublished, both as often as one likes', async () => {
      const site = await make({ title: 'Docs' });
      const publish = (how: string, user = admin) => app.as(user).post(at(site.id, how));
      const refused = await publish('/publish').expect(409);
      expect(refused.body).toEqual(refusal(409, 'The site has no space yet: put one on it before you publish it'));
      const space = await app.create.space({ organization });
      await app.as(admin).post(at(site.id, '/site-spaces')).send({ spaceId: space._id }).expect(201);
      const published = {
        ...site,
        siteSpaces: 1,
        published: true,
        urls: { ...site.urls, published: publishedUrl(site) },
      };
      expect((await publish('/publish').expect(200)).body).toEqual(published);
      expect((await publish('/publish').expect(200)).body).toEqual(published);
      const { published: _, ...urls } = published.urls;
      expect((await publish('/unpublish').expect(200)).body).toEqual({ ...published, published: false, urls });
      expect((await publish('/unpublish').expect(200)).body).toMatchObject({ published: false });
      const { body: done } = await app
        .as(admin)
        .get(`/v1/orgs/${organization._id}/audit-events`)
        .query({ resource: site.id })
        .expect(200);
      const actions = (done as { items: { action: string }[] }).items.map(({ action }) => action);
      expect(actions).toEqual(['site.unpublish', 'site.publish', 'site.create']);
      await publish('/publish', await app.create.user({ in: organization, role: 'review' })).expect(403);
      await publish('/publish', await app.create.user()).expect(404);
    });
  });

  describe('and what hangs together with them', () => {
    it('go for good, and leave the spaces', async () => {
      const space = await app.create.space({ organization });
      const site = await make({ spaces: [space._id] });
      await app.as(admin).post(at(site.id, '/share-links')).send({ name: 'Friends' }).expect(201);
      const org = `/v1/orgs/${organization._id}`;
      const content = { defaultContent: { type: 'site', site: site.id } };
      expect((await app.as(admin).patch(org).send(content).expect(200)).body).toMatchObject(content);
      await app.as(admin).delete(at(site.id)).expect(205);
      await app.as(admin).get(at(site.id)).expect(404, NO_SITE);
      await app.as(admin).delete(at(site.id)).expect(404, NO_SITE);
      await app.as(admin).get(`/v1/spaces/${space._id}`).expect(200);
      expect((await app.as(admin).get(org).expect(200)).body).not.toHaveProperty('defaultContent');
      expect(await app.connection.collection('site_share_links').countDocuments({ site: site.id })).toBe(0);
    });

    it('are what an organization shows first, if they are its own', async () => {
      const org = `/v1/orgs/${organization._id}`;
      const site = await make();
      const other = await app.create.organization();
      const foreign = await app.create.site({ organization: other });
      const show = (id: unknown) =>
        app
          .as(admin)
          .patch(org)
          .send({ title: 'Changed', defaultContent: { type: 'site', site: id } });
      for (const id of [foreign._id, NOWHERE, '$ne', 5]) await show(id).expect(400);
      expect((await app.as(admin).get(org).expect(200)).body).toMatchObject({ title: 'Acme' });
      await show(site.id).expect(200);
      const cleared = await app.as(admin).patch(org).send({ defaultContent: null }).expect(200);
      expect(cleared.body).not.toHaveProperty('defaultContent');
    });

    it('leave out spaces in the trash until they come back, and lose them when they are purged', async () => {
      const guide = await app.create.space({ organization, title: 'Guide' });
      const api = await app.create.space({ organization, title: 'API' });
      const site = await make({ spaces: [guide._id, api._id] });
      await app.as(admin).delete(`/v1/spaces/${guide._id}`).expect(205);
      expect(await read(site.id)).toMatchObject({ siteSpaces: 1 });
      expect(await spacesOn(site.id)).toEqual(['API*']);
      expect(await titles({ space: guide._id })).toEqual([]);
      expect(await problems()).toEqual([]);
      await app.as(admin).post(`/v1/spaces/${guide._id}/restore`).expect(200);
      expect(await spacesOn(site.id)).toEqual(['Guide*', 'API']);
      for (const { _id } of [guide, api]) await app.as(admin).delete(`/v1/spaces/${_id}`).expect(205);
      await app.as(admin).post(at(site.id, '/publish')).expect(409);
      await app.nest.get(SpacePurge, { strict: false }).run(undefined, new Date(Date.now() + 8 * DAY));
      const record = await app.connection.collection<{ _id: string }>('sites').findOne({ _id: site.id });
      expect(record).toMatchObject({ spaces: [], trashed: [], structure: { siteSpaces: [], defaultSiteSpace: null } });
      expect(await problems()).toEqual([]);
    });

    it('hold back the transfer of their spaces', async () => {
      const space = await app.create.space({ organization });
      const site = await make({ spaces: [space._id] });
      const other = await app.create.organization({ admin });
      const transfer = () => app.as(admin).post(`/v1/spaces/${space._id}/transfer`).send({ organization: other._id });
      const { body } = await transfer().expect(412);
      expect(body).toEqual(refusal(412, 'The space is on a site: take it off the site before you give it away'));
      await app.as(admin).delete(at(site.id)).expect(205);
      await transfer().expect(200);
    });

    it('are mended where they do not agree with the spaces', async () => {
      const [gone, trashed, stays] = await Promise.all([1, 2, 3].map(() => app.create.space({ organization })));
      const site = await make({ spaces: [gone?._id, trashed?._id, stays?._id] });
      await app.connection.collection<{ _id: string }>('spaces').deleteOne({ _id: gone?._id });
      const inTrash = { $set: { deletedAt: new Date() } };
      await app.connection.collection<{ _id: string }>('spaces').updateOne({ _id: trashed?._id }, inTrash);
      await app.connection.collection<{ _id: string }>('site_share_links').insertOne({
        ...{ _id: 'orphan', site: NOWHERE, name: '', active: true, sealedKey: '', keyHash: '' },
      });
      const entries = app.nest.get(Invariants, { strict: false }).entries();
      for (const [name, invariant] of entries.filter(([one]) => /site|share link/.test(one)))
        for await (const { where, repair } of invariant()) {
          expect([name, where]).toEqual([name, expect.stringMatching(new RegExp(`site ${site.id}|share link orphan`))]);
          await repair?.();
        }
      expect(await problems()).toEqual([]);
      expect(await read(site.id)).toMatchObject({ siteSpaces: 1 });
    });
  });
});
