import { setTimeout as wait } from 'node:timers/promises';
import { createConnection } from 'mongoose';
import { callerOf } from '../scripts/service.mjs';
import { runningEngine } from '../src/database/index.js';
import { cases } from './support/cases.js';
import { runCommand } from './support/command-line.js';
import { waitForSpecs } from './support/kills/services.js';
import { type Called, OPERATIONS_CALLED, type Unanswered, Writer } from './support/kills/writer.js';
import { petstore } from './support/openapi.js';
import { Processes } from './support/processes.js';
import { until } from './support/until.js';
import { startWebServer, type WebServer } from './support/web-server.js';

/** How often the service is killed while it is written to. */
const KILLS = cases(2, 200);
/** After how many kills writers begin anew: what each has to remember stays small. */
const SCENE = 50;
const WRITERS = 4;
/** How many requests are acknowledged before a kill, at the most. */
const BURST = 60;
/** Over how long the kills are spread after the last of them, ms: about as long as a request takes. */
const SPREAD = 30;
/** How many more services are killed in their first start. */
const FIRST_STARTS = cases(0, 20);
/** Longest that a start may take after a kill, ms, on a busy machine. */
const PATIENCE = 60_000;
/** They read, though by POST. */
const READING = ['searchSiteContent', 'resolvePublishedContentByUrl'];
const ENVIRONMENT = { REGISTRATION: 'open', SIGN_IN_RATE_LIMIT: '0', OUTBOUND_ALLOW: '127.0.0.1' };

interface Description {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

/** Everything that is no GET, by name. */
function mutating({ paths }: Description): Map<string, Called> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method, { operationId }]) => method !== 'get' && !READING.includes(operationId))
        .map(([method, { operationId, responses }]): [string, Called] => {
          const success = Number(Object.keys(responses).find((status) => Number(status) < 300));
          return [operationId, { method: method.toUpperCase(), path, success }];
        }),
    ),
  );
}

/** Holds the records in `folder` against all that has to hold. */
async function expectWell(folder: string): Promise<void> {
  expect((await runCommand(folder, ['doctor'])).stdout).toMatch(/\nAll is well\.\n$/);
}

/** Whether the administrator whom the environment names can use the service at `url`. */
async function expectAdministrator(url: string): Promise<void> {
  const { items } = (await callerOf(url)('GET', '/v1/orgs')) as { items: { title: string }[] };
  expect(items.map(({ title }) => title)).toEqual(['Books']);
}

/** Waits until the service that starts on `folder` has somebody in its database. */
async function personIn(folder: string): Promise<void> {
  let uri: string | undefined;
  await until('the engine runs', async () => Boolean((uri = await runningEngine(folder))));
  const connection = await createConnection(uri ?? '', { dbName: 'colophon' }).asPromise();
  await until('there is somebody', async () => (await connection.collection('users').findOne()) !== null);
  await connection.close();
}

