import { PreconditionFailedException } from '@nestjs/common';
import { DomainEvents } from '../src/common/domain-events.js';
import { CollectionsService, type Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { inserting, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { SpaceLives } from './support/space-lives.js';

describe('the transfer of a space', () => {
  let app: TestApp;
  let collections: CollectionsService;
  let spaces: SpaceLives;

  beforeAll(async () => {
    app = await startApp();
    collections = app.nest.get(CollectionsService, { strict: false });
    spaces = new SpaceLives(app);
  });
  afterAll(() => app.close());

  it('gives it to another organization, with its content and the people of both', async () => {
    const { organization, space, users, path } = await spaces.shared('read', 'create');
    const { admin } = organization;
    const target = await app.create.organization({ admin });
    const { _id: parent } = await collections.create(organization._id, admin._id, {});
    await app.as(admin).post(`${path}/move`).send({ parent }).expect(200);
    await app
      .as(admin)
      .post(`${path}/content`)
      .send({ changes: [inserting('One', { document: { markdown: 'Unmistakable' } })] })
      .expect(200);
    const entry = (subject: string) => ({ subject, role: 'edit' as const, createdAt: new Date() });
    await spaces.set(space, { users: [entry(admin._id), entry(users.read._id)], teams: [entry('team')] });
    const before = await spaces.read(admin, space._id);
    const { body } = await app.as(admin).post(`${path}/transfer`).send({ organization: target._id }).expect(200);
    const { parent: _, ...rest } = before;
    expect(body).toEqual({ ...rest, organization: target._id, visibility: 'private', updatedAt: ISO });
    const record = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
    expect(record).toMatchObject({ users: [{ subject: admin._id, role: 'edit' }], teams: [] });
    await app.as(users.read).get(path).expect(404);
    const found = await app.as(admin).get(`/v1/orgs/${target._id}/search`).query({ query: 'unmistakable' }).expect(200);
    expect(found.body).toMatchObject({ count: 1 });
    // what is written from now on joins what came along
    await app
      .as(admin)
      .post(`${path}/content`)
      .send({ changes: [inserting('Two', { document: { markdown: 'Unmistakable' } })] })
      .expect(200);
    const { body: content } = await app.as(admin).get(`${path}/content/pages`).expect(200);
    expect((content as { pages: { title: string }[] }).pages.map(({ title }) => title)).toEqual(['One', 'Two']);
    const copy = await app.as(admin).post(`${path}/duplicate`).expect(201);
    expect(copy.body).toMatchObject({ organization: target._id });
  });

  it('leaves no entry behind for who leaves the other organization meanwhile', async () => {
    const { organization, space, path } = await spaces.shared('read');
    const { admin } = organization;
    const target = await app.create.organization({ admin });
    const person = await app.create.user({ in: target });
    await spaces.set(space, { users: [{ subject: person._id, role: 'admin', createdAt: new Date() }] });
    let left = false;
    app.nest.get(DomainEvents, { strict: false }).on('space.transferring', async (transfer) => {
      if (transfer.space !== space._id || left) return;
      left = true;
      await app.as(person).delete(`/v1/orgs/${target._id}/members/${person._id}`).expect(204);
    });
    await app.as(admin).post(`${path}/transfer`).send({ organization: target._id }).expect(200);
    expect(left).toBe(true);
    expect(await app.connection.collection<Space>('spaces').findOne({ _id: space._id })).toMatchObject({ users: [] });
  });

  it('needs the right to create in both organizations', async () => {
    const { organization, space, users, path } = await spaces.shared('read', 'create');
    const entries = [users.read, users.create].map(({ _id }) => ({
      subject: _id,
      role: 'admin' as const,
      createdAt: new Date(),
    }));
    await spaces.set(space, { users: entries });
    const target = await app.create.organization();
    const move = (user: TestUser, to: unknown, status: number) =>
      app.as(user).post(`${path}/transfer`).send({ organization: to }).expect(status);
    // what the body says does not matter to who may not do it
    for (const to of [target._id, 7]) await move(users.read, to, 403);
    for (const to of [target._id, 'nowhere', '', 7, null, { $ne: '' }]) await move(users.create, to, 400);
    const path2 = `${path}/transfer`;
    await app.as(users.create).post(path2).send({}).expect(400);
    await move(users.create, organization._id, 409);
    await app.connection.collection<{ _id: string }>('members').insertOne({
      ...((await app.connection.collection<{ _id: string }>('members').findOne({ user: users.read._id })) ?? {}),
      _id: `${target._id}:${users.create._id}`,
      organization: target._id,
      user: users.create._id,
      role: 'edit',
    } as never);
    await move(users.create, target._id, 403);
    expect((await spaces.read(organization.admin, space._id)).organization).toBe(organization._id);
  });

  it('is refused by what still holds on to the space', async () => {
    const { organization, space, path } = await spaces.shared();
    const { admin } = organization;
    const target = await app.create.organization({ admin });
    let holds = true;
    app.nest.get(DomainEvents).on('space.transferring', (event) => {
      if (event.space === space._id && holds) throw new PreconditionFailedException('It is on a site');
      return Promise.resolve();
    });
    const move = (status: number) =>
      app.as(admin).post(`${path}/transfer`).send({ organization: target._id }).expect(status);
    expect((await move(412)).body).toEqual({ error: { code: 412, message: 'It is on a site' } });
    expect((await spaces.read(admin, space._id)).organization).toBe(organization._id);
    holds = false;
    await move(200);
  });
});
