import { ContentWriter } from '../src/content/content.writer.js';
import { ArchiveImporter } from '../src/content/index.js';
import { Indexer } from '../src/content/indexer.js';
import { MembersService } from '../src/organizations/index.js';
import type { TreeEditor } from '../src/revisions/index.js';
import type { Space } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { generateBook } from './support/book.js';
import type { TestUser } from './support/factories.js';

interface Location {
  kind: string;
  page?: { id: string; title: string; path: string };
  space?: { id: string };
  internalLocation?: { type: string; anchor: string };
  url?: string;
}
interface Item {
  status: string;
  relation: string;
  targetReference?: Location;
  locationReferences: Location[];
}
interface Links {
  next?: { page: string };
  count: number;
  items: Item[];
  stats: { total: number; broken: { total: number } };
}

interface Nested {
  id: string;
  title: string;
  type: string;
  pages?: Nested[];
}

const documentsOf = (pages: Nested[]): Nested[] =>
  pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documentsOf(page.pages ?? [])]);

let app: TestApp;
let admin: TestUser;
let space: Space;

beforeAll(async () => {
  app = await startApp({ APP_URL: 'http://app.test/writing' });
});
afterAll(() => app.close());

beforeEach(async () => {
  const made = await app.create.space();
  [space, admin] = [made, made.admin];
});

const root = (): string => `/v1/spaces/${space._id}`;
const get = async <T>(path: string, query: object = {}, user = admin): Promise<T> =>
  (await app.as(user).get(path).query(query).expect(200)).body as T;
const links = (query: object = {}): Promise<Links> => get<Links>(`${root()}/links`, query);
const edit = async (...changes: object[]): Promise<{ changes: { page: { id: string } | string }[] }> => {
  const response = await app.as(admin).post(`${root()}/content`).send({ changes });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body as { changes: { page: { id: string } | string }[] };
};
/** Adds a page and answers its id. */
const add = async (title: string, markdown: string, more: object = {}): Promise<string> => {
  const { changes } = await edit({ operation: 'insert_page', title, document: { markdown }, ...more });
  const page = changes[0]?.page;
  return typeof page === 'object' ? page.id : '';
};
const update = (page: string, fields: object): Promise<unknown> => edit({ operation: 'update_page', page, ...fields });
const markdownOf = async (page: string): Promise<string> =>
  (await get<{ markdown: string }>(`${root()}/content/page/${page}`)).markdown;
const putFile = (id: string): Promise<unknown> =>
  inSpace((editor) => editor.putFile({ id, name: `${id}.png`, contentType: 'image/png', size: 3, blob: 'b' }));
const inSpace = (work: (editor: TreeEditor) => Promise<unknown>): Promise<unknown> =>
  app.nest.get(ContentWriter, { strict: false }).write(space._id, null, work);

