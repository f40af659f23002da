import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { callerOf, TOKEN } from '../scripts/service.mjs';
import { Processes } from './support/processes.js';
import { list, logOf, PATIENCE } from './support/services.js';
import { until } from './support/until.js';

const processes = new Processes();
afterEach(() => processes.clear());

describe('SIGTERM', () => {
  /** How long readiness fails first, in ms: long enough that a busy machine can be seen doing so. */
  const SHUTDOWN_DELAY = '5000';
  /** Within that many ms, and that delay, a process ends that waits neither for what is kept open nor for what comes late. */
  const NOT_KEPT = 15_000;

  /** A request whose body is sent by half; the rest goes with `end`. */
  const halfSent = (url: string, path: string, body: string) => {
    const headers = {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const half = Math.floor(body.length / 2);
    const sent: ClientRequest = request(url + path, { method: 'POST', headers });
    // nobody waits for it until its second half is sent: a failure is an answer to compare, not a rejection without a handler
    const status = new Promise<number | string | undefined>((resolve) => {
      sent
        .once('error', ({ message }) => {
          resolve(message);
        })
        .once('response', (response: IncomingMessage) => {
          response.resume();
          resolve(response.statusCode);
        });
    });
    sent.write(body.slice(0, half));
    return { status, finish: () => sent.end(body.slice(half)) };
  };

  it(
    'lets requests in flight be answered, takes no new ones, and loses nothing',
    async () => {
      const data = await processes.folder();
      const { url, kill, ended } = await processes.ready(data, { LOG_LEVEL: 'info', SHUTDOWN_DELAY });
      const call = callerOf(url);
      const [organization] = (await list(url, TOKEN, '/v1/orgs')).items;
      const { id } = await call('POST', `/v1/orgs/${organization?.id ?? ''}/spaces`, {});
      const path = `/v1/spaces/${String(id)}/content`;
      const edit = (title: string) => ({
        changes: [{ operation: 'insert_page', title, document: { markdown: title } }],
      });

      const slow = Array.from({ length: 5 }, (_, n) => halfSent(url, path, JSON.stringify(edit(`Slow ${n}`))));
      const many = Array.from({ length: 30 }, (_, n) => call('POST', path, edit(`Quick ${n}`)));
      // by then all of them have arrived
      await Promise.any(many);
      kill('SIGTERM');
      await until('it is ready no more', async () => (await fetch(`${url}/health/ready`)).status === 503);
      // npm passes on what its process group was told already
      kill('SIGTERM');
      const ready = await fetch(`${url}/health/ready`);
      expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([
        503,
        '2',
        { error: { code: 503, message: 'The service is shutting down' } },
      ]);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await Promise.all(many);

      const isOpen = () =>
        fetch(`${url}/health/live`).then(
          () => true,
          () => false,
        );
      await until('the port is closed', async () => !(await isOpen()));
      await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
      const finished = performance.now();
      slow.forEach(({ finish }) => finish());
      expect(await Promise.all(slow.map(({ status }) => status))).toEqual([200, 200, 200, 200, 200]);
      const { code, stderr, stdout } = await ended;
      expect([code, stderr]).toEqual([0, '']);
      // the connections are not kept open for further requests
      expect(performance.now() - finished).toBeLessThan(NOT_KEPT);
      const faults = logOf(stdout).filter((line) => /"level":"(error|fatal|warn)"/.test(line));
      // that it is not ready is told as a fault; nothing else went wrong
      expect(faults.filter((line) => !line.includes('"route":"/health/ready"'))).toEqual([]);

      const again = await processes.ready(data);
      const { pages } = await callerOf(again.url)('GET', `${path}/pages`);
      const wanted = [...slow.map((_, n) => `Slow ${n}`), ...many.map((_, n) => `Quick ${n}`)];
      expect((pages as { title: string }[]).map(({ title }) => title).sort()).toEqual(wanted.sort());
    },
    PATIENCE,
  );

  it('tells clients that keep asking over the same connections to look elsewhere', async () => {
    const { url, kill, ended } = await processes.ready(await processes.folder(), { SHUTDOWN_DELAY });
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${TOKEN}` };
        request(`${url}/v1/user`, { agent, headers }, (response) => {
          response.resume().once('end', () => {
            resolve(response);
          });
        })
          .once('error', reject)
          .end();
      });
    const answers = [0, 0, 0, 0];
    /** Asks until it is told to go elsewhere; the last status and what the connection was to become then. */
    const askUntilTold = async (_: number, client: number) => {
      for (;;) {
        const { statusCode, headers } = await ask();
        answers[client] = (answers[client] ?? 0) + 1;
        if (statusCode !== 200 || headers.connection === 'close') return [statusCode, headers.connection];
      }
    };
    const clients = Promise.allSettled(answers.map(askUntilTold));
    await until('all have been answered', () => Math.min(...answers) > 0);
    kill('SIGTERM');
    const told = answers.map(() => ({ status: 'fulfilled', value: [200, 'close'] }));
    expect(await clients).toEqual(told);
    const last = performance.now();
    expect((await ended).code).toBe(0);
    expect(performance.now() - last).toBeLessThan(NOT_KEPT);
    agent.destroy();
  });
});
