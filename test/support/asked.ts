import { ACCESS } from './access-table.js';
import type { TestApp } from './app.js';
import type { TestUser } from './factories.js';
import { operationsOf, pathOf, targetsOf, type Things } from './things.js';

/** A question, and the answer to it. */
export interface Asked {
  name: string;
  path: string;
  query?: object;
  answer: unknown[];
}

/** Answers that are of a process, or of the moment: webhooks try again, addresses are signed for an hour. */
const OF_THE_MOMENT = /^(getMetrics|getLiveness|getReadiness|\w*Webhook\w*|get\w*PDF)$/;

/** What the service answers to `user`, to every question of the things `at`. */
export async function answersOf(app: TestApp, at: Things, user: TestUser): Promise<Asked[]> {
  const reads = (await operationsOf(app)).filter(({ method, name }) => method === 'get' && !OF_THE_MOMENT.test(name));
  const known = reads.filter((operation) => targetsOf(operation).every((target) => target in at));
  const asked: Asked[] = [];
  for (const operation of known) {
    const { name } = operation;
    const path = pathOf(operation, at);
    const { query } = ACCESS[name] ?? {};
    asked.push({ name, path, query, answer: await answerOf(app, user, path, query) });
  }
  return asked;
}

/** What the service answers to the questions now. */
export async function askAgain(app: TestApp, asked: readonly Asked[], user: TestUser): Promise<Asked[]> {
  const answered: Asked[] = [];
  for (const one of asked) answered.push({ ...one, answer: await answerOf(app, user, one.path, one.query) });
  return answered;
}

async function answerOf(app: TestApp, user: TestUser, path: string, query: object = {}): Promise<unknown[]> {
  const { status, type, text, headers } = await app.as(user).get(path).query(query);
  return [status, type, text, headers.etag];
}
