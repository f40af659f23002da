import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { ContentWriter } from '../src/content/content.writer.js';
import { FilesService } from '../src/content/files/index.js';
import { Invariants, type Problem } from '../src/database/index.js';
import type { FileEntry } from '../src/revisions/index.js';
import { SpacesService } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { startMinute } from './support/clock.js';
import { Editing, type FileAnswer, ID } from './support/editing.js';
import { png } from './support/images.js';
import { redirectTo, startWebServer, type WebServer } from './support/web-server.js';

const MB = 1024 * 1024;
const NO_FILE = {
  error: { code: 404, message: 'There is no such file, or its address has expired: read the file again for a new one' },
};
const HOUR = 60 * 60 * 1000;

describe('files', () => {
  let app: TestApp;
  let web: WebServer;
  let space: Editing;

  beforeAll(async () => {
    app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
    web = await startWebServer({
      '/logo.png': (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(png(8, 4));
      },
      '/moved': redirectTo('/logo.png'),
      '/loop': redirectTo('/loop'),
      '/metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
      '/private': redirectTo('http://10.0.0.1/'),
      '/other-name': redirectTo('http://[::1]/'),
      '/large': Buffer.alloc(30 * MB),
      '/bomb': (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(30 * MB)));
      },
    });
  });

  afterAll(async () => {
    await web.close();
    await app.close();
  });

  beforeEach(async () => {
    space = await Editing.start(app);
  });

  /** Puts files into the content of the space, as imports do. */
  async function put(...files: { name: string; bytes: Buffer; contentType?: string; git?: FileEntry['git'] }[]) {
    const { organization } = await app.nest.get(SpacesService, { strict: false }).get(space.space);
    const service = app.nest.get(FilesService, { strict: false });
    const entries: FileEntry[] = [];
    for (const { git, ...file } of files) {
      entries.push({ ...(await service.add(organization, file)), ...(git && { git }) });
    }
    await app.nest.get(ContentWriter, { strict: false }).write(space.space, space.user._id, async (editor) => {
      for (const entry of entries) await editor.putFile(entry);
    });
    return entries;
  }

  /** Puts one file and answers its address, below the service. */
  async function linkTo(name: string, bytes: Buffer, contentType?: string): Promise<string> {
    const [entry] = await put({ name, bytes, ...(contentType !== undefined && { contentType }) });
    const { downloadURL } = await space.read<FileAnswer>(`/files/${entry?.id ?? ''}`);
    return downloadURL.slice('http://docs.test'.length);
  }

  /** Asks for the bytes at `link`. */
  const download = (link: string, headers: Record<string, string> = {}) =>
    app.anonymous().get(link).set(headers).buffer(true).parse(asBytes);

  describe('of a space', () => {
    it('show what they are', async () => {
      const [logo, text] = await put(
        { name: 'logo.png', bytes: png(640, 480), contentType: 'text/html' },
        {
          name: 'notes',
          bytes: Buffer.from('hello'),
          contentType: 'text/plain',
          git: { oid: 'abc', path: 'docs/notes' },
        },
      );
      const link = (entry: FileEntry | undefined) =>
        expect.stringMatching(
          `^http://docs\\.test/v1/files/${space.space}/${entry?.id ?? ''}/[0-9a-f]{64}\\.[a-z0-9]+\\.[\\w-]{43}\\?name=`,
        ) as string;
      const image = {
        id: ID,
        name: 'logo.png',
        contentType: 'image/png',
        downloadURL: link(logo),
        size: png(640, 480).length,
        dimensions: { width: 640, height: 480 },
      };
      const notes = { id: ID, name: 'notes', contentType: 'text/plain', downloadURL: link(text), size: 5 };
      const git = { oid: 'abc', path: 'docs/notes' };
      expect(await space.read('/files')).toEqual({ count: 2, items: [image, { ...notes, git }] });
      expect(await space.read('/files?metadata=false')).toEqual({ count: 2, items: [image, notes] });
      expect(await space.read(`/files/${logo?.id ?? ''}`)).toEqual(image);
      expect(await space.read(`/files/${text?.id ?? ''}?metadata=false`)).toEqual(notes);
      expect(await space.read('')).toMatchObject({ files: [image, { ...notes, git }] });
    });

    it('are listed by name, page by page', async () => {
      const names = ['Zebra', 'alpha', 'Älter', 'beta', 'alpha', 'a/b'];
      await put(...names.map((name, n) => ({ name, bytes: Buffer.from(String(n)) })));
      const all = (await space.read<{ items: FileAnswer[] }>('/files')).items;
      expect(all.map(({ name }) => name)).toEqual(['a/b', 'alpha', 'alpha', 'beta', 'Zebra', 'Älter']);
      const walked: FileAnswer[] = [];
      for (let page: string | undefined = ''; page !== undefined;) {
        const part: { count: number; items: FileAnswer[]; next?: { page: string } } = await space.read(
          `/files?limit=2${page && `&page=${page}`}`,
        );
        expect(part.count).toBe(6);
        expect(part.items.length).toBeLessThanOrEqual(2);
        walked.push(...part.items);
        page = part.next?.page;
      }
      expect(walked).toEqual(all);
      expect(await space.read('/files?limit=0')).toEqual({ count: 6, items: [] });
    });

    it.each(['limit=-1', 'limit=1001', 'limit=x', 'page=nonsense', 'metadata=2', 'computed=maybe'])(
      'are not listed for %s',
      async (query) => {
        const { body } = await app.as(space.user).get(`${space.path}/files?${query}`).expect(400);
        expect(body).toEqual({ error: { code: 400, message: expect.any(String) as string } });
      },
    );

    it('keep their cursors to one space', async () => {
      await put(...['a', 'b'].map((name) => ({ name, bytes: Buffer.from(name) })));
      const { next } = await space.read<{ next: { page: string } }>('/files?limit=1');
      const other = await Editing.start(app);
      await app.as(other.user).get(`${other.path}/files?page=${next.page}`).expect(400);
    });

    it('are shown to those alone who may read the space', async () => {
      const [entry] = await put({ name: 'a', bytes: Buffer.from('a') });
      const stranger = await app.create.user();
      for (const below of ['/files', `/files/${entry?.id ?? ''}`]) {
        await app
          .anonymous()
          .get(space.path + below)
          .expect(401);
        await app
          .as(stranger)
          .get(space.path + below)
          .expect(404);
      }
      for (const id of ['nothing', 'a%2Fb', '__proto__']) {
        const { body } = await app.as(space.user).get(`${space.path}/files/${id}`).expect(404);
        expect(body).toEqual({ error: { code: 404, message: 'File not found' } });
      }
    });
  });

  describe('downloaded', () => {
    it('are sent as they are, with what keeps them from being a page of ours', async () => {
      const bytes = randomBytes(700_000);
      const link = await linkTo('Bericht "1".bin', bytes);
      const answer = await download(link).expect(200);
      expect(bytes.equals(answer.body as Buffer)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '700000',
        'content-disposition': 'attachment; filename="Bericht \\"1\\".bin"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'accept-ranges': 'bytes',
        etag: `"${/[0-9a-f]{64}/.exec(link)?.[0] ?? ''}"`,
      });
      const [, age = ''] = /^private, max-age=(\d+), immutable$/.exec(answer.headers['cache-control'] ?? '') ?? [];
      expect(Number(age)).toBeGreaterThan(HOUR / 1000 - 60);
      expect(Number(age)).toBeLessThanOrEqual((2 * HOUR) / 1000);
    });

    it.each([
      ['page.html', '<script>alert(1)</script>', 'text/html', 'attachment'],
      ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml', 'attachment'],
      ['feed.xml', '<?xml version="1.0"?><a/>', 'application/xml', 'attachment'],
      ['code.js', 'alert(1)', 'text/javascript', 'attachment'],
      ['paper.pdf', '%PDF-1.7\n', 'application/pdf', 'attachment'],
      ['notes.txt', 'hello', 'text/plain', 'inline'],
      ['photo.png', png(1, 1), 'image/png', 'inline'],
    ])('are shown only when nothing in them can run: %s', async (name, text, type, how) => {
      const { headers } = await download(await linkTo(name, Buffer.from(text))).expect(200);
      expect(headers['content-type']?.split(';', 1)[0]).toBe(type);
      expect(headers['content-disposition']).toBe(`${how}; filename=${name}`);
    });

    it('are sent in part, to who has them not at all, and as headers alone', async () => {
      const bytes = randomBytes(600_000);
      const link = await linkTo('a.bin', bytes);
      const { headers } = await app.anonymous().head(link).expect(200);
      const tag = headers.etag ?? '';
      expect(headers['content-length']).toBe('600000');
      const part = await download(link, { Range: 'bytes=261119-261121' }).expect(206);
      expect(part.headers['content-range']).toBe('bytes 261119-261121/600000');
      expect(bytes.subarray(261_119, 261_122).equals(part.body as Buffer)).toBe(true);
      const end = await download(link, { Range: 'bytes=-5', 'If-Range': tag }).expect(206);
      expect(bytes.subarray(-5).equals(end.body as Buffer)).toBe(true);
      expect((await download(link, { Range: 'bytes=0-1', 'If-Range': '"other"' }).expect(200)).body).toHaveLength(
        600_000,
      );
      const beyond = await app.anonymous().get(link).set('Range', 'bytes=600000-').expect(416);
      expect(beyond.headers['content-range']).toBe('bytes */600000');
      expect(beyond.body).toEqual({
        error: { code: 416, message: 'The file has none of the bytes that Range asks for' },
      });
      for (const had of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        const answer = await download(link, { 'If-None-Match': had }).expect(304);
        expect(answer.headers.etag).toBe(tag);
      }
      await download(link, { 'If-None-Match': '"x"' }).expect(200);
    });

    it('are sent when they hold nothing', async () => {
      const link = await linkTo('empty.txt', Buffer.alloc(0));
      expect((await download(link).expect(200)).headers['content-length']).toBe('0');
      await download(link, { Range: 'bytes=0-' }).expect(416);
    });

    it('do not end for others when somebody leaves in the middle', async () => {
      const link = await linkTo('large.bin', randomBytes(4 * MB));
      const leave = new AbortController();
      const { body } = await fetch(app.url + link, { signal: leave.signal });
      await body?.getReader().read();
      leave.abort();
      expect((await download(link).expect(200)).body).toHaveLength(4 * MB);
    });

    it('are nowhere under an address that was changed', async () => {
      const link = await linkTo('a.png', png(1, 1));
      const other = await Editing.start(app);
      const [id = ''] = link.split('/').slice(4);
      const changed = [
        link.replace(space.space, other.space),
        link.replace(id, 'another'),
        link.replace('a.png', 'b.png'),
        link.replace('image%2Fpng', 'text%2Fhtml'),
        `${link}&name=b`,
        link.replace(/\?.*/, ''),
        link.replace(/\.[\w-]{43}\?/, '?'),
        link.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
      ];
      for (const address of changed) {
        expect(address).not.toBe(link);
        const answer = await app.anonymous().get(address).expect(404);
        expect(answer.body).toEqual(NO_FILE);
      }
      await download(link).expect(200);
    });

    it('are there until the address expires', async () => {
      const link = await linkTo('a.txt', Buffer.from('a'));
      const now = Date.now.bind(Date);
      Date.now = () => now() + 2 * HOUR;
      try {
        expect((await app.anonymous().get(link).expect(404)).body).toEqual(NO_FILE);
      } finally {
        Date.now = now;
      }
    });

    it('are gone with their space, and back with it', async () => {
      const link = await linkTo('a.txt', Buffer.from('a'));
      const spaces = app.connection.collection<{ _id: string; deletedAt: Date | null }>('spaces');
      for (const deletedAt of [new Date(), new Date(0)]) {
        await spaces.updateOne({ _id: space.space }, { $set: { deletedAt } });
        expect((await app.anonymous().get(link).expect(404)).body).toEqual(NO_FILE);
      }
      await spaces.updateOne({ _id: space.space }, { $set: { deletedAt: null } });
      await download(link).expect(200);
    });

    it('count as requests of the address', async () => {
      const putBack = startMinute();
      const limited = await startApp({ RATE_LIMIT: '2' });
      const ask = () => limited.anonymous().get('/v1/files/a/b/c');
      expect((await ask().expect(404)).headers['x-ratelimit-remaining']).toBe('1');
      await ask().expect(404);
      await ask().expect(429);
      await limited.close();
      putBack();
    });
  });

  describe('fetched from an address', () => {
    const fetching = (path: string) =>
      app.nest
        .get(FilesService, { strict: false })
        .fetch('org', { name: 'logo', url: path.startsWith('/') ? web.url + path : path });

    it('are what their bytes say, wherever they were found', async () => {
      const entry = { id: ID, name: 'logo', contentType: 'image/png', dimensions: { width: 8, height: 4 } };
      expect(await fetching('/logo.png')).toMatchObject(entry);
      expect(await fetching('/moved')).toMatchObject(entry);
    });

    it.each([
      ['/nothing', 'failed', 'The address answers with status 404, not 200'],
      ['/loop', 'redirects', 'The address redirects more than 5 times'],
      ['/large', 'too-large', 'The address answers with more than 20971520 bytes'],
      ['/bomb', 'too-large', 'The address answers with more than 20971520 bytes'],
      ['/metadata', 'refused', expect.stringContaining('private or reserved')],
      ['/private', 'refused', expect.stringContaining('private or reserved')],
      ['/other-name', 'refused', expect.stringContaining('private or reserved')],
      ['http://127.0.0.2/', 'refused', expect.stringContaining('private or reserved')],
    ])('are refused: %s', async (path, reason, message: unknown) => {
      await expect(fetching(path)).rejects.toMatchObject({ reason, message });
      expect(await app.connection.collection('blob_uploads').countDocuments()).toBe(0);
    });
  });

  it('without bytes are found by the doctor', async () => {
    const [kept, lost] = await put(
      { name: 'kept', bytes: Buffer.from('kept') },
      { name: 'lost', bytes: randomBytes(10) },
    );
    const problems = async (): Promise<Problem[]> => {
      const found: Problem[] = [];
      const invariants = new Map(app.nest.get(Invariants, { strict: false }).entries());
      for await (const problem of invariants.get('every file of every space has its bytes')?.() ?? [])
        found.push(problem);
      return found;
    };
    expect(await problems()).toEqual([]);
    await app.connection.collection<{ _id: string }>('blobs').deleteOne({ _id: lost?.blob ?? '' });
    expect(kept?.blob).not.toBe(lost?.blob);
    expect(await problems()).toEqual([
      { where: `space ${space.space}`, what: `the bytes of the file ${lost?.id ?? ''} (lost) are missing` },
    ]);
  });
});

/** Takes the body of an answer as bytes, whatever its type. */
function asBytes(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => {
    done(null, Buffer.concat(parts));
  });
}
