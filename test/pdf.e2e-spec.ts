import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { HttpException } from '@nestjs/common';
import type { Response } from 'supertest';
import { newId } from '../src/common/ids.js';
import { PdfLinks } from '../src/content/index.js';
import { PdfService } from '../src/content/pdf/pdf.service.js';
import type { TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { type EditAnswer, type Editing, inserting } from './support/editing.js';
import { givenSpace } from './support/given.js';
import { gif, jpeg, png } from './support/images.js';
import { type PdfAnswer, readPdf } from './support/pdf.js';

const HOUR = 60 * 60 * 1000;
const GONE = {
  error: { code: 404, message: 'There is no such PDF, or its address has expired: ask for a new one' },
};

/** A PNG of two by two pixels whose alpha channel can be read. */
function clearPng(): Buffer {
  const bytes = png(2, 2);
  const header = bytes.subarray(0, 33);
  header.set([8, 6], 24);
  const data = deflateSync(Buffer.from([0, ...[9, 9, 9, 0], ...[9, 9, 9, 255], 1, ...[1, 2, 3, 4], ...[1, 1, 1, 1]]));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([header, length, Buffer.from('IDAT'), data, Buffer.alloc(4), bytes.subarray(-12)]);
}

describe('the PDF of a space', () => {
  let app: TestApp;
  let space: Editing;
  givenSpace((given) => ({ app, space } = given));

  const addressOf = (): string => `/v1/spaces/${space.space}/pdf`;

  /** Asks for an address and answers its path. */
  async function linkTo(query: object = {}): Promise<string> {
    const { url } = await space.get<{ url: string }>(addressOf(), query);
    return url.slice('http://docs.test'.length);
  }

  const download = (link: string) => app.anonymous().get(link).buffer(true).parse(asBytes);

  async function print(query: object = {}, withImages = false): Promise<PdfAnswer> {
    const { body } = await download(await linkTo(query)).expect(200);
    return readPdf(body as Buffer, withImages);
  }

  const insertFiles = async (files: Record<string, Buffer>): Promise<Record<string, string>> => {
    const list = Object.entries(files).map(([name, bytes]) => ({
      name,
      base64: bytes.toString('base64'),
      contentType: 'image/png',
    }));
    const { insertedFiles = [] } = await space.edit({ operation: 'insert_files', files: list });
    return Object.fromEntries(insertedFiles.map(({ name, id }) => [name, id]));
  };

  const idOf = ({ changes }: EditAnswer, at: number): string => changes[at]?.page.id ?? '';

  it('is found at an address that needs no token, for an hour', async () => {
    await space.add('Welcome');
    const { body } = await app.as(space.user).get(addressOf()).expect(200);
    expect(body).toEqual({ url: expect.stringMatching(/^http:\/\/docs\.test\/v1\/pdf\/[\w-]+\.[\w-]{43}$/) as string });
    const link = (body as { url: string }).url.slice('http://docs.test'.length);
    const { headers, body: bytes } = await download(link).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename=content.pdf',
      'content-length': String((bytes as Buffer).length),
      'x-content-type-options': 'nosniff',
    });
    expect((bytes as Buffer).subarray(0, 8).toString()).toBe('%PDF-1.7');
    const { headers: head } = await app.anonymous().head(link).expect(200);
    expect(head).toMatchObject({ 'content-type': 'application/pdf' });
  });

  it('has a title page, contents, and each page of the space in order and in the outline', async () => {
    const first = await space.add('First', { document: { markdown: 'About the first.\n\n## Part\n\nMore.' } });
    await space.add('Below', { into: first });
    const group = await space.add('A group', { type: 'group', document: undefined });
    await space.add('In it', { into: group, hidden: true });
    const target = { kind: 'url', url: 'https://example.org/a%20b' };
    await space.add('Away', { type: 'link', document: undefined, target });
    const pdf = await print();
    const { title } = await space.get<{ title: string }>(`/v1/spaces/${space.space}`);
    expect(pdf.title).toBe(title);
    expect(pdf.pages[0]).toContain(title);
    expect(pdf.pages[0]).toMatch(/Revision [A-Za-z0-9]{20}/);
    expect(pdf.pages[1]).toMatch(/^.*Contents.*First.*Below.*A group.*In it.*Away.*$/);
    expect(pdf.pages.slice(2).map((text) => /First|Below|A group|In it/.exec(text)?.[0])).toEqual([
      ...['First', 'Below', 'A group', 'In it'],
    ]);
    expect(pdf.outline).toEqual([
      ['First', 3, [['Below', 4, []]]],
      ['A group', 5, [['In it', 6, []]]],
      ['Away', 2, []],
    ]);
    expect(pdf.links[1]).toEqual(
      expect.arrayContaining([
        { page: 3 },
        { page: 4 },
        { page: 5 },
        { page: 6 },
        { url: 'https://example.org/a%20b' },
      ]),
    );
  });

  it('shows text of many scripts, and leads to its own pages and away', async () => {
    const other = await space.add('Other', { document: { markdown: 'Text.\n\n## Deep part\n\nMore.' } });
    const text = [
      'Ελληνικά, Кириллица, żółć, → ≤ “quotes” and **bold `code`**.',
      `[Page](/pages/${other}), [part](/pages/${other}#deep-part), [missing part](/pages/${other}#none), [out](https://example.org/x), [no](javascript:alert(1)).`,
      '| Name | Value |\n| --- | --- |\n| first cell | second cell |',
      '- [x] done\n- [ ] open\n\n1. one\n   - nested',
      '```js\nconst a = 1;\n```',
      '> quoted\n\nA note[^1].\n\n[^1]: What it says.',
    ].join('\n\n');
    await space.add('Scripts', { document: { markdown: text } });
    const pdf = await print();
    const page = pdf.pages.at(-1) ?? '';
    for (const words of ['Ελληνικά, Кириллица, żółć, → ≤ “quotes”', 'first cell', 'nested', 'const a = 1;', 'quoted']) {
      expect(page).toContain(words);
    }
    expect(page).toMatch(/A note ?1.*What it says\./);
    expect(pdf.links.at(-1)).toEqual([{ page: 3 }, { page: 3 }, { page: 3 }, { url: 'https://example.org/x' }]);
  });

  it('shows PNG and JPEG images, and the words for others', async () => {
    const files = await insertFiles({
      ...{ 'a.png': png(20, 10), 'b.png': clearPng(), 'c.jpg': jpeg(30, 20), 'd.gif': gif(5, 5) },
      'e.png': Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1'),
      ...{ 'f.png': Buffer.alloc(0), 'g.png': Buffer.from([0xff]), 'h.png': Buffer.from([0xff, 0xd8]) },
    });
    const show = (name: string): string => `![About ${name}](/files/${files[name] ?? ''})`;
    await space.add('Images', { document: { markdown: Object.keys(files).map(show).join('\n\n') } });
    const pdf = await print({}, true);
    expect(pdf.images.at(-1)).toBe(3);
    expect(pdf.pages.at(-1)).toMatch(
      /\[About d\.gif\].*\[About e\.png\].*\[About f\.png\].*\[About g\.png\].*\[About h\.png\]/,
    );
    expect(pdf.pages.at(-1)).not.toContain('About a.png');
  });

  it('begins with a page, or has it alone', async () => {
    const one = await space.add('One');
    const two = await space.add('Two', { into: one });
    await space.add('Three', { into: two });
    await space.add('Four');
    expect((await print({ page: one })).outline).toEqual([['One', 3, [['Two', 4, [['Three', 5, []]]]]]]);
    expect((await print({ page: two, only: 'false' })).outline).toEqual([['Two', 3, [['Three', 4, []]]]]);
    const alone = await print({ page: two, only: 'true' });
    expect(alone.outline).toEqual([['Two', 1, []]]);
    expect(alone.pages).toHaveLength(1);
    expect(alone.pages[0]).toContain('About Two.');
  });

  it('is that of the revision at which its address was asked for', async () => {
    const page = await space.add('Before');
    const link = await linkTo();
    await space.edit({ operation: 'update_page', page, title: 'After' });
    const { body } = await download(link).expect(200);
    expect((await readPdf(body as Buffer)).outline).toEqual([['Before', 3, []]]);
    expect((await print()).outline).toEqual([['After', 3, []]]);
  });

  it('exists of a space without pages', async () => {
    const pdf = await print();
    expect(pdf.outline).toEqual([]);
    expect(pdf.pages[0]).toContain('Revision');
  });

  it('refuses what it cannot be asked for', async () => {
    const link = {
      operation: 'insert_page',
      type: 'link',
      title: 'Away',
      target: { kind: 'url', url: 'https://a.org' },
    };
    const away = idOf(await space.edit(link), 0);
    const unknown = 'page must name a document or group of this content';
    const refusals: [query: object, message: string][] = [
      [{ only: 'true' }, 'only takes a page: name it with page'],
      [{ only: 'yes' }, 'only must be true or false'],
      [{ page: newId() }, unknown],
      [{ page: '__proto__' }, unknown],
      [{ page: '' }, unknown],
      [{ page: away, only: 'true' }, unknown],
    ];
    for (const [query, message] of refusals) {
      const { body } = await app.as(space.user).get(addressOf()).query(query).expect(400);
      expect(body).toEqual({ error: { code: 400, message } });
    }
    await app.anonymous().get(addressOf()).expect(401);
    const stranger = await app.create.user();
    const hidden = await app.as(stranger).get(addressOf()).expect(404);
    expect(hidden.body).toEqual({ error: { code: 404, message: 'Space not found' } });
    await app.as(space.user).get(`/v1/spaces/${newId()}/pdf`).expect(404);
  });

  it('refuses content that is too large, before it gives an address', async () => {
    const text = 'word '.repeat(200_000);
    const pages = Array.from({ length: 9 }, (_, n) =>
      inserting(`Page ${String(n)}`, { document: { markdown: `${String(n)} ${text}` } }),
    );
    const { changes } = await space.edit(...pages);
    const { body } = await app.as(space.user).get(addressOf()).expect(413);
    const message = 'A PDF holds at most 2000 pages and 8 MiB of text; name a part of the content with page';
    expect(body).toEqual({ error: { code: 413, message } });
    await app.as(space.user).get(addressOf()).query({ page: changes[0]?.page.id }).expect(200);
  });

  it('is not found at addresses that are forged or expired', async () => {
    await space.add('Page');
    const link = await linkTo();
    const [text = '', signature = ''] = link.slice('/v1/pdf/'.length).split('.');
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const later = Buffer.from(JSON.stringify([...claims.slice(0, 4), Date.now() + 2 * HOUR])).toString('base64url');
    for (const token of [
      `${later}.${signature}`,
      text,
      `${text}.`,
      `${text}=.${signature}`,
      `${text.slice(0, 5)}!${text.slice(5)}.${signature}`,
      `${text}.${signature}.x`,
      `.${signature}`,
      'x.y',
      '%00',
    ]) {
      const { body } = await app.anonymous().get(`/v1/pdf/${token}`).expect(404);
      expect(body).toEqual(GONE);
    }
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + HOUR + 1000);
    try {
      expect(app.nest.get(PdfLinks, { strict: false }).read(`${text}.${signature}`)).toBeUndefined();
    } finally {
      clock.mockRestore();
    }
    expect(app.nest.get(PdfLinks, { strict: false }).read(`${text}.${signature}`)).toMatchObject({
      space: space.space,
    });
  });

  it('is not found once the space is in the trash', async () => {
    await space.add('Page');
    const link = await linkTo();
    await app.as(space.user).delete(`/v1/spaces/${space.space}`).expect(205);
    await app.anonymous().get(link).expect(404);
    await app.as(space.user).get(addressOf()).expect(404);
  });

  it('makes callers wait, and more than a few come again', async () => {
    await space.add('Page');
    const pdfs = app.nest.get(PdfService, { strict: false });
    const target = app.nest.get(PdfLinks, { strict: false }).read((await linkTo()).slice('/v1/pdf/'.length));
    if (!target) throw new Error('The address cannot be read');
    const gone = new AbortController();
    const asked = Array.from({ length: 11 }, (_, n) =>
      pdfs.print(target, n === 9 ? gone.signal : new AbortController().signal),
    );
    const first = Promise.allSettled(asked);
    gone.abort();
    // who leaves makes room at once
    await setImmediate();
    const late = Promise.allSettled([pdfs.print(target, new AbortController().signal)]);
    const ended = [...(await first), ...(await late)];
    const states = [...Array<string>(9).fill('fulfilled'), 'rejected', 'rejected', 'fulfilled'];
    expect(ended.map(({ status }) => status)).toEqual(states);
    const [left, refused] = ended
      .slice(9)
      .map((one) => (one.status === 'rejected' ? (one.reason as unknown) : undefined));
    expect(left).toMatchObject({ name: 'AbortError' });
    expect(refused).toBeInstanceOf(HttpException);
    expect((refused as HttpException).getStatus()).toBe(503);
    expect((refused as HttpException).getResponse()).toMatchObject({ headers: { 'Retry-After': '30' } });
    for (const one of ended) if (one.status === 'fulfilled') await one.value.close();
    expect((await print()).outline).toEqual([['Page', 3, []]]);
  });

  it('holds a book of many printed pages', async () => {
    const text = (n: number): string =>
      Array.from(
        { length: cases(8, 22) },
        (_, part) =>
          `Begin.\n\n## Part ${String(part)} of ${String(n)}\n\n${'Some words to fill lines with. '.repeat(20)}`,
      ).join('\n\n');
    const chapter = (n: number) => inserting(`Chapter ${String(n)}`, { document: { markdown: text(n) } });
    await space.edit(...Array.from({ length: 25 }, (_, n) => chapter(n)));
    const pdf = await print();
    expect(pdf.pages.length).toBeGreaterThan(cases(40, 100));
    expect(pdf.outline.map(([title]) => title)).toEqual(Array.from({ length: 25 }, (_, n) => `Chapter ${String(n)}`));
    for (const [title, page] of pdf.outline) expect(pdf.pages[(page ?? 0) - 1]).toContain(title);
    const contents = pdf.links[1]?.map((link) => ('page' in link ? link.page : null));
    expect(new Set(contents)).toEqual(new Set(pdf.outline.map(([, page]) => page)));
  });
});

/** Reads an answer as bytes. */
function asBytes(response: Response, done: (error: Error | null, bytes: Buffer) => void): void {
  const parts: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => {
    done(null, Buffer.concat(parts));
  });
}
