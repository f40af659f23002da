import { connect } from 'node:net';
import request from 'supertest';
import { startApp, type TestApp } from './support/app.js';
import { startMinute } from './support/clock.js';
import type { TestUser } from './support/factories.js';
import { until } from './support/until.js';

const envelope = (code: number, message: string | RegExp) => ({
  error: { code, message: message instanceof RegExp ? (expect.stringMatching(message) as string) : message },
});

describe('what every request passes', () => {
  let app: TestApp;
  let author: TestUser;

  beforeAll(async () => {
    app = await startApp({ BODY_LIMIT: '2kb', CORS_ORIGINS: 'https://app.example.org' });
    author = await app.create.user();
  });
  afterAll(() => app.close());

  describe('the token', () => {
    const challenge = async (header: string | undefined, message: string | RegExp) => {
      const call = app.anonymous().get('/v1/user');
      if (header !== undefined) call.set('Authorization', header);
      const { body, headers } = await call.expect(401).expect('Content-Type', /application\/json/);
      expect(body).toEqual(envelope(401, message));
      expect(headers['www-authenticate']).toBe('Bearer');
    };

    it('is demanded', () => challenge(undefined, 'Send your token as "Authorization: Bearer <token>"'));
    it('is a bearer token', () => challenge('Basic YTpi', 'The Authorization header must read "Bearer <token>"'));
    it('is one word', () => challenge('Bearer one two', 'The Authorization header must read "Bearer <token>"'));
    it('is known', () => challenge('Bearer nobody', 'The token is unknown, revoked or expired'));

    it('is not read from the query or the body', async () => {
      const { token } = await app.create.user();
      await app.anonymous().get('/v1/user').query({ access_token: token }).expect(401);
      await app.anonymous().post('/v1/orgs').send({ title: 'Acme', access_token: token }).expect(401);
    });

    it('does not clash with an access_token elsewhere', async () => {
      const user = await app.create.user();
      await app.as(user).get('/v1/user').query({ access_token: 'x' }).expect(200);
    });

    it('is refused once it has expired', async () => {
      const user = await app.create.user();
      const later = new Date(Date.now() + 60 * 60_000).toISOString();
      const { body } = await app
        .as(user)
        .post('/v1/user/tokens')
        .send({ label: 'short', expiresAt: later })
        .expect(201);
      const { id, token } = body as { id: string; token: string };
      await app
        .as({ ...user, token })
        .get('/v1/user')
        .expect(200);
      // the hour goes by
      const tokens = app.connection.collection<{ _id: string }>('tokens');
      await tokens.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
      const refused = await app
        .as({ ...user, token })
        .get('/v1/user')
        .expect(401);
      expect(refused.body).toEqual(envelope(401, 'The token is unknown, revoked or expired'));
    });
  });

  describe('the body', () => {
    const post = () => app.as(author).post('/v1/orgs');

    it('is JSON', async () => {
      const { body } = await post().type('json').send('{"title": ').expect(400);
      expect(body).toEqual(envelope(400, /JSON/));
    });

    it.each(['[]', '"text"', '5', 'null', 'true'])('is an object, not %s', async (text) => {
      const { body } = await post().type('json').send(text).expect(400);
      expect(body).toEqual(envelope(400, /JSON/i));
    });

    it('is there where one is needed', async () => {
      const { body } = await post().expect(400);
      expect(body).toEqual(envelope(400, 'A JSON object is required as the body, with Content-Type: application/json'));
    });

    it.each(['Content-Length', 'Transfer-Encoding'])('is more than nothing, sent with %s', async (header) => {
      const call = post()
        .type('json')
        .set(header, header === 'Content-Length' ? '0' : 'chunked');
      const { body } = await call.send('').expect(400);
      expect(body).toEqual(envelope(400, /^A JSON object is required/));
    });

    it('is not larger than the limit', async () => {
      const { body } = await post()
        .send({ title: 'x'.repeat(3000) })
        .expect(413);
      expect(body).toEqual(envelope(413, /large/));
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])('is not %s', async (type) => {
      const { body } = await post().type(type).send('title=Acme').expect(415);
      expect(body).toEqual(envelope(415, new RegExp(`Content-Type: application/json, not ${type}`)));
    });

    it('may name its charset', async () => {
      await post().type('application/json; charset=utf-8').send({ title: 'Acme' }).expect(201);
    });

    it.each([{ title: { $gt: '' } }, { title: ['Acme'] }, { title: 5 }, { title: null }, { title: true }])(
      'holds values of the right type: %j is none',
      async (fields) => {
        const { body } = await post().send(fields).expect(400);
        expect(body).toEqual(envelope(400, 'title must be a string'));
      },
    );

    it('cannot reach prototypes', async () => {
      const text = '{"title": "Acme", "__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}}';
      await post().type('json').send(text).expect(201);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });

    it('is refused with every fault named', async () => {
      const { body } = await post()
        .send({ title: 'A', emailDomains: ['no domain'], type: 'none' })
        .expect(400);
      expect(body).toEqual(
        envelope(
          400,
          /^title must be 2 to 255 characters long; each value in emailDomains must be .*; type must be one of: business, community$/,
        ),
      );
    });
  });

  describe('queries', () => {
    it.each(['-1', '1001', '1.5', '0x10', '', 'ten', '1e2'])('take no limit of %j', async (limit) => {
      const { body } = await app
        .as(await app.create.user())
        .get('/v1/orgs')
        .query({ limit })
        .expect(400);
      expect(body).toEqual(envelope(400, 'limit must be a whole number from 0 to 1000'));
    });

    it.each(['limit[$gt]=1', 'page[$ne]=x', '$where=sleep(1)', '__proto__[x]=1'])(
      'take %s as a plain name',
      async (query) => {
        await app
          .as(await app.create.user())
          .get(`/v1/orgs?${query}`)
          .expect(200);
      },
    );

    it('refuse a parameter that is given twice', async () => {
      await app
        .as(await app.create.user())
        .get('/v1/orgs?limit=1&limit=2')
        .expect(400);
    });

    it.each(['x', 'bm90IGEgY3Vyc29y', 'WyJhIiwxLCJiIl0'])('refuse %j as a page', async (page) => {
      const { body } = await app
        .as(await app.create.user())
        .get('/v1/orgs')
        .query({ page })
        .expect(400);
      expect(body).toEqual(envelope(400, /^page is not a page of this list/));
    });
  });

  describe('the path', () => {
    it.each([
      ['get', '/nowhere'],
      ['get', '/v1/nowhere'],
      ['put', '/v1/orgs'],
      ['delete', '/v1/user'],
    ] as const)('answers 404 for %s %s, known or not', async (method, path) => {
      const { body } = await app
        .anonymous()
        [method](path)
        .expect(404)
        .expect('Content-Type', /application\/json/);
      expect(body).toEqual(envelope(404, /^Cannot /));
    });

    it('answers 400 when it cannot be decoded', async () => {
      const { body } = await app.anonymous().get('/v1/orgs/%E0%A4%A').expect(400);
      expect(body).toEqual(envelope(400, expect.any(String) as unknown as RegExp));
    });

    it.each(['a', '..%2f..', '%00', '$gt', 'x'.repeat(500), '[object%20Object]'])(
      'finds no space under the id %s',
      async (id) => {
        const { body } = await app
          .as(await app.create.user())
          .get(`/v1/spaces/${id}`)
          .expect(404);
        expect(body).toEqual(envelope(404, 'Space not found'));
      },
    );
  });

  it('survives what is no HTTP, and answers it', async () => {
    const { port } = new URL(app.url);
    let received = '';
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket
        .on('data', (data) => (received += data.toString()))
        .on('close', resolve)
        .on('error', () => undefined);
    });
    expect(received).toMatch(/^HTTP\/1\.1 400 .*{"error":{"code":400,"message":".+"}}$/s);
    await app.anonymous().get('/health/live').expect(200);
  });

  it('answers with security headers, a request id and no hint of what it runs on', async () => {
    const { headers } = await app.anonymous().get('/v1').set('X-Request-Id', 'my-id.1').expect(200);
    expect(headers).toMatchObject({
      'x-request-id': 'my-id.1',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'strict-transport-security': expect.any(String) as string,
    });
    expect(headers['x-powered-by']).toBeUndefined();
    const forged = await app.anonymous().get('/v1').set('X-Request-Id', 'a b\tc').expect(200);
    expect(forged.headers['x-request-id']).toMatch(/^[A-Za-z0-9]{20}$/);
  });

  it('lets pages of the configured origins call it, and no others', async () => {
    const own = await app.anonymous().get('/v1').set('Origin', 'https://app.example.org').expect(200);
    expect(own.headers['access-control-allow-origin']).toBe('https://app.example.org');
    const other = await app.anonymous().get('/v1').set('Origin', 'https://evil.example.org').expect(200);
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    const asked = await app
      .anonymous()
      .options('/v1/orgs')
      .set('Origin', 'https://app.example.org')
      .set('Access-Control-Request-Method', 'POST');
    expect(asked.status).toBe(204);
  });
});

