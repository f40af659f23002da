import { buffer } from 'node:stream/consumers';
import type { Response } from 'superagent';
import { ZipFile } from 'yazl';
import { ZipSource } from '../src/content/index.js';
import { startApp, type TestApp } from './support/app.js';
import { Editing, ID } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { png } from './support/images.js';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ ARCHIVE_MAX_BYTES: '200kb' });
});

afterAll(() => app.close());

const PNG = png(3, 2);
const LIMITS = { entries: 100, file: 1e6, total: 1e6 };
const pathOf = (space: string): string => `/v1/spaces/${space}/content/archive`;

/** Takes the body of an answer as bytes. */
function asBytes(response: Response, done: (error: Error | null, body: unknown) => void): void {
  buffer(response as unknown as NodeJS.ReadableStream).then(
    (body) => {
      done(null, body);
    },
    (error: unknown) => {
      done(error instanceof Error ? error : new Error(String(error)), null);
    },
  );
}

const getFrom = (user: TestUser, space: string) => app.as(user).get(pathOf(space)).buffer(true).parse(asBytes);

/** The bytes of the archive of a space. */
async function archiveOf({ user, space }: Editing): Promise<Buffer> {
  return (await getFrom(user, space).expect(200)).body as Buffer;
}

const putInto = (user: TestUser, space: string, bytes: Buffer) =>
  app.as(user).put(pathOf(space)).set('Content-Type', 'application/zip').send(bytes);

/** A zip of these files. */
async function zipWith(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** A space with pages of several kinds, a file, links and things that only a manifest can say. */
async function filled(): Promise<Editing> {
  const editing = await Editing.start(app);
  await editing.edit(
    {
      operation: 'insert_files',
      files: [{ name: 'logo.png', base64: PNG.toString('base64'), contentType: 'image/png', ref: 'logo.png' }],
    },
    { operation: 'insert_page', type: 'group', title: 'Part *one*' },
    {
      operation: 'insert_page',
      title: 'Über uns',
      slug: 'about',
      emoji: '📘',
      hidden: true,
      document: { markdown: 'See [b](./b.md).\r\n' },
    },
    {
      operation: 'insert_page',
      ref: 'b',
      title: 'B',
      description: 'All of it',
      document: { markdown: '---\nnoIndex: true\n---\n![logo](./logo.png)\n\n[about](about)\n' },
    },
    { operation: 'insert_page', type: 'link', title: 'Out', target: { kind: 'url', url: 'https://example.org/' } },
  );
  return editing;
}

interface Content {
  pages: { id: string; type: string }[];
  files: { downloadURL: string }[];
}

/** All that can be read of a space, with nothing in it that tells which space it is. */
async function readable(editing: Editing): Promise<unknown> {
  const { pages, files } = await editing.read<Content>('');
  const documents = pages.filter(({ type }) => type === 'document');
  const texts = await Promise.all(documents.map(({ id }) => editing.read(`/page/${id}`)));
  const { stats } = await editing.get<{ stats: unknown }>(`/v1/spaces/${editing.space}/links`);
  const bytes = await Promise.all(files.map(({ downloadURL }) => download(editing.user, downloadURL)));
  const entries = files.map((file) => ({ ...file, downloadURL: '' }));
  const shown = JSON.stringify({ pages, texts, entries, bytes, stats });
  return JSON.parse(shown.replaceAll(editing.space, 'SPACE').replace(/"documentId":"[^"]+"/g, '"documentId":"ID"'));
}

async function download(user: TestUser, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const answer = await app
    .as(user)
    .get(pathname + search)
    .buffer(true)
    .parse(asBytes)
    .expect(200);
  return (answer.body as Buffer).toString('base64');
}

describe('GET S/content/archive', () => {
  it('answers a zip of texts, table of contents, files and manifest, the same for the same content', async () => {
    const editing = await filled();
    const answer = await getFrom(editing.user, editing.space).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=handbook.zip',
      'x-content-type-options': 'nosniff',
    });
    const zip = await ZipSource.open(answer.body as Buffer, LIMITS);
    expect(await zip.list()).toEqual(['SUMMARY.md', 'about.md', 'b.md', 'colophon.json', 'logo.png']);
    expect(String(await zip.read('SUMMARY.md'))).toBe(
      '# Handbook\n\n## Part \\*one\\*\n\n---\n\n- [Über uns](about.md)\n- [B](b.md)\n- [Out](https://example.org/)\n',
    );
    expect(String(await zip.read('about.md'))).toMatch(/^See \[b\]\(\/pages\/\w+\)\.\r\n$/);
    expect(await zip.read('logo.png')).toEqual(PNG);
    expect(JSON.parse(String(await zip.read('colophon.json')))).toMatchObject({
      format: 1,
      files: [{ name: 'logo.png', contentType: 'image/png' }],
    });
    expect(await archiveOf(editing)).toEqual(answer.body);
  });

  it('is for whoever may see the space', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization, defaultLevel: null });
    const editor = await app.create.user({ in: organization, role: 'edit' });
    await app.anonymous().get(pathOf(space._id)).expect(401);
    await app.as(editor).get(pathOf(space._id)).expect(404);
    await app
      .as(await app.create.user())
      .get(pathOf(space._id))
      .expect(404);
    await app.as(space.admin).get(pathOf('nowhere')).expect(404);
  });
});

