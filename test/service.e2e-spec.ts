import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { callerOf, TOKEN } from '../scripts/service.mjs';
import { runCommand } from './support/command-line.js';
import { MIGRATED, Processes, UNPREPARED } from './support/processes.js';
import { list, logOf, PATIENCE, welcomeOf } from './support/services.js';

const KEY = 'a key for tests that is long enough to be one';

const processes = new Processes();
afterEach(() => processes.clear());

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
const spacesOf = async (url: string, token: string) => {
  const { items } = await list(url, token, '/v1/orgs');
  return (await list(url, token, `/v1/orgs/${items[0]?.id ?? ''}/spaces`)).items;
};

describe('the first start on an empty folder', () => {
  it(
    'makes a demonstration, says how to get in, and finds all of it again at the next start',
    async () => {
      const data = await processes.folder();
      const began = performance.now();
      const first = await processes.ready(data, UNPREPARED);
      expect(performance.now() - began).toBeLessThan(60_000);

      const [, token = '', guide = ''] = /Token to use it with {2}(\S+)\n {2}Demonstration space {3}(\S+)\n/.exec(
        first.written(),
      ) ?? ['', '', ''];
      expect(welcomeOf(first.written())).toEqual([
        `Colophon is ready   ${first.url}/v1`,
        `Explore the API     ${first.url}/docs`,
        `Token to use it with  ${token}`,
        `Demonstration space   ${guide}`,
      ]);
      const call = callerOf(first.url, token);
      expect(await call('GET', '/v1/user')).toMatchObject({ displayName: 'Ada Admin' });
      const spaces = await spacesOf(first.url, token);
      expect(spaces.map(({ title }) => title)).toEqual(['Scratchpad', 'Colophon guide']);
      expect(spaces[1]?.id).toBe(guide);
      expect(await call('GET', `/v1/spaces/${guide}/search?query=%22compare%20and%20set%22`)).not.toMatchObject({
        count: 0,
      });
      const docs = await fetch(`${first.url}/docs`);
      expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);

      const files = ['secret-key', 'demonstration-token'].map((name) => join(data, name));
      expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600']);
      const kept = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      expect(kept[1]).toBe(`${token}\n`);

      const change = { operation: 'insert_page', title: 'Kept', document: { markdown: 'To be kept.\n' } };
      const scratchpad = `/v1/spaces/${spaces[0]?.id ?? ''}/content`;
      await call('POST', scratchpad, { changes: [change] });
      const before = await call('GET', scratchpad);
      expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });

      const second = await processes.ready(data, UNPREPARED);
      expect(welcomeOf(second.written()).slice(2)).toEqual([`Token to use it with  ${token}`]);
      const after = await callerOf(second.url, token)('GET', scratchpad);
      expect({ ...after, urls: undefined, pages: undefined }).toEqual({ ...before, urls: undefined, pages: undefined });
      expect(after.pages).toMatchObject([{ title: 'Kept' }]);
      expect((await list(second.url, token, '/v1/orgs')).items).toHaveLength(1);
      expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(kept);
      second.kill('SIGINT');
      expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
    },
    PATIENCE,
  );

  it(
    'can be killed in the middle of it, and is made up for',
    async () => {
      let data = '';
      const has = (name: string) => existsSync(join(data, `demonstration-${name}`));
      // on a busy machine the middle may be over before it is seen: then another is tried
      for (let tries = 0; tries < 5 && (!has('unfinished') || has('token')); tries += 1) {
        data = await processes.folder();
        const { kill, ended, written } = processes.serve(data, UNPREPARED);
        while (!has('unfinished') && !written().includes('ready')) await wait(5);
        kill('SIGKILL');
        await ended;
      }
      expect([has('unfinished'), has('token')]).toEqual([true, false]);

      const service = await processes.ready(data, UNPREPARED);
      const token = /Token to use it with {2}(\S+)/.exec(service.written())?.[1] ?? '';
      expect((await spacesOf(service.url, token)).map(({ title }) => title)).toEqual(['Scratchpad', 'Colophon guide']);
      expect(has('unfinished')).toBe(false);
    },
    PATIENCE,
  );

  it(
    'makes the administrator that BOOTSTRAP_ variables name instead, once',
    async () => {
      const data = await processes.folder();
      const first = await processes.ready(data);
      expect(welcomeOf(first.written()).slice(2)).toEqual([
        'Administrator         admin@example.org',
        'Token                 the one in BOOTSTRAP_ADMIN_TOKEN',
      ]);
      const user = await callerOf(first.url)('GET', '/v1/user');
      expect(user).toMatchObject({ displayName: 'admin', email: 'admin@example.org' });
      const { items } = await list(first.url, TOKEN, '/v1/orgs');
      expect(items).toMatchObject([{ title: 'Books', permissions: { admin: true } }]);
      expect(await spacesOf(first.url, TOKEN)).toEqual([]);
      await first.stop();

      const later = { BOOTSTRAP_ADMIN_EMAIL: 'other@example.org', BOOTSTRAP_ADMIN_TOKEN: `other-${TOKEN}` };
      const second = await processes.ready(data, later);
      expect(welcomeOf(second.written())).toHaveLength(2);
      expect(await callerOf(second.url)('GET', '/v1/user')).toMatchObject({ id: user.id });
      expect((await list(second.url, TOKEN, '/v1/orgs')).items.map(({ id }) => id)).toEqual([items[0]?.id]);
      await expect(callerOf(second.url, `other-${TOKEN}`)('GET', '/v1/user')).rejects.toThrow('401');
    },
    PATIENCE,
  );

  it('prints the token that it made where none was given', async () => {
    const given = { BOOTSTRAP_ADMIN_TOKEN: '', BOOTSTRAP_ORGANIZATION: '' };
    const { url, written } = await processes.ready(await processes.folder(), given);
    const token = /^ {2}Token {17}(\S+)$/m.exec(written())?.[1] ?? '';
    expect((await list(url, token, '/v1/orgs')).items).toMatchObject([{ title: 'My organization' }]);
  });
});

