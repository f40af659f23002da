import { setTimeout as wait } from 'node:timers/promises';
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
const SCENE = 40;
const WRITERS = 4;
/** How many requests are acknowledged before a kill, at the most. */
const BURST = 60;
/** Over how long the kills are spread after the last of them, ms: about as long as a request takes. */
const SPREAD = 30;
/** How often `doctor` looks at everything, in kills. */
const EXAMINED = 10;
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

  /** Kills it, once or several times before it is ready again, and starts it. */
  async function killAndStart(): Promise<void> {
    service.kill('SIGKILL');
    await service.ended;
    // sometimes also while it recovers
    while (Math.random() < 0.3) {
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

  async function examine(): Promise<void> {
    expect((await runCommand(folder, ['doctor'])).stdout).toMatch(/\nAll is well\.\n$/);
  }

  async function expectAll(writers: readonly Writer[]): Promise<void> {
    for (const writer of writers) {
      writer.turnTo(service.url, KILLS);
      await writer.expectWholeTrail();
      expect(await writer.lost(true)).toEqual([]);
      // what a killed process was at goes on after a minute: too long for every run
      if (KILLS >= SCENE) await waitForSpecs(writer.world);
    }
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
          await expectAll(writers);
          const together = { operations, counts, foreign: foreign.url };
          writers = Array.from({ length: WRITERS }, () => new Writer(together));
          all.push(...writers);
          for (const writer of writers) {
            writer.turnTo(service.url, n);
            await writer.begin();
          }
        }
        await round(writers, n);
        if (n % EXAMINED === EXAMINED - 1) await examine();
      }
      await expectAll(all);
      await examine();

      const never = [...operations.keys()].filter((operation) => !counts.has(operation));
      const slowest = Math.max(...starts);
      process.stdout.write(
        `${String(KILLS)} kills, ${String(starts.length)} starts of at most ${String(slowest)} ms: ` +
          `${String(acknowledged())} acknowledged requests of ${String(counts.size)} of ${String(operations.size)} operations; ` +
          `not answered: ${JSON.stringify(outcome)}; never acknowledged: ${never.join(', ') || 'none'}\n`,
      );
      expect(acknowledged()).toBeGreaterThan(KILLS * WRITERS);
      expect(slowest).toBeLessThan(PATIENCE);
      if (KILLS > SCENE) expect(never).toEqual([]);
    },
    60_000 + KILLS * 60_000,
  );
});
