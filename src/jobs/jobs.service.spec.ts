import { setTimeout as wait } from 'node:timers/promises';
import { getConnectionToken } from '@nestjs/mongoose';
import type { TestingModule } from '@nestjs/testing';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type JobHandler, Jobs, JobsModule } from './index.js';
import { until } from '../../test/support/until.js';

/** Fast enough for a test, ms. */
const POLL = 20;
/** After so long a process takes over the locks of others that say nothing, ms: where that is tried, and where it must not happen. */
const LOCK = { soon: 600, later: 3000, never: 600_000 };

let test: TestDatabase;
let names = 0;
const processes: TestingModule[] = [];

beforeAll(async () => {
  test = await startTestDatabase();
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.get(Jobs).onModuleDestroy();
});
afterAll(() => test.stop());

const newName = (): string => `job${++names}`;

/** A process in which `name` does `handler` every `interval` ms. */
async function processWith(name: string, interval: number, handler: JobHandler): Promise<Jobs> {
  const app = await test.boot(JobsModule);
  processes.push(app);
  const jobs = app.get(Jobs);
  jobs.every(name, interval, handler);
  return jobs;
}

const start = (jobs: Jobs, lock: keyof typeof LOCK = 'never'): Promise<void> =>
  jobs.start({ poll: POLL, lock: LOCK[lock] });

async function recordOf(name: string) {
  const connection = processes[0]?.get<Connection>(getConnectionToken());
  return connection?.collection('jobs').findOne<{ lockedAt: Date | null; nextRunAt: Date }>({ name });
}

/** A promise, and what resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('jobs', () => {
  it('do not run before they are started, then at once, and again after the interval', async () => {
    let runs = 0;
    const jobs = await processWith(newName(), 100, () => {
      runs++;
      return Promise.resolve();
    });
    await wait(60);
    expect(runs).toBe(0);
    await start(jobs);
    await until('runs >= 3', () => runs >= 3);
  });

  it('run in one of several processes at a time', async () => {
    const name = newName();
    let [runs, now, most] = [0, 0, 0];
    const handler = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await wait(15);
      now--;
      runs++;
    };
    const all = [];
    for (let index = 0; index < 3; index++) all.push(await processWith(name, 10, handler));
    await Promise.all(all.map((jobs) => start(jobs)));
    await until('runs >= 8', () => runs >= 8);
    expect(most).toBe(1);
  });

  it('stay with whoever runs them when another process starts', async () => {
    const name = newName();
    const { opened, open } = gate();
    let runs = 0;
    const handler = (): Promise<void> => {
      runs++;
      return opened;
    };
    await start(await processWith(name, 10, handler));
    await until('runs === 1', () => runs === 1);
    await start(await processWith(name, 10, handler));
    await wait(200);
    expect(runs).toBe(1);
    open();
  });

  it('go on for as long as they say so', async () => {
    const name = newName();
    const { opened, open } = gate();
    let runs = 0;
    const handler: JobHandler = async ({ touch }) => {
      runs++;
      for (let turn = 0; turn < 15; turn++) {
        await wait(LOCK.later / 10);
        await touch();
      }
      open();
    };
    await start(await processWith(name, 10, handler), 'later');
    await start(await processWith(name, 10, handler), 'later');
    await opened;
    expect(runs).toBe(1);
  });

  it('are taken over from a process that says nothing, which is told and can do no harm any more', async () => {
    const name = newName();
    const late = gate();
    const seen: string[] = [];
    const lost = gate();
    await start(
      await processWith(name, 10, async ({ touch, signal }) => {
        seen.push('first');
        await late.opened;
        await touch().catch(() => seen.push(`first lost it, ${signal.aborted ? 'told' : 'not told'}`));
        lost.open();
      }),
    );
    await until('seen.length === 1', () => seen.length === 1);
    const other = gate();
    await start(
      await processWith(name, 10, () => {
        seen.push('second');
        return other.opened;
      }),
      'soon',
    );
    await until('seen.length === 2', () => seen.length === 2);
    const { lockedAt } = (await recordOf(name)) ?? {};
    late.open();
    await lost.opened;
    await wait(60);
    expect(seen).toEqual(['first', 'second', 'first lost it, told']);
    expect((await recordOf(name))?.lockedAt).toEqual(lockedAt);
    other.open();
  });

  it('run once more when somebody asks for it during a run', async () => {
    const name = newName();
    const { opened, open } = gate();
    let runs = 0;
    const jobs = await processWith(name, 60_000, () => {
      runs++;
      return runs === 1 ? opened : Promise.resolve();
    });
    await start(jobs);
    await until('runs === 1', () => runs === 1);
    await jobs.now(name);
    open();
    await until('runs === 2', () => runs === 2);
    await wait(100);
    expect(runs).toBe(2);
  });

  it('are reported, and run again after they failed', async () => {
    const name = newName();
    let runs = 0;
    const jobs = await processWith(name, 20, () => {
      runs++;
      return runs === 1 ? Promise.reject(new Error('not this time')) : Promise.resolve();
    });
    const reports: unknown[] = [];
    jobs.observe(({ name: job, failed }) => reports.push([job, failed]));
    await start(jobs);
    await until('reports.length >= 2', () => reports.length >= 2);
    expect(reports.slice(0, 2)).toEqual([
      [name, true],
      [name, false],
    ]);
  });

  it('are asked to stop with the service, waited for, and free at once', async () => {
    const name = newName();
    const seen: string[] = [];
    const jobs = await processWith(name, 60_000, async ({ signal }) => {
      seen.push('begun');
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      await wait(50);
      seen.push('ended');
    });
    await start(jobs);
    await until('seen.length === 1', () => seen.length === 1);
    expect(jobs.names()).toEqual({ all: [name], running: [name] });
    await jobs.onModuleDestroy();
    expect(seen).toEqual(['begun', 'ended']);
    expect(jobs.names().running).toEqual([]);
    expect((await recordOf(name))?.lockedAt).toBeNull();
  });
});
