import { Agent } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { DescribedAnswers, type Description } from './support/described-answers.js';
import { fuzzOperations, FuzzRequests } from './support/fuzz/requests.js';
import { type Outcome, Rounds } from './support/fuzz/rounds.js';
import { MARK } from './support/fuzz/texts.js';
import { startWebServer, type WebServer } from './support/web-server.js';

/** What the service may hold on to after all of it, in bytes. */
const KEPT = 250 * 1024 * 1024;
/** The share of operations that no request has to succeed with: what is fetched from elsewhere, or is in no such state. */
const UNREACHED = cases(0.25, 0.05);

let app: TestApp;
let trap: WebServer;
let agent: Agent;

beforeAll(async () => {
  trap = await startWebServer({});
  app = await startApp();
  agent = new Agent({ keepAlive: true });
});
afterAll(async () => {
  agent.destroy();
  await app.close();
  await trap.close();
});

/** Requests of all operations: 4 of each, or 1,000. */
async function fuzz(): Promise<Outcome> {
  const description = (await app.anonymous().get('/openapi.json').expect(200)).body as Description;
  const operations = fuzzOperations(description.paths);
  const requests = new FuzzRequests(description.components.schemas);
  const rounds = new Rounds({ app, agent, trap }, requests, new DescribedAnswers(description));
  return rounds.run(operations, {
    requests: cases(4, 100),
    rounds: cases(1, 10),
    restored: cases(0, 2),
    fresh: cases(60, 20),
    lanes: 4,
  });
}

/** Bytes that are in use, without what is only not yet given back. */
function used(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('answers whatever is sent as it is described, and does nothing else', async () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const before = used();
  const { mistakes, statuses } = await fuzz();
  expect(mistakes).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
  expect(MARK in globalThis).toBe(false);
  expect(trap.requests).toEqual([]);
  expect(used() - before).toBeLessThan(KEPT);
  const unreached = [...statuses].filter(([, answers]) => ![...answers.keys()].some((status) => status < 400));
  expect(unreached.length).toBeLessThan(statuses.size * UNREACHED);
});