describe('PUT S/content/archive', () => {
  it('gives another space the same pages, texts, files and links', async () => {
    const editing = await filled();
    const other = await Editing.start(app);
    const answer = await putInto(other.user, other.space, await archiveOf(editing)).expect(201);
    expect(answer.body).toEqual({ revision: ID, importedResources: 3, totalResources: 3 });
    const { revision } = answer.body as { revision: string };
    expect(answer.headers.location).toBe(`http://docs.test/v1/spaces/${other.space}/revisions/${revision}`);
    expect(await readable(other)).toEqual(await readable(editing));
    const found = await other.get<{ items: unknown[] }>(`/v1/spaces/${other.space}/search?query=see`);
    expect(found.items).toHaveLength(1);
  });

  it('puts what is there already behind it, under ids of its own', async () => {
    const editing = await filled();
    const { body } = await putInto(editing.user, editing.space, await archiveOf(editing)).expect(201);
    expect(body).toMatchObject({ importedResources: 3, totalResources: 3 });
    const { pages, files } = await editing.read<Content>('');
    expect(pages.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) === index)).toHaveLength(8);
    expect(files).toHaveLength(2);
    const { stats } = await editing.get<{ stats: unknown }>(`/v1/spaces/${editing.space}/links`);
    expect(stats).toMatchObject({ broken: { total: 0 } });
  });

  it('reads a folder without a manifest, and one whose table of contents was edited', async () => {
    const plain = await Editing.start(app);
    const files = { 'README.md': '# Start\n', 'guide/a.md': '![x](../img/x.png)', 'img/x.png': PNG };
    await putInto(plain.user, plain.space, await zipWith(files)).expect(201);
    expect((await plain.pages()).map(({ path }) => path)).toEqual(['start', 'guide']);
    const zip = await ZipSource.open(await archiveOf(await filled()), LIMITS);
    const edited: Record<string, Buffer> = {};
    for (const name of await zip.list()) edited[name] = (await zip.read(name)) ?? Buffer.alloc(0);
    const other = await Editing.start(app);
    const summary = '- [Only](b.md)\n';
    await putInto(other.user, other.space, await zipWith({ ...edited, 'SUMMARY.md': summary })).expect(201);
    expect((await other.pages()).map(({ title }) => title)).toEqual(['Only']);
  });

  it('is for editors, and for whoever may merge where the space is locked', async () => {
    const organization = await app.create.organization();
    const space = await app.create.space({ organization });
    const locked = await app.create.space({ organization, editMode: 'locked' });
    const bytes = await zipWith({ 'a.md': 'Text' });
    const person = async (role: 'comment' | 'edit' | 'review') => app.create.user({ in: organization, role });
    const [commenter, editor, reviewer] = [await person('comment'), await person('edit'), await person('review')];
    await app.anonymous().put(pathOf(space._id)).set('Content-Type', 'application/zip').send(bytes).expect(401);
    await putInto(commenter, space._id, bytes).expect(403);
    await putInto(editor, space._id, bytes).expect(201);
    await putInto(editor, locked._id, Buffer.from('no zip')).expect(403);
    await putInto(reviewer, locked._id, bytes).expect(201);
    await putInto(await app.create.user(), space._id, bytes).expect(404);
  });

  const manifestOf = (changes: object): string =>
    JSON.stringify({ format: 1, summary: '0'.repeat(64), pages: [], files: [], reusableContents: [], ...changes });
  const page = { id: 'a', kind: 'group', title: 'A', createdAt: '2026-01-01T00:00:00.000Z' };

  it.each<[string, () => Promise<Buffer> | Buffer, string | RegExp]>([
    ['no zip', () => Buffer.from('not a zip'), /^The archive cannot be imported: The archive cannot be read/],
    ['nothing', () => Buffer.alloc(0), /^The archive cannot be imported: The archive cannot be read/],
    ['no Markdown', () => zipWith({ 'a.txt': 'x' }), 'The archive cannot be imported: it holds no Markdown'],
    [
      'a text that is none',
      () => zipWith({ 'a.md': Buffer.from([0xff]) }),
      'The archive cannot be imported: a.md is not a text in UTF-8',
    ],
    [
      'a manifest that is no JSON',
      () => zipWith({ 'SUMMARY.md': '', 'colophon.json': '{' }),
      'colophon.json is not JSON',
    ],
    [
      'a manifest of a later version',
      () => zipWith({ 'SUMMARY.md': '', 'colophon.json': manifestOf({ format: 2 }) }),
      'colophon.json: format must not be greater than 1',
    ],
    [
      'a page without a date',
      () => zipWith({ 'SUMMARY.md': '', 'colophon.json': manifestOf({ pages: [page] }) }),
      'colophon.json: pages.0.updatedAt must be a time such as 2026-01-31T12:00:00.000Z',
    ],
  ])('refuses %s, and changes nothing', async (_what, bytes, message) => {
    const editing = await Editing.start(app);
    const before = await editing.read('');
    const { body } = await putInto(editing.user, editing.space, await bytes()).expect(400);
    const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(body).toEqual({ error: { code: 400, message: text } });
    expect(await editing.read('')).toEqual(before);
  });

  it('refuses what is too large, and other types', async () => {
    const { user, space } = await Editing.start(app);
    const { body } = await putInto(user, space, Buffer.alloc(250_000)).expect(413);
    expect(body).toEqual({ error: { code: 413, message: 'The archive is larger than 204800 bytes' } });
    await app.as(user).put(pathOf(space)).send({ a: 1 }).expect(415);
    await app.as(user).put(pathOf(space)).expect(400);
    const bomb = await zipWith({ 'a.md': Buffer.alloc(8_000_000, 'a') });
    expect(bomb.length).toBeLessThan(100_000);
    await putInto(user, space, bomb).expect(400);
  });
});
