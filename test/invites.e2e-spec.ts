import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const LINK = expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string;
const NO_INVITE = { error: { code: 404, message: 'Invite not found' } };
const OFF = { error: { code: 403, message: 'The invitation links of this organization are switched off' } };

type Organization = Awaited<ReturnType<TestApp['create']['organization']>>;

interface Link {
  id: string;
  redundant: boolean;
}
describe('invitation links', () => {
  let app: TestApp;
  let organization: Organization;
  let admin: TestUser;
  let root: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
    root = `/v1/orgs/${organization._id}`;
  });

  const link = async (body: object): Promise<Link> =>
    (await app.as(admin).post(`${root}/link-invites`).send(body).expect(201)).body as Link;
  const join = (user: TestUser, id: string) => app.as(user).post(`${root}/invites/${id}`);
  const roleOf = async (user: TestUser | string): Promise<unknown> => {
    const id = typeof user === 'string' ? user : user._id;
    const { body, status } = await app.as(admin).get(`${root}/members/${id}`);
    return status === 200 ? (body as { role: unknown }).role : 'stranger';
  };
  const switchOff = () => app.as(admin).patch(root).send({ inviteLinks: false }).expect(200);
  const register = (email: string, invite?: string) =>
    app
      .anonymous()
      .post('/v1/auth/register')
      .send({ email, displayName: 'New Name', password: 'correct horse', invite });

  describe('links', () => {
    it('are made, read by whoever knows them, listed, changed and taken away', async () => {
      const made = await app.as(admin).post(`${root}/link-invites`).send({ role: 'edit' }).expect(201);
      expect(made.body).toEqual({ object: 'invite', id: LINK, role: 'edit', redundant: true });
      const { id } = made.body as Link;
      const path = `${root}/link-invites/${id}`;
      expect(made.headers.location).toBe(`http://docs.test${path}`);
      const stranger = await app.create.user();
      const shown = (await app.as(stranger).get(path).expect(200)).body as unknown;
      expect(shown).toEqual({ object: 'invite', id, role: 'edit', redundant: false });
      const changed = await app.as(admin).patch(path).send({ role: null, level: 'read' }).expect(200);
      expect(changed.body).toEqual({ object: 'invite', id, role: null, redundant: true });
      const list = await app.as(admin).get(`${root}/link-invites`).expect(200);
      expect(list.body).toEqual({ count: 1, items: [changed.body] });
      await app.as(admin).delete(path).expect(205, '');
      expect((await app.as(admin).delete(path).expect(404)).body).toEqual(NO_INVITE);
      expect((await join(stranger, id).expect(404)).body).toEqual(NO_INVITE);
      expect((await app.as(stranger).get(path).expect(404)).body).toEqual(NO_INVITE);
    });

    it('are walked page by page, newest first', async () => {
      const made: string[] = [];
      for (const role of ['read', 'comment', 'edit']) made.unshift((await link({ role })).id);
      const seen: string[] = [];
      for (let page: string | undefined, more = true; more;) {
        const { body } = await app
          .as(admin)
          .get(`${root}/link-invites`)
          .query({ limit: 2, ...(page !== undefined && { page }) })
          .expect(200);
        const part = body as { items: Link[]; count: number; next?: { page: string } };
        expect(part.count).toBe(3);
        seen.push(...part.items.map(({ id }) => id));
        page = part.next?.page;
        more = page !== undefined;
      }
      expect(seen).toEqual(made);
    });

    it('let strangers in with their role, members up, and nobody down', async () => {
      const [stranger, reader] = [await app.create.user(), await app.create.user({ in: organization })];
      const { id } = await link({ role: 'edit' });
      expect((await join(stranger, id).expect(200)).body).toEqual({});
      await app.as(stranger).get(root).expect(200);
      await join(reader, id).expect(200);
      await join(admin, id).expect(200);
      expect([await roleOf(stranger), await roleOf(reader), await roleOf(admin)]).toEqual(['edit', 'edit', 'admin']);
      const guests = await link({ role: null });
      await join(stranger, guests.id).expect(200);
      expect(await roleOf(stranger)).toBe('edit');
      const guest = await app.create.user();
      await join(guest, guests.id).expect(200);
      expect(await roleOf(guest)).toBeNull();
      const { body } = await app.as(guest).get(`${root}/link-invites/${guests.id}`).expect(200);
      expect((body as Link).redundant).toBe(true);
    });

    it('let somebody in once who comes several times at the same moment', async () => {
      const { id } = await link({ role: 'edit' });
      const user = await app.create.user();
      const answers = await Promise.all([1, 2, 3, 4].map(() => join(user, id)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await roleOf(user)).toBe('edit');
    });

    it('give what they say now, not what they said when they were sent', async () => {
      const { id } = await link({ role: 'admin' });
      await app.as(admin).patch(`${root}/link-invites/${id}`).send({ role: 'read' }).expect(200);
      const user = await app.create.user();
      await join(user, id).expect(200);
      expect(await roleOf(user)).toBe('read');
    });

    it('cannot be used while they are switched off, but managed', async () => {
      const { id } = await link({ role: 'edit' });
      await switchOff();
      const user = await app.create.user();
      expect((await join(user, id).expect(403)).body).toEqual(OFF);
      expect((await register('off@example.org', id).expect(403)).body).toEqual(OFF);
      expect(await roleOf(user)).toBe('stranger');
      await app.as(admin).get(`${root}/link-invites/${id}`).expect(200);
      await link({ role: 'read' });
      await app.as(admin).delete(`${root}/link-invites/${id}`).expect(205);
    });

    it('are of their organization alone', async () => {
      const { id } = await link({ role: 'admin' });
      const other = await app.create.organization();
      const path = `/v1/orgs/${other._id}`;
      const user = await app.create.user();
      expect((await app.as(user).post(`${path}/invites/${id}`).expect(404)).body).toEqual(NO_INVITE);
      await app.as(other.admin).get(`${path}/link-invites/${id}`).expect(404);
      await app.as(other.admin).patch(`${path}/link-invites/${id}`).send({ role: 'read' }).expect(404);
      await app.as(other.admin).delete(`${path}/link-invites/${id}`).expect(404);
      await app.as(user).post(`/v1/orgs/nowhere/invites/${id}`).expect(404);
    });

    it('do not wake a disabled membership', async () => {
      const user = await app.create.user({ in: organization });
      await app.connection.collection('members').updateOne({ user: user._id }, { $set: { disabled: true } });
      await join(user, (await link({ role: 'edit' })).id).expect(403);
      expect(await roleOf(user)).toBe('read');
    });

    it.each([
      [{}, 'The body must have role, for a link to the organization, or level and space'],
      [{ level: 'read' }, 'The body must have role, for a link to the organization, or level and space'],
      [{ space: 'x' }, 'The body must have role, for a link to the organization, or level and space'],
      [
        { role: 'read', level: 'read', space: 'x' },
        'The body must have role, for a link to the organization, or level and space',
      ],
      [{ role: 'owner' }, 'role must be one of: read, comment, edit, review, create, admin, null'],
      [{ level: 'x', space: 'x' }, 'level must be one of: read, comment, edit, review, create, admin, null'],
      [{ level: 'read', space: 5 }, 'space must be a string'],
      [{ level: 'read', space: 'nothing' }, 'space must be a space of this organization'],
    ])('are refused for %j', async (body, message) => {
      const refused = await app.as(admin).post(`${root}/link-invites`).send(body).expect(400);
      expect(refused.body).toEqual({ error: { code: 400, message } });
    });

    it('are not made into the other kind', async () => {
      const space = await app.create.space({ organization });
      const [ofSpace, ofAll] = [await link({ level: 'read', space: space._id }), await link({ role: 'read' })];
      const patch = async (id: string, body: object) =>
        (await app.as(admin).patch(`${root}/link-invites/${id}`).send(body).expect(400)).body as unknown;
      expect(await patch(ofSpace.id, { role: 'edit' })).toEqual({
        error: { code: 400, message: 'level must be given: the link is to a space' },
      });
      expect(await patch(ofAll.id, { level: 'edit' })).toEqual({
        error: { code: 400, message: 'role must be given: the link is to the organization' },
      });
      expect(await patch(ofAll.id, {})).toEqual({ error: { code: 400, message: 'role must be given' } });
    });
  });

  describe('links to a space', () => {
    it('make strangers guests with a direct permission, and show the space', async () => {
      const space = await app.create.space({ organization });
      const path = `/v1/spaces/${space._id}`;
      const { id, ...shown } = await link({ level: 'comment', space: space._id });
      const own = (await app.as(admin).get(path).expect(200)).body as { permissions: object };
      expect(shown).toEqual({ object: 'invite', level: 'comment', space: own, redundant: true });
      const user = await app.create.user();
      const none = Object.fromEntries(Object.keys(own.permissions).map((name) => [name, false]));
      expect((await app.as(user).get(`${root}/link-invites/${id}`).expect(200)).body).toEqual({
        object: 'invite',
        id,
        level: 'comment',
        space: { ...own, permissions: none },
        redundant: false,
      });
      await app.as(user).get(path).expect(404);
      await join(user, id).expect(200);
      expect(await roleOf(user)).toBeNull();
      const seen = (await app.as(user).get(path).expect(200)).body as { permissions: Record<string, boolean> };
      expect([seen.permissions.comment, seen.permissions.edit]).toEqual([true, false]);
      const again = (await app.as(user).get(`${root}/link-invites/${id}`).expect(200)).body as Link;
      expect(again).toEqual({ object: 'invite', id, level: 'comment', space: seen, redundant: true });
    });

    it('raise a role in the space, and never lower one', async () => {
      const space = await app.create.space({ organization });
      const may = async (user: TestUser): Promise<boolean> =>
        ((await app.as(user).get(`/v1/spaces/${space._id}`).expect(200)).body as { permissions: { edit: boolean } })
          .permissions.edit;
      const [reader, creator] = [
        await app.create.user({ in: organization }),
        await app.create.user({ in: organization, role: 'create' }),
      ];
      const [low, high] = [
        await link({ level: null, space: space._id }),
        await link({ level: 'edit', space: space._id }),
      ];
      await join(reader, low.id).expect(200);
      expect(await may(reader)).toBe(false);
      await join(reader, high.id).expect(200);
      expect(await may(reader)).toBe(true);
      await join(reader, low.id).expect(200);
      expect([await may(reader), await roleOf(reader)]).toEqual([true, 'read']);
      await join(creator, high.id).expect(200);
      const { body } = await app.as(admin).get(`/v1/spaces/${space._id}/permissions/users`).expect(200);
      expect(JSON.stringify(body)).toContain(reader._id);
      expect(JSON.stringify(body)).not.toContain(creator._id);
    });

    it('rest while the space is in the trash, and go when it is transferred', async () => {
      const space = await app.create.space({ organization });
      const { id } = await link({ level: 'read', space: space._id });
      const user = await app.create.user();
      await app.as(admin).delete(`/v1/spaces/${space._id}`).expect(205);
      expect((await join(user, id).expect(404)).body).toEqual(NO_INVITE);
      expect(await roleOf(user)).toBe('stranger');
      await app.as(admin).post(`/v1/spaces/${space._id}/restore`).expect(200);
      await join(user, id).expect(200);
      const target = await app.create.organization({ admin });
      await app.as(admin).post(`/v1/spaces/${space._id}/transfer`).send({ organization: target._id }).expect(200);
      await app.as(admin).get(`${root}/link-invites/${id}`).expect(404);
    });

    it('are only to spaces of the organization', async () => {
      const other = await app.create.space({ organization: await app.create.organization({ admin }) });
      const { body } = await app
        .as(admin)
        .post(`${root}/link-invites`)
        .send({ level: 'read', space: other._id })
        .expect(400);
      expect(body).toEqual({ error: { code: 400, message: 'space must be a space of this organization' } });
    });
  });

  describe('registration by a link', () => {
    it('makes a member of who comes, and takes as many as come', async () => {
      const { id } = await link({ role: 'review' });
      for (const name of ['first', 'second']) {
        const { body } = await register(`${name}-${id}@example.org`.toLowerCase(), id).expect(201);
        expect(await roleOf((body as { user: { id: string } }).user.id)).toBe('review');
      }
    });

    it('to a space makes guests with a direct permission', async () => {
      const space = await app.create.space({ organization });
      const { id } = await link({ level: 'edit', space: space._id });
      const { body } = await register(`guest-${id}@example.org`.toLowerCase(), id).expect(201);
      const { user, token } = body as { user: { id: string }; token: string };
      expect(await roleOf(user.id)).toBeNull();
      await app.anonymous().get(`/v1/spaces/${space._id}`).set('Authorization', `Bearer ${token}`).expect(200);
    });

    it('is refused for an address that is taken, and leaves nothing behind', async () => {
      const { id } = await link({ role: 'read' });
      const taken = await app.create.user();
      await register(taken.email, id).expect(409);
      expect(await roleOf(taken)).toBe('stranger');
      const invited = `waiting-${id}@example.org`.toLowerCase();
      await app
        .as(admin)
        .post(`${root}/invites`)
        .send({ emails: [invited] })
        .expect(200);
      await register(invited, id).expect(409);
    });
  });
});
