import { ChangeRequestsService, ReviewsService } from '../src/change-requests/index.js';
import { MembersService } from '../src/organizations/index.js';
import { CollectionsService, type Space, SpacesService } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

interface Request {
  user: { id: string };
  requestedBy: { id: string };
  revision: string;
  createdAt: string;
}
interface List {
  items: Request[];
  count: number;
  next?: { page: string };
}

describe('requests for reviews', () => {
  let app: TestApp;
  let service: ChangeRequestsService;
  let reviews: ReviewsService;

  beforeAll(async () => {
    app = await startApp();
    service = app.nest.get(ChangeRequestsService, { strict: false });
    reviews = app.nest.get(ReviewsService, { strict: false });
  });
  afterAll(() => app.close());

  /** A change request of somebody who may edit, in an organization in which somebody holds each of `roles`. */
  async function given<R extends string>(...roles: R[]) {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const users = {} as Record<R, TestUser>;
    for (const role of roles) {
      users[role] = await app.create.user({ in: organization, role: role as never, displayName: `Rob ${role}` });
    }
    const author = await app.create.user({ in: organization, role: 'edit', displayName: 'Ann Author' });
    const changeRequest = await app.create.changeRequest({ space, by: author });
    const below = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
    return { organization, space, users, author, changeRequest, below, path: `${below}/requested-reviewers` };
  }

  const ask = (user: TestUser, path: string, users: unknown, more: object = {}) =>
    app
      .as(user)
      .post(path)
      .send({ users, ...more });
  const asked = async (user: TestUser, path: string) => {
    const { items } = (await app.as(user).get(path).expect(200)).body as List;
    return items.map((one) => one.user.id);
  };
  const status = async (user: TestUser, below: string) =>
    ((await app.as(user).get(below).expect(200)).body as { status: string }).status;

  it('are made by who made the change request, which becomes open', async () => {
    const { space, author, users, changeRequest, below, path } = await given('review', 'create');
    const { body } = await ask(author, path, [users.review._id], { subject: 'Please' }).expect(200);
    const shown = ({ _id, displayName, email }: TestUser) => ({
      object: 'user',
      id: _id,
      displayName,
      email,
      urls: { location: `http://docs.test/v1/users/${_id}` },
    });
    const request = {
      object: 'change-request-requested-reviewer',
      revision: changeRequest.revision,
      requestedBy: shown(author),
      createdAt: ISO,
      kind: 'user',
      user: shown(users.review),
    };
    expect(body).toEqual({ users: [request] });
    expect((await app.as(users.create).get(path).expect(200)).body).toEqual({ count: 1, items: [request] });
    expect((await app.as(author).get(below).expect(200)).body).toMatchObject({ status: 'open', subject: 'Please' });
    const found = await app.connection.collection<Space>('spaces').findOne({ _id: space._id });
    expect(found).toMatchObject({ changeRequests: 1, changeRequestsOpen: 1, changeRequestsDraft: 0 });
  });

  it('are made by who may review too, and by nobody else', async () => {
    const { organization, users, path } = await given('review', 'comment');
    const other = await app.create.user({ in: organization, role: 'edit' });
    await app.anonymous().post(path).send({ users: [] }).expect(401);
    await app.anonymous().get(path).expect(401);
    await ask(users.comment, path, 'nobody').expect(403);
    await ask(other, path, 'nobody').expect(400);
    await ask(other, path, []).expect(403);
    const stranger = await app.create.user();
    await ask(stranger, path, 'nobody').expect(404);
    await app.as(stranger).get(path).expect(404);
    await ask(users.review, path, [users.review._id]).expect(200);
    await ask(users.review, path.replace(/requests\/\w+/, 'requests/nowhere'), 5).expect(400);
    await ask(users.review, path.replace(/requests\/\w+/, 'requests/nowhere'), []).expect(404);
    await app.as(users.comment).get(path).expect(200);
  });

  it('open a draft when they name nobody', async () => {
    const { author, below, path } = await given();
    expect((await ask(author, path, []).expect(200)).body).toEqual({ users: [] });
    expect(await status(author, below)).toBe('open');
    expect(await asked(author, path)).toEqual([]);
  });

  it('answer only those who were asked, and are made anew for who is asked again', async () => {
    const { author, users, changeRequest, path } = await given('review', 'create', 'admin');
    await ask(author, path, [users.review._id, users.create._id, users.review._id]).expect(200);
    // who was asked at one moment stands in the order of ids
    expect(await asked(author, path)).toEqual([users.create._id, users.review._id].sort().reverse());
    await service.advance(changeRequest, { revision: 'second' }, author._id);
    const { body } = await ask(users.admin, path, [users.review._id]).expect(200);
    expect(body).toMatchObject({
      users: [{ revision: 'second', user: { id: users.review._id }, requestedBy: { id: users.admin._id } }],
    });
    expect((body as { users: unknown[] }).users).toHaveLength(1);
    const list = (await app.as(author).get(path).expect(200)).body as List;
    expect(list.items.map((one) => [one.user.id, one.revision, one.requestedBy.id])).toEqual([
      [users.review._id, 'second', users.admin._id],
      [users.create._id, changeRequest.revision, author._id],
    ]);
  });

  it('name people who may review in the space only', async () => {
    const { organization, author, users, below, path } = await given('review', 'edit');
    const stranger = await app.create.user();
    const disabled = await app.create.user({ in: organization, role: 'admin' });
    await app.connection
      .collection<{ _id: string }>('members')
      .updateOne({ _id: `${organization._id}:${disabled._id}` }, { $set: { disabled: true } });
    const others = [users.edit._id, stranger._id, disabled._id, 'nobody', '$ne'];
    const { body } = await ask(author, path, [users.review._id, ...others], { subject: 'No' }).expect(400);
    const message = `users names who may not review in this space: ${others.join(', ')}`;
    expect(body).toEqual({ error: { code: 400, message } });
    expect((await app.as(author).get(below).expect(200)).body).toMatchObject({ status: 'draft', subject: '' });
    expect(await asked(author, path)).toEqual([]);
  });

  it('go by the role that people have in the space, wherever it comes from', async () => {
    const { organization, space, author, users, path } = await given('review', 'read', 'comment');
    const collections = app.nest.get(CollectionsService, { strict: false });
    const spaces = app.nest.get(SpacesService, { strict: false });
    const outer = await collections.create(organization._id, organization.admin._id, {});
    const inner = await collections.create(organization._id, organization.admin._id, { parent: outer._id });
    const entry = (user: TestUser, role: string | null) => ({ subject: user._id, role, createdAt: new Date() });
    await app.connection
      .collection<{ _id: string }>('collections')
      .updateOne({ _id: outer._id }, { $set: { users: [entry(users.read, 'review'), entry(users.review, 'read')] } });
    const set = { parent: inner._id, users: [entry(users.comment, 'create')] };
    await app.connection.collection<{ _id: string }>('spaces').updateOne({ _id: space._id }, { $set: set });
    await ask(author, path, [users.read._id, users.comment._id]).expect(200);
    await ask(author, path, [users.review._id]).expect(400);
    // however many are asked, the collections above are read once
    const many = [users.read._id, users.comment._id];
    const reads = async (list: string[]) => (await app.commandsOf(() => ask(author, path, list).expect(200))).length;
    expect(await reads(many)).toBe(await reads(many.slice(1)));
    expect(await spaces.get(space._id)).toMatchObject({ parent: inner._id });
  });

  it.each<[unknown, object, string]>([
    [undefined, {}, 'users must be a list of at most 100 ids of people'],
    ['ann', {}, 'users must be a list of at most 100 ids of people'],
    [[5], {}, 'users must be a list of at most 100 ids of people'],
    [[{ $ne: null }], {}, 'users must be a list of at most 100 ids of people'],
    [['x'.repeat(65)], {}, 'users must be a list of at most 100 ids of people'],
    [Array(101).fill('ann'), {}, 'users must be a list of at most 100 ids of people'],
    [[], { subject: 'x'.repeat(101) }, 'subject must be 0 to 100 characters long'],
    [[], { subject: null }, 'subject must be a string'],
  ])('are not made of %j %j', async (users, more, message) => {
    const { author, path } = await given();
    const { body } = await ask(author, path, users, more).expect(400);
    expect(body).toEqual({ error: { code: 400, message } });
  });

  it.each(['archived', 'merged'] as const)('are not made when the change request is %s', async (state) => {
    const { author, changeRequest, below, path } = await given();
    await app.connection
      .collection<{ _id: string }>('change_requests')
      .updateOne({ _id: changeRequest._id }, { $set: { status: state } });
    const { body } = await ask(author, path, [], { subject: 'No' }).expect(409);
    const message = `The change request is ${state}: nobody can be asked to review it`;
    expect(body).toEqual({ error: { code: 409, message } });
    expect((await app.as(author).get(below).expect(200)).body).toMatchObject({ status: state, subject: '' });
  });

  it('are at most a hundred at a time', async () => {
    const { author, users, changeRequest, path } = await given('review', 'create');
    const requestedReviewers = Array.from({ length: 99 }, (_, index) => ({
      user: `user${index}`,
      requestedBy: author._id,
      revision: changeRequest.revision,
      createdAt: new Date(),
    }));
    await app.connection
      .collection<{ _id: string }>('change_requests')
      .updateOne({ _id: changeRequest._id }, { $set: { requestedReviewers } });
    await ask(author, path, [users.review._id, users.create._id]).expect(409);
    await ask(author, path, [users.review._id]).expect(200);
    // asked again, nobody is one more
    await ask(author, path, [users.review._id]).expect(200);
    const seen: string[] = [];
    for (let query = '?limit=30'; ;) {
      const list = (
        await app
          .as(author)
          .get(path + query)
          .expect(200)
      ).body as List;
      expect(list.count).toBe(100);
      seen.push(...list.items.map(({ createdAt }) => createdAt));
      if (!list.next) break;
      query = `?limit=30&page=${list.next.page}`;
    }
    expect(seen).toHaveLength(100);
    expect(seen).toEqual([...seen].sort().reverse());
    await app.as(author).get(`${path}?page=x`).expect(400);
  });

  it('do not get lost when several ask at once', async () => {
    const { author, users, path } = await given('review', 'create', 'admin');
    const ids = Object.values(users).map(({ _id }) => _id);
    const answers = await Promise.all(ids.map((id) => ask(author, path, [id])));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await asked(author, path)).sort()).toEqual(ids.sort());
  });

  it('are listed to the end, whoever reviews meanwhile', async () => {
    const { author, users, changeRequest, path } = await given('review', 'create', 'admin');
    for (const user of [users.review, users.create, users.admin]) await ask(author, path, [user._id]).expect(200);
    const first = (await app.as(author).get(path).query({ limit: 1 }).expect(200)).body as List;
    expect(first.items.map((one) => one.user.id)).toEqual([users.admin._id]);
    await service.recordReview(changeRequest, users.admin._id);
    const rest = (await app.as(author).get(path).query({ page: first.next?.page }).expect(200)).body as List;
    expect(rest.items.map((one) => one.user.id)).toEqual([users.create._id, users.review._id]);
  });

  it('end when the person leaves the organization, and nowhere else', async () => {
    const { organization, author, users, path } = await given('review', 'create');
    await ask(author, path, [users.review._id, users.create._id]).expect(200);
    const other = await given();
    await app.nest.get(MembersService, { strict: false }).add(other.organization._id, users.review._id, 'review');
    await ask(other.author, other.path, [users.review._id]).expect(200);
    const membership = `/v1/orgs/${organization._id}/members/${users.review._id}`;
    await app.as(organization.admin).delete(membership).expect(204);
    expect(await asked(author, path)).toEqual([users.create._id]);
    expect(await asked(other.author, other.path)).toEqual([users.review._id]);
  });

  describe('are taken back', () => {
    it('by who may make them, and by who was asked', async () => {
      const { organization, author, users, path } = await given('review', 'create', 'comment');
      const other = await app.create.user({ in: organization, role: 'edit' });
      await ask(author, path, [users.review._id, users.create._id]).expect(200);
      await app.anonymous().delete(`${path}/${users.review._id}`).expect(401);
      await app
        .as(await app.create.user())
        .delete(`${path}/${users.review._id}`)
        .expect(404);
      await app.as(users.comment).delete(`${path}/${users.review._id}`).expect(403);
      await app.as(other).delete(`${path}/${users.review._id}`).expect(403);
      const { headers, text } = await app.as(users.review).delete(`${path}/${users.review._id}`).expect(205);
      expect([headers['content-length'], text]).toEqual(['0', '']);
      expect(await asked(author, path)).toEqual([users.create._id]);
      await app.as(author).delete(`${path}/${users.create._id}`).expect(205);
      expect(await asked(author, path)).toEqual([]);
    });

    it('from nobody who was not asked', async () => {
      const { author, users, path } = await given('review');
      for (const id of [users.review._id, 'nobody', '%24ne']) {
        const { body } = await app.as(author).delete(`${path}/${id}`).expect(404);
        expect(body).toEqual({ error: { code: 404, message: 'Requested reviewer not found' } });
      }
      const { body } = await app.as(users.review).delete(`${path}/${users.review._id}`).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Requested reviewer not found' } });
    });

    it('by the review that they ask for', async () => {
      const { author, users, changeRequest, below, path } = await given('review', 'create');
      await ask(author, path, [users.review._id, users.create._id]).expect(200);
      const before = (await app.as(author).get(below).expect(200)).body as unknown;
      const made = await reviews.create(changeRequest, { reviewer: users.review._id, status: 'approved' });
      expect(made).toMatchObject({
        revision: changeRequest.revision,
        reviewer: users.review._id,
        requestedBy: author._id,
        status: 'approved',
        comment: null,
      });
      expect(await asked(author, path)).toEqual([users.create._id]);
      // a review changes nothing of what the change request shows
      expect((await app.as(author).get(below).expect(200)).body).toEqual(before);
      const second = await reviews.create(changeRequest, { reviewer: users.review._id, status: 'changes-requested' });
      expect(second.requestedBy).toBeNull();
      expect((await reviews.list(changeRequest, {})).items.map(({ _id }) => _id)).toEqual([second._id, made._id]);
    });

    it('by no review of what is archived', async () => {
      const { author, users, changeRequest, below, path } = await given('review');
      await ask(author, path, [users.review._id]).expect(200);
      await app.as(author).patch(below).send({ status: 'archived' }).expect(200);
      const review = reviews.create(changeRequest, { reviewer: users.review._id, status: 'approved' });
      await expect(review).rejects.toMatchObject({ status: 409 });
      expect((await reviews.list(changeRequest, {})).count).toBe(0);
      expect(await asked(author, path)).toEqual([users.review._id]);
    });
  });
});
