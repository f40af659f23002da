import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningEngine, startEngine } from '../src/database/embedded/engine.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const envelope = (code: number, message: string) => ({ error: { code, message } });

describe('the service about itself', () => {
  let app: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    app = await startApp();
    user = await app.create.user();
  });
  afterAll(() => app.close());

  it.each(['/health/live', '/health/ready'])('says at %s that all is well, to anybody', async (path) => {
    const { body, headers } = await app.anonymous().get(path).expect(200);
    expect(body).toEqual({ status: 'ok' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('tells its version to anybody', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    const { body } = await app.anonymous().get('/v1').expect(200);
    expect(body).toEqual({ version, build: version });
  });

  describe('in its metrics', () => {
    const metrics = async () => (await app.as(user).get('/metrics').expect(200)).text;
    /** The numbers of requests that are counted, by their labels. */
    const counted = async () =>
      new Map(
        [...(await metrics()).matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
          ([, labels = '', count]) => [labels, Number(count)],
        ),
      );
    const labels = (method: string, route: string, status: number) =>
      `method="${method}",route="${route}",status="${status}"`;

    it('shows them to those with a token only', async () => {
      const { body } = await app.anonymous().get('/metrics').expect(401);
      expect(body).toEqual(envelope(401, 'Send your token as "Authorization: Bearer <token>"'));
    });

    it('answers in the text format, with the figures of the process', async () => {
      const { text, headers } = await app.as(user).get('/metrics').expect(200);
      expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(text).toMatch(/^# TYPE http_request_duration_seconds histogram$/m);
      expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
      expect(text).toMatch(/^nodejs_eventloop_lag_seconds \S+$/m);
      const lines = text.split('\n').filter((line) => line !== '');
      expect(lines.filter((line) => !/^(# (HELP|TYPE) |\w+(\{[^}]*\})? [-+.\deNaInf]+$)/.test(line))).toEqual([]);
    });

    it('counts requests by route, and names no space, page or person', async () => {
      const space = await app.create.space();
      const call = app.as(space.admin);
      const path = `/v1/spaces/${space._id}`;
      const before = await counted();
      await call.get(path).expect(200);
      await call.get(path).query({ shareKey: 'a-secret-key' }).expect(200);
      await call.get(`${path}/content/page/wanted-page`).expect(404);
      await app.as(user).get(path).expect(404);
      await app.anonymous().get(path).expect(401);
      await call.patch(path).send({ title: '' }).expect(400);
      await call.get(`/v1/no-such-thing/${space._id}`).expect(404);

      const after = await counted();
      const added = [...after]
        .map(([name, count]): [string, number] => [name, count - (before.get(name) ?? 0)])
        .filter(([name, count]) => count > 0 && !name.includes('/metrics'));
      expect(Object.fromEntries(added)).toEqual({
        [labels('GET', '/v1/spaces/:spaceId', 200)]: 2,
        [labels('GET', '/v1/spaces/:spaceId', 404)]: 1,
        [labels('GET', '/v1/spaces/:spaceId', 401)]: 1,
        [labels('PATCH', '/v1/spaces/:spaceId', 400)]: 1,
        [labels('GET', '/v1/spaces/:spaceId/content/page/:pageId', 404)]: 1,
        [labels('GET', 'unmatched', 404)]: 1,
      });
      const text = await metrics();
      for (const secret of [space._id, 'wanted-page', 'a-secret-key', space.admin.token, space.admin._id, 'no-such']) {
        expect(text).not.toContain(secret);
      }
    });
  });
});

describe('a database that goes away', () => {
  const AWAY = 'The database cannot be reached just now; try again in a moment';
  let folder: string;
  let engine: RunningEngine;
  let app: TestApp;

  const start = (port?: number) =>
    startEngine({ path: folder, durability: 'commit', testCommands: true, ...(port !== undefined && { port }) });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-'));
    engine = await start();
    app = await startApp({ MONGODB_URI: engine.uri.replace('/?', '/away?') });
  });
  afterAll(async () => {
    try {
      await app.close();
    } finally {
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is told as 503 with the time to wait, and the service goes on when it is back', async () => {
    const space = await app.create.space();
    const path = `/v1/spaces/${space._id}`;
    const call = app.as(space.admin);
    const { body: known } = await call.get(path).expect(200);

    await engine.stop();
    const change = { operation: 'insert_page', title: 'Lost', document: { markdown: 'Lost.' } };
    const [read, write, search, live, ready] = await Promise.all([
      call.get(path),
      call.post(`${path}/content`).send({ changes: [change] }),
      call.get(`${path}/search`).query({ query: 'lost' }),
      app.anonymous().get('/health/live'),
      app.anonymous().get('/health/ready'),
    ]);
    for (const answer of [read, write, search]) {
      expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, envelope(503, AWAY), '2']);
    }
    expect([live.status, live.body]).toEqual([200, { status: 'ok' }]);
    expect([ready.status, ready.body]).toEqual([503, envelope(503, 'The database cannot be reached')]);
    expect(ready.headers['retry-after']).toBe('2');

    // those who ask later are told as well, and need not wait for it long
    const asked = performance.now();
    await call.get(path).expect(503, envelope(503, AWAY));
    expect(performance.now() - asked).toBeLessThan(20_000);

    engine = await start(engine.port);
    expect((await call.get(path).expect(200)).body).toEqual(known);
    await app.anonymous().get('/health/ready').expect(200, { status: 'ok' });
    // what was refused has not been done by half
    expect((await call.get(`${path}/content/pages`).expect(200)).body).toEqual({ pages: [] });
    await call
      .post(`${path}/content`)
      .send({ changes: [change] })
      .expect(200);
    expect((await call.get(`${path}/search`).query({ query: 'lost' }).expect(200)).body).toMatchObject({ count: 1 });
  }, 60_000);

  it.each([
    ['a connection that breaks', { closeConnection: true }],
    ['a server that shuts down', { errorCode: 91 }],
    ['a server that lost its primary', { errorCode: 10107 }],
  ])('answers 503 for %s', async (_, data) => {
    const space = await app.create.space();
    const call = app.as(space.admin);
    const path = `/v1/spaces/${space._id}`;
    const admin = app.connection.getClient().db('admin');
    const failing = { configureFailPoint: 'failCommand', data: { failCommands: ['find', 'ping'], ...data } };
    await admin.command({ ...failing, mode: 'alwaysOn' });
    try {
      const { body, headers } = await call.get(path).expect(503);
      expect([body, headers['retry-after']]).toEqual([envelope(503, AWAY), '2']);
      await app.anonymous().get('/health/ready').expect(503, envelope(503, 'The database cannot be reached'));
    } finally {
      await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
    }
    await call.get(path).expect(200);
  });

  it('is the same to its drivers however often it starts again', async () => {
    const space = await app.create.space();
    for (let round = 0; round < 4; round += 1) {
      await engine.stop();
      engine = await start(engine.port);
      await app.as(space.admin).get(`/v1/spaces/${space._id}`).expect(200);
    }
  });

  it('is not noticed when one command fails and can be tried again', async () => {
    const space = await app.create.space();
    const admin = app.connection.getClient().db('admin');
    const data = { failCommands: ['find'], closeConnection: true };
    await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    await app.as(space.admin).get(`/v1/spaces/${space._id}`).expect(200);
  });
});
