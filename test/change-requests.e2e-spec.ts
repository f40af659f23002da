import { type ChangeRequest, ChangeRequestsService } from '../src/change-requests/index.js';
import { Invariants, type Problem } from '../src/database/index.js';
import { type Space, SpacePurge } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const GONE = { error: { code: 404, message: 'Change request not found' } };
const DAY = 24 * 60 * 60_000;

interface Body {
  id: string;
  number: number;
  status: string;
  subject: string;
  revision: string;
  createdAt: string;
  updatedAt: string;
}
interface List {
  items: Body[];
  count: number;
  next?: { page: string };
}

describe('change requests', () => {
  let app: TestApp;
  let service: ChangeRequestsService;

  beforeAll(async () => {
    app = await startApp();
    service = app.nest.get(ChangeRequestsService, { strict: false });
  });
  afterAll(() => app.close());

  /** A space of an organization in which somebody holds each of `roles`. */
  async function shared<R extends string>(...roles: R[]) {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const users = {} as Record<R, TestUser>;
    for (const role of roles) users[role] = await app.create.user({ in: organization, role: role as never });
    return { organization, space, users, admin: organization.admin, path: `/v1/spaces/${space._id}/change-requests` };
  }

  const counters = async (space: Pick<Space, '_id'>) => {
    const found = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
    return [found?.changeRequests, found?.changeRequestsOpen, found?.changeRequestsDraft];
  };
  const set = (id: string, fields: Partial<ChangeRequest>) =>
    app.connection.collection<ChangeRequest>('change_requests').updateOne({ _id: id }, { $set: fields });
  const read = async (user: TestUser, path: string): Promise<Body> =>
    (await app.as(user).get(path).expect(200)).body as Body;

  describe('are made', () => {
    it('as drafts of what the space holds, and read by id and by number', async () => {
      const { space, users, path } = await shared('edit', 'read');
      const subject = 'Über Größe 📘'.padEnd(100, '.');
      const { body, headers } = await app.as(users.edit).post(path).send({ subject }).expect(201);
      const { id } = body as Body;
      const location = `http://docs.test${path}/${id}`;
      expect(headers.location).toBe(location);
      expect(body).toEqual({
        object: 'change-request',
        id: ID,
        number: 1,
        status: 'draft',
        subject,
        createdBy: {
          object: 'user',
          id: users.edit._id,
          displayName: 'Ann Author',
          email: users.edit.email,
          urls: { location: `http://docs.test/v1/users/${users.edit._id}` },
        },
        createdAt: ISO,
        updatedAt: ISO,
        revision: space.revision,
        revisionInitial: space.revision,
        comments: 0,
        outdated: false,
        urls: { location, app: `http://docs.test/s/${space._id}/~/changes/1` },
      });
      expect(await read(users.read, `${path}/${id}`)).toEqual(body);
      expect(await read(users.read, `${path}/1`)).toEqual(body);
      expect(await counters(space)).toEqual([1, 0, 1]);
      const bare = await app.as(users.edit).post(path).expect(201);
      expect(bare.body).toMatchObject({ number: 2, subject: '' });
    });

    it('without a change of the dates and the settings of the space', async () => {
      const { space, admin, path } = await shared();
      const before = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
      await app.as(admin).post(path).expect(201);
      const after = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
      expect(after).toEqual({ ...before, changeRequests: 1, changeRequestsDraft: 1 });
    });

    it('in a locked space too', async () => {
      const space = await app.create.space({ editMode: 'locked' });
      await app.as(space.admin).post(`/v1/spaces/${space._id}/change-requests`).expect(201);
    });

    it('with one number each, however many are made at once', async () => {
      const { space, admin, path } = await shared();
      const answers = await Promise.all(Array.from({ length: 16 }, () => app.as(admin).post(path).send({})));
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(201));
      const numbers = answers.map(({ body }) => (body as Body).number).sort((one, other) => one - other);
      expect(numbers).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
      expect(await counters(space)).toEqual([16, 0, 16]);
    });

    it('by nobody who may not edit', async () => {
      const { users, path } = await shared('comment');
      await app.anonymous().post(path).send({}).expect(401);
      await app.as(users.comment).post(path).send({ subject: 5 }).expect(403);
      await app
        .as(await app.create.user())
        .post(path)
        .send({})
        .expect(404);
    });

    it.each([
      ['x'.repeat(101), 'subject must be 0 to 100 characters long'],
      [5, 'subject must be a string'],
      [null, 'subject must be a string'],
      ['half \ud800', 'subject must be well-formed text without NUL characters'],
    ])('not with the subject %j', async (subject, message) => {
      const { space, admin, path } = await shared();
      const { body } = await app.as(admin).post(path).send({ subject }).expect(400);
      expect(body).toEqual({ error: { code: 400, message } });
      expect(await counters(space)).toEqual([0, 0, 0]);
    });
  });

  describe('are read', () => {
    it('by nobody else', async () => {
      const { space, path } = await shared();
      const made = await app.create.changeRequest({ space });
      await app.anonymous().get(`${path}/${made._id}`).expect(401);
      const stranger = await app.create.user();
      const { body } = await app.as(stranger).get(`${path}/${made._id}`).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Space not found' } });
    });

    it('not where there are none', async () => {
      const { admin, space, path } = await shared();
      const elsewhere = await app.create.changeRequest({ space: await app.create.space() });
      await app.create.changeRequest({ space });
      for (const name of [elsewhere._id, '2', '0', '999999999999999999', '1e0', 'nowhere', '%24ne', '-1']) {
        expect((await app.as(admin).get(`${path}/${name}`).expect(404)).body).toEqual(GONE);
      }
    });

    it('with the e-mail address of who made it for fellow members only', async () => {
      const { organization, space, path } = await shared();
      const guest = await app.create.user({ in: organization, role: null });
      const users = [{ subject: guest._id, role: 'read' as const, createdAt: new Date() }];
      await app.connection.collection<Space>('spaces').updateOne({ _id: space._id }, { $set: { users } });
      await app.create.changeRequest({ space });
      expect(await read(guest, `${path}/1`)).not.toHaveProperty('createdBy.email');
    });

    it('without who made it when the account is gone', async () => {
      const { space, admin, users, path } = await shared('edit');
      await app.create.changeRequest({ space, by: users.edit });
      await app.connection.collection<{ _id: string }>('users').deleteOne({ _id: users.edit._id });
      expect(await read(admin, `${path}/1`)).not.toHaveProperty('createdBy');
      const { body } = await app.as(admin).get(`${path}/1/contributors`).expect(200);
      expect((body as List).items).toEqual([{ count: 0, updatedAt: ISO }]);
    });

    it('as outdated when the space has moved on, until that is pulled', async () => {
      const { space, admin, path } = await shared();
      const { _id } = await app.create.changeRequest({ space });
      const page = { operation: 'insert_page', title: 'New', document: { markdown: 'New\n' } };
      await app
        .as(admin)
        .post(`/v1/spaces/${space._id}/content`)
        .send({ changes: [page] })
        .expect(200);
      expect(await read(admin, `${path}/1`)).toMatchObject({ outdated: true });
      const { revision } = (await app.as(admin).get(`/v1/spaces/${space._id}`).expect(200)).body as Body;
      await set(_id, { revisionMergedAncestor: revision });
      expect(await read(admin, `${path}/1`)).toMatchObject({ outdated: false, revisionMergedAncestor: revision });
    });
  });

  describe('are printed', () => {
    it('as they are at that moment, by an address that needs no token', async () => {
      const { space, admin, users, path } = await shared('read');
      await app.create.changeRequest({ space });
      const page = { operation: 'insert_page', title: 'Drafted', document: { markdown: 'Text\n' } };
      await app
        .as(admin)
        .post(`${path}/1/content`)
        .send({ changes: [page] })
        .expect(200);
      const { pages } = (await app.as(admin).get(`${path}/1/content/pages`).expect(200)).body as { pages: Body[] };
      const { body } = await app
        .as(users.read)
        .get(`${path}/1/pdf?only=true&page=${pages[0]?.id ?? ''}`)
        .expect(200);
      expect(body).toEqual({ url: expect.stringMatching(/^http:\/\/docs\.test\/v1\/pdf\/[\w.-]+$/) as string });
      await app.as(users.read).get(`${path}/1/pdf?page=nowhere`).expect(400);
      await app.as(users.read).get(`${path}/1/pdf?only=true`).expect(400);
      await app.as(users.read).get(`${path}/2/pdf`).expect(404);
      await app.as(users.read).get(`${path}/2/pdf?only=true`).expect(400);
      await app.anonymous().get(`${path}/1/pdf`).expect(401);
      await app
        .as(await app.create.user())
        .get(`${path}/1/pdf`)
        .expect(404);
    });
  });

  describe('are listed', () => {
    it('by status, open ones unless another is named, newest first', async () => {
      const { space, admin, users, path } = await shared('read');
      for (const status of ['draft', 'open', 'archived', 'merged', 'open'] as const) {
        await set((await app.create.changeRequest({ space }))._id, { status });
      }
      const numbers = async (query = '') => {
        const { body } = await app
          .as(users.read)
          .get(path + query)
          .expect(200);
        return [(body as List).count, ...(body as List).items.map(({ number }) => number)];
      };
      expect(await numbers()).toEqual([2, 5, 2]);
      expect(await numbers('?status=open')).toEqual([2, 5, 2]);
      expect(await numbers('?status=draft')).toEqual([1, 1]);
      expect(await numbers('?status=archived')).toEqual([1, 3]);
      expect(await numbers('?status=merged')).toEqual([1, 4]);
      expect(await numbers('?limit=0')).toEqual([2]);
      const { body } = await app.as(admin).get(path).expect(200);
      expect((body as List).items[0]).toEqual(await read(admin, `${path}/5`));
    });

    it('page by page to the end, with the people of a page read at once', async () => {
      const { space, admin, users, path } = await shared('edit');
      for (let number = 1; number <= 7; number += 1) {
        await app.create.changeRequest({ space, by: number % 2 ? admin : users.edit });
      }
      const seen: number[] = [];
      for (let query = '?status=draft&limit=3'; ;) {
        const list = (
          await app
            .as(admin)
            .get(path + query)
            .expect(200)
        ).body as List;
        expect(list.count).toBe(7);
        seen.push(...list.items.map(({ number }) => number));
        if (!list.next) break;
        query = `?status=draft&limit=3&page=${list.next.page}`;
        await app.as(admin).get(`${path}?page=${list.next.page}`).expect(400);
      }
      expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
      const reads = async (limit: number) =>
        (await app.commandsOf(() => app.as(admin).get(`${path}?status=draft&limit=${String(limit)}`))).length;
      expect(await reads(7)).toBe(await reads(2));
    });

    it('by contributor: who made it, or one of its revisions', async () => {
      const { space, admin, users, path } = await shared('edit', 'review');
      const first = await app.create.changeRequest({ space });
      await app.create.changeRequest({ space, by: users.edit });
      await service.advance(first, { revision: 'anotherRevision' }, users.review._id);
      const by = async (user: string) => {
        const { body } = await app.as(admin).get(`${path}?status=draft&contributor=${user}`).expect(200);
        return (body as List).items.map(({ number }) => number);
      };
      expect(await by(admin._id)).toEqual([1]);
      expect(await by(users.edit._id)).toEqual([2]);
      expect(await by(users.review._id)).toEqual([1]);
      expect(await by('nobody')).toEqual([]);
      const { body } = await app.as(admin).get(`${path}/1/contributors`).expect(200);
      expect(body).toEqual({
        count: 2,
        items: [
          { user: expect.objectContaining({ id: users.review._id }) as object, count: 1, updatedAt: ISO },
          { user: expect.objectContaining({ id: admin._id }) as object, count: 0, updatedAt: ISO },
        ],
      });
    });

    it.each(['?status=closed', '?status=draft&status=open', '?limit=1001', '?page=x', '?contributor[$ne]=x'])(
      'not with %s',
      async (query) => {
        const { admin, path } = await shared();
        const { status } = await app.as(admin).get(path + query);
        expect(status).toBe(query.startsWith('?contributor') ? 200 : 400);
      },
    );

    it('for nobody without access', async () => {
      const { path } = await shared();
      await app.anonymous().get(path).expect(401);
      await app
        .as(await app.create.user())
        .get(path)
        .expect(404);
    });
  });

  describe('go from state to state', () => {
    const STATES = ['draft', 'open', 'archived', 'merged'] as const;
    const TO = ['draft', 'open', 'archived'] as const;

    it.each(STATES.flatMap((from) => TO.map((to) => [from, to] as const)))('from %s to %s', async (from, to) => {
      const { space, admin, path } = await shared();
      const made = await app.create.changeRequest({ space });
      if (from === 'merged') expect(await service.markMerged(made, space.revision)).toBe(true);
      else await app.as(admin).patch(`${path}/1`).send({ status: from }).expect(200);
      const before = await read(admin, `${path}/1`);
      const { body, status } = await app.as(admin).patch(`${path}/1`).send({ status: to });
      if (from === 'merged') {
        const message = 'The change request is merged: it cannot be changed any more';
        expect(body).toEqual({ error: { code: 409, message } });
        expect(await read(admin, `${path}/1`)).toEqual(before);
      } else {
        expect(status).toBe(200);
        // to be what it is already changes nothing
        expect(body).toEqual(from === to ? before : { ...before, status: to, updatedAt: ISO });
        expect((body as Body).updatedAt === before.updatedAt).toBe(from === to);
        expect(await counters(space)).toEqual([1, Number(to === 'open'), Number(to === 'draft')]);
      }
    });

    it('not to any other', async () => {
      const { space, admin, path } = await shared();
      await app.create.changeRequest({ space });
      for (const status of ['merged', 'closed', '', null, 1]) {
        const { body } = await app.as(admin).patch(`${path}/1`).send({ status, subject: 'Kept out' }).expect(400);
        expect(body).toEqual({ error: { code: 400, message: 'status must be one of: draft, open, archived' } });
      }
      expect(await read(admin, `${path}/1`)).toMatchObject({ status: 'draft', subject: '' });
    });

    it('with their subject, in every state but merged', async () => {
      const { space, admin, path } = await shared();
      const made = await app.create.changeRequest({ space, subject: 'Old' });
      for (const status of TO) {
        await app
          .as(admin)
          .patch(`${path}/1`)
          .send({ status, subject: `Now ${status}` })
          .expect(200);
        expect(await read(admin, `${path}/1`)).toMatchObject({ status, subject: `Now ${status}` });
      }
      await set(made._id, { status: 'merged' });
      await app.as(admin).patch(`${path}/1`).send({ subject: 'Late' }).expect(409);
      const before = await read(admin, `${path}/1`);
      expect((await app.as(admin).patch(`${path}/1`).send({}).expect(200)).body).toEqual(before);
      await app.as(admin).patch(`${path}/1`).expect(400);
    });

    it('at once, and every state is counted', async () => {
      const { space, admin, path } = await shared();
      await app.create.changeRequest({ space });
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          app
            .as(admin)
            .patch(`${path}/1`)
            .send({ status: TO[index % 3] }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const { status } = await read(admin, `${path}/1`);
      expect(await counters(space)).toEqual([1, Number(status === 'open'), Number(status === 'draft')]);
    });

    it('by who made them and who may review, and nobody else', async () => {
      const { space, organization, users, path } = await shared('edit', 'review', 'comment');
      const other = await app.create.user({ in: organization, role: 'edit' });
      await app.create.changeRequest({ space, by: users.edit });
      const change = { subject: 'New' };
      await app.anonymous().patch(`${path}/1`).send(change).expect(401);
      await app.as(users.comment).patch(`${path}/1`).send({ status: 'merged' }).expect(403);
      await app.as(other).patch(`${path}/1`).send({ status: 'merged' }).expect(400);
      const { body } = await app.as(other).patch(`${path}/1`).send(change).expect(403);
      const message = 'This takes having made the change request, or the permission "review" in the space';
      expect(body).toEqual({ error: { code: 403, message } });
      await app.as(users.review).patch(`${path}/1`).send(change).expect(200);
      await app.as(users.edit).patch(`${path}/1`).send(change).expect(200);
      await app.as(other).patch(`${path}/2`).send({ status: 'merged' }).expect(400);
      expect((await app.as(other).patch(`${path}/2`).send(change).expect(404)).body).toEqual(GONE);
    });
  });

  describe('point to their content', () => {
    it('which moves from where it was read, in drafts and open ones', async () => {
      const { space, users } = await shared('edit');
      const made = await app.create.changeRequest({ space });
      const moved = await service.advance(made, { revision: 'second' }, users.edit._id);
      expect(moved).toMatchObject({ revision: 'second', revisionMergedAncestor: null, version: 2 });
      expect(await service.advance(made, { revision: 'lost' }, users.edit._id)).toBeNull();
      expect(await service.markMerged(made, 'lost')).toBe(false);
      const again = moved && (await service.advance(moved, { revision: 'third', mergedAncestor: 'p' }, users.edit._id));
      expect(again).toMatchObject({ revision: 'third', revisionMergedAncestor: 'p' });
      expect(again?.contributors.map(({ user, count }) => [user, count])).toEqual([
        [space.admin._id, 0],
        [users.edit._id, 2],
      ]);
      for (const status of ['archived', 'merged'] as const) {
        await set(made._id, { status });
        expect(await service.advance(again ?? made, { revision: 'lost' }, users.edit._id)).toBeNull();
        expect(await service.markMerged(again ?? made, 'lost')).toBe(false);
      }
    });

    it('until they are merged', async () => {
      const { space, admin, path } = await shared();
      const made = await app.create.changeRequest({ space });
      await app.as(admin).patch(`${path}/1`).send({ status: 'open' }).expect(200);
      // what was read before it was opened is merged all the same
      expect(await service.markMerged(made, 'result')).toBe(true);
      expect(await read(admin, `${path}/1`)).toMatchObject({
        status: 'merged',
        revisionMerged: 'result',
        outdated: false,
      });
      expect(await counters(space)).toEqual([1, 0, 0]);
    });

    it('and count comments without a change of their dates', async () => {
      const { space, admin, path } = await shared();
      const made = await app.create.changeRequest({ space });
      const before = await read(admin, `${path}/1`);
      await service.adjustComments(made, 2);
      await service.adjustComments(made, -1);
      expect(await read(admin, `${path}/1`)).toEqual({ ...before, comments: 1 });
    });
  });

  describe('share the life of their space', () => {
    it('in the trash, where they are not seen, and after it', async () => {
      const { space, admin, path } = await shared();
      await app.create.changeRequest({ space });
      await app.as(admin).delete(`/v1/spaces/${space._id}`).expect(205);
      for (const below of ['', '/1', '/1/contributors'])
        await app
          .as(admin)
          .get(path + below)
          .expect(404);
      await app.as(admin).post(`/v1/spaces/${space._id}/restore`).expect(200);
      expect(await read(admin, `${path}/1`)).toMatchObject({ number: 1 });
    });

    it('and are removed with it for good', async () => {
      const { space, admin, path } = await shared();
      const kept = await app.create.changeRequest({ space: await app.create.space() });
      await app.create.changeRequest({ space });
      await app.as(admin).put(`/v1/spaces/${space._id}/merge-rules`).send({ rules: [], bypass: [] }).expect(200);
      await app.as(admin).patch(`${path}/1`).send({ status: 'open' }).expect(200);
      await app.as(admin).delete(`/v1/spaces/${space._id}`).expect(205);
      await app.nest.get(SpacePurge, { strict: false }).run(undefined, new Date(Date.now() + 8 * DAY));
      const left = await app.connection.collection('change_requests').countDocuments({ space: space._id });
      const rules = await app.connection.collection<{ _id: string }>('merge_rules').countDocuments({ _id: space._id });
      expect([left, rules]).toEqual([0, 0]);
      expect(await service.get(kept._id)).toMatchObject({ number: 1 });
    });

    it('but a copy of it has none', async () => {
      const { space, admin } = await shared();
      await app.create.changeRequest({ space });
      const { body } = await app.as(admin).post(`/v1/spaces/${space._id}/duplicate`).expect(201);
      expect(body).toMatchObject({ changeRequests: 0, changeRequestsDraft: 0 });
      const list = await app
        .as(admin)
        .get(`/v1/spaces/${(body as Body).id}/change-requests?status=draft`)
        .expect(200);
      expect(list.body).toEqual({ count: 0, items: [] });
    });

    it('and go with it to another organization', async () => {
      const { space, admin, path } = await shared();
      await app.create.changeRequest({ space });
      const { _id: organization } = await app.create.organization({ admin });
      await app.as(admin).post(`/v1/spaces/${space._id}/transfer`).send({ organization }).expect(200);
      expect(await read(admin, `${path}/1`)).toMatchObject({ number: 1 });
    });
  });

  describe('are checked by the doctor', () => {
    /** The problems of one kind that there are. */
    async function problems(name: string): Promise<Problem[]> {
      const find = new Map(app.nest.get(Invariants, { strict: false }).entries()).get(name);
      if (!find) throw new Error(`no invariant ${name}`);
      const found: Problem[] = [];
      for await (const problem of find()) found.push(problem);
      return found;
    }
    const told = (found: Problem[]) => found.map(({ where, what }) => ({ where, what }));
    const about = (found: Problem[], ...ids: string[]) =>
      found.filter(({ where }) => ids.some((id) => where.endsWith(id)));

    it('which counts them, and puts the numbers of the space right', async () => {
      const name = 'every space knows how many change requests it has';
      const { space } = await shared();
      for (let made = 0; made < 3; made += 1) await app.create.changeRequest({ space });
      expect(about(await problems(name), space._id)).toEqual([]);
      const wrong = { changeRequests: 1, changeRequestsOpen: 4, changeRequestsDraft: 3 };
      await app.connection.collection<Space>('spaces').updateOne({ _id: space._id }, { $set: wrong });
      const found = about(await problems(name), space._id);
      expect(told(found)).toEqual([
        { where: `space ${space._id}`, what: 'changeRequests must be 3, changeRequestsOpen must be 0' },
      ]);
      for (const { repair } of found) await repair?.();
      expect(await counters(space)).toEqual([3, 0, 3]);
      expect((await app.create.changeRequest({ space })).number).toBe(4);
    });

    it('which finds numbers that are missing', async () => {
      const { space } = await shared();
      const made = [];
      for (let number = 1; number <= 4; number += 1) made.push(await app.create.changeRequest({ space }));
      const lost = made.slice(1, 3).map(({ _id }) => _id);
      await app.connection.collection<ChangeRequest>('change_requests').deleteMany({ _id: { $in: lost } });
      const found = about(await problems('the change requests of every space are numbered 1, 2, 3...'), space._id);
      expect(told(found)).toEqual([{ where: `space ${space._id}`, what: 'the numbers 2 to 3 are missing' }]);
    });

    it('which finds revisions that are not there, or of another space', async () => {
      const { space } = await shared();
      const other = await app.create.space();
      const made = await app.create.changeRequest({ space });
      await set(made._id, { revision: other.revision, revisionMergedAncestor: 'nowhere' });
      const found = about(await problems('every change request points to revisions of its space'), made._id);
      const what = `the revisions that it points to are not there, or not of its space: ${other.revision}, nowhere`;
      expect(told(found)).toEqual([{ where: `change request ${made._id}`, what }]);
    });

    it('which finds half merged ones', async () => {
      const { space } = await shared();
      const [one, two] = [await app.create.changeRequest({ space }), await app.create.changeRequest({ space })];
      await set(one._id, { status: 'merged' });
      await set(two._id, { revisionMerged: space.revision });
      const found = await problems('a change request is merged when a revision of its space came of it');
      expect(
        told(about(found, one._id, two._id))
          .map(({ what }) => what)
          .sort(),
      ).toEqual([
        `its state is draft, and the revision that came of it ${space.revision}`,
        'its state is merged, and the revision that came of it is not known',
      ]);
    });

    it('which removes what belongs to nothing', async () => {
      const name = 'every change request, review and merge rule has what it belongs to';
      const { space, admin, users } = await shared('review');
      const made = await app.create.changeRequest({ space });
      const review = { _id: `review${made._id}`, space: space._id, changeRequest: 'gone', reviewer: users.review._id };
      await app.connection.collection<{ _id: string }>('reviews').insertOne(review);
      await app.as(admin).put(`/v1/spaces/${space._id}/merge-rules`).send({ rules: [], bypass: [] }).expect(200);
      await app.connection.collection<Space>('spaces').deleteOne({ _id: space._id });
      const found = about(await problems(name), made._id, review._id, space._id);
      expect(told(found)).toEqual([
        { where: `change request ${made._id}`, what: `its space ${space._id} is gone` },
        { where: `review ${review._id}`, what: 'its change request gone is gone' },
        { where: `merge rules ${space._id}`, what: 'their space is gone' },
      ]);
      for (const { repair } of found) await repair?.();
      expect(about(await problems(name), made._id, review._id, space._id)).toEqual([]);
    });
  });
});