describe('a service that is killed while anything is written', () => {
  const processes = new Processes();
  const outcome: Unanswered = { happened: 0, not: 0, unknown: 0 };
  const starts: number[] = [];
  let foreign: WebServer;
  let folder: string;
  let service: Awaited<ReturnType<Processes['ready']>>;
  let operations: Map<string, Called>;
  const counts = new Map<string, number>();

  beforeAll(async () => {
    foreign = await startWebServer({
      '/page.md': '# Found\n\nText.\n',
      '/spec.json': JSON.stringify(petstore()),
      // whoever is told so gives up at once
      '/hook': (_request, response) => void response.writeHead(410).end(),
    });
    folder = await processes.folder();
    await killInFirstStart(folder, true);
    await start();
    operations = mutating((await (await fetch(`${service.url}/openapi.json`)).json()) as Description);
  });
  afterAll(async () => {
    await processes.clear();
    await foreign.close();
  });

  const acknowledged = (): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

  async function start(): Promise<void> {
    const began = Date.now();
    service = await processes.ready(folder, ENVIRONMENT);
    starts.push(Date.now() - began);
  }

  /** Starts a service on an empty folder, and kills it as soon as there is somebody in its database, or at any moment. */
  async function killInFirstStart(own: string, atFirstSight: boolean): Promise<void> {
    const first = processes.serve(own, ENVIRONMENT);
    await (atFirstSight ? personIn(own) : wait(Math.random() * Math.min(...starts)));
    first.kill('SIGKILL');
    await first.ended;
  }

  /** Kills it, once or several times before it is ready again, and starts it. */
  async function killAndStart(): Promise<void> {
    service.kill('SIGKILL');
    await service.ended;
    // sometimes also while it recovers
    while (Math.random() < 0.2) {
      const short = processes.serve(folder, ENVIRONMENT);
      await wait(Math.random() * (starts.at(-1) ?? 0));
      short.kill('SIGKILL');
      await short.ended;
    }
    await start();
  }

  /** Has all writers write until it is killed at a moment of chance. */
  async function round(writers: readonly Writer[], n: number): Promise<void> {
    for (const writer of writers) writer.turnTo(service.url, n);
    let isKilled = false;
    const writing = Promise.all(writers.map((writer) => writer.write(() => isKilled)));
    const enough = acknowledged() + Math.random() * BURST;
    await Promise.race([until('requests are acknowledged', () => acknowledged() > enough), writing]);
    await wait(Math.random() * SPREAD);
    isKilled = true;
    await killAndStart();
    await writing;
    for (const writer of writers) writer.turnTo(service.url, n);
    await Promise.all(writers.map((writer) => writer.settle(outcome)));
    expect((await Promise.all(writers.map((writer) => writer.lost()))).flat()).toEqual([]);
  }

  /** New writers, each with an organization. */
  async function newWriters(n: number): Promise<Writer[]> {
    const writers = Array.from({ length: WRITERS }, () => new Writer({ operations, counts, foreign: foreign.url }));
    for (const writer of writers) {
      writer.turnTo(service.url, n);
      await writer.begin();
    }
    return writers;
  }

  async function expectAll(writers: readonly Writer[]): Promise<void> {
    for (const writer of writers) {
      writer.turnTo(service.url, KILLS);
      await writer.expectWholeTrail();
      expect(await writer.lost(true)).toEqual([]);
      // what a killed process was at goes on after a minute: too long for every run
      if (KILLS >= SCENE) await waitForSpecs(writer.world);
    }
    await expectWell(folder);
  }

  /** Says how far it has come: whoever lets it run for an hour wants to know. */
  function report(kills: number): void {
    process.stdout.write(
      `${String(kills)} kills, ${String(starts.length)} starts of at most ${String(Math.max(...starts))} ms: ` +
        `${String(acknowledged())} acknowledged requests of ${String(counts.size)} of ${String(operations.size)} ` +
        `operations; not answered: ${JSON.stringify(outcome)}\n`,
    );
  }

  it('is written to in every way there is', () => {
    expect([...OPERATIONS_CALLED].toSorted()).toEqual([...operations.keys()].toSorted());
  });

  it(
    `has all that it acknowledged, and the rest wholly or not at all, after ${String(KILLS)} kills`,
    async () => {
      const all: Writer[] = [];
      let writers: Writer[] = [];
      for (let n = 0; n < KILLS; n += 1) {
        if (n % SCENE === 0) {
          writers = await newWriters(n);
          all.push(...writers);
        }
        await round(writers, n);
        if ((n + 1) % SCENE !== 0) continue;
        await expectAll(writers);
        report(n + 1);
      }
      await expectAll(all);

      const never = [...operations.keys()].filter((operation) => !counts.has(operation));
      const slowest = Math.max(...starts);
      report(KILLS);
      expect(acknowledged()).toBeGreaterThan(KILLS * WRITERS);
      expect(slowest).toBeLessThan(PATIENCE);
      if (KILLS > SCENE) expect(never).toEqual([]);
    },
    60_000 + KILLS * 60_000,
  );

  it('can be used after a kill in its first start', async () => {
    await expectAdministrator(service.url);
    for (let n = 0; n < FIRST_STARTS; n += 1) {
      const own = await processes.folder();
      await killInFirstStart(own, n % 2 === 0);
      const running = await processes.ready(own);
      await expectAdministrator(running.url);
      await expectWell(own);
      await running.stop();
    }
  });
});
