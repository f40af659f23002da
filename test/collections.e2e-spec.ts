import type { Role } from '../src/common/roles.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const GONE = { error: { code: 404, message: 'Collection not found' } };
const ALL = { view: true, admin: true, viewInviteLinks: true, create: true };

type Body = Record<string, unknown> & { id: string };
interface List {
  items: Body[];
  count: number;
  next?: { page: string };
}

describe('collections', () => {
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

  const root = () => `/v1/orgs/${organization._id}/collections`;
  const at = (id: string, below = '') => `/v1/collections/${id}${below}`;
  const make = async (title: string, parent?: string, user = admin): Promise<string> => {
    const { body } = await app
      .as(user)
      .post(root())
      .send({ title, ...(parent && { parent }) })
      .expect(201);
    return (body as Body).id;
  };
  const makeSpace = async (title: string, parent?: string): Promise<string> => {
    const { body } = await app
      .as(admin)
      .post(`/v1/orgs/${organization._id}/spaces`)
      .send({ title, ...(parent && { parent }) })
      .expect(201);
    return (body as Body).id;
  };
  const titlesIn = async (id: string): Promise<string[]> => {
    const { body } = await app.as(admin).get(at(id, '/spaces')).expect(200);
    return (body as List).items.map(({ title }) => String(title));
  };
  const level = (id: string, defaultLevel: Role | 'inherit' | null) =>
    app.as(admin).patch(at(id)).send({ defaultLevel }).expect(200);

  it('are made by members who may create, without a body too', async () => {
    const author = await app.create.user({ in: organization, role: 'create' });
    const { body, headers } = await app.as(author).post(root()).send({ title: 'Guides' }).expect(201);
    const { id } = body as Body;
    expect(headers.location).toBe(`http://docs.test/v1/collections/${id}`);
    expect(body).toEqual({
      object: 'collection',
      id: ID,
      title: 'Guides',
      organization: organization._id,
      defaultLevel: 'read',
      urls: { location: `http://docs.test/v1/collections/${id}`, app: `http://docs.test/c/${id}` },
      permissions: ALL,
    });
    expect((await app.as(author).get(at(id)).expect(200)).body).toEqual(body);
    expect((await app.as(author).post(root()).expect(201)).body).toMatchObject({ title: 'Untitled' });
    const inner = await app.as(author).post(root()).send({ parent: id }).expect(201);
    expect(inner.body).toMatchObject({ parent: id, permissions: ALL });
  });

  it('are not made by others, or elsewhere', async () => {
    const reviewer = await app.create.user({ in: organization, role: 'review' });
    const author = await app.create.user({ in: organization, role: 'create' });
    const seen = await make('Seen');
    await level(seen, 'read');
    await app.anonymous().post(root()).send({}).expect(401);
    await app.as(reviewer).post(root()).send({}).expect(403);
    await app
      .as(await app.create.user())
      .post(root())
      .send({})
      .expect(404);
    for (const parent of ['nowhere', '', 1, null, { $ne: null }]) {
      const { body } = await app.as(author).post(root()).send({ parent }).expect(400);
      expect((body as { error: { message: string } }).error.message).toMatch(/^parent must be/);
    }
    await app.as(author).post(root()).send({ parent: seen }).expect(403);
    await app.as(author).post(`/v1/orgs/${organization._id}/spaces`).send({ parent: seen }).expect(403);
    await level(seen, null);
    await app.as(author).post(root()).send({ parent: seen }).expect(400);
    for (const title of ['', 'x'.repeat(51), null, 7]) await app.as(admin).post(root()).send({ title }).expect(400);
  });

  it.each([
    ['get', '', 'read'],
    ['get', '/spaces', 'read'],
    ['patch', '', 'admin'],
    ['delete', '', 'admin'],
    ['post', '/move', 'admin'],
  ] as const)('%s %s needs a token, and the role', async (method, below, role) => {
    const id = await make('C');
    await app.anonymous()[method](at(id, below)).expect(401);
    const hidden = [await app.create.user(), await app.create.user({ in: organization, role: null })];
    for (const user of hidden) {
      expect((await app.as(user)[method](at(id, below)).send({}).expect(404)).body).toEqual(GONE);
    }
    await app.as(admin)[method](at('nowhere', below)).send({}).expect(404);
    const member = await app.create.user({ in: organization, role: 'create' });
    await app
      .as(member)
      [method](at(id, below))
      .send({})
      .expect(role === 'admin' ? 403 : 200);
  });

  it('are listed as far as the caller sees them, newest first, page by page', async () => {
    const a = await make('a');
    const b = await make('b', a);
    const hidden = await make('hidden', a);
    const c = await make('c', hidden);
    await level(hidden, null);
    await level(c, 'read');
    const member = await app.create.user({ in: organization, role: 'edit' });
    const walk = async (user: TestUser, query: Record<string, unknown> = {}) => {
      const ids: string[] = [];
      let page: string | undefined;
      do {
        const { body } = await app
          .as(user)
          .get(root())
          .query({ limit: 1, ...query, ...(page && { page }) })
          .expect(200);
        const list = body as List;
        ids.push(...list.items.map(({ id }) => id));
        page = list.next?.page;
      } while (page);
      return ids;
    };
    expect(await walk(admin)).toEqual([c, hidden, b, a]);
    expect(await walk(member)).toEqual([c, b, a]);
    expect(await walk(member, { nested: 'false' })).toEqual([a]);
    const guest = await app.create.user({ in: organization, role: null });
    expect((await app.as(guest).get(root()).expect(200)).body).toEqual({ count: 0, items: [] });
    const { body } = await app.as(member).get(root()).expect(200);
    expect((body as List).items[0]).toEqual((await app.as(member).get(at(c))).body);
    await app.as(member).get(root()).query({ nested: 'yes' }).expect(400);
    await app.anonymous().get(root()).expect(401);
    await app
      .as(await app.create.user())
      .get(root())
      .expect(404);
  });

  it('decide about what stands in them, the nearest first', async () => {
    const outer = await make('outer');
    const inner = await make('inner', outer);
    const space = await makeSpace('space', inner);
    const member = await app.create.user({ in: organization, role: 'edit' });
    const guest = await app.create.user({ in: organization, role: null });
    const read = async (user = member) =>
      (await app.as(user).get(`/v1/spaces/${space}`)).body as {
        permissions?: Record<string, boolean>;
        defaultLevel: unknown;
      };
    expect(await read()).toMatchObject({
      permissions: { edit: true },
      defaultLevel: 'read',
      visibility: 'in-collection',
    });
    await level(outer, 'comment');
    expect(await read()).toMatchObject({ permissions: { comment: true, edit: false }, defaultLevel: 'comment' });
    await level(inner, null);
    expect((await read()).permissions).toBeUndefined();
    const grant = (id: string, subject: string, role: Role | null) =>
      app.connection
        .collection<{ _id: string }>('collections')
        .updateOne({ _id: id }, { $set: { users: [{ subject, role, createdAt: new Date() }] } });
    await grant(inner, guest._id, 'review');
    expect((await read(guest)).permissions).toMatchObject({ view: true, merge: true, admin: false });
    expect((await app.as(guest).get(at(inner))).body).toMatchObject({
      permissions: { ...ALL, admin: false, viewInviteLinks: false, create: false },
    });
    expect((await app.as(guest).get(root())).body).toMatchObject({ count: 1, items: [{ id: inner }] });
    expect((await app.as(guest).get(at(inner, '/spaces'))).body).toMatchObject({ count: 1, items: [{ id: space }] });
    expect((await app.as(guest).get(`/v1/orgs/${organization._id}/spaces`)).body).toMatchObject({ count: 1 });
    await level(inner, 'inherit');
    await grant(outer, member._id, null);
    await grant(inner, guest._id, null);
    expect([(await read()).permissions, (await read(guest)).permissions]).toEqual([undefined, undefined]);
  });

  it('decide about search in all spaces', async () => {
    const collection = await make('c');
    const space = await makeSpace('space', collection);
    const change = { operation: 'insert_page', title: 'Page', document: { markdown: 'Unmistakable' } };
    await app
      .as(admin)
      .post(`/v1/spaces/${space}/content`)
      .send({ changes: [change] })
      .expect(200);
    const member = await app.create.user({ in: organization, role: 'read' });
    const found = async () =>
      (await app.as(member).get(`/v1/orgs/${organization._id}/search`).query({ query: 'unmistakable' })).body as List;
    expect((await found()).count).toBe(1);
    await level(collection, null);
    expect((await found()).count).toBe(0);
  });

  it('are changed in what is named', async () => {
    const id = await make('C');
    const { body: before } = await app.as(admin).get(at(id));
    expect((await app.as(admin).patch(at(id)).send({}).expect(200)).body).toEqual(before);
    const changes = { title: 'D', description: 'About', defaultLevel: 'edit' };
    const { body } = await app
      .as(admin)
      .patch(at(id))
      .send({ ...changes, parent: 'x', id: 'y' })
      .expect(200);
    expect(body).toEqual({ ...(before as object), ...changes });
    const wrong = [{ title: '' }, { title: null }, { description: 'x'.repeat(101) }, { defaultLevel: 'owner' }];
    for (const one of wrong) await app.as(admin).patch(at(id)).send(one).expect(400);
    await app.as(admin).patch(at(id)).expect(400);
    expect((await app.as(admin).get(at(id))).body).toEqual(body);
  });

  it('hand on what stands in them when they are deleted, at their place', async () => {
    const outer = await make('outer');
    await makeSpace('before', outer);
    const gone = await make('gone', outer);
    await makeSpace('after', outer);
    for (const title of ['x', 'y']) await makeSpace(title, gone);
    const inner = await make('inner', gone);
    const deep = await makeSpace('deep', inner);
    const trashed = await makeSpace('trashed', gone);
    await app.as(admin).delete(`/v1/spaces/${trashed}`).expect(205);
    const { headers, text } = await app.as(admin).delete(at(gone)).expect(205);
    expect([headers['content-length'], text]).toEqual(['0', '']);
    expect((await app.as(admin).delete(at(gone)).expect(404)).body).toEqual(GONE);
    expect(await titlesIn(outer)).toEqual(['before', 'x', 'y', 'after']);
    expect((await app.as(admin).get(at(inner))).body).toMatchObject({ parent: outer });
    const move = { parent: outer, position: { after: { type: 'collection', collection: inner } } };
    await app.as(admin).post(`/v1/spaces/${deep}/move`).send(move).expect(200);
    expect(await titlesIn(outer)).toEqual(['before', 'x', 'y', 'deep', 'after']);
    await level(outer, 'comment');
    expect((await app.as(admin).get(at(inner))).body).toMatchObject({ defaultLevel: 'comment' });
    await app.as(admin).delete(at(outer)).expect(205);
    expect((await app.as(admin).get(at(inner))).body).not.toHaveProperty('parent');
  });

  it('are moved with all in them', async () => {
    const [a, b] = [await make('a'), await make('b')];
    const inner = await make('inner', a);
    const space = await makeSpace('space', inner);
    await level(b, 'review');
    const move = (id: string, body: object, status = 200) =>
      app.as(admin).post(at(id, '/move')).send(body).expect(status);
    expect((await move(a, { parent: b })).body).toMatchObject({ id: a, parent: b, defaultLevel: 'review' });
    expect((await app.as(admin).get(`/v1/spaces/${space}`)).body).toMatchObject({
      parent: inner,
      defaultLevel: 'review',
    });
    for (const parent of [b, a, inner]) {
      const { body } = await move(b, { parent }, 400);
      expect(body).toMatchObject({ error: { message: 'parent must not be the collection itself, or within it' } });
    }
    await move(a, { parent: 'nowhere' }, 400);
    await move(a, { position: { before: { type: 'collection', collection: a } } }, 400);
    await move(a, { position: { before: { type: 'collection', collection: inner } } }, 400);
    expect(
      (await move(inner, { parent: null, position: { before: { type: 'collection', collection: b } } })).body,
    ).not.toHaveProperty('parent');
    expect((await app.as(admin).get(`/v1/spaces/${space}`)).body).toMatchObject({
      parent: inner,
      defaultLevel: 'read',
    });
    const member = await app.create.user({ in: organization, role: 'create' });
    const own = await make('own', undefined, member);
    await level(b, 'read');
    await app.as(member).post(at(own, '/move')).send({ parent: b }).expect(403);
  });

  it('stand in each other at most ten deep', async () => {
    const chain = [await make('1')];
    for (let depth = 2; depth <= 10; depth += 1) chain.push(await make(String(depth), chain.at(-1)));
    const { body } = await app
      .as(admin)
      .post(root())
      .send({ parent: chain.at(-1) })
      .expect(400);
    expect(body).toEqual({ error: { code: 400, message: 'Collections stand in each other at most 10 deep' } });
    const top = await make('top');
    await app
      .as(admin)
      .post(at(chain[0] ?? '', '/move'))
      .send({ parent: top })
      .expect(400);
    await app
      .as(admin)
      .post(at(chain[1] ?? '', '/move'))
      .send({ parent: top })
      .expect(200);
    const space = await makeSpace('space', chain[8]);
    const read = () => app.as(admin).get(`/v1/spaces/${space}`).expect(200);
    await read();
    // token, space, membership, the collection and all above it
    expect(await app.commandsOf(read)).toEqual(['find', 'find', 'find', 'find', 'find']);
  });

  it('come to no cycle and no loss when many move and go at once', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await make(String(index)));
    const spaces = await Promise.all(ids.map((id) => makeSpace('s', id)));
    const work = ids.flatMap((id, index) => [
      app
        .as(admin)
        .post(at(id, '/move'))
        .send({ parent: ids[(index + 1) % ids.length] }),
      ...(index === 2 ? [app.as(admin).delete(at(id))] : []),
    ]);
    for (const { status } of await Promise.all(work)) expect([200, 205, 400, 404]).toContain(status);
    const { body } = await app.as(admin).get(root()).expect(200);
    const parents = new Map((body as List).items.map(({ id, parent }) => [id, parent as string | undefined]));
    for (const id of parents.keys()) {
      let steps = 0;
      for (let up = parents.get(id); up !== undefined; up = parents.get(up)) {
        expect(parents.has(up)).toBe(true);
        expect((steps += 1)).toBeLessThan(10);
      }
    }
    for (const space of spaces) {
      const { parent } = (await app.as(admin).get(`/v1/spaces/${space}`).expect(200)).body as { parent?: string };
      expect(parent === undefined || parents.has(parent)).toBe(true);
    }
  });

  it('are as many as an organization may have', async () => {
    const one = {
      organization: organization._id,
      parent: null,
      path: [],
      order: 'a0',
      title: 'x',
      users: [],
      teams: [],
    };
    const many = Array.from({ length: 1000 }, (_, index) => ({
      ...one,
      _id: `${organization._id}${index}`,
      description: null,
      defaultLevel: 'inherit',
      createdAt: new Date(index),
    }));
    await app.connection.collection<{ _id: string }>('collections').insertMany(many);
    const { body } = await app.as(admin).post(root()).send({}).expect(409);
    expect(body).toEqual({ error: { code: 409, message: 'An organization holds at most 1000 collections' } });
    const member = await app.create.user({ in: organization, role: 'read' });
    const spaces = () => app.as(member).get(`/v1/orgs/${organization._id}/spaces`).query({ limit: 1000 }).expect(200);
    await app.create.space({ organization });
    const few = await app.commandsOf(spaces);
    for (let index = 0; index < 10; index += 1) await makeSpace('s', `${organization._id}${index}`);
    expect((await spaces()).body).toMatchObject({ count: 11 });
    expect((await app.commandsOf(spaces)).sort()).toEqual(few.sort());
  });
});
