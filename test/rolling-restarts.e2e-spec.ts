import { callerOf } from '../scripts/service.mjs';
import { Balancer } from './support/balancer.js';
import { cases } from './support/cases.js';
import { Load } from './support/load.js';
import { Processes, type Running } from './support/processes.js';
import { until } from './support/until.js';

/** How often a process is stopped and started again. */
const RESTARTS = cases(2, 20);
const PROCESSES = 3;
/** How long a process that was told to stop says that it is not ready, ms: many times what the balancer asks at, as the machine is busy. */
const SHUTDOWN_DELAY = '2000';

const processes = new Processes();
afterAll(() => processes.clear());

describe('processes behind a balancer, stopped and started again one after the other', () => {
  it(
    `fail no request in ${RESTARTS} restarts, and lose nothing`,
    async () => {
      const engine = await processes.database(await processes.folder());
      const data = await processes.folder();
      const start = (port = '0'): Promise<Running & { url: string }> =>
        processes.ready(data, {
          MONGODB_URI: engine.uri,
          SECRET_KEY: 'a key for tests that is long enough',
          SHUTDOWN_DELAY,
          PORT: port,
        });
      // the first makes the database ready
      const running = [await start()];
      running.push(...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => start()))));
      const balancer = await Balancer.start(running.map(({ url }) => url));
      const all = () => until('all are ready', () => balancer.ready === PROCESSES);
      await all();

      const call = callerOf(balancer.url);
      const [organization] = (await call('GET', '/v1/orgs')).items as { id: string }[];
      const { id: space } = await call('POST', `/v1/orgs/${organization?.id ?? ''}/spaces`, {});
      const load = new Load(balancer.url, String(space), 'Load');
      await load.succeeds(30);
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        const place = restart % PROCESSES;
        const one = running[place];
        expect(await one?.stop()).toMatchObject({ code: 0, stderr: '' });
        running[place] = await start(new URL(one?.url ?? '').port);
        await all();
        await load.succeeds(30);
      }
      await load.stop();

      expect(load.failures()).toEqual([]);
      const stored = await load.stored();
      expect(stored.sort()).toEqual(load.acknowledged.sort());
      await balancer.close();
      await Promise.all(running.map((one) => one.stop()));
    },
    (RESTARTS + 4) * 60_000,
  );
});
