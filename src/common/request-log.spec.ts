import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Logger } from '@nestjs/common';
import express, { Router } from 'express';
import request from 'supertest';
import { isId } from './ids.js';
import { requestLog, type RequestSummary } from './request-log.js';
import { until } from '../../test/support/until.js';

const seen: RequestSummary[] = [];
const logged: unknown[] = [];

const router = Router()
  .get('/v1/spaces/:spaceId', (_incoming, outgoing) => {
    outgoing.status(203).json({});
  })
  .get('/v1/slow', (_incoming, outgoing) => {
    setTimeout(() => outgoing.json({}), 60);
  })
  .get('/v1/never', () => undefined);
const app = express()
  .use(
    requestLog((summary) => {
      seen.push(summary);
    }),
  )
  .use(router);
const server = createServer((incoming, outgoing) => {
  app(incoming, outgoing);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeAll(() => {
  const ignore = (): void => undefined;
  Logger.overrideLogger({
    log: ignore,
    warn: ignore,
    error: ignore,
    debug: (message: unknown) => logged.push(message),
  });
});
afterAll(() => {
  Logger.overrideLogger(false);
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen.length = 0;
  logged.length = 0;
});

/** The summary of the one request that was made; it comes after the answer. */
async function summary(): Promise<RequestSummary> {
  await until('a request is seen', () => seen.length > 0);
  const [one, ...others] = seen;
  if (!one || others.length > 0) throw new Error(`${seen.length} requests were seen`);
  return one;
}

describe('requestLog', () => {
  it('tells what became of a request by the template of its route', async () => {
    await request(server).get('/v1/spaces/abc123?token=hush').expect(203);
    expect(await summary()).toMatchObject({ method: 'GET', route: '/v1/spaces/:spaceId', status: 203 });
  });

  it.each(['/nowhere', '/v1/spaces/a/b', '/v1/spaces/__proto__/x', '/%ff'])('has one name for %s', async (path) => {
    const { status } = await request(server).get(path);
    expect(await summary()).toMatchObject({ route: 'unmatched', status });
  });

  it('measures from the arrival to the end of the answer', async () => {
    await request(server).get('/v1/slow').expect(200);
    const { ms } = await summary();
    expect(ms).toBeGreaterThan(50);
    expect(ms).toBeLessThan(60_000);
  });

  it('counts a caller who went away as 499', async () => {
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    const socket = connect(address.port, '127.0.0.1', () => {
      socket.write('GET /v1/never HTTP/1.1\r\nHost: x\r\n\r\n');
      setTimeout(() => socket.destroy(), 30);
    });
    expect(await summary()).toMatchObject({ route: '/v1/never', status: 499 });
  });

  it('logs neither query nor headers', async () => {
    await request(server).get('/v1/spaces/abc123?token=hush').set('Authorization', 'Bearer hush').expect(203);
    await summary();
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/hush|abc123/);
    expect(logged).toMatchObject([{ method: 'GET', route: '/v1/spaces/:spaceId', status: 203 }]);
  });
});

describe('the id of a request', () => {
  const idOf = async (given?: string): Promise<string> => {
    const test = request(server).get('/v1/spaces/x');
    const { headers } = await (given === undefined ? test : test.set('X-Request-Id', given));
    return (headers as Record<string, string>)['x-request-id'] ?? '';
  };

  it('is new when none was given', async () => {
    const [one, other] = [await idOf(), await idOf()];
    expect(isId(one)).toBe(true);
    expect(one).not.toBe(other);
  });

  it.each(['a', 'trace-1.2_3', '9'.repeat(64)])('is the one given: %s', async (given) => {
    expect(await idOf(given)).toBe(given);
    await until('it is logged', () => logged.length > 0);
    expect(logged).toMatchObject([{ request: given }]);
  });

  it.each(['a b', 'a"b', '{"x":1}', '<script>', '9'.repeat(65), 'a,b', 'ü'])(
    'is new when %s was given',
    async (given) => {
      expect(await idOf(encodeURI(given) === given ? given : Buffer.from(given).toString('latin1'))).toMatch(
        /^[A-Za-z0-9]{20}$/,
      );
    },
  );
});
