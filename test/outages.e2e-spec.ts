import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mongoose';
import { callerOf } from '../scripts/service.mjs';
import { cases } from './support/cases.js';
import { runCommand } from './support/command-line.js';
import { Load, type Outcome, send } from './support/load.js';
import { Processes } from './support/processes.js';
import { TcpProxy } from './support/tcp-proxy.js';
import { until } from './support/until.js';
import { letLeasesEnd, WebhookReceiver } from './support/webhook-receiver.js';

const THOROUGH = process.env.COLOPHON_THOROUGH === '1';
/** Within that many ms every request is answered, whatever the database does; a busy machine is given as much again. */
const BOUND = 2 * 20_000;
/** How long a query is under way on a road that is slow, and on one on which the service gives the database up, ms. */
const SLOW = 2600;
const TOO_SLOW = 10_000;
/** Longest that a test may take, ms. */
const PATIENCE = 600_000;

/** What the database is met by, one after the other. */
const OUTAGES: NodeJS.Signals[] = Array.from({ length: cases(1, 5) }).flatMap(() => [
  'SIGKILL',
  'SIGSTOP',
  ...(THOROUGH ? (['SIGTERM'] as const) : []),
]);

const AWAY = { error: { code: 503, message: 'The database cannot be reached just now; try again in a moment' } };

const processes = new Processes();
afterEach(() => processes.clear());

