import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type CommentAnswer, Commenting, type ListAnswer, peopleOf, personOf } from './support/commenting.js';
import { ID, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

/** What tests look at of a review. */
interface ReviewAnswer {
  id: string;
  status: string;
  comment?: CommentAnswer;
}

describe('reviews', () => {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let people: Awaited<ReturnType<typeof peopleOf>>;
  let space: Space;
  let request: { id: string; number: number; revision: string };
  let path: string;
  let reviews: string;

  beforeAll(async () => {
    app = await startApp();
    organization = await app.create.organization();
    people = await peopleOf(app, organization);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    space = await app.create.space({ organization });
    const list = `/v1/spaces/${space._id}/change-requests`;
    request = (await app.as(people.editor).post(list).send({}).expect(201)).body as typeof request;
    path = `${list}/${request.id}`;
    reviews = `${path}/reviews`;
  });

  const submit = async (user: TestUser, body: object): Promise<ReviewAnswer> =>
    (await app.as(user).post(reviews).send(body).expect(201)).body as ReviewAnswer;
  const listed = async (user: TestUser, query: object = {}): Promise<ListAnswer<ReviewAnswer>> =>
    (await app.as(user).get(reviews).query(query).expect(200)).body as ListAnswer<ReviewAnswer>;

  it('are given with a comment, which is listed among the others', async () => {
    const { reviewer, commenter } = people;
    const answer = await app
      .as(reviewer)
      .post(reviews)
      .send({ status: 'approved', comment: { markdown: 'Good' } })
      .expect(201);
    const { id, comment } = answer.body as ReviewAnswer;
    expect(answer.headers.location).toBe(`http://docs.test${reviews}`);
    expect(answer.body).toEqual({
      object: 'change-request-review',
      id: ID,
      revision: request.revision,
      reviewer: personOf(reviewer),
      status: 'approved',
      createdAt: ISO,
      updatedAt: ISO,
      comment: {
        object: 'comment',
        id: ID,
        postedBy: personOf(reviewer),
        postedAt: ISO,
        reactions: [],
        replies: 0,
        body: { markdown: 'Good' },
        target: { changeRequest: request.id, review: id, space: space._id, revision: request.revision },
        urls: { location: `http://docs.test${path}/comments/${comment?.id ?? ''}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
        status: 'open',
      },
    });
    const comments = new Commenting(app, `${path}/comments`);
    expect(await comments.get(reviewer)).toEqual({ count: 1, items: [comment] });
    expect(await listed(reviewer)).toEqual({ count: 1, items: [answer.body] });
    expect((await listed(commenter, { format: 'document' })).items[0]?.comment?.body).toHaveProperty('document');
    expect((await app.as(reviewer).get(path).expect(200)).body).toMatchObject({ comments: 1 });
  });

  it('are given without one, several by one person, and listed newest first', async () => {
    const { reviewer } = people;
    await submit(reviewer, { status: 'changes-requested' });
    const second = await submit(reviewer, { status: 'approved' });
    expect(second).not.toHaveProperty('comment');
    const first = await listed(reviewer, { limit: 1 });
    expect([first.count, first.items]).toEqual([2, [second]]);
    const rest = await listed(reviewer, { limit: 1, page: first.next?.page });
    expect(rest.items.map(({ status }) => status)).toEqual(['changes-requested']);
  });

  it('are listed in pages that end early where their comments are long', async () => {
    const { reviewer } = people;
    const comment = { markdown: 'a'.repeat(99_000) };
    for (let index = 0; index < 12; index++) await submit(reviewer, { status: 'approved', comment });
    await submit(reviewer, { status: 'approved' });
    const first = await listed(reviewer);
    expect([first.count, first.items.length]).toEqual([13, 11]);
    const rest = await listed(reviewer, { page: first.next?.page });
    expect(rest.items).toHaveLength(2);
    expect(rest).not.toHaveProperty('next');
    expect(await listed(reviewer, { limit: 2 })).toMatchObject({ items: first.items.slice(0, 2) });
    expect(await listed(reviewer, { limit: 0 })).toEqual({ count: 13, items: [] });
  });

  it('show their comments to those who may read comments, until they are deleted', async () => {
    const { reviewer, reader, commenter } = people;
    const { comment } = await submit(reviewer, { status: 'approved', comment: {} });
    expect((await listed(commenter)).items[0]?.comment).toMatchObject({ body: {} });
    expect((await listed(reader)).items[0]).not.toHaveProperty('comment');
    await app
      .as(reviewer)
      .delete(`${path}/comments/${comment?.id ?? ''}`)
      .expect(205);
    expect((await listed(commenter)).items[0]).not.toHaveProperty('comment');
  });

  it('are what a request for a review is done with', async () => {
    const { reviewer, editor } = people;
    const users = [reviewer._id, organization.admin._id];
    await app.as(editor).post(`${path}/requested-reviewers`).send({ users }).expect(200);
    const review = await submit(reviewer, { status: 'approved' });
    expect(review).toMatchObject({ requestedBy: personOf(editor) });
    const { body } = await app.as(editor).get(`${path}/requested-reviewers`).expect(200);
    expect((body as ListAnswer<{ user: { id: string } }>).items.map(({ user }) => user.id)).toEqual([
      organization.admin._id,
    ]);
  });

  it('are not given on one’s own, by those who may not review, nor when it is archived', async () => {
    const { editor, reviewer, commenter, stranger } = people;
    const body = { status: 'approved', comment: { markdown: 'a' } };
    for (const [user, status] of [
      [commenter, 403],
      [editor, 403],
      [stranger, 404],
    ] as const) {
      await app.as(user).post(reviews).send(body).expect(status);
      await app.as(user).post(reviews).send({ status: 'unknown' }).expect(status);
    }
    await app.as(stranger).get(reviews).expect(404);
    await app.anonymous().get(reviews).expect(401);
    await app.anonymous().post(reviews).send(body).expect(401);
    const list = `/v1/spaces/${space._id}/change-requests`;
    const own = (await app.as(reviewer).post(list).send({}).expect(201)).body as { id: string };
    await app.as(reviewer).post(`${list}/${own.id}/reviews`).send(body).expect(403);
    await app.as(reviewer).get(`${list}/${NOWHERE}/reviews`).expect(404);
    await app.as(reviewer).post(`${list}/${NOWHERE}/reviews`).send(body).expect(404);
    await app.as(editor).patch(path).send({ status: 'archived' }).expect(200);
    await app.as(reviewer).post(reviews).send(body).expect(409);
    // neither the review nor its comment was written
    expect((await listed(reviewer)).count).toBe(0);
    expect((await new Commenting(app, `${path}/comments`).get(reviewer)).count).toBe(0);
    expect((await app.as(reviewer).get(path).expect(200)).body).toMatchObject({ comments: 0 });
  });

  it.each([
    [{}],
    [{ status: 'good' }],
    [{ status: null }],
    [{ status: 'approved', comment: 'text' }],
    [{ status: 'approved', comment: null }],
    [{ status: 'approved', comment: { markdown: 'a', more: 1 } }],
    [{ status: 'approved', comment: { document: {} } }],
  ])('are refused as %j', async (body) => {
    await app.as(people.reviewer).post(reviews).send(body).expect(400);
    await app.as(people.reviewer).get(reviews).query({ format: 'html' }).expect(400);
    expect((await listed(people.reviewer)).count).toBe(0);
  });
});
