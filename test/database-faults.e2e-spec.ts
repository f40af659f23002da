import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Response } from 'supertest';
import { type RunningEngine, startEngine } from '../src/database/embedded/index.js';
import { Invariants, type Problem } from '../src/database/index.js';
import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';
import { until } from './support/until.js';

/** What the database may take, bytes: some more than an empty service, and what it may take later. */
const ROOM = { first: 2 * 2 ** 20, later: 64 * 2 ** 20 };
const WRITERS = 4;
/** How often it is filled: at each time something else finds no room first. */
const ROUNDS = cases(1, 10);
/** Refusals of each writer after which it is full indeed, not for the largest alone. */
const ENOUGH = 6;

const FULL = {
  status: 503,
  retryAfter: '60',
  body: {
    error: {
      code: 503,
      message: 'The database has no room for this; it can be tried again when the operator has made some',
    },
  },
};
const told = ({ status, headers, body }: Response) => ({
  status,
  retryAfter: headers['retry-after'],
  body: body as unknown,
});

type TestSpace = Awaited<ReturnType<TestApp['create']['space']>>;

/** What was answered with success: texts of pages by their ids, and texts of comments. */
interface Acknowledged {
  pages: Map<string, string>;
  comments: string[];
}

describe('a database that refuses', () => {
  let path: string;
  let engine: RunningEngine;
  let app: TestApp;
  let settings: Record<string, string>;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'colophon-full-'));
    engine = await startEngine({ path, durability: 'none', mapSizeLimit: ROOM.first, testCommands: true });
    settings = {
      MONGODB_URI: engine.uri.replace('/?', '/full?'),
      SECRET_KEY: 'a key for tests that is long enough to be one',
    };
    app = await startApp(settings);
  });
  afterEach(async () => {
    await app.close();
    await engine.stop();
    await rm(path, { recursive: true });
  });

  /** Writes pages of all sizes, and comments, until hardly anything is taken; notes what was. */
  async function fill(user: TestUser, space: TestSpace, known: Acknowledged): Promise<Response[]> {
    const refused: Response[] = [];
    const contents = `/v1/spaces/${space._id}/content`;
    for (let n = 0; refused.length < ENOUGH; n += 1) {
      // it does not get smaller by being compressed
      const markdown = `${randomBytes(2 ** (n % 15)).toString('base64')}\n`;
      const changes = [{ operation: 'insert_page', title: `Page ${n}`, document: { markdown } }];
      const page = await app.as(user).post(contents).send({ changes });
      const body = `Said ${randomBytes(6).toString('hex')}`;
      const comment = await app
        .as(user)
        .post(`/v1/spaces/${space._id}/comments`)
        .send({ body: { markdown: body } });
      if (page.status === 200) {
        const [change] = (page.body as { changes: { page: { id: string } }[] }).changes;
        known.pages.set(change?.page.id ?? '', markdown);
      }
      if (comment.status === 200) known.comments.push(body);
      refused.push(...[page, comment].filter(({ status }) => status >= 400));
    }
    return refused;
  }

  async function expectStored(user: TestUser, space: TestSpace, { pages, comments }: Acknowledged): Promise<void> {
    const contents = `/v1/spaces/${space._id}/content`;
    const { body } = await app.as(user).get(`${contents}/pages`).expect(200);
    const stored = (body as { pages: { id: string }[] }).pages.map(({ id }) => id);
    expect(stored.sort()).toEqual([...pages.keys()].sort());
    for (const [id, markdown] of pages) {
      const page = await app.as(user).get(`${contents}/page/${id}?format=markdown`).expect(200);
      expect(page.body).toMatchObject({ markdown });
    }
    const said: string[] = [];
    for (let next = ''; ;) {
      const list = await app
        .as(user)
        .get(`/v1/spaces/${space._id}/comments?format=markdown&limit=100${next}`)
        .expect(200);
      const answer = list.body as { items: { body: { markdown: string } }[]; next?: { page: string } };
      said.push(...answer.items.map((item) => item.body.markdown.trim()));
      if (!answer.next) break;
      next = `&page=${encodeURIComponent(answer.next.page)}`;
    }
    expect(said.sort()).toEqual([...comments].sort());
  }

  const TRANSIENT = ['TransientTransactionError'];
  const UNKNOWN = ['UnknownTransactionCommitResult'];
  const CONFLICT = [409, undefined, 'Others kept writing to the same place at the same moment; try again'];
  const AWAY = [503, '2', 'The database cannot be reached just now; try again in a moment'];

  it('what it was asked for is asked again, not for ever, and nothing is done twice', async () => {
    const space = await app.create.space();
    const client = await new MongoClient(engine.uri).connect();
    const fail = (mode: object | string, data: object) =>
      client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
    const insert = (title: string, { _id, admin }: TestSpace = space) =>
      app
        .as(admin)
        .post(`/v1/spaces/${_id}/content`)
        .send({ changes: [{ operation: 'insert_page', title, document: {} }] });

    await fail({ times: 3 }, { failCommands: ['update', 'findAndModify'], errorCode: 24, errorLabels: TRANSIENT });
    await insert('Broken off').expect(200);
    await fail({ times: 3 }, { failCommands: ['commitTransaction'], errorCode: 64, errorLabels: UNKNOWN });
    await insert('Unknown').expect(200);
    for (const [command, data, expected] of [
      ['update', { errorCode: 112, errorLabels: TRANSIENT }, CONFLICT],
      ['update', { errorCode: 24, errorLabels: TRANSIENT }, AWAY],
      ['commitTransaction', { errorCode: 64, errorLabels: UNKNOWN }, AWAY],
      ['commitTransaction', { closeConnection: true }, AWAY],
    ] as const) {
      // what is never told to end holds its space for a minute
      const other = await app.create.space();
      await fail('alwaysOn', { failCommands: [command], ...data });
      const { status, headers, body } = await insert('Never', other);
      await fail('off', {});
      expect([status, headers['retry-after'], (body as { error: { message: string } }).error.message]).toEqual(
        expected,
      );
    }
    await insert('After').expect(200);
    const { body } = await app.as(space.admin).get(`/v1/spaces/${space._id}/content/pages`).expect(200);
    expect((body as { pages: { title: string }[] }).pages.map(({ title }) => title)).toEqual([
      'Broken off',
      'Unknown',
      'After',
    ]);
    await client.close();
  });

  it.each(Array.from({ length: ROUNDS }, (_, n) => n + 1))(
    'what it has no room for serves the rest, and goes on where there is more (%i)',
    async () => {
      const space = await app.create.space();
      const { admin: user } = space;
      const session = await app.create.user({ email: 'ann@example.org', password: 'a-password-for-tests' });
      const known: Acknowledged = { pages: new Map(), comments: [] };
      const refused = await Promise.all(Array.from({ length: WRITERS }, () => fill(user, space, known)));
      expect(refused.flat().map(told)).toEqual(refused.flat().map(() => FULL));
      expect(known.pages.size).toBeGreaterThan(WRITERS);

      // reading goes on, and what only takes away
      await expectStored(user, space, known);
      await app.as(user).get(`/v1/spaces/${space._id}/search?query=page`).expect(200);
      await app.anonymous().get('/health/ready').expect(200);
      await app
        .as(session)
        .delete(`/v1/user/tokens/${(await tokensOf(session))[0] ?? ''}`)
        .expect(205);
      expect(await problems()).toEqual([]);

      const { port } = engine;
      await engine.stop();
      engine = await startEngine({ path, port, durability: 'none', mapSizeLimit: ROOM.later });
      const page = { operation: 'insert_page', title: 'At last', document: { markdown: `${'x'.repeat(100_000)}\n` } };
      const insert = () =>
        app
          .as(user)
          .post(`/v1/spaces/${space._id}/content`)
          .send({ changes: [page] });
      let last = await insert();
      await until('it is written', async () => last.status === 200 || (last = await insert()).status === 200);
      const [change] = (last.body as { changes: { page: { id: string } }[] }).changes;
      known.pages.set(change?.page.id ?? '', page.document.markdown);
      await expectStored(user, space, known);
    },
  );

  /** What `doctor` would find. */
  async function problems(): Promise<Problem[]> {
    const found: Problem[] = [];
    for (const [, invariant] of app.nest.get(Invariants, { strict: false }).entries()) {
      for await (const problem of invariant()) found.push(problem);
    }
    return found;
  }

  async function tokensOf(user: TestUser): Promise<string[]> {
    const { body } = await app.as(user).get('/v1/user/tokens').expect(200);
    return (body as { items: { id: string }[] }).items.map(({ id }) => id);
  }
});
