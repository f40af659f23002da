import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  Logger,
  type LoggerService,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as driver from 'mongodb';
import { Error as MongooseErrors } from 'mongoose';
import request from 'supertest';
import { envelope, ErrorFilter } from './error.filter.js';

const GENERIC = 'Something went wrong on our side; the failure was recorded';
const AWAY = 'The database cannot be reached just now; try again in a moment';
const FULL = 'The database has no room for this; it can be tried again when the operator has made some';
const FULL_HERE = 'The service has no room on its disk for this; it can be tried again when the operator has made some';
const LOST = 'Somebody else wrote to the same place at the same moment; try again';

const filter = new ErrorFilter();
/** What was logged as an error, and as a warning; nothing else may be. */
const logged: unknown[] = [];
let thrown: unknown;

const answer = (error: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void => {
  filter.catch(error, new ExecutionContextHost([incoming, outgoing]));
};

/** A server whose every request fails with `thrown`, and whose bodies are read as the service reads them. */
const app = express()
  .use(express.json({ limit: 1000 }))
  .get('/begun', (incoming: Request, outgoing: Response) => {
    outgoing.write('half an ans');
    answer(thrown, incoming, outgoing);
  })
  .get('/files/:signature', (incoming: Request, outgoing: Response) => {
    answer(thrown, incoming, outgoing);
  })
  .get('/typed', (incoming: Request, outgoing: Response) => {
    outgoing.type('application/samlmetadata+xml');
    answer(thrown, incoming, outgoing);
  })
  .use((incoming: Request, outgoing: Response) => {
    outgoing.setHeader('X-Request-Id', 'r1');
    answer(thrown, incoming, outgoing);
  })
  .use((error: unknown, incoming: Request, outgoing: Response, _next: NextFunction) => {
    answer(error, incoming, outgoing);
  });
const server = createServer((incoming, outgoing) => {
  app(incoming, outgoing);
});

beforeAll(() => {
  const note = (message: unknown): void => void logged.push(message);
  const other = (message: unknown): void => void logged.push(`no error: ${String(message)}`);
  const warn = (warning: unknown): void => void logged.push({ warning });
  const logger: LoggerService = { log: other, warn, error: note };
  Logger.overrideLogger(logger);
});

afterAll(() => {
  Logger.overrideLogger(false);
});

beforeEach(() => {
  logged.length = 0;
});

/** What a request is answered that fails with `error`: the status, and the message where there is nothing else. */
async function failing(error: unknown): Promise<[number, string]> {
  thrown = error;
  const answer = await request(server).get('/x');
  const { status, type } = answer;
  const body = answer.body as { error: { code: number; message: string } };
  const { code, message } = body.error;
  expect(body).toEqual({ error: { code, message } });
  expect(code).toBe(status);
  expect(type).toBe('application/json');
  return [status, message];
}

describe('what we throw', () => {
  it.each<[HttpException, number, string]>([
    [new BadRequestException('title must be a string'), 400, 'title must be a string'],
    [new NotFoundException('Space not found'), 404, 'Space not found'],
    [new ForbiddenException(), 403, 'Forbidden'],
    [new ConflictException('taken'), 409, 'taken'],
    [new HttpException('Gone for good', 410), 410, 'Gone for good'],
    [new BadRequestException(['a is wrong', 'b is wrong']), 400, 'a is wrong; b is wrong'],
    [new HttpException({ message: 'in an object' }, 412), 412, 'in an object'],
    [new HttpException({ statusCode: 418, error: 'Teapot', message: 'short' }, 400), 400, 'short'],
    [new HttpException({ message: 5 }, 400), 400, 'Http Exception'],
    [new HttpException({ message: 'no', headers: { 'Retry-After': '7' } }, 429), 429, 'no'],
  ])('%p is answered %i', async (error, status, message) => {
    expect(await failing(error)).toEqual([status, message]);
    expect(logged).toEqual([]);
  });

  it('may have headers', async () => {
    thrown = new HttpException({ message: 'no', headers: { 'Retry-After': '7', 'X-Other': 'y' } }, 429);
    const { headers } = await request(server).get('/x');
    expect(headers).toMatchObject({ 'retry-after': '7', 'x-other': 'y' });
  });

  it('is JSON, whatever the operation was to answer with', async () => {
    thrown = new NotFoundException('no');
    await request(server).get('/typed').expect(404).expect('Content-Type', 'application/json; charset=utf-8');
  });

  it('may have details, and nothing else gets out', async () => {
    thrown = new HttpException({ message: 'conflict', details: { conflicts: ['a'] }, internal: 'x' }, 409);
    const answer = await request(server).get('/x').expect(409);
    expect(answer.body).toEqual({ error: { code: 409, message: 'conflict', conflicts: ['a'] } });
  });

  it('names the scheme of a token that is missing', async () => {
    thrown = new UnauthorizedException('no token');
    const { headers } = await request(server).get('/x').expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    thrown = new ForbiddenException('no');
    expect((await request(server).get('/x').expect(403)).headers).not.toHaveProperty('www-authenticate');
  });

  it('is logged when it is ours', async () => {
    const error = new HttpException('broken', 502);
    expect(await failing(error)).toEqual([502, 'broken']);
    expect(logged).toMatchObject([{ err: error, request: 'r1', method: 'GET', route: 'unmatched' }]);
  });

  it('is told of in a line when it was refused on purpose', async () => {
    expect(await failing(new HttpException({ message: 'stopping', headers: { 'Retry-After': '2' } }, 503))).toEqual([
      503,
      'stopping',
    ]);
    expect(logged).toEqual([{ warning: { why: 'stopping', request: 'r1', method: 'GET', route: 'unmatched' } }]);
  });

  it('is logged without what the path is to keep', async () => {
    thrown = new HttpException('broken', 502);
    await request(server).get('/files/s3cret').expect(502);
    expect(logged).toMatchObject([{ method: 'GET', route: '/files/:signature' }]);
    expect(JSON.stringify(logged)).not.toContain('s3cret');
  });
});

const server11000 = (keyPattern: object): Error =>
  new driver.MongoServerError({ code: 11000, message: 'E11000 duplicate key', keyPattern, keyValue: { x: 'private' } });

describe('what the database says', () => {
  it.each([
    [{ email: 1 }, 'Already taken: email is used by another one'],
    [{ organization: 1, hostname: 1, path: 1 }, 'Already taken: hostname, path is used by another one'],
    [{ organization: 1 }, 'Already taken: the same value is used by another one'],
    [{}, 'Already taken: the same value is used by another one'],
  ])('a key %j that is taken is a conflict', async (pattern, message) => {
    expect(await failing(server11000(pattern))).toEqual([409, message]);
  });

  it.each([null, undefined, 'email_1', 5])('a taken key without a pattern (%p) is a conflict', async (keyPattern) => {
    const error = Object.assign(new Error('E11000'), { code: 11000, keyPattern });
    expect((await failing(error))[0]).toBe(409);
  });

  it.each([112, 251])('code %i is a race that was lost', async (code) => {
    expect(await failing(new driver.MongoServerError({ code, message: 'WriteConflict' }))).toEqual([409, LOST]);
    expect(await failing(new Error('wrapped', { cause: { code } }))).toEqual([409, LOST]);
    expect(logged).toEqual([]);
  });

  const names: [string, Error][] = [
    new driver.MongoNetworkError('connect ECONNREFUSED 10.1.2.3:27017'),
    new driver.MongoNetworkTimeoutError('timed out'),
    new driver.MongoServerSelectionError('none', {} as driver.TopologyDescription),
    new driver.MongoNotConnectedError('not connected'),
    new driver.MongoTopologyClosedError('closed'),
    new driver.MongoServerClosedError('closed'),
    new driver.MongoClientClosedError(),
    new driver.MongoExpiredSessionError('ended'),
    new driver.MongoOperationTimeoutError('late'),
    new MongooseErrors.MongooseServerSelectionError('none'),
    Object.assign(new Error('cleared'), { name: 'MongoPoolClearedError' }),
    Object.assign(new Error('cleared'), { name: 'PoolClearedOnNetworkError' }),
    Object.assign(new Error('closed'), { name: 'MongoPoolClosedError' }),
    Object.assign(new Error('queue'), { name: 'MongoWaitQueueTimeoutError' }),
  ].map((error) => [error.name, error]);

  it.each(names)('%s means that nobody answers', async (_name, error) => {
    expect(await failing(error)).toEqual([503, AWAY]);
    expect((await request(server).get('/x')).headers['retry-after']).toBe('2');
    expect(logged).toMatchObject([{ err: error }, { err: error }]);
  });

  it.each([6, 7, 89, 91, 189, 262, 462, 9001, 10107, 11600, 11602, 13435, 13436])(
    'code %i means the same',
    async (code) => {
      expect(await failing(new driver.MongoServerError({ code, message: 'at /var/lib/db' }))).toEqual([503, AWAY]);
    },
  );

  it.each(['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError', 'RetryableError'])(
    'whatever the driver labels %s means the same',
    async (label) => {
      const error = new driver.MongoServerError({ code: 24, message: 'at /var/lib/db', errorLabels: [label] });
      expect(await failing(error)).toEqual([503, AWAY]);
    },
  );

  it('an error of the network that several writes at once met means the same', async () => {
    const error = Reflect.construct(driver.MongoBulkWriteError, [
      new driver.MongoNetworkError('at 10.0.0.1'),
      {},
    ]) as Error;
    expect(await failing(error)).toEqual([503, AWAY]);
  });

  it('says of a database without room that somebody has to make some, and when to ask again', async () => {
    thrown = new driver.MongoServerError({ code: 14031, message: 'at /var/lib/db' });
    await request(server).get('/').expect(503, envelope(503, FULL)).expect('Retry-After', '60');
  });

  it.each(['ENOSPC', 'EDQUOT'])('says the same of a disk of its own that is full: %s', async (code) => {
    thrown = Object.assign(new Error(`${code}: no space left on device, write`), { code, syscall: 'write' });
    await request(server).get('/').expect(503, envelope(503, FULL_HERE)).expect('Retry-After', '60');
    expect(logged).toMatchObject([{ err: thrown }]);
  });

  it.each([2, 9, 13, 26, 50, 59, 66, 121, '11000', null, { valueOf: 112 }])(
    'code %p is a mistake of ours',
    async (code) => {
      const error = Object.assign(new driver.MongoServerError({ message: 'users.password: no such field' }), { code });
      expect(await failing(error)).toEqual([500, GENERIC]);
      expect(logged).toHaveLength(1);
    },
  );
});

describe('what reading a request throws', () => {
  const post = (): request.Test => request(server).post('/x').set('Content-Type', 'application/json');
  const messageOf = ({ body }: request.Response): unknown => (body as { error: { message: unknown } }).error.message;

  it('is the status that it names', async () => {
    for (const wrong of ['{"a":', 'null', '5']) {
      expect(messageOf(await post().send(wrong).expect(400))).toMatch(/^The body must be a JSON object: /);
    }
    expect(
      messageOf(
        await post()
          .send(`["${'x'.repeat(2000)}"]`)
          .expect(413),
      ),
    ).toMatch(/^The body must be at most \d+ bytes$/);
    const charset = await post().set('Content-Type', 'application/json; charset=klingon').send('{}').expect(415);
    expect(messageOf(charset)).toBe('unsupported charset "KLINGON"');
    expect(messageOf(await post().set('Content-Encoding', 'rot13').send('{}').expect(415))).toBe(
      'unsupported content encoding "rot13"',
    );
    expect(logged).toEqual([]);
  });

  it('is 400 for a path that cannot be decoded', async () => {
    expect(await failing(new URIError('URI malformed'))).toEqual([400, 'The path cannot be decoded']);
  });

  it.each([
    { status: 404, expose: false, message: 'a path of this machine' },
    { status: 404, message: 'a path of this machine' },
    { status: 302, expose: true, message: 'moved' },
    { status: 500, expose: true, message: 'private' },
    { status: '400', expose: true, message: 'private' },
    { status: 400, expose: 'true', message: 'private' },
  ])('is generic unless it is meant to be seen: %j', async (error) => {
    expect(await failing(Object.assign(new Error(error.message), error))).toEqual([500, GENERIC]);
  });
});

describe('anything else', () => {
  it.each([
    new Error('/home/somebody/secret.ts:1'),
    new TypeError("Cannot read properties of undefined (reading 'password')"),
    'a text',
    '',
    0,
    11000,
    null,
    undefined,
    Symbol('x'),
    [],
    {},
    { name: 5, message: {}, code: [], status: null },
    Object.create(null),
    { cause: null },
  ])('%p is answered 500 with nothing internal, and recorded', async (error) => {
    expect(await failing(error)).toEqual([500, GENERIC]);
    expect(logged).toHaveLength(1);
  });

  it('breaks off an answer that has begun', async () => {
    thrown = new Error('late');
    await expect(request(server).get('/begun')).rejects.toThrow(/aborted|hang up/);
    expect(logged).toHaveLength(1);
  });
});

describe('envelope', () => {
  it('holds the code, the message and the details', () => {
    expect(envelope(409, 'no')).toEqual({ error: { code: 409, message: 'no' } });
    expect(envelope(409, 'no', { conflicts: 2 })).toEqual({ error: { code: 409, message: 'no', conflicts: 2 } });
  });
});
