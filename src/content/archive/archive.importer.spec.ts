import { BadRequestException, NotFoundException } from '@nestjs/common';
import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { TreePage } from '../../revisions/index.js';
import type { BookSource } from '../import/book-source.js';
import { ArchiveImporter } from './archive.importer.js';

let test: TestDatabase;
let content: ContentProcess;
let importer: ArchiveImporter;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
  importer = content.archives;
});

afterAll(() => test.stop());

const newSpace = async (): Promise<string> => (await content.spaces.create('org', 'ann', {}))._id;

/** A book that holds these files. */
const book = (files: Record<string, string | Buffer>): BookSource => ({
  read: (name) => Promise.resolve(Object.hasOwn(files, name) ? Buffer.from(files[name] ?? '') : undefined),
  list: () => Promise.resolve(Object.keys(files)),
});

const bringIn = (space: string, files: Record<string, string | Buffer>) =>
  importer.importFolder(space, { source: book(files), author: 'ann' });

type Shape = [title: string, kind: string, below: Shape[]];
const shapeOf = (pages: readonly TreePage[]): Shape[] =>
  pages.map(({ node, pages: below }) => [node.title, node.kind, shapeOf(below)]);

const SUMMARY = [
  '# The book',
  '[Foreword](foreword.md)',
  '# Part one',
  '- [First](one/first.md)\n  - [Inside](one/inside.md)\n- [Outside](https://example.org/)\n- To be written',
].join('\n\n');

describe('an import', () => {
  it('adds the pages of the table of contents, in its order and under its titles', async () => {
    const space = await newSpace();
    const files = {
      'SUMMARY.md': SUMMARY,
      'foreword.md': '# Another title\n',
      'one/first.md': '---\ntitle: Yet another\ndescription: About\nhidden: true\n---\r\nThe needle.\r\n',
    };
    const { pages, missing, revision } = await bringIn(space, files);
    expect([pages, missing]).toEqual([6, ['one/inside.md']]);
    const tree = await content.pages(space);
    expect(shapeOf(tree.pages)).toEqual([
      ['Foreword', 'document', []],
      [
        'Part one',
        'group',
        [
          ['First', 'document', [['Inside', 'document', []]]],
          ['Outside', 'link', []],
          ['To be written', 'document', []],
        ],
      ],
    ]);
    const first = [...tree.byId.values()].find(({ node }) => node.title === 'First')?.node;
    expect(first).toMatchObject({ description: 'About', hidden: true });
    expect(await content.documents.markdown(first?.document ?? '')).toBe(files['one/first.md']);
    expect((await content.revisions.get(revision)).parents).toHaveLength(1);
    expect((await content.search.searchSpace(space, 'needle')).items.map(({ page }) => page)).toEqual([first?.id]);
  });

  it('goes behind what is there already, and may be done again', async () => {
    const space = await newSpace();
    for (const _ of [1, 2]) await bringIn(space, { 'SUMMARY.md': '- [A](a.md)', 'a.md': 'Text\n' });
    const { pages } = await content.pages(space);
    expect(pages.map(({ path }) => path)).toEqual(['a', 'a-1']);
    expect(pages[0]?.node.document).toBe(pages[1]?.node.document);
  });

  it('keeps every byte, the mark at the beginning too', async () => {
    const space = await newSpace();
    const bytes = Buffer.from('\ufeff# Ü \u2028\r\n\r\n\ttext 📘', 'utf8');
    await bringIn(space, { 'SUMMARY.md': '- [A](a.md)', 'a.md': bytes });
    const [page] = (await content.pages(space)).pages;
    expect(Buffer.from(await content.documents.markdown(page?.node.document ?? ''))).toEqual(bytes);
  });

  it('reads a file once that is named several times, and says how far it is', async () => {
    const space = await newSpace();
    const names = Array.from({ length: 130 }, (_, index) => `c${index % 100}.md`);
    const files = Object.fromEntries(names.map((name) => [name, `Text of ${name}\n`]));
    const read: string[] = [];
    const progress: [number, number][] = [];
    const source = book({ ...files, 'SUMMARY.md': names.map((name) => `- [${name}](${name})`).join('\n') });
    const counting: BookSource = { ...source, read: (name) => (read.push(name), source.read(name)) };
    const result = await importer.importFolder(space, {
      source: counting,
      author: null,
      progress: (done, total) => progress.push([done, total]),
    });
    expect(result).toMatchObject({ pages: 130, missing: [] });
    // and the manifest that an archive may have, and the table of contents
    expect(read).toHaveLength(102);
    expect(progress).toEqual([
      [64, 100],
      [100, 100],
    ]);
    // search knows of it, though there are more pages than are entered with an edit
    expect((await content.search.searchSpace(space, 'c7')).count).toBeGreaterThan(0);
    expect(await content.spaces.get(space)).toMatchObject({ indexing: false });
  });

  it.each<[string, Record<string, string | Buffer>, string]>([
    ['without Markdown', { 'a.txt': 'x' }, 'it holds no Markdown'],
    ['whose table names nothing', { 'SUMMARY.md': '# Title\n\nWords.\n' }, 'SUMMARY.md names no chapters'],
    ['whose table is no text', { 'SUMMARY.md': Buffer.from([0xff, 0xfe]) }, 'SUMMARY.md is not a text in UTF-8'],
    [
      'with a chapter that is no text',
      { 'SUMMARY.md': '- [A](a.md)\n- [B](b.md)', 'a.md': 'fine', 'b.md': Buffer.from([0x41, 0xc3]) },
      'b.md is not a text in UTF-8',
    ],
    ['with a NUL', { 'SUMMARY.md': '- [A](a.md)', 'a.md': 'a\0b' }, 'a.md is not a text in UTF-8'],
  ])('refuses a book %s, and changes nothing', async (_what, files, message) => {
    const space = await newSpace();
    const before = await content.spaces.get(space);
    const refused = bringIn(space, files);
    await expect(refused).rejects.toBeInstanceOf(BadRequestException);
    await expect(refused).rejects.toThrow(message);
    expect(await content.spaces.get(space)).toEqual(before);
  });

  it('is not for a space that is not there', async () => {
    await expect(bringIn('nowhere', { 'SUMMARY.md': '- [A](a.md)' })).rejects.toBeInstanceOf(NotFoundException);
  });

  it('takes hostile names for what they are', async () => {
    const space = await newSpace();
    const summary = '- [__proto__](__proto__)\n- [Up](../../etc/passwd)\n- [$where]($where)';
    expect(await bringIn(space, { 'SUMMARY.md': summary })).toMatchObject({
      pages: 3,
      missing: ['__proto__', '../../etc/passwd', '$where'],
    });
    expect((await content.pages(space)).pages.map(({ path }) => path)).toEqual(['proto', 'up', 'where']);
  });
});
