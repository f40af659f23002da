import { startApp, type TestApp } from './support/app.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const FLAGS = ['view', 'access', 'admin', 'viewInviteLinks', 'edit', 'triggerGitSync', 'comment', 'merge', 'review'];
const permissions = (...held: string[]) => Object.fromEntries(FLAGS.map((flag) => [flag, held.includes(flag)]));

describe('spaces', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('are made by members who may create, without a body too', async () => {
    const organization = await app.create.organization();
    const author = await app.create.user({ in: organization, role: 'create' });
    const path = `/v1/orgs/${organization._id}/spaces`;
    const { body, headers } = await app
      .as(author)
      .post(path)
      .send({ title: 'Guide', emoji: '1f600', editMode: 'locked' })
      .expect(201);
    const { id } = body as { id: string };
    expect(headers.location).toBe(`http://docs.test/v1/spaces/${id}`);
    expect(body).toEqual({
      object: 'space',
      id: ID,
      title: 'Guide',
      emoji: '1f600',
      visibility: 'private',
      createdAt: ISO,
      updatedAt: ISO,
      editMode: 'locked',
      urls: { location: `http://docs.test/v1/spaces/${id}`, app: `http://docs.test/s/${id}` },
      organization: organization._id,
      revision: ID,
      defaultLevel: 'read',
      comments: 0,
      changeRequests: 0,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
      // who makes a space administers it
      permissions: permissions('view', 'access', 'admin', 'viewInviteLinks', 'edit', 'comment', 'merge', 'review'),
    });
    expect((await app.as(author).get(`/v1/spaces/${id}`).expect(200)).body).toEqual(body);
    const bare = await app.as(author).post(path).expect(201);
    expect(bare.body).toMatchObject({ title: 'Untitled', emoji: '📄', editMode: 'live' });
  });

  it('are not made by others', async () => {
    const organization = await app.create.organization();
    const path = `/v1/orgs/${organization._id}/spaces`;
    await app
      .as(await app.create.user({ in: organization, role: 'review' }))
      .post(path)
      .send({})
      .expect(403);
    await app
      .as(await app.create.user())
      .post(path)
      .send({})
      .expect(404);
    const { body } = await app.as(organization.admin).post(path).send({ parent: 'nowhere' }).expect(400);
    expect(body).toEqual({
      error: { code: 400, message: 'parent must be the id of a collection of this organization' },
    });
  });

  it.each([
    ['admin', permissions('view', 'access', 'admin', 'viewInviteLinks', 'edit', 'comment', 'merge', 'review')],
    ['create', permissions('view', 'access', 'edit', 'comment', 'merge', 'review')],
    ['review', permissions('view', 'access', 'edit', 'comment', 'merge', 'review')],
    ['edit', permissions('view', 'access', 'edit', 'comment')],
    ['comment', permissions('view', 'access', 'comment')],
    ['read', permissions('view', 'access')],
  ] as const)('let a member with the role %s do what the role says', async (role, expected) => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const member = await app.create.user({ in: organization, role });
    const { body } = await app.as(member).get(`/v1/spaces/${space._id}`).expect(200);
    expect((body as { permissions: unknown }).permissions).toEqual(expected);
  });

  it.each([
    ['stranger', undefined, 'inherit'],
    ['guest', null, 'inherit'],
    ['guest, whatever the default', null, 'admin'],
    ['member without a level', 'create', null],
  ] as const)('do not exist for a %s', async (_name, role, defaultLevel) => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization, defaultLevel });
    const user = await app.create.user(role === undefined ? {} : { in: organization, role });
    const gone = { error: { code: 404, message: 'Space not found' } };
    const path = `/v1/spaces/${space._id}`;
    expect((await app.as(user).get(path).expect(404)).body).toEqual(gone);
    expect((await app.as(user).patch(path).send({ title: 'Mine' }).expect(404)).body).toEqual(gone);
    for (const below of [
      'content',
      'content/pages',
      'content/files',
      'content/files/x',
      'content/page/x',
      'search?query=a',
    ]) {
      expect((await app.as(user).get(`${path}/${below}`).expect(404)).body).toEqual(gone);
    }
    expect((await app.as(user).post(`${path}/content`).send({ changes: [] }).expect(404)).body).toEqual(gone);
    if (role !== undefined) {
      const list = await app.as(user).get(`/v1/orgs/${organization._id}/spaces`).expect(200);
      expect(list.body).toEqual({ count: 0, items: [] });
    }
  });

  it('give the nearest level the last word', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization, defaultLevel: 'comment' });
    const member = await app.create.user({ in: organization, role: 'create' });
    const read = async () =>
      (await app.as(member).get(`/v1/spaces/${space._id}`)).body as { permissions?: { edit: boolean } };
    expect((await read()).permissions?.edit).toBe(false);
    const spaces = app.connection.collection<{ _id: string }>('spaces');
    const grant = async (list: 'users' | 'teams', subject: string, role: string | null) => {
      await spaces.updateOne({ _id: space._id }, { $set: { [list]: [{ subject, role, createdAt: new Date() }] } });
    };
    await app.connection
      .collection('members')
      .updateOne({ user: member._id }, { $set: { teams: [{ team: 'team1', role: 'member' }] } });
    await grant('teams', 'team1', 'edit');
    expect((await read()).permissions?.edit).toBe(true);
    await grant('users', member._id, 'read');
    expect((await read()).permissions?.edit).toBe(false);
    await grant('users', member._id, null);
    expect((await read()).permissions).toBeUndefined();
    const list = await app.as(member).get(`/v1/orgs/${organization._id}/spaces`).expect(200);
    expect(list.body).toEqual({ count: 0, items: [] });
  });

  it('tell who changes the default level what that leaves them', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization, defaultLevel: 'admin' });
    const member = await app.create.user({ in: organization });
    const patch = (defaultLevel: unknown) =>
      app.as(member).patch(`/v1/spaces/${space._id}`).send({ defaultLevel }).expect(200);
    expect((await patch('admin')).body).toMatchObject({ permissions: { admin: true } });
    expect((await patch('comment')).body).toMatchObject({ permissions: permissions('view', 'access', 'comment') });
    await app.as(member).patch(`/v1/spaces/${space._id}`).send({ defaultLevel: 'admin' }).expect(403);
  });

  it('are listed as far as the caller sees them, newest first, page by page', async () => {
    const organization = await app.create.organization();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      made.unshift(
        (await app.create.space({ organization, title: `Space ${n}`, defaultLevel: n === 2 ? null : 'inherit' }))._id,
      );
    }
    const walk = async (user: typeof organization.admin) => {
      const ids: string[] = [];
      let page: string | undefined;
      do {
        const query = { limit: 2, ...(page && { page }) };
        const { body } = await app.as(user).get(`/v1/orgs/${organization._id}/spaces`).query(query).expect(200);
        const answer = body as { items: { id: string }[]; next?: { page: string }; count: number };
        ids.push(...answer.items.map(({ id }) => id));
        page = answer.next?.page;
      } while (page);
      return ids;
    };
    expect(await walk(organization.admin)).toEqual(made);
    const member = await app.create.user({ in: organization, role: 'read' });
    expect(await walk(member)).toEqual(made.filter((_, n) => n !== 2));
  });

  describe('PATCH', () => {
    it('changes what it names and nothing else', async () => {
      const space = await app.create.space();
      const path = `/v1/spaces/${space._id}`;
      const before = (await app.as(space.admin).get(path)).body as Record<string, unknown>;
      expect((await app.as(space.admin).patch(path).send({}).expect(200)).body).toEqual(before);
      const changes = { title: 'Neu', emoji: '🇩🇪', editMode: 'locked', defaultLevel: 'edit' };
      const { body } = await app
        .as(space.admin)
        .patch(path)
        .send({ ...changes, id: 'x', revision: 'y' })
        .expect(200);
      expect(body).toEqual({ ...before, ...changes, updatedAt: ISO });
      const inherit = await app.as(space.admin).patch(path).send({ defaultLevel: 'inherit' }).expect(200);
      expect((inherit.body as { defaultLevel: unknown }).defaultLevel).toBe('read');
      const nobody = await app.as(space.admin).patch(path).send({ defaultLevel: null }).expect(200);
      expect((nobody.body as { defaultLevel: unknown }).defaultLevel).toBeNull();
    });

    it('needs administration of the space', async () => {
      const organization = await app.create.organization();
      const space = await app.create.space({ organization });
      const member = await app.create.user({ in: organization, role: 'create' });
      await app.as(member).patch(`/v1/spaces/${space._id}`).send({ title: 'Mine' }).expect(403);
    });

    it.each([
      [{ title: '' }, 'title must be 1 to 50 characters long'],
      [{ title: 'x'.repeat(51) }, 'title must be 1 to 50 characters long'],
      [{ title: null }, 'title must be a string'],
      [{ title: { $gt: '' } }, 'title must be a string'],
      [{ title: 'nul\0' }, 'title must be well-formed text without NUL characters'],
      [{ title: '\ud800' }, 'title must be well-formed text without NUL characters'],
      [{ emoji: null }, /^emoji must be an emoji/],
      [{ emoji: '' }, /^emoji must be an emoji/],
      [{ emoji: 'word' }, /^emoji must be an emoji/],
      [{ editMode: 'open' }, 'editMode must be one of: live, locked'],
      [{ defaultLevel: 'owner' }, /^defaultLevel must be one of: read/],
    ])('refuses %j and changes nothing', async (changes, message) => {
      const space = await app.create.space();
      const { body } = await app
        .as(space.admin)
        .patch(`/v1/spaces/${space._id}`)
        .send({ editMode: 'locked', ...changes })
        .expect(400);
      const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      expect(body).toEqual({ error: { code: 400, message: text } });
      expect((await app.as(space.admin).get(`/v1/spaces/${space._id}`)).body).toMatchObject({
        title: 'Handbook',
        editMode: 'live',
      });
    });
  });

  it('shows organization settings as they are on the very next read', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const level = async () =>
      ((await app.as(organization.admin).get(`/v1/spaces/${space._id}`)).body as { defaultLevel: unknown })
        .defaultLevel;
    expect(await level()).toBe('read');
    await app.as(organization.admin).patch(`/v1/orgs/${organization._id}`).send({ defaultRole: 'comment' }).expect(200);
    expect(await level()).toBe('comment');
  });

  it('are read with three reads of the database, with a fourth once they are on a site', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const read = () => app.as(space.admin).get(`/v1/spaces/${space._id}`).expect(200);
    await read();
    // token, space, membership
    expect(await app.commandsOf(read)).toEqual(['find', 'find', 'find']);
    await app.create.site({ organization, spaces: [space] });
    // and the published sites that carry it
    expect(await app.commandsOf(read)).toEqual(['find', 'find', 'find', 'find']);
  });
});