/** A service on the database at `uri`, with an organization, a space and callers. */
async function serviceOn(uri: string, environment: Record<string, string> = {}) {
  const address = new URL(uri);
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`;
  const settings = { MONGODB_URI: address.href, SECRET_KEY: 'a key for tests that is long enough', ...environment };
  const folder = await processes.folder();
  const service = await processes.ready(folder, settings);
  const call = callerOf(service.url);
  const [organization] = (await call('GET', '/v1/orgs')).items as { id: string }[];
  const root = `/v1/orgs/${organization?.id ?? ''}`;
  const { id: space } = (await call('POST', `${root}/spaces`, {})) as { id: string };
  return {
    ...service,
    call,
    root,
    space,
    database: address.pathname.slice(1),
    get: (path: string) => send(['GET', service.url + path]),
    edit: (title: string) =>
      send([
        'POST',
        `${service.url}/v1/spaces/${space}/content`,
        { changes: [{ operation: 'insert_page', title, document: { markdown: title } }] },
      ]),
    doctor: () => runCommand(folder, ['doctor'], settings),
  };
}

type Service = Awaited<ReturnType<typeof serviceOn>>;

const parsed = ({ status, headers, body }: Outcome) => [status, headers['retry-after'], JSON.parse(body) as unknown];
const slowest = (outcomes: readonly Outcome[]) => Math.max(...outcomes.map(({ ms }) => ms));

async function expectAway({ get, edit }: Service): Promise<void> {
  await until('it is ready no more', async () => (await get('/health/ready')).status === 503);
  const outcomes = await Promise.all([get('/v1/user'), get('/v1/orgs'), edit('Lost'), get('/health/live')]);
  expect(outcomes.slice(0, 3).map(parsed)).toEqual(Array.from({ length: 3 }, () => [503, '2', AWAY]));
  expect(outcomes[3]).toMatchObject({ status: 200 });
  expect(slowest(outcomes)).toBeLessThan(BOUND);
}

/** Everything of `load` was answered, in time, with success or 503; what was acknowledged is stored, and nothing twice. */
async function expectWhole(load: Load): Promise<void> {
  expect(load.failures(503)).toEqual([]);
  expect(load.failures().map(parsed)).toEqual(load.failures().map(() => [503, '2', AWAY]));
  expect(slowest(load.outcomes)).toBeLessThan(BOUND);
  const stored = await load.stored();
  expect(new Set(stored).size).toBe(stored.length);
  expect(load.acknowledged.filter((title) => !stored.includes(title))).toEqual([]);
}

describe('a database that goes away and comes back', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.close());

  it(
    `is waited for, and nothing is lost, where it meets ${OUTAGES.join(', ')}`,
    async () => {
      const folder = await processes.folder();
      let engine = await processes.database(folder);
      const { uri } = engine;
      const service = await serviceOn(uri, { OUTBOUND_ALLOW: '127.0.0.1' });
      const { call, root, get, edit } = service;
      await call('POST', `${root}/webhooks`, { url: receiver.url, events: ['content.updated'] });
      for (const [round, signal] of OUTAGES.entries()) {
        const load = new Load(service.url, service.space, `${signal} ${round}`);
        await load.succeeds(30);
        engine.kill(signal);
        await expectAway(service);
        const arrived = receiver.arrivals.length;
        if (signal === 'SIGSTOP') engine.kill('SIGCONT');
        else {
          await engine.ended;
          engine = await processes.database(folder, { DATABASE_PORT: new URL(uri).port });
        }
        const back = Date.now();
        await until('it is ready', async () => (await get('/health/ready')).status === 200);
        await load.succeeds(30);
        expect(Date.now() - back).toBeLessThan(BOUND);
        await load.stop();
        await expectWhole(load);
        // what does not wait for requests goes on too
        expect(await edit(`After ${round}`)).toMatchObject({ status: 200 });
        await letLeasesEndOn(uri, service.database);
        await until('something is delivered again', () => receiver.arrivals.length > arrived);
        await expectJobs(uri, service);
      }
      expect((await service.doctor()).stdout).toMatch(/\nAll is well\.\n$/);
      expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
      await engine.stop();
    },
    PATIENCE,
  );

  /** Lets the time go by after which what a process held of deliveries when the database went away is free again. */
  async function letLeasesEndOn(uri: string, database: string): Promise<void> {
    const connection = await createConnection(uri, { dbName: database }).asPromise();
    await letLeasesEnd(connection);
    await connection.close();
  }

  /** Jobs that are due run. */
  async function expectJobs(uri: string, { database, url }: Service): Promise<void> {
    const now = Date.now() / 1000;
    const client = await new MongoClient(uri).connect();
    const jobs = client.db(database).collection('jobs');
    await jobs.updateMany({}, { $set: { nextRunAt: new Date(), lockedAt: null } });
    await client.close();
    const last = async (): Promise<number> => {
      const metrics = await send(['GET', `${url}/metrics`]);
      return Number(/job_last_success_timestamp_seconds\{job="index-content"\} (\S+)/.exec(metrics.body)?.[1] ?? 0);
    };
    await until('a job runs again', async () => (await last()) > now);
  }
});

describe('a database at the end of a bad road', () => {
  it(
    'is waited for no longer than it may take, and is used again when the road is good',
    async () => {
      const { uri } = await processes.database(await processes.folder());
      const road = await TcpProxy.start(Number(new URL(uri).port));
      const service = await serviceOn(`mongodb://${road.address}/?directConnection=true`);
      const { get, edit, url, space } = service;
      const statusOf = async (path: string) => (await get(path)).status;
      const ready = () => until('it is ready', async () => (await statusOf('/health/ready')) === 200);
      /** A load that goes on while `work` makes the road bad and good again. */
      const during = async (name: string, work: () => Promise<void>): Promise<void> => {
        const load = new Load(url, space, name);
        await load.succeeds(10);
        await work();
        road.delay = 0;
        road.swallows = false;
        await ready();
        await load.succeeds(10);
        await load.stop();
        await expectWhole(load);
      };

      // slow, and slow enough that others should be asked: still answered
      road.delay = SLOW / 2;
      expect(await statusOf('/v1/user')).toBe(200);
      await until('it is ready no more', async () => (await statusOf('/health/ready')) === 503);
      expect(await statusOf('/health/live')).toBe(200);
      road.delay = 0;
      await ready();
      expect(await edit('After it was slow')).toMatchObject({ status: 200 });

      await during('Nothing comes through', () => {
        road.swallows = true;
        road.loseConnections();
        return expectAway(service);
      });
      if (THOROUGH) {
        await during('Too slow', () => {
          road.delay = TOO_SLOW / 2;
          return expectAway(service);
        });
        // others are opened in their place: what does not succeed at once does so again
        await during('Connections are lost', async () => {
          road.loseConnections();
          expect(await statusOf('/v1/user')).toBe(200);
        });
      }
      expect((await service.doctor()).stdout).toMatch(/\nAll is well\.\n$/);
      expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
      await road.close();
    },
    PATIENCE,
  );
});
