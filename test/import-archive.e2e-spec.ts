import { png } from './support/images.js';
import { Importing, serve, shapeOf, zip } from './support/importing.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const PNG = png(2, 3);

describe('the import of an archive', () => {
  let from: Importing;

  beforeAll(async () => {
    from = await Importing.start({ IMPORT_MAX_BYTES: '1mb' });
  });
  afterAll(() => from.stop());
  beforeEach(() => from.begin());

  const put = async (content: Record<string, string | Buffer>) => {
    from.routes['/book.zip'] = serve.zip(await zip(content));
  };

  it('makes its folders the tree', async () => {
    const guide = '# Guide\r\n\r\n[in](install.md#x) [up](../README.md) ![p](../img/p.png) [gone](gone.md)\r\n';
    await put({
      'book-main/README.md': '# The book\n\n[guide](guide/) [file](files/a.txt)\n',
      'book-main/guide/README.md': guide,
      'book-main/guide/10-last.md': 'Last\n',
      'book-main/guide/install.md': '---\ntitle: Installing\n---\nText of the needle.\n',
      'book-main/guide/2-first.md': 'First\n',
      'book-main/plain/one.md': '# One\n',
      'book-main/img/p.png': PNG,
      'book-main/img/unused.png': PNG,
      'book-main/files/a.txt': 'attached',
      'book-main/.github/issue.md': 'no',
    });
    expect(await from.bringIn('/book.zip', 'zip')).toEqual({ revision: ID, importedResources: 8, totalResources: 8 });
    expect(shapeOf(await from.pages())).toEqual([
      ['The book'],
      ['Guide', [['2 first'], ['10 last'], ['Installing']]],
      ['Plain', [['One']]],
    ]);
    expect(await from.markdownOf('Guide')).toBe(guide);
    const byName = new Map((await from.files()).map(({ name, id }) => [name, id]));
    expect([...byName.keys()]).toEqual(['files/a.txt', 'img/p.png']);
    const json = await from.jsonOf('Guide');
    expect(json).toContain(JSON.stringify({ kind: 'anchor', anchor: 'x', page: await from.idOf('Installing') }));
    expect(json).toContain(JSON.stringify({ kind: 'page', page: await from.idOf('The book') }));
    expect(json).toContain(JSON.stringify({ kind: 'file', file: byName.get('img/p.png') }));
    expect(await from.search('needle')).toEqual(['Installing']);
  });

  it('goes by its SUMMARY.md, and leaves what is missing empty', async () => {
    await put({
      'SUMMARY.md':
        '# Summary\n\n- [Second](b.md)\n  - [Missing](c.md)\n\n## Part\n\n- [First](a.md)\n- [Out](https://example.org)\n',
      'a.md': '# Own title\n',
      'b.md': 'Text\n',
      'unnamed.md': 'Text\n',
    });
    expect(await from.bringIn('/book.zip', 'zip')).toEqual({ revision: ID, importedResources: 2, totalResources: 3 });
    expect(shapeOf(await from.pages())).toEqual([
      ['Second', [['Missing']]],
      ['Part', [['First'], ['Out']]],
    ]);
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['no archive', () => Promise.resolve(Buffer.from('hello')), /cannot be read/],
    ['an archive without Markdown', () => zip({ 'a.txt': 'x' }), /holds no Markdown/],
    ['text that is none', () => zip({ 'a.md': Buffer.from([0xff, 0xfe, 0]) }), /a\.md is not a text in UTF-8/],
    ['a file that explodes', () => zip({ 'a.md': Buffer.alloc(2 * 1024 * 1024) }), /larger than 1048576 bytes/],
    [
      'many files that explode together',
      () =>
        zip(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${String(n)}.md`, Buffer.alloc(1024 * 1024)]))),
      /The archive is larger than 10485760 bytes/,
    ],
    [
      'a symbolic link',
      () =>
        zip({ 'a.md': 'x' }, (archive) => {
          archive.addBuffer(Buffer.from('/etc/passwd'), 'b.md', { mode: 0o120777 });
        }),
      /b\.md is a symbolic link/,
    ],
    [
      'a name that leads out',
      async () =>
        Buffer.from((await zip({ 'xx/a.md': 'x' })).toString('latin1').replaceAll('xx/a.md', '../a.md'), 'latin1'),
      /invalid relative path/,
    ],
    [
      'a name twice',
      async () =>
        Buffer.from((await zip({ 'a.md': 'x', 'b.md': 'x' })).toString('latin1').replaceAll('b.md', 'a.md'), 'latin1'),
      /holds a\.md twice/,
    ],
    [
      'more entries than fit',
      async () => {
        const archive = await zip({ 'a.md': 'x' });
        // the number of entries, at the end of the archive
        archive.writeUInt16LE(20_000, archive.length - 12);
        return archive;
      },
      /more than 10000 entries/,
    ],
  ])('refuses %s', async (_what, make, message) => {
    from.routes['/book.zip'] = serve.zip(await make());
    await from.refuse(`${from.web.url}/book.zip`, 'zip', message);
  });
});
