import { InputPipe } from '../../common/input.pipe.js';
import { ChangeContentDto } from './change-content.dto.js';
import { ContentQuery, FilesQuery, PageContentQuery } from './content-query.dto.js';
import { InsertFilesDto } from './insert-files.dto.js';
import { DeletePageDto, InsertPageDto, RevertPageDto, UpdatePageDto } from './page-changes.dto.js';
import { SearchQuery } from './search.dto.js';

const pipe = new InputPipe();

/** The checked entries of a body that was sent as JSON. */
async function check(body: unknown): Promise<unknown[]> {
  const given: unknown = typeof body === 'string' ? JSON.parse(body) : body;
  const checked = (await pipe.transform(given, { type: 'body', metatype: ChangeContentDto })) as ChangeContentDto;
  return checked.changes;
}

/** The refusal of a batch of one entry. */
async function refusal(change: unknown): Promise<string> {
  const error: unknown = await check({ changes: [change] }).then(
    () => new Error(`${JSON.stringify(change)} is not refused`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error(String(error));
  return error.message;
}

const INSERT = { operation: 'insert_page' };
const REVERT = { operation: 'revert_page', page: 'p' };
const FILES = { operation: 'insert_files' };
const FILE = { name: 'a.txt', base64: 'aGk=', contentType: 'text/plain' };
/** As much as a file can be. */
const MEBIBYTE = Buffer.alloc(1024 * 1024).toString('base64');
const UPDATE = { operation: 'update_page', page: 'p' };

describe('a batch of changes', () => {
  it('holds entries, each of the class that its operation names', async () => {
    const all = await check({
      changes: [
        { ...INSERT, title: 'A', document: { markdown: '# A\n' }, at: 0, ref: 'r', into: 'p', unknown: 1 },
        { ...UPDATE, into: null, emoji: '', description: '', hidden: true },
        { operation: 'delete_page', page: 'p', title: 'dropped' },
        { ...REVERT, revision: 'r' },
        { ...FILES, files: [FILE, { name: 'b', url: 'https://a.test/b', ref: 'b', more: 1 }] },
        { ...FILES, files: [{ ...FILE, base64: MEBIBYTE }] },
      ],
    });
    expect(all[0]).toBeInstanceOf(InsertPageDto);
    expect(all[1]).toBeInstanceOf(UpdatePageDto);
    expect(all[2]).toBeInstanceOf(DeletePageDto);
    expect(all[3]).toBeInstanceOf(RevertPageDto);
    expect(all[4]).toBeInstanceOf(InsertFilesDto);
    expect(all.slice(0, 5)).toEqual([
      { operation: 'insert_page', title: 'A', document: { markdown: '# A\n' }, at: 0, ref: 'r', into: 'p' },
      { operation: 'update_page', page: 'p', into: null, emoji: '', description: '', hidden: true },
      { operation: 'delete_page', page: 'p' },
      { ...REVERT, revision: 'r' },
      { ...FILES, files: [FILE, { name: 'b', url: 'https://a.test/b', ref: 'b' }] },
    ]);
  });

  it.each([[{}], [{ changes: [] }], [{ changes: 'x' }], [{ changes: { 0: INSERT } }], [{ changes: null }]])(
    'must be a list with entries: %j',
    async (body) => {
      await expect(check(body)).rejects.toThrow('changes must be an array of 1 to 50 entries');
    },
  );

  it('holds 50 entries at the most', async () => {
    const many = (count: number) => check({ changes: Array.from({ length: count }, () => INSERT) });
    expect(await many(50)).toHaveLength(50);
    await expect(many(51)).rejects.toThrow('changes must be an array of 1 to 50 entries');
  });

  it.each([
    [{}, 'changes.0.operation must be one of: insert_page, update_page, delete_page, revert_page, insert_files'],
    [{ operation: 'burn_page' }, 'changes.0.operation must be one of:'],
    [{ operation: 'revert_page' }, 'changes.0.page '],
    [{ ...REVERT, revision: 'a/b' }, 'changes.0.revision must be an id'],
    [{ ...REVERT, block: ['k'] }, 'changes.0.block is not supported'],
    [{ ...REVERT, block: null }, 'changes.0.block is not supported'],
    [FILES, 'changes.0.files must be an array of 1 to 20 files'],
    [{ ...FILES, files: [] }, 'changes.0.files must be an array of 1 to 20 files'],
    [{ ...FILES, files: { 0: FILE } }, 'changes.0.files must be an array of 1 to 20 files'],
    [{ ...FILES, files: Array.from({ length: 21 }, () => FILE) }, 'changes.0.files must be an array of 1 to 20 files'],
    [{ ...FILES, files: [null] }, 'changes.0.files.0 must be an object'],
    [{ ...FILES, files: [FILE, 'x'] }, 'changes.0.files.1 must be an object'],
    [{ ...FILES, files: [{ ...FILE, name: '' }] }, 'changes.0.files.0.name must be 1 to 256 characters long'],
    [{ ...FILES, files: [FILE, { ...FILE, name: 'x'.repeat(257) }] }, 'changes.0.files.1.name must be 1 to 256'],
    [{ ...FILES, files: [{ ...FILE, base64: 'a' }] }, 'changes.0.files.0.base64 must be at most 1 MiB'],
    [{ ...FILES, files: [{ ...FILE, base64: 'ab=c' }] }, 'changes.0.files.0.base64 must be at most 1 MiB'],
    [{ ...FILES, files: [{ ...FILE, base64: 'ab c' }] }, 'changes.0.files.0.base64 must be at most 1 MiB'],
    [{ ...FILES, files: [{ ...FILE, base64: MEBIBYTE + 'AAAA' }] }, 'changes.0.files.0.base64 must be at most 1 MiB'],
    [{ ...FILES, files: [{ ...FILE, contentType: 'image' }] }, 'changes.0.files.0.contentType must be a media type'],
    [{ ...FILES, files: [{ ...FILE, contentType: 'a/b\nx: y' }] }, 'changes.0.files.0.contentType must be a media'],
    [{ ...FILES, files: [{ name: 'a', url: 'file:///etc' }] }, 'changes.0.files.0.url must be an absolute http'],
    [{ ...FILES, files: [{ name: 'a', url: `https://a.test/${'x'.repeat(2048)}` }] }, 'changes.0.files.0.url must'],
    [{ ...FILES, files: [{ ...FILE, ref: '' }] }, 'changes.0.files.0.ref must be 1 to 100 characters long'],
    [{ ...INSERT, layout: { width: 'full' } }, 'changes.0.layout.width must be one of: default, wide'],
    [{ ...INSERT, layout: { coverSize: 'big' } }, 'changes.0.layout.coverSize must be one of: hero, full'],
    [{ ...INSERT, layout: { outline: 'no' } }, 'changes.0.layout.outline must be a boolean value'],
    [{ ...INSERT, layout: null }, 'changes.0.layout must be an object'],
    [{ ...INSERT, cover: 'x' }, 'changes.0.cover must be an object'],
    [{ ...INSERT, cover: { yPos: '1' } }, 'changes.0.cover.yPos must be a number'],
    [{ ...INSERT, cover: { ref: { kind: 'file', file: { $ne: 1 } } } }, 'changes.0.cover.ref.file must be an id'],
    [{ ...INSERT, computed: [] }, 'changes.0.computed must be an object'],
    [{ operation: '__proto__' }, 'changes.0.operation must be one of:'],
    [{ operation: 'constructor' }, 'changes.0.operation must be one of:'],
    [{ operation: ['insert_page'] }, 'changes.0.operation must be one of:'],
    [{ operation: 'update_page' }, 'changes.0.page must be the id of a page'],
    [{ operation: 'delete_page', page: { $ne: null } }, 'changes.0.page must be the id of a page'],
    [{ ...INSERT, title: '' }, 'changes.0.title must be 1 to 1000 characters long'],
    [{ ...INSERT, title: null }, 'changes.0.title must be a string'],
    [{ ...INSERT, title: 'x'.repeat(1001) }, 'changes.0.title must be 1 to 1000 characters long'],
    [{ ...INSERT, slug: 'x'.repeat(101) }, 'changes.0.slug must be 1 to 100 characters long'],
    [{ ...INSERT, emoji: 'smile' }, 'changes.0.emoji must be an emoji, or empty to remove it'],
    [{ ...INSERT, icon: 'x'.repeat(51) }, 'changes.0.icon must be 0 to 50 characters long'],
    [{ ...INSERT, description: 'x'.repeat(301) }, 'changes.0.description must be 0 to 300 characters long'],
    [{ ...INSERT, hidden: 'true' }, 'changes.0.hidden must be a boolean value'],
    [{ ...INSERT, noIndex: 1 }, 'changes.0.noIndex must be a boolean value'],
    [{ ...INSERT, noRobotsIndex: null }, 'changes.0.noRobotsIndex must be a boolean value'],
    [{ ...INSERT, type: 'sheet' }, 'changes.0.type must be one of: document, group, link, computed'],
    [{ ...INSERT, at: -1 }, 'changes.0.at must be a whole number from 0'],
    [{ ...INSERT, at: 1.5 }, 'changes.0.at must be a whole number from 0'],
    [{ ...INSERT, at: '0' }, 'changes.0.at must be a whole number from 0'],
    [{ ...INSERT, into: null }, 'changes.0.into must be the id of a page'],
    [{ ...INSERT, ref: '' }, 'changes.0.ref must be 1 to 100 characters long'],
    [{ ...UPDATE, into: 5 }, 'changes.0.into must be the id of a page, or null for the root'],
    [{ ...INSERT, document: 'text' }, 'changes.0.document must be an object'],
    [{ ...INSERT, document: null }, 'changes.0.document must be an object'],
    [{ ...INSERT, document: [] }, 'changes.0.document must be an object'],
    [{ ...UPDATE, document: [{ markdown: 'x' }] }, 'changes.0.document must be an object'],
    [{ ...INSERT, target: [{ kind: 'url', url: 'https://a' }] }, 'changes.0.target must be an object'],
    [{ ...INSERT, document: { markdown: 5 } }, 'changes.0.document.markdown must be well-formed text'],
    [{ ...INSERT, document: { markdown: null } }, 'changes.0.document.markdown must be well-formed text'],
    [{ ...INSERT, document: { markdown: 'a\0' } }, 'changes.0.document.markdown must be well-formed text'],
    [{ ...INSERT, document: { markdown: '\ud800' } }, 'changes.0.document.markdown must be well-formed text'],
    [{ ...INSERT, document: { document: 'x' } }, 'changes.0.document.document must be an object'],
    [{ ...INSERT, target: { kind: 'mail' } }, 'changes.0.target.kind must be one of: url, page'],
    [{ ...INSERT, target: {} }, 'changes.0.target.kind must be one of: url, page'],
    [{ ...INSERT, target: { kind: 'openapi', spec: 'A b' } }, 'changes.0.target.spec must be the slug'],
    [{ ...INSERT, target: { kind: 'url', url: 'javascript:x' } }, 'changes.0.target.url must be an absolute http or'],
    [{ ...INSERT, target: { kind: 'page', page: 'x'.repeat(65) } }, 'changes.0.target.page must be an id'],
  ])('refuses a wrong entry by its place: %#', async (change, message) => {
    expect(await refusal(change)).toMatch(message);
    expect((await refusal(change)).startsWith('changes.0.')).toBe(true);
  });

  it.each([null, 5, 'insert_page', true, [], [INSERT]])('refuses the entry %j', async (change) => {
    expect(await refusal(change)).toMatch(/changes/);
  });

  it('names the entry at fault among others', async () => {
    const body = { changes: [INSERT, INSERT, { ...INSERT, title: 5 }] };
    await expect(check(body)).rejects.toThrow('changes.2.title must be a string');
  });

  it('takes a text of 2 MiB of bytes, and no more', async () => {
    const text = (bytes: number) => ({ ...INSERT, document: { markdown: 'ü'.repeat(bytes / 2) } });
    expect(await check({ changes: [text(2 * 1024 * 1024)] })).toHaveLength(1);
    expect(await refusal(text(2 * 1024 * 1024 + 2))).toMatch(/at most 2 MiB/);
  });

  it('keeps a text and a tree of nodes as they were sent', async () => {
    const markdown = '\ufeff---\r\ntitle: x\r\n---\r\n\t# A \u00a0\r\n\r\n';
    const document = { object: 'document', data: {}, nodes: [{ $gt: '', 'a.b': [null, 1, { c: 'd' }] }] };
    expect(await check({ changes: [{ ...INSERT, document: { markdown } }] })).toEqual([
      { ...INSERT, document: { markdown } },
    ]);
    expect(await check({ changes: [{ ...INSERT, document: { document } }] })).toEqual([
      { ...INSERT, document: { document } },
    ]);
  });

  it('cannot be given properties through the keys of prototypes', async () => {
    const [entry] = await check(
      '{"changes":[{"operation":"insert_page","__proto__":{"title":"x","evil":1},"document":{"__proto__":{"evil":1}}}]}',
    );
    expect(Object.getPrototypeOf(entry)).toBe(InsertPageDto.prototype);
    expect(entry).not.toHaveProperty('title');
    expect({}).not.toHaveProperty('evil');
  });
});

describe('queries', () => {
  const query = (metatype: typeof ContentQuery | typeof FilesQuery | typeof SearchQuery, given: object) =>
    pipe.transform(given, { type: 'query', metatype });

  it('of content are true or false, and a form', async () => {
    expect(await query(ContentQuery, { metadata: 'false', computed: 'true', format: 'x' })).toEqual({
      metadata: false,
      computed: true,
    });
    expect(await query(PageContentQuery, { format: 'document' })).toEqual({ format: 'document' });
    await expect(query(PageContentQuery, { format: 'html' })).rejects.toThrow(
      'format must be one of: document, markdown',
    );
    await expect(query(ContentQuery, { metadata: '1' })).rejects.toThrow('metadata must be true or false');
  });

  it('of files take a page, too', async () => {
    expect(await query(FilesQuery, { limit: '5', metadata: 'true' })).toEqual({ limit: 5, metadata: true });
    await expect(query(FilesQuery, { limit: 'x' })).rejects.toThrow('limit must be a whole number');
  });

  it('of searches are words', async () => {
    for (const words of ['a', '"borrow checker"', '📘'.repeat(512), '$where', '.*']) {
      expect(await query(SearchQuery, { query: words })).toEqual({ query: words });
    }
    const refused = [undefined, '', ' \t', ['a', 'b'], { $ne: '' }, 'x'.repeat(513), 'a\0', '\ud800'];
    for (const words of refused) {
      await expect(query(SearchQuery, { query: words })).rejects.toThrow(
        'query must be given once, as text of 1 to 512 characters that are not all blank',
      );
    }
  });
});
