import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FolderSource } from '../src/cli/folder-source.js';
import { ArchiveImporter, type FolderResult } from '../src/content/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type Book, type Chapter, generateBook, writeBook } from './support/book.js';
import type { TestUser } from './support/factories.js';

interface PageAnswer {
  id: string;
  type: string;
  title: string;
  path?: string;
  pages?: PageAnswer[];
}
/** A page with what the tests compare: its type, title and the pages below. */
type Outline = [type: string, title: string, below: Outline[]];

const flatten = (pages: PageAnswer[]): PageAnswer[] => pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
const outlineOf = (pages: PageAnswer[]): Outline[] =>
  pages.map(({ type, title, pages: below = [] }) => [type, title, outlineOf(below)]);
const chapterOutline = ({ title, children }: Chapter): Outline => ['document', title, children.map(chapterOutline)];
const bookOutline = ({ parts }: Book): Outline[] =>
  parts.flatMap(({ title, chapters }): Outline[] => {
    const inside = chapters.map(chapterOutline);
    return title === undefined ? inside : [['group', title, inside]];
  });

describe('the import of a book', () => {
  let app: TestApp;
  let root: string;
  let folders = 0;

  beforeAll(async () => {
    app = await startApp();
    root = await mkdtemp(join(tmpdir(), 'colophon-book-'));
  });
  afterAll(async () => {
    await app.close();
    await rm(root, { recursive: true, force: true });
  });

  /** A new folder that holds `files`. */
  const folderOf = async (files: Record<string, string | Buffer> = {}) => {
    folders += 1;
    const folder = join(root, `book-${folders}`, 'src');
    await mkdir(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    return folder;
  };
  const importFrom = async (
    folder: string,
    space: string,
    { author = null, progress }: { author?: string | null; progress?: (done: number, total: number) => void } = {},
  ): Promise<FolderResult> =>
    app.nest
      .get(ArchiveImporter, { strict: false })
      .importFolder(space, { source: await FolderSource.open(folder), author, ...(progress && { progress }) });
  const read = async <T>(user: TestUser, path: string, query: object = {}) =>
    (await app.as(user).get(path).query(query).expect(200)).body as T;
  const pagesOf = async (user: TestUser, space: string) =>
    (await read<{ pages: PageAnswer[] }>(user, `/v1/spaces/${space}/content/pages`)).pages;
  const textOf = async (user: TestUser, space: string, page: string) =>
    (await read<{ markdown: string }>(user, `/v1/spaces/${space}/content/page/${page}`)).markdown;
  /** Ids of the pages that a search finds, best first, from all its pages of results. */
  const findIn = async (user: TestUser, space: string, query: string) => {
    const found: string[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      type Answer = { items: { id: string }[]; next?: { page: string } };
      const answer: Answer = await read(user, `/v1/spaces/${space}/search`, { query, ...(page && { page }) });
      found.push(...answer.items.map(({ id }) => id));
      page = answer.next?.page;
    }
    return found;
  };
  const revisionsOf = (space: string) => app.connection.collection('revisions').countDocuments({ space });

  describe('with 120 chapters', () => {
    const book = generateBook();
    const progress: [number, number][] = [];
    let admin: TestUser;
    let space: string;
    let before: string;
    let result: FolderResult;
    let pages: PageAnswer[];
    /** The page of each chapter, by file. */
    let pageOf: Map<string, PageAnswer>;

    beforeAll(async () => {
      const made = await app.create.space();
      ({ admin, _id: space, revision: before } = made);
      const folder = await folderOf();
      await writeBook(book, folder);
      result = await importFrom(folder, space, {
        author: admin._id,
        progress: (done, total) => progress.push([done, total]),
      });
      pages = await pagesOf(admin, space);
      const documents = flatten(pages).filter(({ type }) => type === 'document');
      pageOf = new Map(
        book.chapters.flatMap(({ file }, index) => (documents[index] ? [[file, documents[index]]] : [])),
      );
    });

    it('has the tree of its table of contents, parts as groups', () => {
      expect(outlineOf(pages)).toEqual(bookOutline(book));
      expect(flatten(pages)).toHaveLength(123);
    });

    it('is told as it comes, and as a whole', () => {
      expect(result).toEqual({
        revision: expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string,
        pages: 123,
        imported: 120,
        total: 120,
        missing: [],
      });
      expect(progress).toEqual([
        [64, 120],
        [120, 120],
      ]);
    });

    it('is one revision, made from the one before', async () => {
      const revision = await read<object>(admin, `/v1/spaces/${space}/content`);
      expect(revision).toMatchObject({ id: result.revision, parents: [before], type: 'edits' });
      expect(await revisionsOf(space)).toBe(2);
      const stored = await app.connection.collection('revisions').findOne({ space, author: admin._id });
      expect(String(stored?._id)).toBe(result.revision);
    });

    it('gives back every text byte for byte', async () => {
      expect(pageOf.size).toBe(120);
      for (const { file, markdown } of book.chapters) {
        expect([file, await textOf(admin, space, pageOf.get(file)?.id ?? '')]).toEqual([file, markdown]);
      }
      const texts = book.chapters.map(({ markdown }) => markdown);
      expect(texts.some((text) => text.startsWith('\uFEFF'))).toBe(true);
      expect(texts.some((text) => text.includes('\r\n'))).toBe(true);
    });

    it('is found by each word that stands in one chapter only, before those that only begin with it', async () => {
      const idOf = (n: number) => pageOf.get(book.chapters[n - 1]?.file ?? '')?.id;
      const numbers = book.chapters.map((_, index) => index + 1);
      for (const n of numbers) {
        const longer = numbers.filter((other) => other !== n && String(other).startsWith(String(n)));
        const [first, ...others] = await findIn(admin, space, `marker${n}`);
        expect([n, first]).toEqual([n, idOf(n)]);
        expect(others.sort()).toEqual(longer.map(idOf).sort());
        expect(await findIn(admin, space, `"marker${n}"`)).toEqual([idOf(n)]);
      }
    });

    it('is found by phrases, in the order of their words', async () => {
      const [, , third] = book.chapters;
      const id = pageOf.get(third?.file ?? '')?.id;
      expect(await findIn(admin, space, '"the word marker3 stands here only"')).toEqual([id]);
      expect(await findIn(admin, space, '"marker3 word the"')).toEqual([]);
      const all = await findIn(admin, space, '"stands here only"');
      expect([...all].sort()).toEqual([...pageOf.values()].map((page) => page.id).sort());
    });

    it('keeps what its texts say about links as it was', async () => {
      const deep = book.chapters.find(({ file }) => file.startsWith('part-0/deep/'));
      const text = await textOf(admin, space, pageOf.get(deep?.file ?? '')?.id ?? '');
      expect(text).toContain('](../../');
    });
  });

  describe('by its table of contents', () => {
    let admin: TestUser;
    let space: string;

    beforeEach(async () => {
      ({ admin, _id: space } = await app.create.space());
    });

    it('takes titles from it, and not from headings or front matter', async () => {
      const folder = await folderOf({
        'SUMMARY.md': '# Summary\n\n- [From the summary](one.md)\n- [Also *from* it](two.md)\n',
        'one.md': '# From the heading\n\nText.\n',
        'two.md': '---\ntitle: From the front matter\n---\n\n# From the heading\n',
      });
      await importFrom(folder, space);
      expect(outlineOf(await pagesOf(admin, space))).toEqual([
        ['document', 'From the summary', []],
        ['document', 'Also from it', []],
      ]);
    });

    it('reads what else front matter says, and keeps it in the text', async () => {
      const text =
        '---\ndescription: What it is about\nicon: book\nemoji: 🦀\nhidden: true\nnoIndex: true\n---\n\nA quoll.\n';
      const folder = await folderOf({ 'SUMMARY.md': '- [Page](page.md)\n', 'page.md': text });
      await importFrom(folder, space);
      const [page] = await pagesOf(admin, space);
      expect(page).toMatchObject({
        description: 'What it is about',
        icon: 'book',
        emoji: '🦀',
        hidden: true,
        noIndex: true,
        noRobotsIndex: false,
      });
      expect(await textOf(admin, space, page?.id ?? '')).toBe(text);
      expect(await findIn(admin, space, 'quoll')).toEqual([]);
    });

    it('makes links of web addresses only', async () => {
      const folder = await folderOf({
        'SUMMARY.md': [
          '- [Outside](https://example.org/a?b=c)',
          '- [Script](javascript:alert(1))',
          '- [Data](data:text/html,hello)',
          '- [Own files](file:///etc/passwd)',
        ].join('\n'),
      });
      const { missing } = await importFrom(folder, space);
      const pages = await pagesOf(admin, space);
      expect(pages[0]).toMatchObject({
        type: 'link',
        title: 'Outside',
        target: { kind: 'url', url: 'https://example.org/a?b=c' },
      });
      expect(outlineOf(pages).slice(1)).toEqual([
        ['document', 'Script', []],
        ['document', 'Data', []],
        ['document', 'Own files', []],
      ]);
      expect(missing).toEqual(['javascript:alert(1)', 'data:text/html,hello', 'file:///etc/passwd']);
    });

    it('makes empty pages of chapters that are not written yet, and of one file as often as it is named', async () => {
      const folder = await folderOf({
        'SUMMARY.md': '- [Draft]()\n- [Lost](lost.md)\n- [Once](one.md)\n- [Twice](./one.md#part)\n',
        'one.md': 'The text.\n',
      });
      const { pages: made, missing } = await importFrom(folder, space);
      expect([made, missing]).toEqual([4, ['lost.md']]);
      const pages = await pagesOf(admin, space);
      const texts = await Promise.all(pages.map(({ id }) => textOf(admin, space, id)));
      expect(texts).toEqual(['', '', 'The text.\n', 'The text.\n']);
    });

    it('never reads a file outside of the folder', async () => {
      const folder = await folderOf({ 'inside.md': 'Inside.\n' });
      const outside = join(dirname(folder), 'outside');
      await mkdir(outside);
      await writeFile(join(outside, 'secret.md'), 'The secret.\n');
      await symlink(join(outside, 'secret.md'), join(folder, 'link.md'));
      await symlink(outside, join(folder, 'linked'));
      await symlink(join(folder, 'inside.md'), join(folder, 'fine.md'));
      const files = [
        '../outside/secret.md',
        '../../../../../../../../etc/passwd',
        join(outside, 'secret.md'),
        'link.md',
        'linked/secret.md',
        'part/../../outside/secret.md',
        '%2e%2e/outside/secret.md',
        '..%2Foutside%2Fsecret.md',
        'linked',
        '.',
        'inside.md%00.md',
      ];
      const entries = [...files, 'fine.md'].map((file, index) => `- [Page ${index}](${file})`);
      await writeFile(join(folder, 'SUMMARY.md'), entries.join('\n'));
      const { missing } = await importFrom(folder, space);
      expect(missing).toEqual([...new Set(files.map((file) => decodeURIComponent(file)))]);
      const pages = await pagesOf(admin, space);
      const texts = await Promise.all(pages.map(({ id }) => textOf(admin, space, id)));
      expect(texts).toEqual([...files.map(() => ''), 'Inside.\n']);
      expect(await findIn(admin, space, 'secret')).toEqual([]);
    });

    it('appends a second book behind the first, each as one revision', async () => {
      const bookOf = (name: string) =>
        folderOf({ 'SUMMARY.md': `- [${name}](a.md)\n  - [Below](b.md)\n`, 'a.md': `${name}.\n`, 'b.md': 'Below.\n' });
      const first = await importFrom(await bookOf('First'), space);
      const known = await pagesOf(admin, space);
      const second = await importFrom(await bookOf('Second'), space);
      const pages = await pagesOf(admin, space);
      expect(pages.slice(0, 1)).toEqual(known);
      expect(outlineOf(pages)).toEqual(
        ['First', 'Second'].map((name) => ['document', name, [['document', 'Below', []]]]),
      );
      expect(pages.map(({ path }) => path)).toEqual(['first', 'second']);
      expect(await read(admin, `/v1/spaces/${space}/content`)).toMatchObject({
        id: second.revision,
        parents: [first.revision],
      });
      expect(await revisionsOf(space)).toBe(3);
      expect(await findIn(admin, space, 'below')).toHaveLength(2);
    });
  });

  describe('is refused', () => {
    let admin: TestUser;
    let space: string;

    beforeEach(async () => {
      ({ admin, _id: space } = await app.create.space());
    });

    const refuse = async (folder: string, error: object) => {
      const before = await read(admin, `/v1/spaces/${space}/content`);
      await expect(importFrom(folder, space)).rejects.toMatchObject(error);
      expect(await read(admin, `/v1/spaces/${space}/content`)).toEqual(before);
      expect(await revisionsOf(space)).toBe(1);
      expect(await findIn(admin, space, 'wombat')).toEqual([]);
    };

    it.each([
      ['a byte that is no UTF-8', Buffer.from([0x77, 0xff, 0x0a])],
      ['half a character', Buffer.from('é').subarray(0, 1)],
      ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80])],
      ['a NUL', Buffer.from('a\0b')],
    ])('for %s, with the name of the file and nothing changed', async (_, bytes) => {
      const summary = '- [Good](good.md)\n- [Bad](part/bad.md)\n- [Also good](good.md)\n';
      const folder = await folderOf({ 'SUMMARY.md': summary, 'good.md': 'A wombat.\n', 'part/bad.md': bytes });
      await refuse(folder, {
        status: 400,
        message: 'The folder cannot be imported: part/bad.md is not a text in UTF-8',
      });
    });

    it('without any Markdown, and does not read what stands outside of the folder', async () => {
      const message = 'The folder cannot be imported: it holds no Markdown';
      const folder = await folderOf({ 'words.txt': 'A wombat.\n' });
      await refuse(folder, { status: 400, message });
      const other = await folderOf({ 'SUMMARY.md': '- [Page](page.md)\n', 'page.md': 'A wombat.\n' });
      await symlink(join(other, 'SUMMARY.md'), join(folder, 'SUMMARY.md'));
      await refuse(folder, { status: 400, message });
    });

    it.each(['', '# Summary\n', '# Summary\n\nWords only.\n\n# Part without chapters\n'])(
      'with a SUMMARY.md that names no chapters: %j',
      async (summary) => {
        await refuse(await folderOf({ 'SUMMARY.md': summary }), {
          status: 400,
          message: 'The folder cannot be imported: SUMMARY.md names no chapters',
        });
      },
    );

    it('for a folder that is none', async () => {
      const file = join(await folderOf({ 'file.md': 'Text.\n' }), 'file.md');
      await expect(importFrom(file, space)).rejects.toThrow(`${file} is not a folder`);
      await expect(importFrom(`${file}-that-is-not-there`, space)).rejects.toThrow('is not a folder');
    });

    it('for a space that there is not, or that is in the trash', async () => {
      const folder = await folderOf({ 'SUMMARY.md': '- [Page](page.md)\n', 'page.md': 'Text.\n' });
      await expect(importFrom(folder, 'AAAAAAAAAAAAAAAAAAAA')).rejects.toMatchObject({
        status: 404,
        message: 'Space not found',
      });
      await app.connection
        .collection<{ _id: string }>('spaces')
        .updateOne({ _id: space }, { $set: { deletedAt: new Date() } });
      await expect(importFrom(folder, space)).rejects.toMatchObject({ status: 404, message: 'Space not found' });
      expect(await revisionsOf(space)).toBe(1);
    });
  });

  it('goes into a locked space too: whoever has the command line stands above its roles', async () => {
    const { admin, _id: space } = await app.create.space({ editMode: 'locked' });
    const folder = await folderOf({ 'SUMMARY.md': '- [Page](page.md)\n', 'page.md': 'Text.\n' });
    await importFrom(folder, space);
    expect(outlineOf(await pagesOf(admin, space))).toEqual([['document', 'Page', []]]);
    const change = { operation: 'insert_page', title: 'Edit', document: {} };
    await app
      .as(admin)
      .post(`/v1/spaces/${space}/content`)
      .send({ changes: [change] })
      .expect(409);
  });

  it('happens whole beside edits of the same space', async () => {
    const { admin, _id: space } = await app.create.space();
    const folder = await folderOf();
    await writeBook(generateBook(), folder);
    const edits = Array.from({ length: 8 }, (_, n) =>
      app
        .as(admin)
        .post(`/v1/spaces/${space}/content`)
        .send({ changes: [{ operation: 'insert_page', title: `Edit ${n}`, document: { markdown: `Edit ${n}.` } }] })
        .expect(200),
    );
    await Promise.all([importFrom(folder, space), ...edits]);
    const pages = flatten(await pagesOf(admin, space));
    expect(pages).toHaveLength(131);
    expect(pages.filter(({ title }) => /^Edit \d$/.test(title))).toHaveLength(8);
    expect(await findIn(admin, space, '"stands here only"')).toHaveLength(120);
  });
});
