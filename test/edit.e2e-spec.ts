import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApp, type TestApp } from './support/app.js';
import { Editing, ID, inserting, ISO, outline, type PageAnswer } from './support/editing.js';
import type { TestUser } from './support/factories.js';

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('editing', () => {
  let app: TestApp;
  let foreign: Server;
  let space: Editing;

  beforeAll(async () => {
    app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1/32' });
    foreign = createServer((request, response) => {
      if (request.url !== '/logo.png') response.statusCode = 404;
      response.setHeader('Content-Type', 'image/png').end(Buffer.from(PIXEL, 'base64'));
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await app.close();
    foreign.close();
  });
  beforeEach(async () => {
    space = await Editing.start(app);
  });

  const urlOf = (path: string) => `http://127.0.0.1:${(foreign.address() as AddressInfo).port}${path}`;
  const update = (page: string, more: object) => ({ operation: 'update_page', page, ...more });
  const remove = (page: string) => ({ operation: 'delete_page', page });
  const revert = (page: string, more: object = {}) => ({ operation: 'revert_page', page, ...more });
  const files = (...list: object[]) => ({ operation: 'insert_files', files: list });

  describe('pages', () => {
    it('nests, orders and moves them', async () => {
      const a = await space.add('A');
      const b = await space.add('B', { into: a });
      const c = await space.add('C', { into: a, at: 0 });
      const d = await space.add('D', { at: 0 });
      expect(outline(await space.pages())).toEqual([['d'], ['a', [['a/c'], ['a/b']]]]);
      await space.edit(update(c, { into: b }));
      expect(outline(await space.pages())).toEqual([['d'], ['a', [['a/b', [['a/b/c']]]]]]);
      await space.edit(update(b, { into: null, at: 0 }));
      expect(outline(await space.pages())).toEqual([['b', [['b/c']]], ['d'], ['a']]);
      await space.edit(update(d, { at: 2 }));
      expect(outline(await space.pages())).toEqual([['b', [['b/c']]], ['a'], ['d']]);
      expect(await space.read(`/page/${b}`)).toMatchObject({ path: 'b', pages: [{ id: c, path: 'b/c' }] });
      const gone = await space.edit(remove(b));
      expect(gone.changes).toEqual([{ object: 'deleted_page', page: b }]);
      expect(outline(await space.pages())).toEqual([['a'], ['d']]);
      await app.as(space.user).get(`${space.path}/page/${c}`).expect(404);
    });

    it('changes what an update names and nothing else', async () => {
      const id = await space.add('Page', { description: 'About', emoji: '📘', icon: 'star' });
      const before = await space.read<PageAnswer & { emoji: string }>(`/page/${id}`);
      const { revision, changes } = await space.edit(update(id, {}));
      expect(await space.read('')).toMatchObject({ id: revision });
      expect(changes).toEqual([{ object: 'updated_page', page: expect.objectContaining({ id }) as object }]);
      expect(await space.read(`/page/${id}`)).toEqual(before);
      await space.edit(update(id, { title: 'New', emoji: '', noIndex: true, layout: { outline: false } }));
      const { emoji: _, ...rest } = before;
      expect(await space.read(`/page/${id}`)).toEqual({
        ...rest,
        title: 'New',
        slug: 'new',
        path: 'new',
        urls: { app: `http://docs.test/s/${space.space}/new` },
        layout: { ...(rest as { layout?: object }).layout, outline: false },
        noIndex: true,
        updatedAt: ISO,
      });
      // a slug written by hand stays when the title changes
      await space.edit(update(id, { slug: 'by-hand', document: { markdown: 'other' } }));
      await space.edit(update(id, { title: 'Newer' }));
      expect(await space.read(`/page/${id}`)).toMatchObject({ title: 'Newer', slug: 'by-hand', markdown: 'other' });
    });

    it('numbers slugs that come from equal titles, and refuses one that is given twice', async () => {
      for (let n = 0; n < 3; n += 1) await space.add('Same');
      expect(outline(await space.pages())).toEqual([['same'], ['same-1'], ['same-2']]);
      await space.refuse(/^changes\.0: .*same/, inserting('Other', { slug: 'same' }));
    });

    it('checks a slug where the page goes', async () => {
      const there = await space.add('There');
      await space.add('Same');
      const page = await space.add('Other');
      await space.edit(update(page, { into: there, slug: 'same' }));
      expect(await space.read(`/page/${page}`)).toMatchObject({ path: 'there/same' });
      const twin = await space.add('Twin');
      await space.edit(update(twin, { into: there, title: 'Same' }));
      expect(await space.read(`/page/${twin}`)).toMatchObject({ path: 'there/same-1', title: 'Same' });
    });

    it('names no page that the same batch removed with another', async () => {
      const top = await space.add('Top');
      const below = await space.add('Below', { into: top });
      const answer = await space.edit(
        inserting('Gone too', { into: top }),
        update(below, { title: 'Renamed' }),
        remove(top),
      );
      expect(answer.changes).toEqual([
        { object: 'deleted_page', page: below },
        { object: 'deleted_page', page: top },
      ]);
    });

    it('passes over a title that no page can have', async () => {
      const titles = [`# ${'x'.repeat(20_000)}`, '---\ntitle: "a\\u0000b"\n---\n', '---\ntitle: "\\ud800"\n---\n'];
      for (const markdown of titles) {
        const id = await space.add('Given', { document: { markdown } });
        expect(await space.read(`/page/${id}`)).toMatchObject({ title: 'Given', markdown });
      }
    });

    it('changes where a link leads, and what a computed page is made from', async () => {
      const page = await space.add('Page');
      const url = { kind: 'url', url: 'https://example.org/' };
      const link = await space.add('Link', { type: 'link', document: undefined, target: url });
      await space.edit(update(link, { target: { kind: 'page', page }, title: 'There' }));
      expect(await space.read(`/page/${link}`)).toMatchObject({ title: 'There', target: { kind: 'page', page } });
      const source = { type: 'integration:acme:weather', props: { city: 'Rome' } };
      const computed = await space.add('Weather', { type: 'computed', document: undefined, computed: source });
      await space.edit(update(computed, { computed: { ...source, props: { city: 'Oslo' } } }));
      expect(await space.read(`/page/${computed}`)).toMatchObject({ computed: { ...source, props: { city: 'Oslo' } } });
    });
  });

  describe('names within a batch', () => {
    it('lead to pages and files, whatever comes first', async () => {
      const { changes, insertedFiles } = await space.edit(
        inserting('One', { ref: 'one', document: { markdown: 'To [two](./two.md#part) and ![l](./logo.png).\n' } }),
        inserting('Two', { ref: 'two', document: { markdown: '## Part\n\nBack to [one](./one.md), `./one.md`.\n' } }),
        files({ name: 'Logo', base64: PIXEL, contentType: 'image/png', ref: 'logo.png' }),
      );
      const [one, two] = changes.map(({ page }) => page.id);
      const [file] = insertedFiles ?? [];
      expect(changes.map(({ ref }) => ref)).toEqual(['one', 'two']);
      expect((await space.read<PageAnswer>(`/page/${one ?? ''}`)).markdown).toBe(
        `To [two](/pages/${two ?? ''}#part) and ![l](/files/${file?.id ?? ''}).\n`,
      );
      expect((await space.read<PageAnswer>(`/page/${two ?? ''}`)).markdown).toBe(
        `## Part\n\nBack to [one](/pages/${one ?? ''}), \`./one.md\`.\n`,
      );
    });

    it('lead there from trees of nodes, and from pages that are there already', async () => {
      const page = await space.add('Page', { document: { markdown: 'See [it](./new.md).\n' } });
      const { document } = await space.read<PageAnswer>(`/page/${page}?format=document`);
      const { changes } = await space.edit(
        update(page, { document: { document } }),
        inserting('New', { ref: 'new', document: {} }),
      );
      const { markdown } = await space.read<PageAnswer>(`/page/${page}`);
      expect(markdown?.trim()).toBe(`See [it](/pages/${changes[1]?.page.id ?? ''}).`);
    });

    it('are refused twice, and where a page has that path', async () => {
      const top = await space.add('Guide');
      await space.add('Start', { into: top });
      const file = { name: 'a', base64: '', contentType: 'text/plain', ref: 'a' };
      await space.refuse('changes.1: ref "a" is used twice in this batch', inserting('A', { ref: 'a' }), files(file));
      await space.refuse('changes.0: ref "a" is used twice in this batch', files(file, { ...file, name: 'b' }));
      for (const ref of ['guide/start', 'Guide']) {
        const message = `changes.1: ref "${ref}" is the path of a page: choose another name`;
        await space.refuse(message, inserting('Fine', { ref: 'fine' }), inserting('New', { ref }));
      }
    });
  });

  describe('files', () => {
    it('are inserted from their bytes and from an address', async () => {
      const answer = await space.edit(
        files({ name: 'pixel.png', base64: PIXEL, contentType: 'image/png' }),
        files(
          { name: 'logo.png', url: urlOf('/logo.png') },
          { name: 'a.txt', base64: 'aGk=', contentType: 'text/plain' },
        ),
      );
      const image = { contentType: 'image/png', size: 70, dimensions: { width: 1, height: 1 } };
      const link = {
        id: ID,
        downloadURL: expect.stringMatching(`^http://docs.test/v1/files/${space.space}/`) as string,
      };
      expect(answer).toEqual({
        revision: ID,
        changes: [],
        insertedFiles: [
          { ...link, name: 'pixel.png', ...image },
          { ...link, name: 'logo.png', ...image },
          { ...link, name: 'a.txt', contentType: 'text/plain', size: 2 },
        ],
      });
      const [first, second, third] = answer.insertedFiles ?? [];
      expect(await space.read('/files')).toEqual({ count: 3, items: [third, second, first] });
      expect(await space.read('')).toMatchObject({ id: answer.revision, files: [third, second, first] });
      const cover = { ref: { kind: 'file', file: first?.id } };
      const page = await space.add('Page', { cover });
      expect(await space.read(`/page/${page}`)).toMatchObject({ cover: { ...cover, yPos: 0 } });
    });

    it.each([
      ['no bytes', { name: 'a' }, 'changes.1: files.0: give either url or base64'],
      ['two', { name: 'a', url: 'https://a.test/', base64: '' }, 'changes.1: files.0: give either url or base64'],
      ['no type', { name: 'a', base64: '' }, 'changes.1: files.0: contentType is required with base64'],
      ['a private address', { name: 'a', url: 'http://169.254.169.254/' }, /^changes\.1: files\.0\.url: /],
      ['bytes that are none', { name: 'a', base64: '*', contentType: 'a/b' }, /^changes\.1\.files\.0\.base64 /],
    ])('are refused with %s, and so is all else', async (_name, file, message) => {
      await space.refuse(message, inserting('Fine'), files(file));
    });

    it('are refused when their address does not answer with them', async () => {
      await space.refuse(/^changes\.0: files\.0\.url: .*404/, files({ name: 'a', url: urlOf('/nothing') }));
    });
  });

  describe('reverting', () => {
    it('resets, removes and restores pages in one batch with others', async () => {
      const changed = await space.add('Changed', { document: { markdown: 'before' } });
      const gone = await space.add('Gone');
      const below = await space.add('Below', { into: gone });
      const { id: revision } = await space.read<{ id: string }>('');
      const before = await space.pages();
      const added = await space.add('Added');
      await space.edit(update(changed, { title: 'Other', document: { markdown: 'after' }, at: 5 }), remove(gone));
      const answer = await space.edit(
        revert(changed, { revision }),
        revert(gone, { revision }),
        inserting('New'),
        revert(added, { revision }),
      );
      expect(answer.changes.map(({ object }) => object)).toEqual([
        'updated_page',
        'created_page',
        'created_page',
        'deleted_page',
      ]);
      const after = await space.pages();
      expect(after.pop()).toMatchObject({ title: 'New' });
      expect(after).toEqual(before.map((page) => ({ ...page, updatedAt: ISO })));
      expect(await space.read(`/page/${changed}`)).toMatchObject({ markdown: 'before' });
      expect(await space.read(`/page/${below}`)).toMatchObject({ path: 'gone/below', markdown: 'About Below.' });
    });

    it('goes one revision back unless it is told which', async () => {
      const page = await space.add('One');
      await space.edit(update(page, { title: 'Two' }));
      await space.edit(update(page, { title: 'Three' }));
      await space.edit(revert(page));
      expect(await space.pages()).toMatchObject([{ title: 'Two', path: 'two' }]);
    });

    it('refuses blocks, and revisions that are not of the space', async () => {
      await space.refuse('changes.0: There is no earlier revision', revert('x'));
      const page = await space.add('Page');
      const other = await app.create.space({ organization: await app.create.organization({ admin: space.user }) });
      await space.refuse(/^changes\.0\.block is not supported/, revert(page, { block: ['k'] }));
      for (const revision of [other.revision, 'nowhere']) {
        await space.refuse(`changes.0: There is no revision ${revision} of this space`, revert(page, { revision }));
      }
      await space.refuse('changes.1: There is no page nowhere, and there was none', inserting('A'), revert('nowhere'));
    });
  });

  describe('a batch', () => {
    it('is refused whole when one entry is wrong', async () => {
      const group = await space.add('Part', { type: 'group', document: undefined });
      const page = await space.add('Page');
      await space.refuse('changes.1: There is no page nowhere', inserting('Fine'), remove('nowhere'));
      await space.refuse('changes.0: There is no page nowhere', inserting('Lost', { into: 'nowhere' }));
      await space.refuse(/^changes\.0: .*[Uu]nder itself/, update(page, { into: page }));
      await space.refuse(/^changes\.0: .*group/, inserting('Part', { type: 'group', document: undefined, into: page }));
      await space.refuse(/^changes\.0: document is required/, { operation: 'insert_page', title: 'No text' });
      await space.refuse('changes.0: a group page has no text', update(group, { document: { markdown: 'x' } }));
      await space.refuse('changes.0: a group page has no layout', update(group, { layout: { outline: true } }));
      await space.refuse(
        'changes.0: only a link has a target',
        update(page, { target: { kind: 'space', space: 's' } }),
      );
      const link = { operation: 'insert_page', type: 'link', title: 'L' };
      await space.refuse('changes.0: target is required for a link page', link);
      await space.refuse('changes.0: target: there is no page x', { ...link, target: { kind: 'page', page: 'x' } });
      await space.refuse(/^changes\.0: computed: /, { operation: 'insert_page', type: 'computed', computed: {} });
    });

    it.each([
      ['no list', 'x', 'changes must be an array of 1 to 50 entries'],
      [
        'an unknown operation',
        [{ operation: 'burn_page' }],
        'changes.0.operation must be one of: insert_page, update_page, delete_page, revert_page, insert_files',
      ],
      ['an operator', [{ operation: { $gt: '' } }], /^changes\.0\.operation must be one of/],
      ['no object', [null], /changes/],
      ['a list as a file', [{ operation: 'insert_files', files: [[]] }], 'changes.0.files.0 must be an object'],
      ['a prototype', [{ operation: '__proto__' }], /^changes\.0\.operation must be one of/],
      ['a wrong type', [{ operation: 'insert_page', title: 5, document: {} }], 'changes.0.title must be a string'],
      ['a negative place', [{ operation: 'insert_page', at: -1, document: {} }], /^changes\.0\.at/],
      ['a broken place', [{ operation: 'insert_page', at: 0.5, document: {} }], /^changes\.0\.at/],
      ['no text', [inserting('x', { document: { markdown: { $ne: 1 } } })], /^changes\.0\.document\.markdown/],
      ['a NUL', [inserting('x', { document: { markdown: 'a\0b' } })], /^changes\.0\.document\.markdown/],
      ['half a character', [inserting('x', { document: { markdown: '\ud800' } })], /^changes\.0\.document\.markdown/],
      [
        'both forms',
        [inserting('x', { document: { markdown: '', document: {} } })],
        /^changes\.0: document takes either/,
      ],
      ['a bad slug', [inserting('x', { slug: 'a/b' })], /^changes\.0: .*slug/],
      ['what is too deep', [inserting('x', { document: { markdown: '>'.repeat(5000) } })], /^changes\.0: /],
      [
        'a bad cover',
        [inserting('x', { cover: { ref: { kind: 'page', page: 'p' } } })],
        /^changes\.0: cover\.ref must be/,
      ],
    ])('is refused with %s', async (_name, changes, message) => {
      const { body } = await app.as(space.user).post(space.path).send({ changes }).expect(400);
      const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      expect(body).toEqual({ error: { code: 400, message: text } });
    });

    it('holds 1 to 50 changes', async () => {
      await app.as(space.user).post(space.path).send({ changes: [] }).expect(400);
      const many = Array.from({ length: 51 }, (_, n) => inserting(`P${n}`));
      await app.as(space.user).post(space.path).send({ changes: many }).expect(400);
      await space.edit(...many.slice(1));
      expect((await space.pages()).length).toBe(50);
    });

    it('is taken from those who may edit, while the space is not locked', async () => {
      const organization = await app.create.organization();
      const locked = await app.create.space({ organization, editMode: 'locked' });
      const post = (user: TestUser, ...changes: object[]) =>
        app.as(user).post(`/v1/spaces/${locked._id}/content`).send({ changes });
      const { body } = await post(organization.admin, inserting('A')).expect(409);
      expect(body).toEqual({
        error: { code: 409, message: 'The space is locked: its content changes through change requests only' },
      });
      // what cannot be applied is told even so
      await post(organization.admin, remove('nowhere')).expect(400);
      await post(await app.create.user({ in: organization, role: 'comment' }), inserting('A')).expect(403);
      await post(await app.create.user({ in: organization, role: 'comment' }), {}).expect(403);
      await post(await app.create.user(), inserting('A')).expect(404);
      await app
        .anonymous()
        .post(space.path)
        .send({ changes: [inserting('A')] })
        .expect(401);
    });
  });
});