/** What an item says, in short: its target's title, URL or nothing, its status, and the titles of where it stands. */
const short = ({ status, targetReference: to, locationReferences }: Item): unknown => [
  to && (to.page ? to.page.title + (to.internalLocation ? `#${to.internalLocation.anchor}` : '') : (to.url ?? to.kind)),
  status,
  locationReferences.map(({ page, internalLocation: at }) => (page?.title ?? '') + (at ? `#${at.anchor}` : '')),
];
const statuses = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status } of (await links({ limit: 1000 })).items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('the links of a space', () => {
  it('are listed by target, each with all places, in whole resources', async () => {
    const a = await add('A', 'Text\n\n# One\n\nText\n');
    await add('B', 'Before [a](a) and [again](/a#one).\n\n## Here\n\nUnder it [a](./a.md).\n');
    const { items, ...list } = await links();
    expect(list).toEqual({ count: 2, stats: { total: 2, broken: { total: 0 } } });
    expect(items.map(short)).toEqual([
      ['A', 'ok', ['B', 'B#here']],
      ['A#one', 'ok', ['B']],
    ]);
    const page = await get<object>(`${root()}/content/page/${a}`);
    const { markdown: _, ...bare } = page as { markdown: string };
    const spaceView = await get(root());
    const organization = await get(`/v1/orgs/${space.organization}`);
    const revision = { ...(await get<object>(`${root()}/content`)), pages: [], files: [], reusableContents: [] };
    const context = { organization, space: spaceView, versionContext: { type: 'revision', revision } };
    expect(items[1]).toEqual({
      status: 'ok',
      relation: 'reference',
      targetReference: { kind: 'page', ...context, page: bare, internalLocation: { type: 'anchor', anchor: 'one' } },
      locationReferences: [
        { kind: 'page', ...context, page: expect.objectContaining({ title: 'B', pages: [] }) as object },
      ],
    });
  });

  it('have every status, and are filtered, counted and paged by it', async () => {
    await putFile('f');
    await add('A', 'Text\n\n# One\n');
    const texts = [
      '![f](/files/f) ![gone](/files/gone) [a](a) [no](a#no) [lost](nowhere) [out](../../../x) ',
      '[app](http://app.test/writing/s/x) [web](https://example.org/?a=1) <mailto:ann@example.org> [self](#here)',
    ];
    await add('B', `Text\n\n# Here\n\n${texts.join('')}\n`);
    const all = await links();
    expect(all.stats).toEqual({ total: 10, broken: { total: 4 } });
    expect(await statuses()).toEqual({ ok: 5, broken: 4, 'in-app': 1 });
    const [embedded] = all.items.filter(({ targetReference }) => targetReference?.kind === 'file');
    expect(embedded).toMatchObject({ relation: 'dependsOn', targetReference: { file: { id: 'f', name: 'f.png' } } });
    const broken = await links({ status: 'broken' });
    expect([broken.count, broken.stats]).toEqual([4, all.stats]);
    expect(broken.items.every((item) => !('targetReference' in item))).toBe(true);
    expect((await links({ status: 'in-app' })).items.map(short)).toEqual([
      ['http://app.test/writing/s/x', 'in-app', ['B#here']],
    ]);
    const walked: Item[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await links({ limit: 3, ...(page !== undefined && { page }) });
      expect(part.count).toBe(10);
      walked.push(...part.items);
      page = part.next?.page;
    }
    expect(walked).toEqual(all.items);
    expect(await links({ limit: 0 })).toEqual({ count: 10, items: [], stats: all.stats });
  });

  it('count what pages have beside their text', async () => {
    const a = await add('A', 'Text\n');
    await inSpace(async (editor) => {
      await editor.insertPage({ kind: 'link', title: 'Link', target: { kind: 'page', page: a } });
      await editor.updatePage(a, { cover: { ref: { kind: 'file', file: 'gone' }, yPos: 0 } });
      const computed = { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } } };
      await editor.insertPage({ kind: 'computed', title: 'Made', computed });
    });
    const { items } = await links();
    expect(items.map((item) => [item.relation, ...(short(item) as unknown[])])).toEqual([
      ['dependsOn', undefined, 'broken', ['A']],
      ['dependsOn', undefined, 'broken', ['Made']],
      ['reference', 'A', 'ok', ['Link']],
    ]);
  });

  it('to other spaces are there for those who may see them', async () => {
    const organization = { ...(await app.create.organization({ admin })), admin };
    const other = await app.create.space({ organization });
    const reader = await app.create.user();
    await app.connection
      .collection('spaces')
      .updateOne({ _id: space._id as never }, { $set: { defaultLevel: 'read' } });
    await joined(reader);
    const response = await app
      .as(admin)
      .post(`/v1/spaces/${other._id}/content`)
      .send({ changes: [{ operation: 'insert_page', title: 'Far', document: { markdown: 'Text\n\n# There\n' } }] })
      .expect(200);
    const far = (response.body as { changes: [{ page: { id: string } }] }).changes[0].page.id;
    const at = `/spaces/${other._id}`;
    await add(
      'A',
      `[s](${at}) [p](${at}/pages/${far}) [#](${at}/pages/${far}#there) [x](${at}/pages/x) [y](/spaces/no)\n`,
    );
    await add('People', `[me](/users/${admin._id}) [nobody](/users/nobody)\n`);
    expect((await links()).stats).toEqual({ total: 7, broken: { total: 3 } });
    const { items } = await links({ status: 'ok' });
    expect(items.map(short)).toEqual([
      ['space', 'ok', ['A']],
      ['Far', 'ok', ['A']],
      ['Far#there', 'ok', ['A']],
      ['user', 'ok', ['People']],
    ]);
    const forReader = await get<Links>(`${root()}/links`, { status: 'broken' }, reader);
    expect([forReader.count, forReader.stats]).toEqual([6, { total: 7, broken: { total: 6 } }]);
    expect(JSON.stringify(forReader)).not.toContain('Far');
  });

  /** Makes `user` a member of the organization of the space. */
  const joined = async (user: TestUser): Promise<void> => {
    await app.nest.get(MembersService, { strict: false }).add(space.organization, user._id, 'read');
  };

  it('refuse what is malformed, and who may not ask', async () => {
    const path = `${root()}/links`;
    for (const query of ['limit=1001', 'limit=x', 'status=fine', 'page=foreign']) {
      await app.as(admin).get(`${path}?${query}`).expect(400);
    }
    await add('A', '[x](x) [y](y)\n');
    const { next } = await links({ limit: 1 });
    await app.as(admin).get(path).query({ page: next?.page, status: 'broken' }).expect(400);
    await app.anonymous().get(path).expect(401);
    await app
      .as(await app.create.user())
      .get(path)
      .expect(404);
    await app.as(admin).get('/v1/spaces/nowhere/links').expect(404);
  });
});

