import type { Organization } from '../src/organizations/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type CommentAnswer, Commenting, openComments, peopleOf, personOf } from './support/commenting.js';
import { Editing, ID, ISO } from './support/editing.js';
import type { TestUser } from './support/factories.js';

const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';

describe('comments on a space', () => {
  let app: TestApp;
  let organization: Organization & { admin: TestUser };
  let space: Space & { admin: TestUser };
  let people: Awaited<ReturnType<typeof peopleOf>>;
  let comments: Commenting;
  let editing: Editing;

  beforeAll(async () => {
    app = await startApp();
    organization = await app.create.organization();
    people = await peopleOf(app, organization);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    space = await app.create.space({ organization });
    comments = new Commenting(app, `/v1/spaces/${space._id}/comments`);
    editing = new Editing(app, space.admin, space._id);
  });

  const refused = async (user: TestUser, body: unknown): Promise<string> => {
    const answer = await app
      .as(user)
      .post(comments.path)
      .send(body as object)
      .expect(400);
    return (answer.body as { error: { message: string } }).error.message;
  };
  const revision = async () => (await editing.get<{ revision: string }>(`/v1/spaces/${space._id}`)).revision;

  describe('are written', () => {
    it('on the space as a whole', async () => {
      const { commenter } = people;
      const { body } = await app
        .as(commenter)
        .post(comments.path)
        .send({ body: { markdown: 'Well *done*.\n' }, more: 'unknown' })
        .expect(200);
      const { id } = body as CommentAnswer;
      expect(body).toEqual({
        object: 'comment',
        id: ID,
        postedBy: personOf(commenter),
        postedAt: ISO,
        reactions: [],
        replies: 0,
        body: { markdown: 'Well *done*.\n' },
        target: { space: space._id, revision: space.revision },
        urls: { location: `http://docs.test${comments.path}/${id}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
        status: 'open',
      });
      expect(await comments.get(commenter, `/${id}`)).toEqual(body);
      expect(await comments.get(commenter)).toEqual({ count: 1, items: [body] });
      expect(await openComments(app, commenter, space)).toBe(1);
    });

    it('on a page and a block of it, of which it shows how it begins', async () => {
      const long = `${'Ünï '.repeat(60)}end`;
      const page = await editing.add('Guide', { emoji: '📘', document: { markdown: `# Guide\n\n${long}\n` } });
      const { nodes } = (
        await editing.read<{ document: { nodes: { key: string }[] } }>(`/page/${page}?format=document`)
      ).document;
      const made = await comments.post(people.commenter, 'Here', { page, node: nodes.at(-1)?.key });
      const { createdAt, updatedAt } = await editing.read<Record<string, string>>(`/page/${page}`);
      expect(made.target).toEqual({
        space: space._id,
        revision: await revision(),
        page: { id: page, title: 'Guide', emoji: '📘', createdAt, updatedAt, path: 'guide', outdated: false },
        node: { id: nodes.at(-1)?.key, preview: [...long].slice(0, 140).join('') },
      });
      // a block that is not there is taken as it is
      const other = await comments.post(people.commenter, 'There', { page, node: 'no-such-block' });
      expect(other.target.node).toEqual({ id: 'no-such-block' });
    });

    it('without a text, which stays so', async () => {
      const made = await comments.post(people.commenter, {});
      expect(made.body).toEqual({});
      for (const format of ['markdown', 'document']) {
        expect((await comments.get<CommentAnswer>(people.commenter, `/${made.id}`, { format })).body).toEqual({});
      }
    });

    it('as Markdown or as a tree of nodes, and read as either', async () => {
      const { commenter } = people;
      const { id } = await comments.post(commenter, 'Some **bold** text');
      const { body } = await comments.get<CommentAnswer>(commenter, `/${id}`, { format: 'document' });
      expect(body).toEqual({ document: { object: 'document', data: {}, nodes: [expect.anything()] } });
      const again = await comments.post(commenter, body);
      expect(again.body).toEqual({ markdown: 'Some **bold** text\n' });
      expect((await comments.get<CommentAnswer>(commenter, `/${again.id}`, { format: 'document' })).body).toEqual(body);
      const listed = await comments.get(commenter, '', { format: 'document' });
      expect(listed.items.map((one) => Object.keys(one.body))).toEqual([['document'], ['document']]);
    });

    it('byte for byte, markup and control characters included', async () => {
      for (const markdown of [
        '',
        '<script>alert(1)</script>\r\n<img src=x onerror=alert(1)>',
        '{"$gt": ""} $where __proto__ ${7*7} {{7*7}}',
        'bell \u0007 escape \u001b[31m \u202e right to left \ufeff \u2028',
        '💥'.repeat(100_000),
      ]) {
        const { id, body } = await comments.post(people.commenter, { markdown });
        expect(body.markdown === markdown).toBe(true);
        expect((await comments.get<CommentAnswer>(people.commenter, `/${id}`)).body.markdown === markdown).toBe(true);
      }
    });
  });

  describe('are refused', () => {
    it('with a text that has not one of the three shapes, or cannot be kept', async () => {
      const cases: [string, unknown, RegExp][] = [
        ['no text at all', undefined, /body/],
        ['null', null, /body/],
        ['a string', 'text', /body must be \{"markdown"/],
        ['a list', [{ markdown: 'a' }], /body must be/],
        ['two texts', { markdown: 'a', document: { object: 'document', nodes: [] } }, /body must be/],
        ['a member more', { markdown: 'a', html: '<b>' }, /body must be/],
        ['an unknown member', { text: 'a' }, /body must be/],
        ['a text of another type', { markdown: { $gt: '' } }, /body must be/],
        ['a tree that is a list', { document: [] }, /body must be/],
        ['no tree', { document: {} }, /body\.document: object: must be "document"/],
        ['a long text', { markdown: 'a'.repeat(100_001) }, /body\.markdown must be at most 100000 characters/],
        ['a NUL', { markdown: 'a\0b' }, /body\.markdown must be well-formed/],
        ['half a character', { markdown: 'a\ud83d' }, /body\.markdown must be well-formed/],
      ];
      for (const [name, body, message] of cases) {
        expect([name, await refused(people.commenter, { body })]).toEqual([name, expect.stringMatching(message)]);
      }
      expect((await comments.get(people.commenter)).count).toBe(0);
    });

    it('with members that reach for a prototype', async () => {
      const send = (raw: string) =>
        app.as(people.commenter).post(comments.path).set('Content-Type', 'application/json').send(raw);
      // these never come to be looked at
      for (const more of ['"__proto__":{"x":1}', '"prototype":{"x":1}', '"constructor":{"prototype":{"x":1}}']) {
        const { body } = await send(`{"body":{"markdown":"a",${more}}}`).expect(200);
        expect((body as CommentAnswer).body).toEqual({ markdown: 'a' });
      }
      expect(Object.prototype).not.toHaveProperty('x');
    });

    it('with a tree that is too deep or too large', async () => {
      const paragraph = (text: string) => ({
        object: 'block',
        type: 'paragraph',
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
      });
      let nested: object = paragraph('deep');
      for (let level = 0; level < 70; level++) nested = { object: 'block', type: 'blockquote', nodes: [nested] };
      const of = (nodes: object[]) => ({ body: { document: { object: 'document', nodes } } });
      expect(await refused(people.commenter, of([nested]))).toMatch(/^body\.document: nodes\[0\].*nested deeper/);
      expect(await refused(people.commenter, of([paragraph('a'.repeat(100_001))]))).toMatch(
        /at most 100000 characters/,
      );
      expect(await refused(people.commenter, of([paragraph('half \udc00')]))).toMatch(
        /characters that text cannot have/,
      );
    });

    it('where they name what is not there', async () => {
      const page = await editing.add('Guide');
      const body = { markdown: 'a' };
      expect(await refused(people.commenter, { body, page: NOWHERE })).toMatch(/^page: there is no page/);
      expect(await refused(people.commenter, { body, node: 'n1' })).toMatch(/^node takes page too/);
      expect(await refused(people.commenter, { body, page: null })).toMatch(/page/);
      expect(await refused(people.commenter, { body, page, node: '' })).toMatch(/node/);
      const elsewhere = await Editing.start(app);
      expect(await refused(people.commenter, { body, page: await elsewhere.add('Other') })).toMatch(/^page:/);
      await editing.edit({ operation: 'delete_page', page });
      expect(await refused(people.commenter, { body, page })).toMatch(/^page:/);
    });

    it('to those who may not comment, and to those who see nothing', async () => {
      const { id } = await comments.post(people.commenter, 'a');
      const one = `${comments.path}/${id}`;
      for (const [user, status] of [
        [people.reader, 403],
        [people.stranger, 404],
      ] as const) {
        // a body that is wrong is looked at later
        await app.as(user).post(comments.path).send({ body: 5 }).expect(status);
        await app.as(user).get(comments.path).expect(status);
        await app.as(user).get(one).expect(status);
        await app.as(user).put(one).send({ resolved: true }).expect(status);
        await app.as(user).delete(one).expect(status);
      }
      for (const request of [
        app.anonymous().get(one),
        app.anonymous().post(comments.path),
        app.anonymous().delete(one),
      ]) {
        await request.expect(401);
      }
      await app.as(people.commenter).get(`${comments.path}/${NOWHERE}`).expect(404);
      await app.as(people.commenter).put(`${comments.path}/${NOWHERE}`).send({ resolved: 'yes' }).expect(400);
      await app.as(people.commenter).put(`${comments.path}/${NOWHERE}`).send({}).expect(404);
      await app.as(people.commenter).delete(`${comments.path}/no.id`).expect(404);
    });
  });

  describe('are listed', () => {
    it('newest first, page by page, by what was asked for', async () => {
      const { commenter, editor, reviewer } = people;
      const page = await editing.add('Guide');
      const one = await comments.post(commenter, 'one', { page });
      await comments.post(editor, 'two');
      await comments.post(reviewer, 'three', { page });
      await comments.put(commenter, one.id, { resolved: true });
      expect(await comments.texts(commenter)).toEqual(['three', 'two', 'one']);
      expect(await comments.texts(commenter, { order: 'asc' })).toEqual(['one', 'two', 'three']);
      expect(await comments.texts(commenter, { status: 'open' })).toEqual(['three', 'two']);
      expect(await comments.texts(commenter, { status: 'resolved' })).toEqual(['one']);
      expect(await comments.texts(commenter, { targetPage: page })).toEqual(['three', 'one']);
      expect(await comments.texts(commenter, { targetPage: page, status: 'open' })).toEqual(['three']);
      expect(await comments.texts(commenter, { targetPage: NOWHERE })).toEqual([]);
      expect(await comments.texts(commenter, { authors: editor._id })).toEqual(['two']);
      expect(await comments.texts(commenter, { authors: [editor._id, commenter._id] })).toEqual(['two', 'one']);
      expect(await comments.texts(commenter, { authors: `${reviewer._id},${commenter._id}` })).toEqual([
        'three',
        'one',
      ]);
      expect(await comments.texts(commenter, { authors: '' })).toEqual([]);
      const first = await comments.get(commenter, '', { limit: 2 });
      expect(first).toMatchObject({ count: 3, next: { page: expect.any(String) } });
      // what comes meanwhile does not move the rest
      await comments.post(editor, 'four');
      const rest = await comments.get(commenter, '', { limit: 2, page: first.next?.page });
      expect(rest.items.map(({ body }) => body.markdown)).toEqual(['one']);
      expect(rest).not.toHaveProperty('next');
      expect(await comments.get(commenter, '', { limit: 0 })).toEqual({ count: 4, items: [] });
      await app.as(commenter).get(comments.path).query({ page: first.next?.page, status: 'open' }).expect(400);
    });

    it('not by what there is no such thing of', async () => {
      for (const query of [
        { order: 'up' },
        { status: 'closed' },
        { authors: 'b'.repeat(70) },
        { authors: Array.from({ length: 101 }, (_, index) => `a${index}`).join() },
      ]) {
        await app.as(people.commenter).get(comments.path).query(query).expect(400);
      }
    });

    it('in pages that end early where texts are long', async () => {
      for (let index = 0; index < 12; index++) await comments.post(people.commenter, `${index} ${'a'.repeat(99_000)}`);
      const first = await comments.get(people.commenter);
      expect(first.items).toHaveLength(10);
      const rest = await comments.get(people.commenter, '', { page: first.next?.page });
      expect(rest.items).toHaveLength(2);
      expect(rest).not.toHaveProperty('next');
    });

    it('with a number of commands that does not grow with them', async () => {
      const commands = async (): Promise<number> => (await app.commandsOf(() => comments.get(people.commenter))).length;
      const pages = [await editing.add('One'), await editing.add('Two'), await editing.add('Three')];
      const first = await comments.post(people.editor, 'a', { page: pages[0] });
      await comments.put(people.editor, first.id, { addedReactions: ['👍'], resolved: true });
      await comments.get(people.commenter);
      const few = await commands();
      for (const page of [...pages, ...pages]) {
        const { id } = await comments.post(people.reviewer, 'b', { page });
        await comments.put(people.editor, id, { addedReactions: ['👎'], resolved: true });
      }
      expect(await commands()).toBeLessThanOrEqual(few);
    });
  });

  it('follow their pages to new names and places, and outlive them', async () => {
    const { commenter } = people;
    const page = await editing.add('Guide');
    const above = await editing.add('Part');
    const { id } = await comments.post(commenter, 'a', { page });
    const target = async () => (await comments.get<CommentAnswer>(commenter, `/${id}`)).target;
    const { revision: before } = await target();
    await editing.edit({ operation: 'update_page', page, title: 'Manual', slug: 'manual', into: above });
    expect((await target()).page).toMatchObject({ id: page, title: 'Manual', path: 'part/manual', outdated: false });
    await editing.edit({ operation: 'delete_page', page });
    const { page: gone, revision: after } = await target();
    expect(gone).toMatchObject({ id: page, title: 'Guide', path: 'guide', outdated: true });
    expect(after).toBe(before);
    await editing.edit({ operation: 'revert_page', page });
    expect((await target()).page).toMatchObject({ title: 'Manual', outdated: false });
  });

  describe('are changed', () => {
    it('in their text by their author alone', async () => {
      const { commenter } = people;
      const { id, ...made } = await comments.post(commenter, 'a');
      const one = `${comments.path}/${id}`;
      for (const user of [people.editor, space.admin]) {
        const body = { body: { markdown: 'b' }, addedReactions: ['👍'] };
        await app.as(user).put(one).send(body).expect(403);
      }
      const changed = await comments.put(commenter, id, { body: { markdown: 'b' } });
      expect(changed).toEqual({ id, ...made, body: { markdown: 'b' }, editedAt: ISO });
      // the same text again is no change, and neither is nothing
      expect(await comments.put(commenter, id, { body: { markdown: 'b' } })).toEqual(changed);
      expect(await comments.put(commenter, id, {})).toEqual(changed);
      await app
        .as(commenter)
        .put(one)
        .send({ body: { markdown: 'b', more: 1 } })
        .expect(400);
      await app.as(commenter).put(one).send({ body: null }).expect(400);
      await app.as(commenter).put(one).expect(400);
      expect((await comments.put(commenter, id, { body: {} })).body).toEqual({});
    });

    it('in their status by the author and by whoever edits the space', async () => {
      const { commenter, editor } = people;
      const other = await app.create.user({ in: organization, role: 'comment' });
      const { id } = await comments.post(commenter, 'a');
      await app.as(other).put(`${comments.path}/${id}`).send({ resolved: true }).expect(403);
      await app.as(other).put(`${comments.path}/${id}`).send({ resolved: false }).expect(403);
      const resolved = await comments.put(editor, id, { resolved: true });
      expect(resolved).toMatchObject({ status: 'resolved', resolvedAt: ISO, resolvedBy: personOf(editor) });
      expect(resolved).not.toHaveProperty('editedAt');
      expect(await openComments(app, commenter, space)).toBe(0);
      expect(await comments.put(commenter, id, { resolved: true })).toMatchObject({
        resolvedAt: resolved.resolvedAt,
        resolvedBy: personOf(editor),
      });
      const open = await comments.put(commenter, id, { resolved: false });
      expect(open.status).toBe('open');
      expect(open).not.toHaveProperty('resolvedAt');
      expect(open).not.toHaveProperty('resolvedBy');
      await comments.put(commenter, id, { resolved: false });
      expect(await openComments(app, commenter, space)).toBe(1);
    });

    it('by reactions: one for each person and emoji, one’s own alone', async () => {
      const { commenter, editor } = people;
      const { id } = await comments.post(commenter, 'a');
      await comments.put(commenter, id, { addedReactions: ['👍', '❤️', '👍'] });
      await comments.put(commenter, id, { addedReactions: ['👍', '1f44d'] });
      const both = await comments.put(editor, id, { addedReactions: ['1F44D'], removedReactions: ['❤️', '🎉'] });
      const reacted = (user: TestUser) => ({ user: personOf(user), reactedAt: ISO });
      expect(both.reactions).toEqual([
        { emoji: '👍', count: 2, users: [reacted(commenter), reacted(editor)] },
        { emoji: '❤️', count: 1, users: [reacted(commenter)] },
      ]);
      expect(both).not.toHaveProperty('editedAt');
      const less = await comments.put(commenter, id, {
        addedReactions: ['🎉', '👍'],
        removedReactions: ['❤', '🎉', '👍'],
      });
      expect(less.reactions).toEqual([{ emoji: '👍', count: 1, users: [reacted(editor)] }]);
    });

    it('not by reactions that are no single emoji', async () => {
      const { id } = await comments.post(people.commenter, 'a');
      const put = (body: object) => app.as(people.commenter).put(`${comments.path}/${id}`).send(body).expect(400);
      for (const reaction of ['text', '👍👎', '', 'd83d-dc4d', 5, null, ['👍']]) {
        for (const name of ['addedReactions', 'removedReactions']) {
          const { body } = await put({ [name]: [reaction] });
          expect((body as { error: { message: string } }).error.message).toContain(name);
        }
      }
      await put({ addedReactions: '👍' });
      await put({ removedReactions: Array.from({ length: 101 }, () => '👍') });
    });
  });

  describe('are deleted', () => {
    it('by the author and by administrators of the space, resolved ones without being counted', async () => {
      const { commenter, reviewer } = people;
      for (const deleter of [commenter, space.admin]) {
        const { id } = await comments.post(commenter, 'a');
        const one = `${comments.path}/${id}`;
        await comments.put(commenter, id, { resolved: deleter === commenter });
        await app.as(reviewer).delete(one).expect(403);
        expect((await comments.get<CommentAnswer>(reviewer, `/${id}`)).permissions).toEqual({
          view: true,
          edit: false,
          reply: true,
          delete: false,
        });
        const { headers, text } = await app.as(deleter).delete(one).expect(205);
        expect([headers['content-length'], text]).toEqual(['0', '']);
        await app.as(commenter).get(one).expect(404);
        await app.as(commenter).delete(one).expect(404);
        expect(await openComments(app, commenter, space)).toBe(0);
      }
    });
  });
});