describe('rate limits', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ RATE_LIMIT: '5', SIGN_IN_RATE_LIMIT: '3' });
  });
  afterAll(() => app.close());

  let putBack: () => void;
  beforeEach(() => {
    putBack = startMinute();
  });
  afterEach(() => {
    putBack();
  });

  it('hold for each token on its own', async () => {
    const [one, other] = [await app.create.user(), await app.create.user()];
    for (let left = 4; left >= 0; left -= 1) {
      const { headers } = await app.as(one).get('/v1/user').expect(200);
      expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': String(left) });
      const reset = Number(headers['x-ratelimit-reset']) - Date.now() / 1000;
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(61);
    }
    const { body, headers } = await app.as(one).get('/v1/user').expect(429);
    expect(body).toEqual(envelope(429, /^Too many requests; try again in \d+ seconds$/));
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await app.as(other).get('/v1/user').expect(200);
  });

  it('are told on answers that come before anybody is asked who they are', async () => {
    for (const path of ['/v1/user', '/nowhere', '/docs', '/openapi.json', '/v1/orgs/%E0%A4%A']) {
      const { headers } = await request(app.url).get(path);
      expect([path, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([path, '5', '5']);
    }
  });

  it('do not hold for a balancer that asks after the health', async () => {
    for (let n = 0; n < 10; n += 1) {
      await request(app.url).get('/health/live').expect(200);
      await request(app.url).get('/health/ready').expect(200);
    }
    // nor do its questions count for those who share its address
    const { headers } = await request(app.url).get('/v1').expect(200);
    expect(headers['x-ratelimit-remaining']).toBe('4');
  });

  it('hold for sign-ins by address', async () => {
    const attempt = () =>
      request(app.url).post('/v1/auth/login').send({ email: 'a@example.org', password: 'wrong wrong' });
    for (let n = 0; n < 3; n += 1) await attempt().expect(401);
    await attempt().expect(429);
  });

  it('hold for all processes together: for sign-ins at once, for requests once they have told each other', async () => {
    const limits = { RATE_LIMIT: '200', SIGN_IN_RATE_LIMIT: '5' };
    const first = await startApp(limits);
    const second = await startApp(limits, first.connection.name);
    try {
      const attempt = async ({ url }: TestApp) =>
        (await request(url).post('/v1/auth/login').send({ email: 'b@example.org', password: 'wrong wrong' })).headers[
          'x-ratelimit-remaining'
        ];
      const left = [];
      for (const one of [first, second, second, first, second]) left.push(await attempt(one));
      expect(left).toEqual(['4', '3', '2', '1', '0']);
      for (const { url } of [first, second]) {
        await request(url).post('/v1/auth/login').send({ email: 'b@example.org', password: 'wrong wrong' }).expect(429);
      }

      const ann = await first.create.user();
      const remaining = async (one: TestApp) =>
        Number((await one.as(ann).get('/v1/user')).headers['x-ratelimit-remaining']);
      expect(await remaining(second)).toBe(199);
      for (let n = 0; n < 100; n += 1) await remaining(first);
      // what was sent to the other is missing there, which neither of them had alone
      await until('the second knows of the first', async () => (await remaining(second)) < 99);
      const counts = await second.connection.collection('rate_counts').find().toArray();
      expect(counts.map((count) => Object.keys(count).sort())).toEqual([
        ['_id', 'count', 'expiresAt'],
        ['_id', 'count', 'expiresAt'],
      ]);
      await until('the limit holds in both', async () => (await first.as(ann).get('/v1/user')).status === 429);
      await until('the limit holds in both', async () => (await second.as(ann).get('/v1/user')).status === 429);
    } finally {
      await second.nest.close();
      await first.close();
    }
  });

  it('hold for the network that one customer has, not for each of its addresses', async () => {
    const behind = await startApp({ RATE_LIMIT: '5', SIGN_IN_RATE_LIMIT: '3', TRUST_PROXY: 'loopback' });
    try {
      const attempt = (from: string) =>
        request(behind.url)
          .post('/v1/auth/login')
          .set('X-Forwarded-For', from)
          .send({ email: `${from.length}@example.org`, password: 'wrong wrong' });
      for (const from of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:1::2']) await attempt(from).expect(401);
      await attempt('2001:db8::3').expect(429);
      await attempt('2001:db8:0:1::1').expect(401);
    } finally {
      await behind.close();
    }
  });
});
