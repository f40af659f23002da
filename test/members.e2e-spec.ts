import { cases } from './support/cases.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const NO_MEMBER = { error: { code: 404, message: 'Member not found' } };
const LAST = {
  error: { code: 409, message: 'This is the last administrator of the organization: make somebody else one first' },
};

type Organization = Awaited<ReturnType<TestApp['create']['organization']>>;

interface MemberAnswer {
  id: string;
  role: string | null;
  lastSeenAt?: string;
  spaces: number;
}
interface MemberList {
  items: MemberAnswer[];
  count: number;
  next?: { page: string };
}

describe('members', () => {
  let app: TestApp;
  let organization: Organization;
  let admin: TestUser;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
  });

  const path = (user?: TestUser): string =>
    `/v1/orgs/${organization._id}/members${user === undefined ? '' : `/${user._id}`}`;
  const listed = async (query: object = {}, as = admin): Promise<MemberList> =>
    (await app.as(as).get(path()).query(query).expect(200)).body as MemberList;
  const ids = async (query: object): Promise<string[]> => (await listed(query)).items.map(({ id }) => id);
  const disable = (user: TestUser) =>
    app.connection.collection('members').updateOne({ user: user._id }, { $set: { disabled: true } });
  const setRole = (user: TestUser, role: unknown, as = admin) => app.as(as).patch(path(user)).send({ role });

  describe('GET O/members', () => {
    it('shows everybody, who joined last first, disabled members included', async () => {
      const reader = await app.create.user({ in: organization, displayName: 'Remy' });
      const gone = await app.create.user({ in: organization, role: null });
      await disable(gone);
      const member = { object: 'member', disabled: false, joinedAt: ISO, sso: false, spaces: 0, teams: 0 };
      const userOf = ({ _id: id, displayName, email }: TestUser) => ({
        object: 'user',
        id,
        displayName,
        email,
        urls: { location: `http://docs.test/v1/users/${id}` },
      });
      expect(await listed({}, reader)).toEqual({
        count: 3,
        items: [
          { ...member, id: gone._id, role: null, disabled: true, user: userOf(gone) },
          { ...member, id: reader._id, role: 'read', user: userOf(reader) },
          { ...member, id: admin._id, role: 'admin', user: userOf(admin) },
        ],
      });
    });

    it('counts the spaces that each can see', async () => {
      const reader = await app.create.user({ in: organization });
      const guest = await app.create.user({ in: organization, role: null });
      await app.create.space({ organization });
      await app.create.space({ organization, defaultLevel: null });
      const { items } = await listed();
      expect(Object.fromEntries(items.map(({ id, spaces }) => [id, spaces]))).toEqual({
        [guest._id]: 0,
        [reader._id]: 1,
        [admin._id]: 2,
      });
    });

    it('takes as many queries for many as for few', async () => {
      for (let n = 0; n < 3; n += 1) await app.create.space({ organization });
      const few = await app.commandsOf(() => listed());
      for (let n = 0; n < 30; n += 1) await app.create.user({ in: organization });
      const many = await app.commandsOf(() => listed());
      expect(many).toEqual(few);
    });

    it('is walked page by page, each once, in either order, also while more join', async () => {
      const made = [admin._id];
      for (let n = 0; n < 5; n += 1) made.push((await app.create.user({ in: organization }))._id);
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        for (let page: string | undefined, more = true; more;) {
          const part = await listed({ limit: 2, order, ...(page !== undefined && { page }) });
          seen.push(...part.items.map(({ id }) => id));
          if (seen.length === 2 && order === 'desc') await app.create.user({ in: organization });
          page = part.next?.page;
          more = page !== undefined;
        }
        expect(seen).toEqual(order === 'asc' ? made : [...made].reverse());
      }
      expect(await listed({ limit: 0 })).toEqual({ count: 7, items: [] });
      const { next } = await listed({ limit: 1 });
      await app.as(admin).get(path()).query({ page: next?.page, order: 'asc' }).expect(400);
      await app.as(admin).get(path()).query({ page: next?.page, role: 'read' }).expect(400);
    });

    it('is filtered by role', async () => {
      const guest = await app.create.user({ in: organization, role: null });
      const editor = await app.create.user({ in: organization, role: 'edit' });
      expect(await ids({ role: 'guest' })).toEqual([guest._id]);
      expect(await ids({ role: 'edit' })).toEqual([editor._id]);
      expect(await ids({ role: 'review' })).toEqual([]);
      expect((await listed({ role: 'admin', limit: 0 })).count).toBe(1);
    });

    it('is searched by a part of the name or the address, in any case and as it stands', async () => {
      const one = await app.create.user({ in: organization, displayName: 'Søren Straße', email: 'a.b+c@one.test' });
      const two = await app.create.user({ in: organization, displayName: 'Anna (2)', email: 'axb@two.test' });
      const find = (search: string) => ids({ search });
      expect(await find('SØREN')).toEqual([one._id]);
      expect(await find('strasse')).toEqual([one._id]);
      expect(await find('ONE.test')).toEqual([one._id]);
      expect(await find('a.b')).toEqual([one._id]);
      expect(await find('.test')).toEqual([two._id, one._id]);
      expect(await find('(2)')).toEqual([two._id]);
      expect(await find('^anna')).toEqual([]);
      expect(await find('[')).toEqual([]);
      expect(await find('')).toHaveLength(3);
      expect(await ids({ search: 'test', role: 'guest' })).toEqual([]);
    });

    it('finds people by a new name at once, and no longer by the old one', async () => {
      const user = await app.create.user({ in: organization, displayName: 'Maiden Name' });
      await app.as(user).patch(`/v1/users/${user._id}`).send({ displayName: 'Other Name' }).expect(200);
      expect(await ids({ search: 'maiden' })).toEqual([]);
      expect(await ids({ search: 'OTHER' })).toEqual([user._id]);
    });

    it('is sorted by when they were seen: those who were, and are not disabled', async () => {
      const seen = [];
      for (let n = 0; n < 3; n += 1) seen.push(await app.create.user({ in: organization, role: null }));
      await app.create.user({ in: organization });
      for (const user of seen) {
        expect((await app.as(user).post(`/v1/orgs/${organization._id}/ping`).expect(200)).body).toEqual({});
      }
      const [first, second, third] = seen as [TestUser, TestUser, TestUser];
      expect(await ids({ sort: 'lastSeenAt' })).toEqual([third._id, second._id, first._id]);
      await app.as(first).post(`/v1/orgs/${organization._id}/ping`).expect(200);
      expect(await ids({ sort: 'lastSeenAt', order: 'asc' })).toEqual([second._id, third._id, first._id]);
      await disable(second);
      expect(await listed({ sort: 'lastSeenAt' })).toEqual({
        count: 2,
        items: [
          expect.objectContaining({ id: first._id, lastSeenAt: ISO }),
          expect.objectContaining({ id: third._id, lastSeenAt: ISO }),
        ],
      });
    });

    it.each([
      [{ role: 'owner' }, 'role must be one of: read, comment, edit, review, create, admin, guest'],
      [{ sort: 'name' }, 'sort must be one of: joinedAt, lastSeenAt'],
      [{ order: 'up' }, 'order must be one of: asc, desc'],
      [{ search: ['a', 'b'] }, 'search must be given once, as text'],
      [{ limit: 1001 }, 'limit must be a whole number from 0 to 1000'],
      [{ page: 'nothing' }, expect.stringMatching(/^page is not a page of this list/)],
    ])('refuses %j', async (query, message) => {
      const { body } = await app.as(admin).get(path()).query(query).expect(400);
      expect(body).toEqual({ error: { code: 400, message } });
    });
  });

  describe('GET O/members/:userId', () => {
    it('shows one, and everybody themselves', async () => {
      const guest = await app.create.user({ in: organization, role: null });
      const { items } = await listed();
      const [first] = items;
      expect((await app.as(admin).get(path(guest)).expect(200)).body).toEqual(first);
      expect((await app.as(guest).get(path(guest)).expect(200)).body).toEqual(first);
      await app.as(guest).get(path(admin)).expect(403);
      const stranger = await app.create.user();
      expect((await app.as(admin).get(path(stranger)).expect(404)).body).toEqual(NO_MEMBER);
      await app.as(stranger).get(path(stranger)).expect(404);
    });
  });

  describe('PATCH O/members/:userId', () => {
    it('changes the role from the very next request on', async () => {
      const user = await app.create.user({ in: organization });
      const space = await app.create.space({ organization });
      const { body } = await setRole(user, 'admin').expect(200);
      expect(body).toMatchObject({ object: 'member', id: user._id, role: 'admin' });
      await app.as(user).patch(`/v1/orgs/${organization._id}`).send({}).expect(200);
      await setRole(user, null).expect(200);
      await app.as(user).patch(`/v1/orgs/${organization._id}`).send({}).expect(403);
      await app.as(user).get(`/v1/spaces/${space._id}`).expect(404);
      expect((await app.as(user).get(path(user)).expect(200)).body).toEqual({
        ...(body as object),
        role: null,
        spaces: 0,
      });
    });

    it('leaves an absent role as it is', async () => {
      const user = await app.create.user({ in: organization, role: 'edit' });
      const before = (await app.as(admin).get(path(user)).expect(200)).body as unknown;
      expect((await app.as(admin).patch(path(user)).send({ disabled: true }).expect(200)).body).toEqual(before);
    });

    it.each([['owner'], [5], [''], ['Admin']])('refuses the role %j', async (role) => {
      const user = await app.create.user({ in: organization });
      const { body } = await setRole(user, role).expect(400);
      expect(body).toEqual({
        error: { code: 400, message: 'role must be one of: read, comment, edit, review, create, admin, null' },
      });
      expect(await ids({ role: 'read' })).toEqual([user._id]);
    });

    it('is for administrators, and about members', async () => {
      const user = await app.create.user({ in: organization, role: 'create' });
      await setRole(user, 'admin', user).expect(403);
      await setRole(user, 'admin', await app.create.user()).expect(404);
      expect((await setRole(await app.create.user(), 'read').expect(404)).body).toEqual(NO_MEMBER);
    });

    it('leaves the last administrator in place, also when the others are disabled', async () => {
      const other = await app.create.user({ in: organization, role: 'admin' });
      await disable(other);
      expect((await setRole(admin, 'create').expect(409)).body).toEqual(LAST);
      await setRole(other, 'read').expect(200);
      expect((await setRole(admin, null).expect(409)).body).toEqual(LAST);
      await setRole(admin, 'admin').expect(200);
    });
  });

  describe('DELETE O/members/:userId', () => {
    const remove = (user: TestUser, as = admin) => app.as(as).delete(path(user));

    it('ends access at the very next request', async () => {
      const user = await app.create.user({ in: organization, role: 'admin' });
      const space = await app.create.space({ organization });
      await app.as(user).get(`/v1/spaces/${space._id}`).expect(200);
      await remove(user).expect(204, '');
      await app.as(user).get(`/v1/spaces/${space._id}`).expect(404);
      await app.as(user).get(`/v1/orgs/${organization._id}`).expect(404);
      expect((await remove(user).expect(404)).body).toEqual(NO_MEMBER);
    });

    it('takes direct permissions along: they do not come back with the person', async () => {
      const guest = await app.create.user({ in: organization, role: null });
      const space = await app.create.space({ organization });
      await app
        .as(admin)
        .post(`/v1/spaces/${space._id}/permissions`)
        .send({ users: [guest._id], role: 'edit' })
        .expect(204);
      await app.as(guest).get(`/v1/spaces/${space._id}`).expect(200);
      await remove(guest).expect(204);
      const invited = { emails: [{ email: guest.email, role: null }] };
      await app.as(admin).post(`/v1/orgs/${organization._id}/invites`).send(invited).expect(200);
      await app.as(guest).get(path(guest)).expect(200);
      await app.as(guest).get(`/v1/spaces/${space._id}`).expect(404);
    });

    it('leaves nothing to come back to, even where an entry was left behind', async () => {
      const person = await app.create.user();
      const space = await app.create.space({ organization });
      const root = `/v1/orgs/${organization._id}`;
      const { body } = await app.as(admin).post(`${root}/collections`).expect(201);
      const { id: collection } = body as { id: string };
      // as by a request that was under way when they were removed
      const entry = { subject: person._id, role: 'admin', createdAt: new Date() };
      for (const name of ['spaces', 'collections']) {
        const left = { $push: { users: entry } } as object;
        await app.connection.collection(name).updateOne({ organization: organization._id }, left);
      }
      const invited = { emails: [{ email: person.email, role: null }] };
      await app.as(admin).post(`${root}/invites`).send(invited).expect(200);
      await app.as(person).get(`/v1/spaces/${space._id}`).expect(404);
      await app.as(person).get(`/v1/collections/${collection}`).expect(404);
    });

    it('lets everybody leave, and nobody remove others but administrators', async () => {
      const guest = await app.create.user({ in: organization, role: null });
      const other = await app.create.user({ in: organization, role: 'create' });
      await remove(guest, other).expect(403);
      await remove(guest, await app.create.user()).expect(404);
      await remove(guest, guest).expect(204);
      expect(await ids({})).toEqual([other._id, admin._id]);
    });

    it('leaves the last administrator in place', async () => {
      await app.create.user({ in: organization, role: 'create' });
      expect((await remove(admin).expect(409)).body).toEqual(LAST);
      await app.create.user({ in: organization, role: 'admin' });
      await remove(admin).expect(204);
    });
  });

  it('do not count who has not come yet as an administrator: nobody could act for the organization', async () => {
    const email = `${organization._id.toLowerCase()}@example.org`;
    const invites = `/v1/orgs/${organization._id}/invites`;
    const { body } = await app
      .as(admin)
      .post(invites)
      .send({ emails: [email], role: 'admin' })
      .expect(200);
    const [{ user, invite } = { user: '', invite: '' }] = (body as { invitations: { user: string; invite: string }[] })
      .invitations;
    expect((await setRole(admin, null).expect(409)).body).toEqual(LAST);
    expect((await app.as(admin).delete(path(admin)).expect(409)).body).toEqual(LAST);
    await app.as(admin).patch(`${path()}/${user}`).send({ role: 'read' }).expect(200);
    await app.as(admin).patch(`${path()}/${user}`).send({ role: 'admin' }).expect(200);
    await app
      .anonymous()
      .post('/v1/auth/register')
      .send({ email, displayName: 'New Name', password: 'correct horse', invite })
      .expect(201);
    await app.as(admin).delete(path(admin)).expect(204);
  });

  describe('POST O/members/:userId/sso', () => {
    it('marks a member, once and for all', async () => {
      const user = await app.create.user({ in: organization });
      const mark = (of: TestUser, as = admin) => app.as(as).post(`${path(of)}/sso`);
      const { body } = await mark(user).expect(200);
      expect(body).toMatchObject({ object: 'member', id: user._id, sso: true });
      expect((await mark(user).expect(200)).body).toEqual(body);
      expect((await app.as(user).get(path(user)).expect(200)).body).toEqual(body);
      await mark(user, user).expect(403);
      expect((await mark(await app.create.user()).expect(404)).body).toEqual(NO_MEMBER);
    });
  });

  describe('the last administrator', () => {
    let second: TestApp;

    beforeAll(async () => {
      const { name } = app.connection;
      second = await startApp({}, name);
    });
    afterAll(() => second.nest.close());

    /** Two administrators, each of whom does `act` to the other at the same moment, at two processes. */
    async function duel(act: (at: TestApp, as: TestUser, to: TestUser) => PromiseLike<{ status: number }>) {
      const other = await app.create.user({ in: organization, role: 'admin' });
      const answers = await Promise.all([act(app, admin, other), act(second, other, admin)]);
      const admins = await app.connection
        .collection('members')
        .find({ organization: organization._id, role: 'admin' })
        .toArray();
      expect(admins).toHaveLength(1);
      return answers.map(({ status }) => status).sort();
    }

    it('stays when two take the role from each other at the same moment', async () => {
      for (let round = 0; round < cases(10, 100); round += 1) {
        organization = await app.create.organization();
        admin = organization.admin;
        const statuses = await duel((at, as, to) => at.as(as).patch(path(to)).send({ role: 'edit' }));
        expect([
          [200, 403],
          [200, 409],
        ]).toContainEqual(statuses);
      }
    });

    it('stays when two remove each other, or leave, at the same moment', async () => {
      for (let round = 0; round < cases(10, 100); round += 1) {
        organization = await app.create.organization();
        admin = organization.admin;
        const leave = round % 2 === 1;
        const statuses = await duel((at, as, to) => at.as(as).delete(path(leave ? as : to)));
        expect([
          [204, 404],
          [204, 409],
        ]).toContainEqual(statuses);
      }
    });

    it('stays when one leaves while the other gives the role up', async () => {
      for (let round = 0; round < cases(5, 50); round += 1) {
        organization = await app.create.organization();
        admin = organization.admin;
        await duel((at, as) =>
          as === admin ? at.as(as).delete(path(as)) : at.as(as).patch(path(as)).send({ role: null }),
        );
      }
    });
  });
});
