import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type CommentAnswer, Commenting, openComments, peopleOf, personOf } from './support/commenting.js';
import { ID, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

describe('replies', () => {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let people: Awaited<ReturnType<typeof peopleOf>>;
  let space: Space & { admin: TestUser };
  /** The comment that is replied to. */
  let comment: string;

  beforeAll(async () => {
    app = await startApp();
    organization = await app.create.organization();
    people = await peopleOf(app, organization);
  });
  afterAll(() => app.close());

  /** The two places in which there are comments, each with one. */
  const places = {
    'on a space': () => Promise.resolve(`/v1/spaces/${space._id}`),
    'in a change request': async () => {
      const { body } = await app.as(people.editor).post(`/v1/spaces/${space._id}/change-requests`).send({}).expect(201);
      return `/v1/spaces/${space._id}/change-requests/${(body as { id: string }).id}`;
    },
  };

  describe.each(Object.entries(places))('%s', (_name, pathOf) => {
    let comments: Commenting;

    beforeEach(async () => {
      space = await app.create.space({ organization });
      comments = new Commenting(app, `${await pathOf()}/comments`);
      comment = (await comments.post(people.editor, 'A question')).id;
    });

    it('are written, counted and listed oldest first', async () => {
      const { commenter, editor } = people;
      const { body } = await app
        .as(commenter)
        .post(`${comments.path}/${comment}/replies`)
        .send({ body: { markdown: 'An *answer*' } })
        .expect(200);
      const { id } = body as CommentAnswer;
      expect(body).toEqual({
        object: 'comment-reply',
        id: ID,
        postedBy: personOf(commenter),
        postedAt: ISO,
        reactions: [],
        body: { markdown: 'An *answer*' },
        urls: { location: `http://docs.test${comments.path}/${comment}/replies/${id}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
      });
      expect(await comments.get(commenter, `/${comment}/replies/${id}`)).toEqual(body);
      for (const text of ['two', 'three']) await comments.reply(editor, comment, text);
      const below = `/${comment}/replies`;
      expect(await comments.texts(commenter, {}, below)).toEqual(['An *answer*', 'two', 'three']);
      const first = await comments.get(commenter, below, { limit: 2 });
      expect(first.count).toBe(3);
      expect(await comments.texts(commenter, { limit: 2, page: first.next?.page }, below)).toEqual(['three']);
      expect((await comments.get<CommentAnswer>(commenter, `/${comment}`)).replies).toBe(3);
      const documents = await comments.get(commenter, below, { format: 'document' });
      expect(documents.items.every((one) => one.body.document !== undefined)).toBe(true);
      const one = await comments.get<CommentAnswer>(commenter, `${below}/${id}`, { format: 'document' });
      expect(one.body).toEqual(documents.items[0]?.body);
      // replies are no comments of their own
      expect((await comments.get(commenter)).count).toBe(1);
    });

    it('leave a resolved comment resolved', async () => {
      await comments.put(people.editor, comment, { resolved: true });
      await comments.reply(people.commenter, comment, 'Late');
      const { status, replies, editedAt } = await comments.get<CommentAnswer>(people.editor, `/${comment}`);
      expect([status, replies, editedAt]).toEqual(['resolved', 1, undefined]);
    });

    it('are changed by their author, and reacted to by everybody who may comment', async () => {
      const { commenter, editor } = people;
      const { id, ...made } = await comments.reply(commenter, comment, 'a');
      const below = `${comment}/replies/${id}`;
      await app
        .as(editor)
        .put(`${comments.path}/${below}`)
        .send({ body: { markdown: 'b' } })
        .expect(403);
      const changed = await comments.put(commenter, below, { body: { markdown: 'b' } });
      expect(changed).toEqual({ id, ...made, body: { markdown: 'b' }, editedAt: ISO });
      expect(await comments.put(commenter, below, {})).toEqual(changed);
      const reacted = await comments.put(editor, below, { addedReactions: ['🎉'] });
      expect(reacted.reactions).toEqual([
        { emoji: '🎉', count: 1, users: [{ user: personOf(editor), reactedAt: ISO }] },
      ]);
      expect((await comments.put(editor, below, { removedReactions: ['🎉'] })).reactions).toEqual([]);
      // a reply cannot be resolved: what is unknown is ignored
      expect(await comments.put(commenter, below, { resolved: true })).toEqual(changed);
    });

    it('are deleted by their author and by administrators', async () => {
      const { commenter, editor } = people;
      for (const deleter of [commenter, space.admin]) {
        const { id } = await comments.reply(commenter, comment, 'a');
        const path = `${comments.path}/${comment}/replies/${id}`;
        await comments.put(editor, `${comment}/replies/${id}`, { addedReactions: ['🎉'] });
        await app.as(editor).delete(path).expect(403);
        const { headers } = await app.as(deleter).delete(path).expect(205);
        expect(headers['content-length']).toBe('0');
        await app.as(commenter).get(path).expect(404);
        expect((await comments.get<CommentAnswer>(editor, `/${comment}`)).replies).toBe(0);
      }
    });

    it('are refused where they are wrong, forbidden or nowhere', async () => {
      const { commenter, reader, stranger } = people;
      const { id } = await comments.reply(commenter, comment, 'a');
      const list = `${comments.path}/${comment}/replies`;
      for (const body of [{}, { body: 'text' }, { body: { markdown: 'a', more: 1 } }, { body: null }]) {
        await app.as(commenter).post(list).send(body).expect(400);
      }
      await app
        .as(commenter)
        .put(`${list}/${id}`)
        .send({ addedReactions: ['x'] })
        .expect(400);
      await app.as(commenter).get(list).query({ format: 'html' }).expect(400);
      for (const [user, status] of [
        [reader, 403],
        [stranger, 404],
      ] as const) {
        await app.as(user).get(list).expect(status);
        await app.as(user).post(list).send({ body: {} }).expect(status);
        await app.as(user).get(`${list}/${id}`).expect(status);
        await app.as(user).put(`${list}/${id}`).send({}).expect(status);
        await app.as(user).delete(`${list}/${id}`).expect(status);
      }
      await app.anonymous().get(list).expect(401);
      await app.anonymous().post(list).send({ body: {} }).expect(401);
      await app.anonymous().put(`${list}/${id}`).send({}).expect(401);
      await app.anonymous().delete(`${list}/${id}`).expect(401);
      const nowhere = `${comments.path}/${NOWHERE}/replies`;
      await app.as(commenter).get(nowhere).expect(404);
      await app.as(commenter).post(nowhere).send({ body: {} }).expect(404);
      const other = await comments.post(commenter, 'Another question');
      for (const path of [`${list}/${NOWHERE}`, `${comments.path}/${other.id}/replies/${id}`]) {
        await app.as(commenter).get(path).expect(404);
        await app.as(commenter).put(path).send({}).expect(404);
        await app.as(commenter).delete(path).expect(404);
      }
    });

    it('go with their comment, with all reactions', async () => {
      const { commenter } = people;
      const { id } = await comments.reply(commenter, comment, 'a');
      await comments.put(commenter, comment, { addedReactions: ['🎉'] });
      await comments.put(commenter, `${comment}/replies/${id}`, { addedReactions: ['🎉'] });
      await app.as(space.admin).delete(`${comments.path}/${comment}`).expect(205);
      await app.as(commenter).get(`${comments.path}/${comment}/replies/${id}`).expect(404);
      for (const name of ['Comment', 'CommentReply', 'Reaction']) {
        const model = app.nest.get<Model<unknown>>(getModelToken(name), { strict: false });
        expect([name, await model.countDocuments({ space: space._id })]).toEqual([name, 0]);
      }
    });
  });

  it('go however many they are, and what is named of many reactions stays few', async () => {
    space = await app.create.space({ organization });
    const comments = new Commenting(app, `/v1/spaces/${space._id}/comments`);
    comment = (await comments.post(people.editor, 'A question')).id;
    const body = { form: 'markdown', text: 'a' };
    const posted = { space: space._id, comment, postedBy: people.editor._id, postedAt: new Date(), body, size: 1 };
    const model = (name: string) => app.nest.get<Model<unknown>>(getModelToken(name), { strict: false });
    await model('CommentReply').insertMany(Array.from({ length: 1200 }, () => posted));
    await model('Comment').updateOne({ _id: comment }, { $set: { replies: 1200 } });
    const crowd = Array.from({ length: 60 }, (_, index) => ({ user: `user${index}`, reactedAt: new Date(index) }));
    const of = { space: space._id, comment, reply: null, key: '👍' };
    await model('Reaction').insertMany(crowd.map((one) => ({ ...of, ...one })));
    const group = { key: '👍', emoji: '👍', count: 60, users: crowd.slice(0, 50) };
    await model('Comment').updateOne({ _id: comment }, { $set: { reactions: [group] } });

    // the others of the crowd have no accounts: they count, and are not shown
    const mine = await comments.put(people.commenter, comment, { addedReactions: ['👍'] });
    expect(mine.reactions).toMatchObject([{ count: 61, users: [{ user: { id: people.commenter._id } }] }]);
    expect((await comments.get<CommentAnswer>(people.editor, `/${comment}`)).reactions).toMatchObject([
      { count: 61, users: [] },
    ]);
    expect((await comments.get(people.commenter)).items[0]?.reactions).toEqual(mine.reactions);

    await app.as(people.editor).delete(`${comments.path}/${comment}`).expect(205);
    for (const name of ['CommentReply', 'Reaction']) {
      expect(await model(name).countDocuments({ space: space._id })).toBe(0);
    }
    expect(await openComments(app, people.editor, space)).toBe(0);
  });
});
