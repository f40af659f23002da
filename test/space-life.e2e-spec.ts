import { CollectionsService, type Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { ID, inserting, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { type SpaceAnswer, SpaceLives } from './support/space-lives.js';
import { until } from './support/until.js';

const GONE = { error: { code: 404, message: 'Space not found' } };
const DAY = 24 * 60 * 60_000;

describe('the life of a space', () => {
  let app: TestApp;
  let collections: CollectionsService;
  let spaces: SpaceLives;

  beforeAll(async () => {
    app = await startApp();
    collections = app.nest.get(CollectionsService, { strict: false });
    spaces = new SpaceLives(app);
  });
  afterAll(() => app.close());

  it.each([
    ['delete', ''],
    ['post', '/restore'],
    ['post', '/duplicate'],
    ['post', '/move'],
    ['post', '/transfer'],
  ] as const)('%s %s needs a token, and is not there for strangers', async (method, below) => {
    const { space, path } = await spaces.shared();
    const body = { organization: space.organization };
    await app
      .anonymous()
      [method](path + below)
      .send(body)
      .expect(401);
    const stranger = await app.create.user();
    expect(
      (
        await app
          .as(stranger)
          [method](path + below)
          .send(body)
          .expect(404)
      ).body,
    ).toEqual(GONE);
    await app.as(stranger)[method](`/v1/spaces/nowhere${below}`).send(body).expect(404);
  });

  it.each([
    ['delete', ''],
    ['post', '/restore'],
    ['post', '/move'],
    ['post', '/transfer'],
  ] as const)('%s %s needs administration of the space', async (method, below) => {
    const { space, users, path } = await spaces.shared('create');
    const body = { organization: space.organization };
    await app
      .as(users.create)
      [method](path + below)
      .send(body)
      .expect(403);
  });

  describe('in the trash', () => {
    it('is seen and restored by its administrators, and is nowhere else', async () => {
      const { organization, space, users, path } = await spaces.shared('create');
      const { admin } = organization;
      await app
        .as(admin)
        .post(`${path}/content`)
        .send({ changes: [inserting('Findable', { document: { markdown: 'Some words' } })] })
        .expect(200);
      const before = await spaces.read(admin, space._id);
      const { headers, text } = await app.as(admin).delete(path).expect(205);
      expect([headers['content-length'], text]).toEqual(['0', '']);
      expect(await spaces.read(admin, space._id)).toEqual({
        ...before,
        updatedAt: ISO,
        deletedAt: ISO,
        permissions: { ...none(before.permissions), view: true, access: true, admin: true },
      });
      expect((await app.as(users.create).get(path).expect(404)).body).toEqual(GONE);
      expect((await app.as(admin).get(`/v1/orgs/${organization._id}/spaces`)).body).toMatchObject({ count: 0 });
      const found = await app.as(admin).get(`/v1/orgs/${organization._id}/search`).query({ query: 'words' });
      expect(found.body).toMatchObject({ count: 0 });
      for (const below of ['content', 'content/pages', 'search?query=words']) {
        expect((await app.as(admin).get(`${path}/${below}`).expect(404)).body).toEqual(GONE);
      }
      for (const below of ['duplicate', 'move', 'transfer', 'content']) {
        const body = { organization: 'o', changes: [inserting('No', { document: { markdown: 'No' } })] };
        expect((await app.as(admin).post(`${path}/${below}`).send(body).expect(404)).body).toEqual(GONE);
      }
      await app.as(admin).patch(path).send({ title: 'No' }).expect(404);
      expect((await app.as(admin).delete(path).expect(404)).body).toEqual(GONE);
      const restored = await app.as(admin).post(`${path}/restore`).expect(200);
      expect(restored.body).toEqual({ ...before, updatedAt: ISO });
      expect((await app.as(admin).get(`${path}/search`).query({ query: 'words' })).body).toMatchObject({ count: 1 });
      await app.as(admin).post(`${path}/restore`).expect(409);
    });

    it('has 7 days', async () => {
      const { space, organization, path } = await spaces.shared();
      await spaces.set(space, { deletedAt: new Date(Date.now() - 7 * DAY + 60_000) });
      await spaces.read(organization.admin, space._id);
      await app.as(organization.admin).post(`${path}/restore`).expect(200);
      await spaces.set(space, { deletedAt: new Date(Date.now() - 7 * DAY - 1) });
      await app.as(organization.admin).get(path).expect(404);
      expect((await app.as(organization.admin).post(`${path}/restore`).expect(404)).body).toEqual(GONE);
    });

    it('returns to its collection, or to the root when that is gone', async () => {
      const { organization, space, path } = await spaces.shared();
      const { admin } = organization;
      const collection = await collections.create(organization._id, admin._id, { title: 'C' });
      await app.as(admin).post(`${path}/move`).send({ parent: collection._id }).expect(200);
      await app.as(admin).delete(path).expect(205);
      expect((await app.as(admin).post(`${path}/restore`)).body).toMatchObject({ parent: collection._id });
      await app.as(admin).delete(path).expect(205);
      await app.as(admin).delete(`/v1/collections/${collection._id}`).expect(205);
      const { body } = await app.as(admin).post(`${path}/restore`).expect(200);
      expect(body).not.toHaveProperty('parent');
      expect((await spaces.read(admin, space._id)).parent).toBeUndefined();
    });
  });

  describe('duplicate', () => {
    it('copies what the space holds, and nothing else', async () => {
      const { organization, space, path } = await spaces.shared();
      const { admin } = organization;
      await app
        .as(admin)
        .patch(path)
        .send({ title: 'x'.repeat(50), emoji: '🚀', editMode: 'live', defaultLevel: 'edit' });
      await app
        .as(admin)
        .post(`${path}/content`)
        .send({ changes: [inserting('One', { document: { markdown: 'Unmistakable' } })] })
        .expect(200);
      const before = await spaces.read(admin, space._id);
      const { body, headers } = await app.as(admin).post(`${path}/duplicate`).expect(201);
      const copy = body as SpaceAnswer;
      expect(headers.location).toBe(copy.urls.location);
      expect(copy).toEqual({
        ...before,
        id: ID,
        title: `Copy of ${'x'.repeat(42)}`,
        revision: ID,
        createdAt: ISO,
        updatedAt: ISO,
        urls: { location: `http://docs.test/v1/spaces/${copy.id}`, app: `http://docs.test/s/${copy.id}` },
      });
      expect(copy.revision).not.toBe(before.revision);
      const pages = async (id: string) => {
        const { body: found } = await app.as(admin).get(`/v1/spaces/${id}/content/pages`).expect(200);
        return (found as { pages: { id: string; title: string }[] }).pages.map(({ id: key, title }) => [key, title]);
      };
      expect(await pages(copy.id)).toEqual(await pages(space._id));
      const { body: content } = await app.as(admin).get(`/v1/spaces/${copy.id}/content`).expect(200);
      expect(content).toMatchObject({ id: copy.revision, type: 'edits', parents: [] });
      const search = () => app.as(admin).get(`/v1/spaces/${copy.id}/search`).query({ query: 'unmistakable' });
      // search follows in the background
      await until('search follows', async () => ((await search().expect(200)).body as { count: number }).count > 0);
      // from here on each goes its own way
      await app
        .as(admin)
        .post(`${path}/content`)
        .send({ changes: [inserting('Two', { document: { markdown: 'More' } })] })
        .expect(200);
      expect(await pages(copy.id)).toHaveLength(1);
      await app
        .as(admin)
        .post(`/v1/spaces/${copy.id}/content`)
        .send({ changes: [inserting('Three', { document: { markdown: 'More' } })] })
        .expect(200);
      expect(await pages(space._id)).toHaveLength(2);
    });

    it('lets whoever made it create in it, where nothing else does', async () => {
      const { organization, space, users, path } = await spaces.shared('create', 'review');
      await app.as(organization.admin).patch(path).send({ defaultLevel: 'read' }).expect(200);
      const { body } = await app.as(users.create).post(`${path}/duplicate`).expect(201);
      expect(body).toMatchObject({ permissions: { merge: true, admin: false } });
      await app.as(users.review).post(`${path}/duplicate`).expect(403);
      await spaces.set(space, { defaultLevel: null });
      await app.as(users.create).post(`${path}/duplicate`).expect(404);
    });
  });

  describe('move', () => {
    it('puts it into a collection, which decides about access from then on, and out of it', async () => {
      const { organization, space, users, path } = await spaces.shared('read');
      const { admin } = organization;
      const { _id: parent } = await collections.create(organization._id, admin._id, { title: 'C' });
      await app.as(admin).patch(`/v1/collections/${parent}`).send({ defaultLevel: 'comment' }).expect(200);
      const before = await spaces.read(admin, space._id);
      const { body } = await app.as(admin).post(`${path}/move`).send({ parent }).expect(200);
      expect(body).toEqual({
        ...before,
        parent,
        visibility: 'in-collection',
        defaultLevel: 'comment',
        updatedAt: ISO,
      });
      expect((await spaces.read(users.read, space._id)).permissions.comment).toBe(true);
      expect((await app.as(admin).post(`${path}/move`).send({}).expect(200)).body).toMatchObject({ parent });
      await app.as(admin).patch(`/v1/collections/${parent}`).send({ defaultLevel: null }).expect(200);
      await app.as(users.read).get(path).expect(404);
      const out = await app.as(admin).post(`${path}/move`).send({ parent: null }).expect(200);
      expect(out.body).toEqual({ ...before, updatedAt: ISO });
    });

    it('puts it between others', async () => {
      const organization = await app.create.organization();
      const { admin } = organization;
      const { _id: parent } = await collections.create(organization._id, admin._id, { title: 'C' });
      const spaces: Record<string, string> = {};
      for (const title of ['a', 'b', 'c']) {
        const made = await app
          .as(admin)
          .post(`/v1/orgs/${organization._id}/spaces`)
          .send({ title, parent })
          .expect(201);
        spaces[title] = (made.body as SpaceAnswer).id;
      }
      const { _id: inner } = await collections.create(organization._id, admin._id, { title: 'I', parent });
      const ref = (title: string) => ({ type: 'space', space: spaces[title] });
      const order = async () => {
        const { body } = await app.as(admin).get(`/v1/collections/${parent}/spaces`).expect(200);
        return (body as { items: { title: string }[] }).items.map(({ title }) => title).join('');
      };
      const move = (title: string, position: unknown, status = 200) =>
        app
          .as(admin)
          .post(`/v1/spaces/${spaces[title] ?? ''}/move`)
          .send({ position })
          .expect(status);
      expect(await order()).toBe('abc');
      await move('c', { before: ref('a') });
      expect(await order()).toBe('cab');
      await move('c', { after: ref('a') });
      expect(await order()).toBe('acb');
      await move('a', { after: ref('c'), before: ref('b') });
      expect(await order()).toBe('cab');
      await move('c', {});
      expect(await order()).toBe('abc');
      await move('a', { after: { type: 'collection', collection: inner } });
      expect(await order()).toBe('bac');
      for (const wrong of [
        { before: ref('a') },
        { before: ref('b'), after: ref('c') },
        { after: { type: 'space', space: inner } },
        { after: { type: 'page', page: 'x' } },
        { after: { type: 'space' } },
        { after: { type: 'space', space: { $ne: '' } } },
        { after: null },
        'end',
      ]) {
        await move('a', wrong, 400);
      }
      expect(await order()).toBe('bac');
      await app
        .as(admin)
        .post(`/v1/spaces/${spaces.a ?? ''}/move`)
        .expect(400);
    });

    it('needs a collection of the organization in which the caller may create', async () => {
      const { organization, space, users, path } = await spaces.shared('read');
      await app.connection
        .collection<Space>('spaces')
        .updateOne(
          { _id: space._id },
          { $push: { users: { subject: users.read._id, role: 'admin', createdAt: new Date() } } },
        );
      const foreign = await app.create.organization();
      const elsewhere = await collections.create(foreign._id, foreign.admin._id, {});
      const seen = await collections.create(organization._id, organization.admin._id, {});
      const hidden = await collections.create(organization._id, organization.admin._id, {});
      await app.as(organization.admin).patch(`/v1/collections/${hidden._id}`).send({ defaultLevel: null }).expect(200);
      for (const parent of [elsewhere._id, hidden._id, 'nowhere', 5, { $ne: null }]) {
        const { body } = await app.as(users.read).post(`${path}/move`).send({ parent }).expect(400);
        expect((body as { error: { message: string } }).error.message).toMatch(/^parent must be/);
      }
      await app.as(users.read).post(`${path}/move`).send({ parent: seen._id }).expect(403);
      expect((await spaces.read(users.read, space._id)).parent).toBeUndefined();
    });

    it('names no place beside what the caller cannot see', async () => {
      const { organization, space, users, path } = await spaces.shared('read');
      const { admin } = organization;
      const users2 = [{ subject: users.read._id, role: 'admin' as const, createdAt: new Date() }];
      await spaces.set(space, { users: users2 });
      const hidden = await app.create.space({ organization, defaultLevel: null });
      const { _id: unseen } = await collections.create(organization._id, admin._id, {});
      await app.as(admin).patch(`/v1/collections/${unseen}`).send({ defaultLevel: null }).expect(200);
      const seen = await app.create.space({ organization });
      const { _id: own } = await collections.create(organization._id, users.read._id, {});
      const move = (user: TestUser, at: string, anchor: object) =>
        app
          .as(user)
          .post(`${at}/move`)
          .send({ position: { before: anchor } });
      for (const at of [path, `/v1/collections/${own}`]) {
        const nowhere = await move(users.read, at, { type: 'space', space: 'nowhere' }).expect(400);
        const collection = { type: 'collection', collection: unseen };
        for (const anchor of [{ type: 'space', space: hidden._id }, collection]) {
          expect((await move(users.read, at, anchor).expect(400)).body).toEqual(nowhere.body);
          await move(admin, at, anchor).expect(200);
        }
        await move(users.read, at, { type: 'space', space: seen._id }).expect(200);
      }
    });

    it('loses nothing when many move at once', async () => {
      const organization = await app.create.organization();
      const { admin } = organization;
      const { _id: parent } = await collections.create(organization._id, admin._id, {});
      const ids: string[] = [];
      for (let index = 0; index < 6; index += 1) ids.push((await app.create.space({ organization }))._id);
      const moves = ids.flatMap((id, index) => [
        app.as(admin).post(`/v1/spaces/${id}/move`).send({ parent }),
        app
          .as(admin)
          .post(`/v1/spaces/${id}/move`)
          .send({ parent: index % 2 === 0 ? null : parent }),
      ]);
      for (const { status } of await Promise.all(moves)) expect(status).toBe(200);
      const { body } = await app.as(admin).get(`/v1/orgs/${organization._id}/spaces`).expect(200);
      expect((body as { items: SpaceAnswer[] }).items.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const records = await app.connection
        .collection<Space>('spaces')
        .find({ organization: organization._id })
        .toArray();
      const places = records.map(({ parent: within, order }) => `${String(within)} ${order}`);
      expect(new Set(places).size).toBe(ids.length);
    });
  });
});

const none = (permissions: Record<string, boolean>) =>
  Object.fromEntries(Object.keys(permissions).map((name) => [name, false]));
