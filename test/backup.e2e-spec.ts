import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { SecretKey } from '../src/config/index.js';
import { backupOf, writeBackup } from '../src/database/index.js';
import { migrationsOf, RESTORING } from '../src/database/migrate.js';
import { startApp, type TestApp } from './support/app.js';
import { answersOf, askAgain, type Asked } from './support/asked.js';
import { runCommand } from './support/command-line.js';
import { Editing } from './support/editing.js';
import type { TestUser } from './support/factories.js';
import { type Ending, Processes } from './support/processes.js';
import { makeThings, type Things } from './support/things.js';
import { until } from './support/until.js';

const SECRET_KEY = 'a key for tests that is long enough to be one';
const WRITERS = 16;
const WELL = /^(ok {5}.+\n){12,}All is well\.\n$/;

const processes = new Processes();
let folder: string;
let app: TestApp;
/** What the service answered when all was quiet, and a backup of that. */
let quiet: { path: string; at: Things; admin: TestUser; asked: Asked[] };
/** A backup that was made while many wrote, and what they had been told by then. */
let busy: { path: string; acknowledged: Acknowledged[] };

type Acknowledged = [Editing, string];

// the strategies of sign-in are those of the application that was made last: what needs this one comes before all others
beforeAll(async () => {
  [folder, app] = [await processes.folder(), await startApp()];
  busy = await writtenTo();
  const organization = await app.create.organization();
  const at = await makeThings(app, organization);
  const asked = await answersOf(app, at, organization.admin);
  quiet = { path: await backup(), at, admin: organization.admin, asked };
});
afterAll(async () => {
  await app.close();
  await processes.clear();
});

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;
const newFile = (): string => join(folder, `${randomUUID()}.backup`);

/** The settings of commands on the database `name` of the engine that the tests have. */
function settingsOf(name: string): Record<string, string> {
  const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
  uri.pathname = `/${name}`;
  return { MONGODB_URI: uri.href, SECRET_KEY };
}

const commandOn = (name: string, args: string[], environment: Record<string, string> = {}): Promise<Ending> =>
  runCommand(join(folder, 'none'), args, { ...settingsOf(name), ...environment });

const written = (path: string): Ending => ({
  code: 0,
  stdout: expect.stringMatching(
    new RegExp(`^Wrote \\d+ records to ${path}, \\d+ bytes\\nKeep the secret key `),
  ) as string,
  stderr: '',
});

async function backup(): Promise<string> {
  const path = newFile();
  expect(await commandOn(app.connection.name, ['backup', path])).toEqual(written(path));
  return path;
}

/** Makes a backup while many write. */
async function writtenTo(): Promise<typeof busy> {
  const spaces = await Promise.all(Array.from({ length: 4 }, () => Editing.start(app)));
  const acknowledged: Acknowledged[] = [];
  let stopped = false;
  const write = async (space: Editing, writer: number): Promise<void> => {
    const post = async (what: string, body: object): Promise<void> => {
      const made = await app.as(space.user).post(`/v1/spaces/${space.space}/${what}`).send(body);
      expect([200, 201]).toContain(made.status);
      acknowledged.push([space, `${what}/${(made.body as { id: string }).id}`]);
    };
    for (let n = 0; !stopped; n += 1) {
      const page = await space.add(`W${String(writer)} N${String(n)}`);
      acknowledged.push([space, `content/page/${page}`]);
      await post('change-requests', { subject: `N${String(n)}` });
      await post('comments', { body: { markdown: 'Look.' }, page });
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, n) => n);
  const all = Promise.all(
    spaces.flatMap((space, at) => writers.filter((n) => n % 4 === at).map((n) => write(space, n))),
  );
  await Promise.race([until('enough is written', () => acknowledged.length > 40), all]);
  const before = [...acknowledged];
  const path = newFile();
  const client = await new MongoClient(settingsOf('').MONGODB_URI ?? '').connect();
  const origin = { version: '0.0.0', key: app.nest.get(SecretKey).fingerprint };
  // not by the command line, which would take the place of this service in the process
  await writeBackup(path, backupOf(client, client.db(app.connection.name), origin)).finally(() => (stopped = true));
  await client.close();
  await all;
  expect(acknowledged.length).toBeGreaterThan(before.length);
  return { path, acknowledged: before };
}

/** Does `work` with a service on a new database with what the backup holds. */
async function restored(path: string, work: (there: TestApp) => Promise<void>): Promise<void> {
  const name = newName();
  const done = await commandOn(name, ['restore', path]);
  const said =
    /^Restored \d+ records of \S+Z, version \d+\.\d+\.\d+\nDone: indexes\nRun "doctor" before you start the service\.\n$/;
  expect(done).toEqual({ code: 0, stdout: expect.stringMatching(said) as string, stderr: '' });
  const doctor = await commandOn(name, ['doctor']);
  expect(doctor).toEqual({ code: 0, stdout: expect.stringMatching(WELL) as string, stderr: '' });
  const there = await startApp({}, name);
  await work(there).finally(() => there.close());
}

