import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const LAYOUT = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

interface Page {
  id: string;
  title: string;
  path?: string;
  slug?: string;
  updatedAt: string;
  pages?: Page[];
}
interface Edited {
  revision: string;
  changes: { object: string; ref?: string; page: { id: string } }[];
}

describe('content', () => {
  let app: TestApp;
  let admin: TestUser;
  let path: string;
  let spaceId: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const space = await app.create.space();
    admin = space.admin;
    spaceId = space._id;
    path = `/v1/spaces/${space._id}/content`;
  });

  const edit = async (...changes: object[]) =>
    (await app.as(admin).post(path).send({ changes }).expect(200)).body as Edited;
  const refuse = async (message: string | RegExp, ...changes: unknown[]) => {
    const before = await read('');
    const { body } = await app.as(admin).post(path).send({ changes }).expect(400);
    const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(body).toEqual({ error: { code: 400, message: text } });
    expect(await read('')).toEqual(before);
  };
  const read = async (below: string) =>
    (
      await app
        .as(admin)
        .get(path + below)
        .expect(200)
    ).body as unknown;
  const pages = async () => ((await read('/pages')) as { pages: Page[] }).pages;
  const insert = (title: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `About ${title}.` },
    ...more,
  });
  const add = async (title: string, more: object = {}) => (await edit(insert(title, more))).changes[0]?.page.id ?? '';
  const outline = (list: Page[]): unknown[] =>
    list.map((page) => [page.path, ...(page.pages?.length ? [outline(page.pages)] : [])]);

  it('starts as a revision without pages', async () => {
    const revision = (await read('')) as { id: string };
    expect(revision).toEqual({
      object: 'revision',
      id: ID,
      parents: [],
      type: 'edits',
      pages: [],
      files: [],
      reusableContents: [],
      createdAt: ISO,
      urls: { app: `http://docs.test/s/${spaceId}` },
    });
    expect(await read('/pages')).toEqual({ pages: [] });
    expect(await read('/files')).toEqual({ count: 0, items: [] });
    await app.as(admin).get(`${path}/page/nowhere`).expect(404);
    await app.as(admin).get(`${path}/files/nowhere`).expect(404);
  });

  it('takes a batch as one revision and tells what became of each page', async () => {
    const first = await read('');
    const markdown = '---\ndescription: From the front matter\nicon: book\n---\n# Leading heading\r\n\r\ntext  \r\n';
    const answer = await edit(
      { operation: 'insert_page', ref: 'intro', title: 'Given', emoji: '📘', hidden: true, document: { markdown } },
      { operation: 'insert_page', type: 'group', title: 'Part' },
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Outside',
        target: { kind: 'url', url: 'https://example.org/' },
      },
      { operation: 'insert_page', document: {} },
    );
    expect(answer).toEqual({
      revision: ID,
      changes: ['intro', undefined, undefined, undefined].map((ref) => ({
        object: 'created_page',
        ...(ref && { ref }),
        page: {
          object: 'page',
          id: ID,
          urls: { location: expect.stringMatching(`^http://docs.test${path}/page/`) as string },
        },
      })),
    });
    const [intro] = answer.changes;
    const shown = {
      id: intro?.page.id,
      type: 'document',
      title: 'Leading heading',
      emoji: '📘',
      icon: 'book',
      createdAt: ISO,
      updatedAt: ISO,
      urls: { app: `http://docs.test/s/${spaceId}/leading-heading` },
      slug: 'leading-heading',
      path: 'leading-heading',
      description: 'From the front matter',
      documentId: expect.any(String) as string,
      layout: LAYOUT,
      hidden: true,
      noIndex: false,
      noRobotsIndex: false,
      pages: [],
    };
    expect(await read(`/page/${intro?.page.id ?? ''}`)).toEqual({ ...shown, markdown });
    const all = await read('');
    expect(all).toMatchObject({ id: answer.revision, parents: [(first as { id: string }).id] });
    const list = await pages();
    expect((all as { pages: unknown }).pages).toEqual(list);
    expect(list).toEqual([
      shown,
      {
        id: ID,
        type: 'group',
        title: 'Part',
        createdAt: ISO,
        updatedAt: ISO,
        slug: 'part',
        path: 'part',
        hidden: false,
        noIndex: false,
        noRobotsIndex: false,
        pages: [],
      },
      {
        id: ID,
        type: 'link',
        title: 'Outside',
        createdAt: ISO,
        updatedAt: ISO,
        hidden: false,
        target: { kind: 'url', url: 'https://example.org/' },
      },
      expect.objectContaining({ title: 'Untitled', slug: 'untitled' }),
    ]);
  });

  it.each([
    ['nothing', ''],
    ['line ends of all kinds', 'a\r\nb\nc\rd\n\n\n'],
    ['a byte order mark', '\uFEFF# Title\n'],
    ['what no parser keeps', '*  a\n+ b\n\n\tcode\n\n&amp; &copy; \\* <b>x</b>\n[^1]\n\n[^1]: n\n  '],
    ['many scripts', '日本語 العربية 🦀 e\u0301 \u200B\u2028'],
    ['front matter that is none', '---\n[: bad\n---\nx'],
    ['something large', 'A line of words.\n'.repeat(60_000)],
  ])('gives Markdown back byte for byte: %s', async (_name, markdown) => {
    const id = await add('Page', { document: { markdown } });
    expect(((await read(`/page/${id}`)) as { markdown: string }).markdown).toBe(markdown);
  });

  it('answers a text as a tree of nodes too, and takes one', async () => {
    const id = await add('Page', { document: { markdown: '## Here\n\nSome **bold** words.\n' } });
    const { document, markdown } = (await read(`/page/${id}?format=document`)) as {
      document: object;
      markdown?: string;
    };
    expect(markdown).toBeUndefined();
    expect(document).toMatchObject({
      object: 'document',
      nodes: [
        { object: 'block', type: 'heading-2', meta: { id: 'here' } },
        { object: 'block', type: 'paragraph' },
      ],
    });
    const other = await add('Other', { document: { document } });
    const back = (await read(`/page/${other}`)) as { markdown: string };
    expect(back.markdown.trim()).toBe('## Here\n\nSome **bold** words.');
    await refuse(/^changes\.0: /, insert('x', { document: { document: { object: 'none' } } }));
  });

  it('nests, orders and moves pages', async () => {
    const a = await add('A');
    const b = await add('B', { into: a });
    const c = await add('C', { into: a, at: 0 });
    const d = await add('D', { at: 0 });
    expect(outline(await pages())).toEqual([['d'], ['a', [['a/c'], ['a/b']]]]);
    await edit({ operation: 'update_page', page: c, into: b });
    expect(outline(await pages())).toEqual([['d'], ['a', [['a/b', [['a/b/c']]]]]]);
    await edit({ operation: 'update_page', page: b, into: null, at: 0 });
    expect(outline(await pages())).toEqual([['b', [['b/c']]], ['d'], ['a']]);
    await edit({ operation: 'update_page', page: d, at: 2 });
    expect(outline(await pages())).toEqual([['b', [['b/c']]], ['a'], ['d']]);
    expect(await read(`/page/${b}`)).toMatchObject({ path: 'b', pages: [{ id: c, path: 'b/c' }] });
    const gone = await edit({ operation: 'delete_page', page: b });
    expect(gone.changes).toEqual([{ object: 'deleted_page', page: b }]);
    expect(outline(await pages())).toEqual([['a'], ['d']]);
    await app.as(admin).get(`${path}/page/${c}`).expect(404);
  });

  it('changes what an update names and nothing else', async () => {
    const id = await add('Page', { description: 'About', emoji: '📘', icon: 'star' });
    const before = (await read(`/page/${id}`)) as Page;
    const { revision } = await edit({ operation: 'update_page', page: id });
    expect((await read('')) as object).toMatchObject({ id: revision });
    expect(await read(`/page/${id}`)).toEqual(before);
    await edit({ operation: 'update_page', page: id, title: 'New', emoji: '', noIndex: true });
    const { emoji: _, ...rest } = before as Page & { emoji: string };
    expect(await read(`/page/${id}`)).toEqual({
      ...rest,
      title: 'New',
      slug: 'new',
      path: 'new',
      urls: { app: `http://docs.test/s/${spaceId}/new` },
      noIndex: true,
      updatedAt: ISO,
    });
    // a slug written by hand stays when the title changes
    await edit({ operation: 'update_page', page: id, slug: 'by-hand', document: { markdown: 'other' } });
    await edit({ operation: 'update_page', page: id, title: 'Newer' });
    expect(await read(`/page/${id}`)).toMatchObject({ title: 'Newer', slug: 'by-hand', markdown: 'other' });
  });

  it('numbers slugs that come from equal titles, and refuses one that is given twice', async () => {
    for (let n = 0; n < 3; n += 1) await add('Same');
    expect(outline(await pages())).toEqual([['same'], ['same-1'], ['same-2']]);
    await refuse(/^changes\.0: .*same/, insert('Other', { slug: 'same' }));
  });

  it('refuses a batch whole when one entry is wrong', async () => {
    const group = await add('Part', { type: 'group', document: undefined });
    const page = await add('Page');
    await refuse('changes.1: There is no page nowhere', insert('Fine'), { operation: 'delete_page', page: 'nowhere' });
    await refuse('changes.0: There is no page nowhere', insert('Lost', { into: 'nowhere' }));
    await refuse(/^changes\.0: .*[Uu]nder itself/, { operation: 'update_page', page, into: page });
    await refuse(/^changes\.0: .*group/, insert('Part', { type: 'group', document: undefined, into: page }));
    await refuse(/^changes\.0: document is required/, { operation: 'insert_page', title: 'No text' });
    await refuse(/^changes\.0: /, { operation: 'update_page', page: group, document: { markdown: 'x' } });
    await refuse(/^changes\.1: ref "a" is used twice/, insert('One', { ref: 'a' }), insert('Two', { ref: 'a' }));
  });

  it('checks a slug where the page goes', async () => {
    const there = await add('There');
    await add('Same');
    const page = await add('Other');
    await edit({ operation: 'update_page', page, into: there, slug: 'same' });
    expect(await read(`/page/${page}`)).toMatchObject({ path: 'there/same' });
    const twin = await add('Twin');
    await edit({ operation: 'update_page', page: twin, into: there, title: 'Same' });
    expect(await read(`/page/${twin}`)).toMatchObject({ path: 'there/same-1', title: 'Same' });
  });

  it('names no page that the same batch removed with another', async () => {
    const top = await add('Top');
    const below = await add('Below', { into: top });
    const answer = await edit(
      insert('Gone too', { into: top }),
      { operation: 'update_page', page: below, title: 'Renamed' },
      { operation: 'delete_page', page: top },
    );
    expect(answer.changes).toEqual([
      { object: 'deleted_page', page: below },
      { object: 'deleted_page', page: top },
    ]);
  });

  it('passes over a title that no page can have', async () => {
    const titles = [`# ${'x'.repeat(20_000)}`, '---\ntitle: "a\\u0000b"\n---\n', '---\ntitle: "\\ud800"\n---\n'];
    for (const markdown of titles) {
      const id = await add('Given', { document: { markdown } });
      expect(await read(`/page/${id}`)).toMatchObject({ title: 'Given', markdown });
    }
  });

  it('shows the source of what is too intricate to be read into nodes', async () => {
    const markdown = `${'&amp;'.repeat(300_000)}\nend`;
    const id = await add('Page', { document: { markdown } });
    const { document } = (await read(`/page/${id}?format=document`)) as { document: { nodes: unknown[] } };
    expect(document.nodes.length).toBeGreaterThan(0);
    expect(JSON.stringify(document)).toContain('end');
  });

  it.each([
    ['no list', 'x', 'changes must be an array of 1 to 50 entries'],
    [
      'an unknown operation',
      [{ operation: 'burn_page' }],
      'changes.0.operation must be one of: insert_page, update_page, delete_page',
    ],
    ['an operator', [{ operation: { $gt: '' } }], /^changes\.0\.operation must be one of/],
    ['no object', [null], /changes/],
    ['a prototype', [{ operation: '__proto__' }], /^changes\.0\.operation must be one of/],
    ['a wrong type', [{ operation: 'insert_page', title: 5, document: {} }], 'changes.0.title must be a string'],
    ['a negative place', [{ operation: 'insert_page', at: -1, document: {} }], /^changes\.0\.at/],
    ['a broken place', [{ operation: 'insert_page', at: 0.5, document: {} }], /^changes\.0\.at/],
    [
      'text that is none',
      [{ operation: 'insert_page', document: { markdown: { $ne: 1 } } }],
      /^changes\.0\.document\.markdown/,
    ],
    ['a NUL', [{ operation: 'insert_page', document: { markdown: 'a\0b' } }], /^changes\.0\.document\.markdown/],
    [
      'half a character',
      [{ operation: 'insert_page', document: { markdown: '\ud800' } }],
      /^changes\.0\.document\.markdown/,
    ],
    [
      'both forms',
      [{ operation: 'insert_page', document: { markdown: '', document: {} } }],
      /^changes\.0: document takes either/,
    ],
    ['a bad slug', [{ operation: 'insert_page', slug: 'a/b', document: {} }], /^changes\.0: .*slug/],
  ])('refuses %s', async (_name, changes, message) => {
    const { body } = await app.as(admin).post(path).send({ changes }).expect(400);
    const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(body).toEqual({ error: { code: 400, message: text } });
  });

  it('takes 1 to 50 changes', async () => {
    await app.as(admin).post(path).send({ changes: [] }).expect(400);
    const many = Array.from({ length: 51 }, (_, n) => insert(`P${n}`));
    await app.as(admin).post(path).send({ changes: many }).expect(400);
    await edit(...many.slice(1));
    expect((await pages()).length).toBe(50);
  });

  it('refuses edits of a locked space, and by people who may not edit', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization, editMode: 'locked' });
    const post = async (user: TestUser) =>
      app
        .as(user)
        .post(`/v1/spaces/${space._id}/content`)
        .send({ changes: [insert('A')] });
    const locked = await post(organization.admin);
    expect([locked.status, locked.body]).toEqual([
      409,
      { error: { code: 409, message: 'The space is locked: its content changes through change requests only' } },
    ]);
    expect((await post(await app.create.user({ in: organization, role: 'comment' }))).status).toBe(403);
  });

  it('loses nothing when many write at once', async () => {
    const writers = Array.from({ length: 16 }, (_, w) => w);
    await Promise.all(
      writers.map(async (w) => {
        for (let n = 0; n < 5; n += 1) await add(`W${w} N${n}`);
      }),
    );
    const titles = (await pages()).map(({ title }) => title).sort();
    expect(titles).toEqual(writers.flatMap((w) => [0, 1, 2, 3, 4].map((n) => `W${w} N${n}`)).sort());
    // the history is one line: each revision has the one before it as its parent
    const all = await app.connection.collection('revisions').find({ space: spaceId }).toArray();
    const parents = all.flatMap((revision) => revision.parents as string[]);
    expect(new Set(parents).size).toBe(parents.length);
    expect(all.length).toBe(81);
  });

  it('reads a page with four reads of the database', async () => {
    const id = await add('Page');
    const get = () => app.as(admin).get(`${path}/page/${id}`).expect(200);
    await get();
    // what the edit has set going behind the scenes comes to rest
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await app.commandsOf(get)).length).toBeLessThanOrEqual(4);
    expect((await app.commandsOf(() => app.as(admin).get(`${path}/pages`).expect(200))).length).toBeLessThanOrEqual(4);
  });

  describe('search', () => {
    const search = async (query: string, more: object = {}) =>
      (
        await app
          .as(admin)
          .get(`/v1/spaces/${spaceId}/search`)
          .query({ query, ...more })
          .expect(200)
      ).body as {
        items: { id: string; title: string }[];
        count: number;
        next?: { page: string };
      };
    const titles = async (query: string) => (await search(query)).items.map(({ title }) => title);

    it('finds an edit at once, by words, phrases and beginnings', async () => {
      const id = await add('Ownership', {
        document: { markdown: '# Ownership\n\nIntro.\n\n## The borrow checker\n\nIt checks every borrow.\n' },
      });
      await add('Other', { document: { markdown: 'A checker of spelling. Nothing to borrow here.\n' } });
      expect(await search('borrow checker')).toEqual({
        count: 2,
        items: [
          {
            id,
            title: 'Ownership',
            path: 'ownership',
            sections: [
              {
                id: expect.any(String) as string,
                title: 'The borrow checker',
                path: 'ownership#the-borrow-checker',
                body: expect.stringContaining('It checks every borrow') as string,
                urls: { app: `http://docs.test/s/${spaceId}/ownership#the-borrow-checker` },
              },
            ],
            urls: { app: `http://docs.test/s/${spaceId}/ownership` },
          },
          expect.objectContaining({ title: 'Other' }),
        ],
      });
      expect(await titles('"borrow checker"')).toEqual(['Ownership']);
      expect(await titles('OWNERSH')).toEqual(['Ownership']);
      await edit({
        operation: 'update_page',
        page: id,
        title: 'Renamed',
        document: { markdown: 'Nothing of the kind.' },
      });
      expect(await titles('ownership')).toEqual([]);
      expect(await titles('renamed')).toEqual(['Renamed']);
      await edit({ operation: 'delete_page', page: id });
      expect(await titles('renamed')).toEqual([]);
    });

    it('catches up with an edit of many pages', async () => {
      const top = await add('Top');
      await edit(...Array.from({ length: 40 }, (_, n) => insert(`Below ${n}`, { into: top })));
      await edit(...Array.from({ length: 40 }, (_, n) => insert(`Below too ${n}`, { into: top })));
      expect((await search('below')).count).toBe(80);
      await edit({ operation: 'delete_page', page: top });
      await add('Below ground');
      for (let n = 0; n < 50 && (await titles('below')).join() !== 'Below ground'; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(await titles('below')).toEqual(['Below ground']);
    });

    it('leaves out what is kept out of it, with all below', async () => {
      const top = await add('Secret garden');
      await add('Secret shed', { into: top });
      await add('Secret path');
      expect((await titles('secret')).sort()).toEqual(['Secret garden', 'Secret path', 'Secret shed']);
      await edit({ operation: 'update_page', page: top, noIndex: true });
      expect(await titles('secret')).toEqual(['Secret path']);
      await edit({ operation: 'update_page', page: top, noIndex: false });
      expect((await titles('secret')).sort()).toEqual(['Secret garden', 'Secret path', 'Secret shed']);
    });

    it.each(['', ' ', '\t\n', 'x'.repeat(513)])('refuses the query %j', async (query) => {
      await app.as(admin).get(`/v1/spaces/${spaceId}/search`).query({ query }).expect(400);
    });

    it.each(['"', '.*', '$where', '((((', '\\', '"a" "b', '🦀', '%00', '-', '…'])(
      'takes the query %j',
      async (query) => {
        await app.as(admin).get(`/v1/spaces/${spaceId}/search`).query({ query }).expect(200);
      },
    );

    it('walks all results page by page, each once', async () => {
      for (let start = 0; start < 30; start += 10)
        await edit(...Array.from({ length: 10 }, (_, n) => insert(`Walk ${start + n}`)));
      const seen: string[] = [];
      let page: string | undefined;
      do {
        const answer = await search('walk', { limit: 7, ...(page && { page }) });
        expect(answer.count).toBe(30);
        seen.push(...answer.items.map(({ id }) => id));
        page = answer.next?.page;
      } while (page);
      expect(seen.length).toBe(30);
      expect(new Set(seen).size).toBe(30);
    });

    it('covers the spaces of an organization that the caller sees', async () => {
      const organization = await app.create.organization();
      const open = await app.create.space({ organization, title: 'Open' });
      const closed = await app.create.space({ organization, title: 'Closed', defaultLevel: null });
      for (const space of [open, closed]) {
        await app
          .as(organization.admin)
          .post(`/v1/spaces/${space._id}/content`)
          .send({ changes: [insert('Findable')] })
          .expect(200);
      }
      const find = async (user: TestUser) =>
        (
          (await app.as(user).get(`/v1/orgs/${organization._id}/search`).query({ query: 'findable' }).expect(200))
            .body as {
            items: { id: string; title: string; pages: { title: string }[] }[];
          }
        ).items.map(({ title, pages: found }) => [title, found.map((page) => page.title)]);
      expect((await find(organization.admin)).sort()).toEqual([
        ['Closed', ['Findable']],
        ['Open', ['Findable']],
      ]);
      expect(await find(await app.create.user({ in: organization, role: 'read' }))).toEqual([['Open', ['Findable']]]);
      expect(await find(await app.create.user({ in: organization, role: null }))).toEqual([]);
    });
  });
});
