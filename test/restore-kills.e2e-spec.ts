import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { callerOf } from '../scripts/service.mjs';
import { cases } from './support/cases.js';
import { Processes } from './support/processes.js';
import { until } from './support/until.js';

/** How often a restoration is killed, each in a database of its own. */
const ROUNDS = cases(1, 50);
const MOST = 10;
const PATIENCE = cases(5, 30) * 60_000;
/** Requests that fill what is backed up, and pages that each makes. */
const FILLED = { requests: 12, pages: 50 };

const PARTLY = 'in part only: wait for it, or run "restore" again';
const WELL = /^(ok {5}.+\n){12,}All is well\.\n$/;
const RESTORED = /^Restored \d+ records of (?:.+\n)+Run "doctor" before you start the service\.\n$/;

const processes = new Processes();
afterEach(() => processes.clear());

/** What the service at `url` answers about the space of the administrator, without its address. */
async function answersAt(url: string): Promise<unknown> {
  const call = callerOf(url);
  const { items } = await call('GET', '/v1/orgs');
  const spaces = await call('GET', `/v1/orgs/${(items as { id: string }[])[0]?.id ?? ''}/spaces`);
  const space = (spaces.items as { id: string }[])[0]?.id ?? '';
  const about = ['', '/content', '/content/pages', '/search?query=word7', '/change-requests'];
  const answers = await Promise.all(about.map((path) => call('GET', `/v1/spaces/${space}${path}`)));
  const text = JSON.stringify([items, spaces, ...answers]);
  // what stands behind the content key of a document depends on the address too
  return JSON.parse(text.replaceAll(url, 'http://books.test').replaceAll(/("documentId":"[\w-]{43})[\w-]+/g, '$1'));
}

/** What a service on `data` answers, as {@link answersAt}. */
async function answersOn(data: string): Promise<unknown> {
  const { url, stop } = await processes.ready(data);
  const answers = await answersAt(url);
  await stop();
  return answers;
}

/** Resolves when a process has opened the database in `data`. */
const opened = (data: string): Promise<void> =>
  until('the database is open', () => existsSync(join(data, 'database', 'engine.json')));

/** Fills a service on `data`, and backs it up to `file`; resolves to what it answers. */
async function prepare(data: string, file: string): Promise<unknown> {
  const { url, stop } = await processes.ready(data);
  const call = callerOf(url);
  const { items } = await call('GET', '/v1/orgs');
  const { id } = await call('POST', `/v1/orgs/${(items as { id: string }[])[0]?.id ?? ''}/spaces`, { title: 'Book' });
  for (let request = 0; request < FILLED.requests; request += 1) {
    const changes = Array.from({ length: FILLED.pages }, (_, n) => ({
      operation: 'insert_page',
      document: { markdown: `# Page ${String(request)} ${String(n)}\n\n${`A word${String(n)} and more. `.repeat(40)}` },
    }));
    await call('POST', `/v1/spaces/${String(id)}/content`, { changes });
  }
  const answers = await answersAt(url);
  await stop();
  expect((await processes.command(data, ['backup', file])).code).toBe(0);
  return answers;
}

describe('a restoration that is killed', () => {
  it(
    'is begun anew, and nothing works with what it left',
    async () => {
      const [home, whole] = [await processes.folder(), await processes.folder()];
      const file = join(home, 'all.backup');
      const wanted = await prepare(home, file);

      const restoring = processes.begin(whole, ['restore', file]);
      await opened(whole);
      const began = performance.now();
      expect(await restoring.ended).toMatchObject({ code: 0, stderr: '' });
      const long = performance.now() - began;

      const partly: boolean[] = [];
      // on a busy machine a share may come before the records, or after them: so long as none has come between, there are more
      for (let round = 0; round < ROUNDS || (!partly.includes(true) && round < MOST); round += 1) {
        const data = await processes.folder();
        const { kill, ended } = processes.begin(data, ['restore', file]);
        await opened(data);
        await wait(long * (round < ROUNDS ? ((round + 1) / (ROUNDS + 1)) ** 0.5 : Math.random()));
        kill('SIGKILL');
        const killed = await ended;
        // a command that makes no database says whether what is there is whole
        const asked = await processes.command(data, ['token', 'list', 'admin@example.org']);
        partly.push(asked.stderr.includes(PARTLY));
        if (asked.stderr.includes(PARTLY)) {
          expect(asked).toMatchObject({ code: 1, stdout: '' });
          const refused = await processes.serve(data).ended;
          expect(refused.code).toBe(1);
          expect(refused.stdout + refused.stderr).toContain(PARTLY);
        }
        const again = await processes.command(data, ['restore', file]);
        if (asked.code === 0) {
          // it had come to its end; nobody could know
          expect(again).toMatchObject({
            code: 1,
            stderr: expect.stringContaining('The database is not empty') as string,
          });
        } else {
          expect(killed.code).toBeNull();
          expect(again).toEqual({ code: 0, stdout: expect.stringMatching(RESTORED) as string, stderr: '' });
        }
        expect(await processes.command(data, ['doctor'])).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(WELL) as string,
        });
        expect(await answersOn(data)).toEqual(wanted);
      }
      expect(partly).toContain(true);
    },
    PATIENCE,
  );
});