describe('the links of one page', () => {
  it('are those alone, with the places in it', async () => {
    const a = await add('A', '[b](b) [gone](gone)\n');
    const b = await add('B', '[a](a)\n\n## Here\n\n[a](a) [b](b)\n');
    await add('C', '[a](a)\n');
    const path = `${root()}/content/page/${b}/links`;
    const all = await get<Links>(path);
    expect(all.items.map(short).sort()).toEqual([
      ['A', 'ok', ['B', 'B#here']],
      ['B', 'ok', ['B#here']],
    ]);
    expect([all.count, all.stats]).toEqual([2, { total: 2, broken: { total: 0 } }]);
    const first = await get<Links>(path, { limit: 1 });
    const second = await get<Links>(path, { limit: 1, page: first.next?.page });
    expect([...first.items, ...second.items, second.next]).toEqual([...all.items, undefined]);
    const broken = await get<Links>(`${root()}/content/page/${a}/links`, { status: 'broken' });
    expect([broken.count, broken.stats, broken.items.map(short)]).toEqual([
      1,
      { total: 2, broken: { total: 1 } },
      [[undefined, 'broken', ['A']]],
    ]);
    for (const query of ['limit=-1', 'status=fine', 'page=foreign']) {
      await app.as(admin).get(`${path}?${query}`).expect(400);
    }
    await app.anonymous().get(path).expect(401);
    await app.as(admin).get(`${root()}/content/page/nowhere/links`).expect(404);
  });
});

describe('backlinks', () => {
  it('of a page are the other pages that lead to it', async () => {
    const a = await add('A', 'Text\n\n# One\n\n[self](#one)\n');
    await add('B', 'Text\n\n## Here\n\n[a](a) [one](a#one)\n');
    await add('C', '[a](a)\n');
    const path = `${root()}/content/page/${a}/backlinks`;
    const all = await get<{ count: number; items: Location[]; next?: object }>(path);
    const places = new Map(
      all.items.map(({ kind, page, internalLocation }) => [page?.title, [kind, internalLocation]]),
    );
    expect(places).toEqual(
      new Map([
        ['B', ['page', { type: 'anchor', anchor: 'here' }]],
        ['C', ['page', undefined]],
      ]),
    );
    const first = await get<{ items: Location[]; next?: { page: string } }>(path, { limit: 1 });
    const second = await get<{ items: Location[]; next?: object }>(path, { limit: 1, page: first.next?.page });
    expect([...first.items, ...second.items, second.next, all.next]).toEqual([...all.items, undefined, undefined]);
    expect(await get(path, { limit: 0 })).toEqual({ count: 2, items: [] });
    for (const query of ['limit=1001', 'page=foreign']) await app.as(admin).get(`${path}?${query}`).expect(400);
    await app.anonymous().get(path).expect(401);
    await app.as(admin).get(`${root()}/content/page/nowhere/backlinks`).expect(404);
  });

  it('of a file are the pages that use it', async () => {
    await putFile('f');
    const a = await add('A', '![one](/files/f) [two](/files/f)\n');
    const path = `${root()}/content/files/f/backlinks`;
    const { count, items } = await get<{ count: number; items: object[] }>(path);
    expect(count).toBe(1);
    expect(items).toEqual([
      {
        kind: 'page',
        organization: await get(`/v1/orgs/${space.organization}`),
        space: await get(root()),
        versionContext: {
          type: 'revision',
          revision: expect.objectContaining({ object: 'revision', pages: [] }) as object,
        },
        page: expect.objectContaining({ id: a, title: 'A' }) as object,
        file: await get(`${root()}/content/files/f`),
      },
    ]);
    await app.as(admin).get(`${path}?limit=x`).expect(400);
    await app.anonymous().get(path).expect(401);
    await app.as(admin).get(`${root()}/content/files/none/backlinks`).expect(404);
  });
});