describe('the log', () => {
  it(
    'is lines of JSON without tokens, passwords and bodies',
    async () => {
      const { url, written, stop } = await processes.ready(await processes.folder(), {
        ...UNPREPARED,
        LOG_LEVEL: 'trace',
        REGISTRATION: 'open',
      });
      const token = /Token to use it with {2}(\S+)/.exec(written())?.[1] ?? '';
      const call = callerOf(url, token);
      const password = 'a-password-that-is-secret';
      const session = (await callerOf(url)('POST', '/v1/auth/register', {
        email: 'ann@example.org',
        displayName: 'Ann',
        password,
      })) as { token: string };
      await callerOf(url)('POST', '/v1/auth/login', { email: 'ann@example.org', password });
      const made = (await call('POST', '/v1/user/tokens', { label: 'made' })) as { token: string };
      await expect(callerOf(url, 'a-token-that-is-wrong')('GET', '/v1/user')).rejects.toThrow('401');
      await expect(call('GET', '/v1/spaces/none?shareKey=a-secret-key')).rejects.toThrow('404');
      const { stdout, stderr } = await stop();

      expect(stderr).toBe('');
      expect(welcomeOf(stdout)).toHaveLength(4);
      const lines = logOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
      for (const line of lines) {
        expect(line).toMatchObject({
          level: expect.stringMatching(/^(trace|debug|info|warn|error)$/) as string,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        });
      }
      expect(lines).toContainEqual(
        expect.objectContaining({ context: 'Http', method: 'POST', route: '/v1/auth/login', status: 200 }),
      );
      expect(lines.at(-1)).toMatchObject({ level: 'info', context: 'Main', msg: 'SIGTERM: shutting down' });
      const log = logOf(stdout).join('\n');
      const secrets = [
        token,
        session.token,
        made.token,
        password,
        'a-token-that-is-wrong',
        'a-secret-key',
        'ann@example',
      ];
      expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    },
    PATIENCE,
  );
});

describe('a second process on the same folder', () => {
  it(
    'stops with a sentence and leaves the first alone',
    async () => {
      const data = await processes.folder();
      const first = await processes.ready(data);
      const second = await processes.serve(data).ended;
      expect(second).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) as string });
      expect(second.stderr).toMatch(
        `Colophon cannot start: DATA_DIR cannot be used: the data folder ${join(data, 'database')} is in use by process ${first.pid}, which listens at mongodb://127.0.0.1:`,
      );
      expect((await list(first.url, TOKEN, '/v1/orgs')).items).toMatchObject([{ title: 'Books' }]);
      expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });
    },
    PATIENCE,
  );
});

describe('on a MongoDB of its own', () => {
  const given = process.env.TEST_DATABASE_URI ?? '';
  let client: MongoClient;
  let name: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    client = await new MongoClient(given).connect();
  });
  afterAll(() => client.close());
  beforeEach(() => {
    name = `test_${randomUUID().replaceAll('-', '')}`;
    const uri = new URL(given);
    uri.pathname = `/${name}`;
    environment = { ...UNPREPARED, MONGODB_URI: uri.href, SECRET_KEY: KEY, RATE_LIMIT: '0' };
  });
  afterEach(() => client.db(name).dropDatabase());

  it(
    'makes a new database ready, demonstrates nothing and writes no files',
    async () => {
      const data = join(await processes.folder(), 'none');
      const first = await processes.ready(data, environment);
      expect(welcomeOf(first.written()).slice(2)).toEqual([
        'Nobody can sign in yet: set BOOTSTRAP_ADMIN_EMAIL, or run "npm run cli -- user create"',
      ]);
      expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
      expect(await client.db(name).collection('users').countDocuments()).toBe(0);
      expect((await client.db(name).collection('spaces').indexes()).length).toBeGreaterThan(1);
      expect(await first.stop()).toMatchObject({ code: 0, stderr: '' });

      const administrator = { BOOTSTRAP_ADMIN_EMAIL: 'admin@example.org', BOOTSTRAP_ADMIN_TOKEN: TOKEN };
      const second = await processes.ready(data, { ...environment, ...administrator });
      expect((await list(second.url, TOKEN, '/v1/orgs')).items).toMatchObject([{ title: 'My organization' }]);
      expect(existsSync(data)).toBe(false);
    },
    PATIENCE,
  );

  it(
    'does not change a database of another form by itself, but says what to run',
    async () => {
      const data = await processes.folder();
      const migrate = async () => {
        const { code, stdout, stderr } = await runCommand(data, ['migrate'], environment);
        return [code, stdout, stderr];
      };
      expect(await migrate()).toEqual([0, expect.stringMatching(MIGRATED), '']);
      expect(await migrate()).toEqual([0, 'Nothing to do\n', '']);
      const records = client.db(name).collection<{ _id: string }>('migrations');
      await records.updateOne({ _id: 'indexes' }, { $set: { hash: 'of another version' } });

      const { code, stderr } = await processes.serve(data, environment).ended;
      expect([code, stderr]).toEqual([
        1,
        'Colophon cannot start: The database has the form of another version: run "npm run migrate" once, then start again\n',
      ]);
      expect(await records.findOne({ _id: 'indexes' })).toMatchObject({ hash: 'of another version' });

      expect(await migrate()).toEqual([0, expect.stringMatching(MIGRATED), '']);
      const { url } = await processes.ready(data, environment);
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    },
    PATIENCE,
  );
});
