import type { ChangeRequest, ChangeRequestsService } from '../src/change-requests/index.js';
import { Invariants, type Problem } from '../src/database/index.js';
import { type Space, SpacePurge } from '../src/spaces/index.js';
import type { TestApp } from './support/app.js';
import { type Body, givenChangeRequests } from './support/change-request-records.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const GONE = { error: { code: 404, message: 'Change request not found' } };
const DAY = 24 * 60 * 60_000;

describe('change requests', () => {
  let app: TestApp;
  let service: ChangeRequestsService;
  const { shared, counters, set, read } = givenChangeRequests((given) => {
    ({ app, service } = given);
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