describe('what a link leads to', () => {
  it('is kept when pages are renamed and moved, and the text says so', async () => {
    const part = await add('Part', 'Text\n');
    const target = await add('Target', 'Text\n\n# One\n', { into: part });
    const text = '[t](part/target#one) [t](./part/target.md?x=1) [t](/part/target "title") <https://example.org>\n';
    const page = await add('Page', text);
    expect(await markdownOf(page)).toBe(text);
    await update(target, { title: 'Renamed' });
    expect(await markdownOf(page)).toBe(
      '[t](part/renamed#one) [t](part/renamed.md?x=1) [t](/part/renamed "title") <https://example.org>\n',
    );
    await update(part, { title: 'Section' });
    await update(page, { into: part });
    expect(await markdownOf(page)).toBe(
      '[t](renamed#one) [t](renamed.md?x=1) [t](/section/renamed "title") <https://example.org>\n',
    );
    expect(await statuses()).toEqual({ ok: 3 });
    await update(page, { into: null });
    await update(target, { title: 'Target' });
    await update(part, { title: 'Part' });
    expect(await markdownOf(page)).toBe(text);
  });

  it('is named by id in a tree of nodes, which can be stored as it is', async () => {
    await putFile('f');
    const target = await add('Target', 'Text\n\n# One\n');
    const page = await add('Page', '[t](target) [one](target#one) [lost](nowhere) ![f](/files/f)\n');
    const read = async (id: string): Promise<{ document: { nodes: object[] } }> =>
      get(`${root()}/content/page/${id}`, { format: 'document' });
    const { document } = await read(page);
    const refs = (text: object): unknown[] =>
      [...JSON.stringify(text).matchAll(/"ref":(\{[^}]*\})/g)].map(([, ref]) => JSON.parse(ref ?? '') as unknown);
    const meant = [
      { kind: 'page', page: target },
      { kind: 'anchor', anchor: 'one', page: target },
      { kind: 'url', url: 'nowhere' },
      { kind: 'file', file: 'f' },
    ];
    expect(refs(document)).toEqual(meant);
    await update(target, { title: 'Renamed' });
    expect(refs((await read(page)).document)).toEqual(meant);
    const copy = await add('Copy', '');
    await update(copy, { document: { document } });
    expect(refs((await read(copy)).document)).toEqual(meant);
    expect((await get<Links>(`${root()}/content/page/${copy}/links`)).stats).toEqual({
      total: 4,
      broken: { total: 1 },
    });
  });

  it('follows pages, headings and files that go and come back', async () => {
    const target = await add('Target', 'Text\n\n# One\n');
    await add('Page', '[t](target) [one](target#one) [f](/files/f)\n');
    expect(await statuses()).toEqual({ ok: 2, broken: 1 });
    await putFile('f');
    expect(await statuses()).toEqual({ ok: 3 });
    await inSpace((editor) => editor.removeFile('f'));
    await update(target, { document: { markdown: 'Text\n\n# Other\n' } });
    expect(await statuses()).toEqual({ ok: 1, broken: 2 });
    await update(target, { document: { markdown: 'Text\n\n# One\n' } });
    expect(await statuses()).toEqual({ ok: 2, broken: 1 });
    const before = await get<{ id: string }>(`${root()}/content`);
    await edit({ operation: 'delete_page', page: target });
    expect(await statuses()).toEqual({ broken: 2 });
    await edit({ operation: 'revert_page', page: target, revision: before.id });
    expect(await statuses()).toEqual({ ok: 2, broken: 1 });
    await edit({ operation: 'delete_page', page: target });
    const again = await add('Target', 'Text\n\n# One\n');
    expect(await statuses()).toEqual({ ok: 2, broken: 1 });
    await update(again, { title: 'Elsewhere' });
    expect(await statuses()).toEqual({ ok: 2, broken: 1 });
  });

  it('is kept in a book, whose texts name files, when pages are renamed and moved', async () => {
    const book = generateBook();
    const files = new Map(book.chapters.map(({ file, markdown }) => [file, markdown.replaceAll('.md)', '.html)')]));
    const names = new Map([...files, ['SUMMARY.md', book.summary]]);
    const source = {
      read: (name: string) => Promise.resolve(names.has(name) ? Buffer.from(names.get(name) ?? '') : undefined),
      list: () => Promise.resolve([...names.keys()]),
    };
    await app.nest.get(ArchiveImporter, { strict: false }).importFolder(space._id, { source, author: null });
    const pages = documentsOf((await get<{ pages: Nested[] }>(`${root()}/content/pages`)).pages);
    expect(pages.length).toBe(book.chapters.length);
    const broken = async (): Promise<number[]> => {
      const counts: number[] = [];
      for (const { id } of pages) {
        const list = await get<Links>(`${root()}/content/page/${id}/links`, { limit: 0 });
        counts.push(list.stats.broken.total);
      }
      return counts;
    };
    const [before, links] = [await broken(), (await get<Links>(`${root()}/links`, { limit: 0 })).stats];
    // every chapter but the first leads to the one before it
    const { items } = await get<Links>(`${root()}/links`, { limit: 1000 });
    expect(items.filter(({ targetReference }) => targetReference?.kind === 'page').length).toBeGreaterThan(100);
    for (const [index, { id, title }] of pages.filter((_, index) => index % 6 === 0).entries()) {
      await update(id, index % 2 === 0 ? { title: `${title} anew` } : { into: null, at: 0 });
    }
    expect(await broken()).toEqual(before);
    expect((await get<Links>(`${root()}/links`, { limit: 0 })).stats).toEqual(links);
  });

  it('is kept in HTML as it is in Markdown, files that a book shows among it', async () => {
    const names = new Map([
      ['SUMMARY.md', '- [One](one.md)\n- [Two](sub/two.md)\n'],
      ['one.md', '# One\n\n<img alt="A > B"\nsrc="img/a.svg">\n\nSee <a class=x href=\'sub/two.html#two\'>two</a>.\n'],
      ['sub/two.md', '# Two\n\n> <p><img src="../img/a.svg">\n> <A HREF=../one.md>one</A></p>\n'],
      ['img/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['img/b.svg', '<svg/>'],
    ]);
    const source = {
      read: (name: string) => Promise.resolve(names.has(name) ? Buffer.from(names.get(name) ?? '') : undefined),
      list: () => Promise.resolve([...names.keys()]),
    };
    await app.nest.get(ArchiveImporter, { strict: false }).importFolder(space._id, { source, author: null });
    const [one, two] = documentsOf((await get<{ pages: Nested[] }>(`${root()}/content/pages`)).pages);
    if (!one || !two) throw new Error('they were not imported');
    expect([await markdownOf(one.id), await markdownOf(two.id)]).toEqual([
      names.get('one.md'),
      names.get('sub/two.md'),
    ]);
    const { items: files } = await get<{ items: { id: string; name: string }[] }>(`${root()}/content/files`);
    expect(files.map(({ name }) => name)).toEqual(['img/a.svg']);
    const listed = async (): Promise<unknown[]> => {
      const { items } = await links();
      return items.map((item) => [item.relation, ...(short(item) as unknown[])]);
    };
    expect(await listed()).toEqual(
      expect.arrayContaining([
        ['dependsOn', 'file', 'ok', expect.arrayContaining(['One#one', 'Two#two'])],
        ['reference', 'Two#two', 'ok', ['One#one']],
        ['reference', 'One', 'ok', ['Two#two']],
      ]),
    );
    const document = JSON.stringify(await get<object>(`${root()}/content/page/${one.id}`, { format: 'document' }));
    expect(document).toContain(JSON.stringify({ kind: 'file', file: files[0]?.id }));

    await update(two.id, { title: 'A & "B"', slug: 'b' });
    await update(one.id, { into: two.id });
    expect((await markdownOf(one.id)).split("'")[1]).toBe('../b#two');
    expect((await markdownOf(two.id)).split('\n')[3]).toBe('> <A HREF=b&#47;one.md>one</A></p>');
    expect(await statuses()).toEqual({ ok: 3 });
  });

  it('costs a reading of the page no more than its own records', async () => {
    await add('Target', 'Text\n\n# One\n');
    const page = await add('Page', '[t](target)\n');
    await update(page, { title: 'Renamed' });
    await markdownOf(page);
    const commands = await app.commandsOf(() => markdownOf(page));
    expect(commands.length).toBeLessThanOrEqual(4);
    expect(commands.every((name) => name === 'find')).toBe(true);
  });

  it('is known again after the index was made anew', async () => {
    await add('Target', 'Text\n\n# One\n');
    await add('Page', '[t](target) [no](no)\n');
    const before = await links();
    await app.connection.collection('links').deleteMany({});
    await app.connection.collection('link_targets').deleteMany({});
    expect((await links()).count).toBe(0);
    await app.nest.get(Indexer, { strict: false }).rebuild(space._id);
    expect(await links()).toEqual(before);
  });
});
