import { ContentWriter } from '../src/content/content.writer.js';
import { DocumentsService } from '../src/revisions/index.js';
import { startApp, type TestApp } from './support/app.js';
import { Editing, type FileAnswer, inserting, ISO, type PageAnswer } from './support/editing.js';

interface RevisionAnswer {
  id: string;
  parents: string[];
  pages: PageAnswer[];
  files: FileAnswer[];
  reusableContents: { id: string }[];
}

describe('revisions', () => {
  let app: TestApp;
  let space: Editing;
  /** A revision with one of everything, and its content as it was read while it was the present one. */
  let old: string;
  let then: RevisionAnswer;
  let page: string;
  let file: string;

  beforeAll(async () => {
    app = await startApp();
    space = await Editing.start(app);
    await app.nest.get(ContentWriter, { strict: false }).write(space.space, null, async (editor, { organization }) => {
      const texts = app.nest.get(DocumentsService, { strict: false });
      const { _id: document } = await texts.put(organization, 'Shown *twice*.\n');
      editor.putReusableContent({ id: 'r1', title: 'Twice', document });
    });
    const { revision, changes, insertedFiles } = await space.edit(
      inserting('Part', { type: 'group', document: undefined }),
      inserting('Page', { document: { markdown: '# Page\n\nAs it *was*.\n' } }),
      inserting('Away', { type: 'link', document: undefined, target: { kind: 'url', url: 'https://example.org/' } }),
      { operation: 'insert_files', files: [{ name: 'b.txt', base64: 'aGk=', contentType: 'text/plain' }] },
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'aGk=', contentType: 'text/plain' }] },
    );
    page = changes[1]?.page.id ?? '';
    file = insertedFiles?.[0]?.id ?? '';
    await space.edit({ operation: 'update_page', page, into: changes[0]?.page.id });
    then = await space.read<RevisionAnswer>('');
    old = then.id;
    expect(then.parents).toEqual([revision]);
    await space.edit({ operation: 'update_page', page, title: 'New', document: { markdown: 'now' } });
    await space.edit({ operation: 'delete_page', page });
  });
  afterAll(() => app.close());

  const at = (below: string, revision = old) => `/v1/spaces/${space.space}/revisions/${revision}${below}`;

  it('are read as they were', async () => {
    expect(await space.get(at(''))).toEqual(then);
    expect(then).toMatchObject({ object: 'revision', type: 'edits', createdAt: ISO, reusableContents: [{ id: 'r1' }] });
    expect(await space.get(at('/pages'))).toEqual({ pages: then.pages });
    expect(await space.get(at('?metadata=false&computed=false'))).toEqual(then);
    // the present one reads the same as primary content
    const present = await space.read<RevisionAnswer>('');
    expect(await space.get(at('', present.id))).toEqual(present);
    expect(present.pages.map(({ title }) => title)).toEqual(['Part', 'Away']);
  });

  it('have pages, by id and by path', async () => {
    const [shown] = then.pages[0]?.pages ?? [];
    const markdown = '# Page\n\nAs it *was*.\n';
    expect(await space.get(at(`/page/${page}`))).toEqual({ ...shown, markdown });
    expect(await space.get(at('/path/part%2Fpage?format=markdown'))).toEqual({ ...shown, markdown });
    expect(await space.get(at('/path/Part/page'))).toEqual({ ...shown, markdown });
    expect(await space.get(at('/path/part'))).toEqual(then.pages[0]);
    const { document } = await space.get<PageAnswer>(at(`/page/${page}?format=document&evaluated=true`));
    expect(document).toMatchObject({
      object: 'document',
      nodes: [
        { object: 'block', type: 'heading-1', meta: { id: 'page' } },
        { object: 'block', type: 'paragraph' },
      ],
    });
    expect(await space.get(at(`/page/${page}/document`))).toEqual(document);
    expect(await space.get(at(`/page/${page}/document?evaluated=true`))).toEqual(document);
  });

  it('have files, page by page', async () => {
    const first = await space.get<{ items: FileAnswer[]; next: { page: string } }>(at('/files?limit=1'));
    expect(first).toEqual({ count: 2, items: [then.files[0]], next: { page: expect.any(String) as string } });
    expect(await space.get(at(`/files?limit=1&page=${first.next.page}`))).toEqual({ count: 2, items: [then.files[1]] });
    expect(await space.get(at('/files?limit=0'))).toEqual({ count: 2, items: [] });
    expect(then.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect(await space.get(at(`/files/${file}`))).toEqual(then.files[1]);
  });

  it('have reusable contents, with their texts', async () => {
    expect(await space.get(at('/reusable-contents/r1'))).toEqual(then.reusableContents[0]);
    expect(await space.get(at('/reusable-contents/r1/document?evaluated=true'))).toMatchObject({
      object: 'document',
      nodes: [{ object: 'block', type: 'paragraph' }],
    });
  });

  it('tell what happened', async () => {
    const present = await space.read<RevisionAnswer>('');
    const [deletion, renaming] = [present.id, present.parents[0] ?? ''];
    const now = { id: page, type: 'document', title: 'New', path: 'part/new' };
    expect(await space.get(at('/changes', deletion))).toEqual({ changes: [{ type: 'page_deleted', page: now }] });
    const text = expect.stringMatching(/^[\w-]{59}$/) as string;
    const edited = await space.get<{ changes: { attributes: { document: { before: string } } }[] }>(
      at('/changes', renaming),
    );
    expect(edited).toEqual({
      changes: [
        {
          type: 'page_edited',
          page: now,
          attributes: {
            title: { before: 'Page', after: 'New' },
            slug: { before: 'page', after: 'new' },
            document: { before: text, after: text },
          },
        },
      ],
    });
    // the text is read by the id that is named
    const before = edited.changes[0]?.attributes.document.before ?? '';
    const document = await space.get(at(`/page/${page}/document`));
    expect(await space.get(`/v1/spaces/${space.space}/documents/${before}`)).toEqual(document);
    const group = { id: then.pages[0]?.id, type: 'group', title: 'Part', path: 'part' };
    expect(await space.get(at('/changes'))).toEqual({
      changes: [
        {
          type: 'page_moved',
          page: { id: page, type: 'document', title: 'Page', path: 'part/page' },
          parent: { after: group },
        },
      ],
    });
    const made = then.parents[0] ?? '';
    const all = await space.get<{ changes: object[] }>(at('/changes?limit=1000', made));
    expect(all.changes).toHaveLength(5);
    expect(all.changes.slice(3).map((change) => (change as { file: FileAnswer }).file.downloadURL)).toEqual(
      [...then.files].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ downloadURL }) => downloadURL),
    );
    expect(await space.get(at('/changes?limit=2', made))).toEqual({ changes: all.changes.slice(0, 2), more: 3 });
    expect(await space.get(at('/changes?limit=0', made))).toEqual({ changes: [], more: 5 });
    let first = made;
    for (let next: string | undefined = made; next !== undefined;) {
      first = next;
      next = (await space.get<RevisionAnswer>(at('', first))).parents[0];
    }
    expect(await space.get(at('/changes', first))).toEqual({ changes: [] });
  });

  it('hold nothing but what they held', async () => {
    const [group, link] = then.pages;
    const first = then.parents[0] ?? '';
    const missing: [path: string, message: string][] = [
      [at('/page/nowhere'), 'Page not found'],
      [at('/page/nowhere/document'), 'Page not found'],
      [at(`/page/${group?.id ?? ''}/document`), 'The page has no document'],
      [at(`/page/${link?.id ?? ''}/document`), 'The page has no document'],
      [at('/path/page'), 'Page not found'],
      [at('/path/part%2Fpage', first), 'Page not found'],
      [at('/files/nowhere'), 'File not found'],
      [at('/reusable-contents/nowhere'), 'Reusable content not found'],
      [at('/reusable-contents/nowhere/document'), 'Reusable content not found'],
      [at('', 'nowhere'), 'Revision not found'],
      [at('/pages', '__proto__'), 'Revision not found'],
    ];
    for (const [path, message] of missing) {
      const { body } = await app.as(space.user).get(path).expect(404);
      expect([path, body]).toEqual([path, { error: { code: 404, message } }]);
    }
  });

  it('belong to their space, and are read by those who see it', async () => {
    const organization = await app.create.organization({ admin: space.user });
    const other = await app.create.space({ organization });
    const paths = ['', '/changes', '/pages', '/files', `/files/${file}`, `/page/${page}`, `/page/${page}/document`];
    paths.push('/path/part%2Fpage', '/reusable-contents/r1', '/reusable-contents/r1/document');
    const stranger = await app.create.user();
    for (const below of paths) {
      await app.as(space.user).get(at(below)).expect(200);
      const { body } = await app.as(space.user).get(`/v1/spaces/${other._id}/revisions/${old}${below}`).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Revision not found' } });
      await app.as(stranger).get(at(below)).expect(404);
      await app.anonymous().get(at(below)).expect(401);
    }
  });

  it.each([
    ['?metadata=1', 'metadata must be true or false'],
    ['/changes?limit=1001', 'limit must be a whole number from 0 to 1000'],
    ['/pages?computed=x', 'computed must be true or false'],
    ['/files?limit=-1', 'limit must be a whole number from 0 to 1000'],
    ['/page/x?format=pdf', 'format must be one of: document, markdown'],
    ['/page/x/document?evaluated=1', 'evaluated must be true or false'],
    ['/path/x?format=pdf', 'format must be one of: document, markdown'],
  ])('refuse the query of %s', async (below, message) => {
    const { body } = await app.as(space.user).get(at(below)).expect(400);
    expect(body).toEqual({ error: { code: 400, message } });
  });
});
