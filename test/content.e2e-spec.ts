import { ContentWriter } from '../src/content/content.writer.js';
import { DocumentsService } from '../src/revisions/index.js';
import type { TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { Editing, ID, inserting, ISO, LAYOUT, type PageAnswer } from './support/editing.js';
import { givenSpace } from './support/given.js';
import { until } from './support/until.js';

describe('content', () => {
  let app: TestApp;
  let space: Editing;

  givenSpace((given) => {
    ({ app, space } = given);
  });

  it('starts as a revision without pages', async () => {
    expect(await space.read('')).toEqual({
      object: 'revision',
      id: ID,
      parents: [],
      type: 'edits',
      pages: [],
      files: [],
      reusableContents: [],
      createdAt: ISO,
      urls: { app: `http://docs.test/s/${space.space}` },
    });
    expect(await space.read('/pages')).toEqual({ pages: [] });
    expect(await space.read('/files')).toEqual({ count: 0, items: [] });
  });

  it('shows every type of page with what it has', async () => {
    const first = await space.read<{ id: string }>('');
    const markdown = '---\ndescription: From the front matter\nicon: book\n---\n# Leading heading\r\n\r\ntext  \r\n';
    const computed = {
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
    };
    const target = { kind: 'url', url: 'https://example.org/' };
    const answer = await space.edit(
      { operation: 'insert_page', ref: 'intro', title: 'Given', emoji: '📘', hidden: true, document: { markdown } },
      { operation: 'insert_page', type: 'group', title: 'Part' },
      { operation: 'insert_page', type: 'link', title: 'Outside', target },
      { operation: 'insert_page', type: 'computed', title: 'Reference', computed },
      { operation: 'insert_page', document: {}, layout: { width: 'wide', cover: false }, cover: { ref: target } },
    );
    expect(answer).toEqual({
      revision: ID,
      changes: ['intro', undefined, undefined, undefined, undefined].map((ref) => ({
        object: 'created_page',
        ...(ref && { ref }),
        page: {
          object: 'page',
          id: ID,
          urls: { location: expect.stringMatching(`^http://docs.test${space.path}/page/`) as string },
        },
      })),
    });
    const intro = answer.changes[0]?.page.id ?? '';
    const dates = { createdAt: ISO, updatedAt: ISO };
    const shown = {
      id: intro,
      type: 'document',
      title: 'Leading heading',
      emoji: '📘',
      icon: 'book',
      ...dates,
      urls: { app: `http://docs.test/s/${space.space}/leading-heading` },
      slug: 'leading-heading',
      path: 'leading-heading',
      description: 'From the front matter',
      documentId: expect.stringMatching(/^[\w-]{59}$/) as string,
      layout: LAYOUT,
      hidden: true,
      noIndex: false,
      noRobotsIndex: false,
      pages: [],
    };
    expect(await space.read(`/page/${intro}`)).toEqual({ ...shown, markdown });
    const list = await space.pages();
    expect(list).toEqual([
      shown,
      {
        id: ID,
        type: 'group',
        title: 'Part',
        ...dates,
        slug: 'part',
        path: 'part',
        hidden: false,
        noIndex: false,
        noRobotsIndex: false,
        pages: [],
      },
      { id: ID, type: 'link', title: 'Outside', ...dates, hidden: false, target },
      { id: ID, type: 'computed', title: 'Reference', ...dates, computed },
      expect.objectContaining({
        title: 'Untitled',
        slug: 'untitled',
        layout: { ...LAYOUT, width: 'wide', cover: false },
        cover: { ref: target, yPos: 0 },
      }),
    ]);
    expect(await space.read('')).toMatchObject({ id: answer.revision, parents: [first.id], pages: list });
    for (const page of list.slice(1, 4)) expect(await space.read(`/page/${page.id}`)).toEqual(page);
  });

  it.each([
    ['nothing', ''],
    ['line ends of all kinds', 'a\r\nb\nc\rd\n\n\n'],
    ['a byte order mark', '\uFEFF# Title\n'],
    ['what no parser keeps', '*  a\n+ b\n\n\tcode\n\n&amp; &copy; \\* <b>x</b>\n[^1]\n\n[^1]: n\n  '],
    ['many scripts', '日本語 العربية 🦀 e\u0301 \u200B\u2028'],
    ['front matter that is none', '---\n[: bad\n---\nx'],
    ['something large', 'A line of words.\n'.repeat(cases(6_000, 60_000))],
  ])('gives Markdown back byte for byte: %s', async (_name, markdown) => {
    const id = await space.add('Page', { document: { markdown } });
    expect((await space.read<PageAnswer>(`/page/${id}`)).markdown).toBe(markdown);
  });

  it('answers a text as a tree of nodes too, and takes one', async () => {
    const id = await space.add('Page', { document: { markdown: '## Here\n\nSome **bold** words.\n' } });
    const { document, markdown, documentId } = await space.read<PageAnswer>(`/page/${id}?format=document`);
    expect(markdown).toBeUndefined();
    expect(document).toMatchObject({
      object: 'document',
      nodes: [
        { object: 'block', type: 'heading-2', meta: { id: 'here' } },
        { object: 'block', type: 'paragraph' },
      ],
    });
    expect(await space.get(`/v1/spaces/${space.space}/documents/${documentId ?? ''}`)).toEqual(document);
    const other = await space.add('Other', { document: { document } });
    const back = await space.read<PageAnswer>(`/page/${other}`);
    expect(back.markdown?.trim()).toBe('## Here\n\nSome **bold** words.');
    await space.refuse(/^changes\.0: /, inserting('x', { document: { document: { object: 'none' } } }));
  });

  it('shows the source of what is too intricate to be read into nodes', async () => {
    const markdown = `${'&amp;'.repeat(300_000)}\nend`;
    const id = await space.add('Page', { document: { markdown } });
    const { document } = await space.read<PageAnswer>(`/page/${id}?format=document`);
    expect(document?.nodes.length).toBeGreaterThan(0);
    expect(JSON.stringify(document)).toContain('end');
  });

  it('finds pages by their paths', async () => {
    const part = await space.add('Part', { type: 'group', document: undefined });
    const page = await space.add('Page', { into: part });
    await space.add('Link', { type: 'link', document: undefined, target: { kind: 'page', page } });
    const shown = await space.read<PageAnswer>(`/page/${page}`);
    for (const path of ['part%2Fpage', 'part/page', 'PART%2FPage']) {
      expect(await space.read(`/path/${path}`)).toEqual(shown);
    }
    expect(await space.read('/path/part')).toEqual(await space.read(`/page/${part}`));
    expect(await space.read('/path/part%2Fpage?format=document&evaluated=true')).toEqual(
      await space.read(`/page/${page}?format=document`),
    );
    const nowhere = ['page', 'part%2F', '%2Fpart', 'part%2F%2Fpage', 'part%2Fpage%2Fpage', 'link', '%00', '__proto__'];
    for (const path of [...nowhere, 'a%2F'.repeat(100)]) {
      const { body } = await app.as(space.user).get(`${space.path}/path/${path}`).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Page not found' } });
    }
    await app.as(space.user).get(`${space.path}/path/%zz`).expect(400);
  });

  it('shows reusable contents', async () => {
    await app.nest.get(ContentWriter, { strict: false }).write(space.space, null, async (editor, { organization }) => {
      const texts = app.nest.get(DocumentsService, { strict: false });
      const { _id: document } = await texts.put(organization, 'Shown *twice*.\n');
      editor.putReusableContent({ id: 'r1', title: 'Twice', document, git: { oid: 'a1', path: 'twice.md' } });
    });
    const bare = { id: 'r1', title: 'Twice', document: expect.stringMatching(/^[\w-]{59}$/) as string };
    const shown = { ...bare, git: { oid: 'a1', path: 'twice.md' } };
    const { document } = await space.read<{ document: string }>('/reusable-contents/r1');
    expect(await space.read('/reusable-contents/r1')).toEqual(shown);
    expect(await space.read('/reusable-contents/r1?metadata=false')).toEqual(bare);
    expect(await space.read('')).toMatchObject({ reusableContents: [shown] });
    expect(await space.get(`/v1/spaces/${space.space}/documents/${document}`)).toMatchObject({ object: 'document' });
  });

  it('answers a text by its id only where a reading has told it', async () => {
    const page = await space.add('Page');
    const { documentId = '' } = await space.read<PageAnswer>(`/page/${page}`);
    const old = `/v1/spaces/${space.space}/documents/${documentId}`;
    await space.edit({ operation: 'delete_page', page });
    expect(await space.get(old)).toMatchObject({ object: 'document' });
    // the same text in another space of the same organization has another id there
    const organization = await app.create.organization({ admin: space.user });
    const [one, two] = [await app.create.space({ organization }), await app.create.space({ organization })];
    const first = new Editing(app, space.user, one._id);
    const id = (await first.read<PageAnswer>(`/page/${await first.add('Page')}`)).documentId ?? '';
    await first.get(`/v1/spaces/${one._id}/documents/${id}`);
    for (const other of [id, id.slice(0, 43), `${id.slice(0, 43)}${'A'.repeat(16)}`, `${id}A`, 'nowhere']) {
      const { body } = await app.as(space.user).get(`/v1/spaces/${two._id}/documents/${other}`).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Document not found' } });
    }
  });

  it('reads a page with four reads of the database', async () => {
    const id = await space.add('Page');
    const get = (below: string) => () =>
      app
        .as(space.user)
        .get(space.path + below)
        .expect(200);
    const reads = async (below: string) => (await app.commandsOf(get(below))).length;
    // what the edit has set going behind the scenes is counted along, until it comes to rest
    for (const below of [`/page/${id}`, '/path/page', '/pages']) {
      await until(`four reads of ${below} at most`, async () => (await reads(below)) <= 4);
    }
  });

  it('is read by those who can see the space', async () => {
    const page = await space.add('Page');
    const { documentId = '' } = await space.read<PageAnswer>(`/page/${page}`);
    const paths = ['', '/pages', '/files', `/page/${page}`, '/path/page'].map((below) => space.path + below);
    const reader = await app.create.user();
    for (const path of [...paths, `/v1/spaces/${space.space}/documents/${documentId}`]) {
      await app.anonymous().get(path).expect(401);
      const { body } = await app.as(reader).get(path).expect(404);
      expect(body).toEqual({ error: { code: 404, message: 'Space not found' } });
    }
    for (const below of ['/page/nowhere', '/page/__proto__', '/files/nowhere', '/reusable-contents/nowhere']) {
      await app
        .as(space.user)
        .get(space.path + below)
        .expect(404);
    }
    await app.as(space.user).get('/v1/spaces/nowhere/content').expect(404);
  });

  it.each([
    ['/page/x?format=html', 'format must be one of: document, markdown'],
    ['/path/x?format=html', 'format must be one of: document, markdown'],
    ['/path/x?evaluated=1', 'evaluated must be true or false'],
    ['?metadata=yes', 'metadata must be true or false'],
    ['/pages?computed=1', 'computed must be true or false'],
    ['/files?limit=1001', 'limit must be a whole number from 0 to 1000'],
    ['/reusable-contents/x?metadata=1', 'metadata must be true or false'],
  ])('refuses the query of %s', async (below, message) => {
    const { body } = await app
      .as(space.user)
      .get(space.path + below)
      .expect(400);
    expect(body).toEqual({ error: { code: 400, message } });
  });
});
