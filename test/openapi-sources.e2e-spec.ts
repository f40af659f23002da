import type { IncomingHttpHeaders } from 'node:http';
import { dump } from 'js-yaml';
import { Jobs } from '../src/jobs/index.js';
import { SpecProcessing } from '../src/openapi/spec-processing.js';
import { startApp, type TestApp } from './support/app.js';
import { petstore, SpecClient } from './support/openapi.js';
import { redirectTo, type Route, startWebServer, type WebServer } from './support/web-server.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const HOUR = 60 * 60_000;

/** Settings of the service: a short time to fetch, and the test's own server may be asked. */
const ENVIRONMENT = { OUTBOUND_ALLOW: '127.0.0.1', OPENAPI_TIMEOUT: '1' };

describe('sources of OpenAPI specifications', () => {
  let app: TestApp;
  /** The same service once more; tokens are looked up by the one that was started last. */
  let other: TestApp;
  let web: WebServer;
  const routes: Record<string, Route> = {};

  beforeAll(async () => {
    app = await startApp(ENVIRONMENT);
    other = await startApp(ENVIRONMENT, app.connection.name);
    web = await startWebServer(routes);
  });
  afterAll(async () => {
    await other.nest.close();
    await app.close();
    await web.close();
  });

  async function client(): Promise<SpecClient> {
    const organization = await app.create.organization();
    return new SpecClient(app, organization._id, organization.admin);
  }

  const due = (slug: string, fields: object = {}) =>
    app.connection.collection('openapi_specs').updateOne({ slug }, { $set: { dueAt: new Date(0), ...fields } });
  const notice = (): void => {
    app.nest.get(SpecProcessing, { strict: false }).notice();
  };

  describe('that are fetched', () => {
    it('are asked for again with what their server said of them', async () => {
      const specs = await client();
      const asked: IncomingHttpHeaders[] = [];
      let document = petstore();
      routes['/conditional'] = (request, response) => {
        asked.push(request.headers);
        const etag = `"${JSON.stringify(document).length}"`;
        const isKnown = request.headers['if-none-match'] === etag;
        response.writeHead(isKnown ? 304 : 200, { ETag: etag, 'Last-Modified': 'Sun, 22 Nov 2026 00:00:00 GMT' });
        response.end(isKnown ? undefined : JSON.stringify(document));
      };
      const source = { url: `${web.url}/conditional` };
      const first = await specs.put('pets', source);
      expect(first).toMatchObject({ sourceURL: source.url, processingState: 'complete', lastVersion: ID });
      const again = await specs.put('pets', source);
      expect(again.lastVersion).toBe(first.lastVersion);
      expect((again.lastProcessedAt ?? '') > (first.lastProcessedAt ?? '')).toBe(true);
      document = petstore(['get /pets', 'post /pets']);
      const { lastVersion } = await specs.put('pets', source);
      expect(lastVersion).not.toBe(first.lastVersion);
      expect(asked.map((headers) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
        [undefined, undefined],
        ['"132"', 'Sun, 22 Nov 2026 00:00:00 GMT'],
        ['"132"', 'Sun, 22 Nov 2026 00:00:00 GMT'],
      ]);
      // of another address nothing is known
      routes['/elsewhere'] = routes['/conditional'];
      await specs.put('pets', { url: `${web.url}/elsewhere` });
      expect(asked[3]?.['if-none-match']).toBeUndefined();
    });

    it('are looked at again after six hours, those that were sent are not', async () => {
      const specs = await client();
      let requests = 0;
      routes['/refreshed'] = (_request, response) => {
        requests += 1;
        response.end(JSON.stringify(petstore([`get /v${requests}`])));
      };
      const first = await specs.put('refreshed', { url: `${web.url}/refreshed` });
      await specs.putText('sent', petstore());
      const records = app.connection.collection<{ slug: string; dueAt: Date | null }>('openapi_specs');
      const [fetched, sent] = [await records.findOne({ slug: 'refreshed' }), await records.findOne({ slug: 'sent' })];
      expect(sent?.dueAt).toBeNull();
      expect(((fetched?.dueAt?.getTime() ?? 0) - Date.now()) / HOUR).toBeCloseTo(6, 1);
      await due('refreshed');
      await app.nest.get(Jobs, { strict: false }).start({ poll: 20 });
      for (const end = Date.now() + 60_000; requests < 2 && Date.now() < end;) await pause(10);
      const settled = await specs.settled('refreshed');
      expect(settled.lastVersion).not.toBe(first.lastVersion);
      // the source is the same; the resource has changed
      expect(settled.updatedAt > first.updatedAt).toBe(true);
      // another kind of source ends it
      expect(await specs.putText('refreshed', petstore())).not.toHaveProperty('sourceURL');
      expect((await records.findOne({ slug: 'refreshed' }))?.dueAt).toBeNull();
    });

    const drip: Route = (_request, response) => {
      const beat = setInterval(() => response.write(' '), 50);
      response.on('close', () => {
        clearInterval(beat);
      });
    };
    const big: Route = (_request, response) => {
      response.end(Buffer.alloc(20 * 1024 * 1024 + 1, ' '));
    };
    it.each<[string, string, string, Route | null]>([
      ['a slow one', 'FETCH_TIMEOUT', '/slow', () => undefined],
      ['one that drips', 'FETCH_TIMEOUT', '/drip', drip],
      ['one that fails', 'FETCH_ERROR', '/500', (_request, response) => response.writeHead(500).end('{}')],
      ['one without the page', 'FETCH_ERROR', '/nowhere', null],
      [
        'one that says that it is as before',
        'FETCH_ERROR',
        '/304',
        (_request, response) => response.writeHead(304).end(),
      ],
      ['one without content', 'FETCH_ERROR', '/204', (_request, response) => response.writeHead(204).end()],
      ['a loop', 'FETCH_ERROR', '/loop', redirectTo('/loop')],
      ['a way into the house', 'FETCH_ERROR', '/private', redirectTo('http://10.0.0.1/openapi.json')],
      ['a way to the metadata of the cloud', 'FETCH_ERROR', '/cloud', redirectTo('http://169.254.169.254/latest')],
      ['a way to a file', 'FETCH_ERROR', '/file', redirectTo('file:///etc/passwd')],
      ['too much', 'FETCH_ERROR', '/big', big],
      ['one that breaks off', 'FETCH_ERROR', '/break', (request) => request.socket.destroy()],
      ['a page', 'PARSE_ERROR', '/page', '<!doctype html><html><body>Sign in</body></html>'],
      ['a picture', 'PARSE_ERROR', '/picture', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
      ['nothing', 'PARSE_ERROR', '/empty', ''],
    ])('keep what they said when their server is %s (%s)', async (_what, code, path, route) => {
      const specs = await client();
      if (route !== null) routes[path] = route;
      const before = await specs.putText('pets', petstore());
      const after = await specs.put('pets', { url: web.url + path });
      expect(after).toEqual({
        ...before,
        sourceURL: web.url + path,
        updatedAt: ISO,
        lastProcessedAt: ISO,
        lastProcessErrorCode: code,
      });
      expect(await specs.putText('pets', petstore())).not.toHaveProperty('lastProcessErrorCode');
    });

    it('may come as any type', async () => {
      const specs = await client();
      routes['/typed'] = (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'image/png' }).end(dump(petstore()));
      };
      expect(await specs.put('pets', { url: `${web.url}/typed` })).not.toHaveProperty('lastProcessErrorCode');
    });
  });

  describe('are looked at', () => {
    it('by one process at a time, however many there are', async () => {
      const specs = await client();
      const seen = new Map<string, number>();
      routes['/once'] = (request, response) => {
        const url = request.url ?? '';
        seen.set(url, (seen.get(url) ?? 0) + 1);
        setTimeout(() => response.end(JSON.stringify(petstore())), 20);
      };
      const slugs = Array.from({ length: 12 }, (_, index) => `once-${index}`);
      const dueAt = new Date();
      const { _id, ...template } = (await specs
        .putText('once', petstore())
        .then(() =>
          app.connection.collection<{ _id: string; slug: string }>('openapi_specs').findOne({ slug: 'once' }),
        )) ?? { _id: '' };
      const records = slugs.map((slug) => ({
        ...template,
        _id: `${_id.slice(0, 12)}${slug.slice(5).padStart(8, '0')}`,
        slug,
        url: `${web.url}/once?${slug}`,
        text: null,
        processingState: 'pending',
        dueAt,
      }));
      await app.connection.collection<{ _id: string; slug: string }>('openapi_specs').insertMany(records);
      for (let round = 0; round < 4; round += 1) {
        notice();
        other.nest.get(SpecProcessing, { strict: false }).notice();
      }
      for (const slug of slugs) expect((await specs.settled(slug)).lastProcessErrorCode).toBeUndefined();
      expect([...seen.values()]).toEqual(slugs.map(() => 1));
    });

    it('by another one when the first has died', async () => {
      const specs = await client();
      await specs.putText('orphan', petstore());
      const leased = { lease: 'somebody', leasedUntil: new Date(Date.now() + HOUR), processingState: 'progress' };
      await due('orphan', leased);
      notice();
      await pause(100);
      expect((await specs.get('orphan')).processingState).toBe('progress');
      await due('orphan', { ...leased, leasedUntil: new Date(Date.now() - 1) });
      notice();
      await specs.settled('orphan');
    });

    it('anew when they got another source meanwhile: what the earlier one says is not taken', async () => {
      const specs = await client();
      let answer = (): void => undefined;
      const arrived = new Promise<void>((resolve) => {
        routes['/late'] = (_request, response) => {
          answer = () => response.end(JSON.stringify(petstore(['get /late'])));
          resolve();
        };
      });
      await app
        .as(specs.user)
        .put(specs.at('pets'))
        .send({ source: { url: `${web.url}/late` } })
        .expect(200);
      await arrived;
      const text = JSON.stringify(petstore(['get /new']));
      const put = await app.as(specs.user).put(specs.at('pets')).send({ source: { text } }).expect(200);
      expect((put.body as { processingState: string }).processingState).toBe('pending');
      answer();
      await specs.settled('pets');
      const { body } = await app.as(specs.user).get(specs.at('pets', 'versions')).expect(200);
      expect(body).toMatchObject({ count: 1 });
      const content = await app
        .as(specs.user)
        .get(specs.at('pets', 'versions', 'latest', 'content'))
        .expect(200);
      expect(content.body).toMatchObject({ filesystem: { 'openapi.json': petstore(['get /new']) } });
    });

    it('in vain when they were deleted meanwhile', async () => {
      const specs = await client();
      let answer = (): void => undefined;
      const arrived = new Promise<void>((resolve) => {
        routes['/gone'] = (_request, response) => {
          answer = () => response.end(JSON.stringify(petstore()));
          resolve();
        };
      });
      const { body } = await app
        .as(specs.user)
        .put(specs.at('gone'))
        .send({ source: { url: `${web.url}/gone` } });
      await arrived;
      await app.as(specs.user).delete(specs.at('gone')).expect(205);
      answer();
      await pause(200);
      const spec = (body as { id: string }).id;
      expect(await app.connection.collection('openapi_versions').countDocuments({ spec })).toBe(0);
    });
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