describe('a backup and its restoration', () => {
  it('answer every question as before, and can be worked with', async () => {
    const { path, at, admin, asked } = quiet;
    expect(asked.filter(({ answer }) => answer[0] === 200).length).toBeGreaterThan(80);
    await restored(path, async (there) => {
      expect(await askAgain(there, asked, admin)).toEqual(asked);
      const space = new Editing(there, admin, at.spaceId);
      await space.add('After the restoration');
      expect((await space.pages()).map(({ title }) => title)).toContain('After the restoration');
      const file = await there.as(admin).get(`/v1/spaces/${at.spaceId}/content/files/${at.fileId}`).expect(200);
      const { pathname, search } = new URL((file.body as { downloadURL: string }).downloadURL);
      await there
        .anonymous()
        .get(pathname + search)
        .expect(200);
    });
  });

  it('hold all that was acknowledged before, while many write', async () => {
    await restored(busy.path, async (there) => {
      for (const [{ space, user }, what] of busy.acknowledged) {
        await there.as(user).get(`/v1/spaces/${space}/${what}`).expect(200);
      }
    });
  });

  it('are refused with what to do, and change nothing', async () => {
    const { path } = quiet;
    const whole = await readFile(path);
    const [cut, changed, other] = [newFile(), newFile(), newFile()];
    const middle = Math.floor(whole.length / 2);
    await writeFile(cut, whole.subarray(0, middle));
    await writeFile(other, 'Not a backup.');
    whole[middle] = (whole[middle] ?? 0) ^ 1;
    await writeFile(changed, whole);
    const name = newName();
    const saying = (pattern: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(pattern) as string });
    expect(await commandOn(name, ['restore', cut])).toEqual(saying(/^The backup is cut: its end is missing\n$/));
    expect(await commandOn(name, ['restore', changed])).toEqual(saying(/^The backup is damaged: /));
    expect(await commandOn(name, ['restore', other])).toEqual(
      saying(/^The file is no backup: name one that "backup" has/),
    );
    expect(await commandOn(name, ['restore', newFile()])).toEqual(saying(/ cannot be read: ENOENT/));
    expect(await commandOn(app.connection.name, ['restore', path])).toEqual(
      saying(/^The database is not empty: it has records in \w+\. Restore to a new DATA_DIR, or to /),
    );
    expect(await commandOn(app.connection.name, ['backup', path])).toEqual(saying(/: it is there already\n$/));
    expect(await app.connection.useDb(name).listCollections()).toEqual([]);
  });

  it('are begun again where the restoration was broken off; until then no service starts', async () => {
    const { path } = quiet;
    const name = newName();
    const half = app.connection.useDb(name);
    await migrationsOf(half).insertOne({ _id: RESTORING, at: new Date() });
    await half.collection('spaces').insertOne({ title: 'half' });
    const told = 'A backup is being restored to the database, or was in part only: wait for it, or run "restore" again';
    await expect(startApp({}, name)).rejects.toThrow(told);
    expect(await commandOn(name, ['doctor'])).toEqual({ code: 1, stdout: '', stderr: `${told}\n` });
    expect(await commandOn(name, ['backup', newFile()])).toEqual({ code: 1, stdout: '', stderr: `${told}\n` });
    expect((await commandOn(name, ['restore', path])).code).toBe(0);
    expect(await half.collection('spaces').findOne({ title: 'half' })).toBeNull();
    await half.dropDatabase();
  });

  it('say when the secrets need another key', async () => {
    const { path } = quiet;
    const restoredWith = async (environment: Record<string, string>) => {
      const name = newName();
      const { code, stdout } = await commandOn(name, ['restore', path], environment);
      await app.connection.useDb(name).dropDatabase();
      expect(code).toBe(0);
      return stdout.split('\n').slice(2, -2).join('\n');
    };
    const other = 'another key that is long enough to be one';
    expect(await restoredWith({})).toBe('');
    expect(await restoredWith({ SECRET_KEY: other })).toMatch(
      /^WARNING: what is encrypted in it cannot be read with this/,
    );
    expect(await restoredWith({ SECRET_KEY: other, SECRET_KEY_FORMER: SECRET_KEY })).toBe(
      'What is encrypted in it needs SECRET_KEY_FORMER: run "secrets rotate".',
    );
  });

  it('move the embedded database to another folder', async () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    const path = newFile();
    const made = await runCommand(from, ['user', 'create', 'ann@example.org']);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect((await runCommand(from, ['backup', path])).code).toBe(0);
    const done = await runCommand(to, ['restore', path]);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toContain('WARNING: what is encrypted in it cannot be read');
    expect(existsSync(join(to, 'secret-key'))).toBe(true);
    expect((await runCommand(to, ['user', 'create', 'ann@example.org'])).stderr).toContain('email is taken');
  });
});
