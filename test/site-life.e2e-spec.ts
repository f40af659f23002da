import { Invariants } from '../src/database/index.js';
import { SpacePurge } from '../src/spaces/index.js';
import type { TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import { givenSites, type SiteBody } from './support/site-records.js';

const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const NO_SITE = refusal(404, 'Site not found');
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const DAY = 24 * 60 * 60_000;

describe('sites', () => {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  const { at, make, read, change, titles, spacesOn, publishedUrl, problems } = givenSites((given) => {
    ({ app, organization, admin } = given);
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
    it('are told of to webhooks when they are published, and only then', async () => {
      const root = `/v1/orgs/${organization._id}/webhooks`;
      const sent = { url: 'https://example.org/hook', events: ['site.published'] };
      const { id } = (await app.as(admin).post(root).send(sent).expect(201)).body as { id: string };
      const site = await make({ spaces: 'empty' });
      for (const action of ['publish', 'publish', 'unpublish']) {
        await app
          .as(admin)
          .post(at(site.id, `/${action}`))
          .expect(200);
      }
      const { body } = await app.as(admin).get(`${root}/${id}/deliveries`).expect(200);
      expect((body as { items: unknown[] }).items).toEqual([
        expect.objectContaining({ event: 'site.published', resource: { object: 'site', id: site.id } }),
      ]);
      await app.as(admin).delete(`${root}/${id}`).expect(205);
    });

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
