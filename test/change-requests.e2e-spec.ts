import type { ChangeRequestsService } from '../src/change-requests/index.js';
import type { Space } from '../src/spaces/index.js';
import type { TestApp } from './support/app.js';
import { type Body, givenChangeRequests, type List } from './support/change-request-records.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const GONE = { error: { code: 404, message: 'Change request not found' } };

describe('change requests', () => {
  let app: TestApp;
  let service: ChangeRequestsService;
  const { shared, counters, set, read } = givenChangeRequests((given) => {
    ({ app, service } = given);
  });

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
});
