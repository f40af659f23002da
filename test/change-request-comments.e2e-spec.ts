import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type CommentAnswer, Commenting, openComments, peopleOf, personOf } from './support/commenting.js';
import { Editing, ID, inserting, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

/** What tests look at of a change request. */
interface ChangeRequestAnswer {
  id: string;
  number: number;
  revision: string;
  comments: number;
}

describe('comments of a change request', () => {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let people: Awaited<ReturnType<typeof peopleOf>>;
  let space: Space & { admin: TestUser };
  let editing: Editing;
  let request: ChangeRequestAnswer;
  let comments: Commenting;

  beforeAll(async () => {
    app = await startApp();
    organization = await app.create.organization();
    people = await peopleOf(app, organization);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    space = await app.create.space({ organization });
    editing = new Editing(app, space.admin, space._id);
  });

  const root = () => `/v1/spaces/${space._id}/change-requests`;
  const start = async (): Promise<void> => {
    request = (await app.as(people.editor).post(root()).send({}).expect(201)).body as ChangeRequestAnswer;
    comments = new Commenting(app, `${root()}/${request.id}/comments`);
  };
  const read = async () =>
    (await app.as(people.editor).get(`${root()}/${request.id}`).expect(200)).body as ChangeRequestAnswer;
  const edit = async (...changes: object[]): Promise<ChangeRequestAnswer> =>
    (await app.as(people.editor).post(`${root()}/${request.id}/content`).send({ changes }).expect(200))
      .body as ChangeRequestAnswer;

  it('are written, read by its number too, changed and deleted', async () => {
    await start();
    const { commenter, editor } = people;
    const made = await comments.post(commenter, 'Nearly');
    expect(made).toEqual({
      object: 'comment',
      id: ID,
      postedBy: personOf(commenter),
      postedAt: ISO,
      reactions: [],
      replies: 0,
      body: { markdown: 'Nearly' },
      target: { changeRequest: request.id, space: space._id, revision: request.revision },
      urls: { location: `http://docs.test${comments.path}/${made.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
      status: 'open',
    });
    const byNumber = new Commenting(app, `${root()}/${request.number}/comments`);
    expect(await byNumber.get(commenter, `/${made.id}`)).toEqual(made);
    expect(await comments.get(commenter)).toEqual({ count: 1, items: [made] });
    expect((await read()).comments).toBe(1);
    const changed = await comments.put(commenter, made.id, { body: { markdown: 'Done' }, addedReactions: ['👍'] });
    expect(changed).toMatchObject({
      body: { markdown: 'Done' },
      editedAt: ISO,
      reactions: [{ emoji: '👍', count: 1 }],
    });
    await comments.put(editor, made.id, { resolved: true });
    expect((await read()).comments).toBe(0);
    await comments.put(commenter, made.id, { resolved: false });
    expect((await read()).comments).toBe(1);
    const { headers } = await app.as(space.admin).delete(`${comments.path}/${made.id}`).expect(205);
    expect(headers['content-length']).toBe('0');
    expect((await read()).comments).toBe(0);
    await app.as(commenter).get(`${comments.path}/${made.id}`).expect(404);
  });

  it('are its own: no other place has them, and it has those of no other', async () => {
    await start();
    const { commenter } = people;
    const inRequest = await comments.post(commenter, 'in the change request');
    const onSpace = new Commenting(app, `/v1/spaces/${space._id}/comments`);
    const there = await onSpace.post(commenter, 'on primary content');
    const first = comments;
    await start();
    for (const [place, id] of [
      [onSpace, inRequest.id],
      [first, there.id],
      [comments, inRequest.id],
    ] as const) {
      await app.as(commenter).get(`${place.path}/${id}`).expect(404);
      await app.as(commenter).put(`${place.path}/${id}`).send({}).expect(404);
      await app.as(commenter).get(`${place.path}/${id}/replies`).expect(404);
      await app.as(commenter).delete(`${place.path}/${id}`).expect(404);
    }
    expect(await onSpace.texts(commenter)).toEqual(['on primary content']);
    expect(await first.texts(commenter)).toEqual(['in the change request']);
    expect(await comments.texts(commenter)).toEqual([]);
    expect(await openComments(app, commenter, space)).toBe(1);
  });

  it('are filtered and put in order', async () => {
    await start();
    const { commenter, editor } = people;
    const one = await comments.post(commenter, 'one');
    await comments.post(editor, 'two');
    await comments.put(commenter, one.id, { resolved: true });
    expect(await comments.texts(editor, { order: 'asc' })).toEqual(['one', 'two']);
    expect(await comments.texts(editor, { status: 'open' })).toEqual(['two']);
    expect(await comments.texts(editor, { authors: commenter._id })).toEqual(['one']);
    expect(await comments.texts(editor, { targetPage: NOWHERE })).toEqual([]);
    await app.as(editor).get(comments.path).query({ status: 'done' }).expect(400);
  });

  it('are about its pages: new ones, and those that primary content loses', async () => {
    const old = await editing.add('Old');
    await start();
    const { commenter } = people;
    await edit(inserting('New'));
    const { pages } = (await app.as(commenter).get(`${root()}/${request.id}/content/pages`).expect(200)).body as {
      pages: { id: string; title: string }[];
    };
    const added = pages.find(({ title }) => title === 'New')?.id ?? '';
    const onNew = await comments.post(commenter, 'a', { page: added });
    const onOld = await comments.post(commenter, 'b', { page: old });
    expect(onNew.target.page).toMatchObject({ id: added, title: 'New', path: 'new', outdated: false });
    expect(onOld.target).toMatchObject({ revision: (await read()).revision, page: { id: old, outdated: false } });
    // primary content does not have the new page
    const onSpace = `/v1/spaces/${space._id}/comments`;
    await app.as(commenter).post(onSpace).send({ body: {}, page: added }).expect(400);
    await editing.edit({ operation: 'delete_page', page: old });
    await edit({ operation: 'update_page', page: added, title: 'Newer' });
    const listed = await comments.get(commenter, '', { order: 'asc' });
    expect(listed.items.map(({ target }) => target.page)).toMatchObject([
      { title: 'Newer', path: 'newer', outdated: false },
      { title: 'Old', path: 'old', outdated: true },
    ]);
  });

  it('stay writable when it is archived', async () => {
    await start();
    const { commenter, editor } = people;
    const { id } = await comments.post(commenter, 'a');
    await app.as(editor).patch(`${root()}/${request.id}`).send({ status: 'archived' }).expect(200);
    await comments.post(commenter, 'b');
    await comments.reply(editor, id, 'c');
    expect((await comments.put(editor, id, { resolved: true })).status).toBe('resolved');
    expect((await read()).comments).toBe(1);
  });

  it('are refused to those who may not, and where there is none', async () => {
    await start();
    const { reader, stranger, commenter } = people;
    const { id } = await comments.post(commenter, 'a');
    const one = `${comments.path}/${id}`;
    for (const [user, status] of [
      [reader, 403],
      [stranger, 404],
    ] as const) {
      await app.as(user).get(comments.path).expect(status);
      await app.as(user).post(comments.path).send({ body: 5 }).expect(status);
      await app.as(user).get(one).expect(status);
      await app.as(user).put(one).send({}).expect(status);
      await app.as(user).delete(one).expect(status);
    }
    await app.anonymous().get(comments.path).expect(401);
    await app.anonymous().post(comments.path).send({ body: {} }).expect(401);
    await app.anonymous().put(one).send({}).expect(401);
    await app.anonymous().delete(one).expect(401);
    for (const nowhere of [NOWHERE, '99', 'no.id']) {
      await app.as(commenter).get(`${root()}/${nowhere}/comments`).expect(404);
      await app.as(commenter).post(`${root()}/${nowhere}/comments`).send({ body: {} }).expect(404);
    }
    await app.as(commenter).post(`${root()}/${NOWHERE}/comments`).send({ body: 5 }).expect(400);
    await app.as(commenter).get(`${comments.path}/${NOWHERE}`).expect(404);
    for (const body of [{ body: 5 }, {}, { body: {}, node: 'n' }, { body: {}, page: NOWHERE }]) {
      await app.as(commenter).post(comments.path).send(body).expect(400);
    }
    await app.as(commenter).put(one).send({ resolved: 1 }).expect(400);
  });

  it.each(['a space', 'a change request'])(
    'and those on a space: twenty at once leave the count right on %s',
    async (place) => {
      await start();
      const { commenter, editor } = people;
      const where = place === 'a space' ? new Commenting(app, `/v1/spaces/${space._id}/comments`) : comments;
      const counted = async () => (place === 'a space' ? openComments(app, editor, space) : (await read()).comments);
      const made = await Promise.all(Array.from({ length: 20 }, (_, index) => where.post(commenter, `${index}`)));
      expect(await counted()).toBe(20);
      await Promise.all(
        [
          ...made.slice(0, 8).map(({ id }) => where.put(editor, id, { resolved: true })),
          ...made.slice(0, 8).map(({ id }) => where.put(commenter, id, { resolved: true })),
          ...made.slice(4, 12).map(({ id }) => app.as(commenter).delete(`${where.path}/${id}`).expect(205)),
          ...made.slice(12).map(({ id }) => where.put(editor, id, { addedReactions: ['👍'] })),
          ...made.slice(12).map(({ id }) => where.put(commenter, id, { addedReactions: ['👍'] })),
          ...made.slice(12).map(({ id }) => where.reply(editor, id, 'meanwhile')),
        ].map(async (work) => {
          // one that is deleted already cannot be resolved any more
          await Promise.resolve(work).catch((error: unknown) => {
            if (!String(error).includes('404')) throw error;
          });
        }),
      );
      expect(await counted()).toBe((await where.get(editor, '', { status: 'open' })).count);
      expect(await counted()).toBe(8);
      for (const { id } of made.slice(12)) {
        const { replies, reactions } = await where.get<CommentAnswer>(editor, `/${id}`);
        expect([replies, reactions.map(({ count }) => count)]).toEqual([1, [2]]);
      }
    },
  );
});
