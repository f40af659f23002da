import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { mongo } from 'mongoose';
import { TokensService } from '../src/auth/index.js';
import { readBackup } from '../src/database/backup/index.js';
import { OrganizationRecords } from '../src/database/index.js';
import { startApp, type TestApp } from './support/app.js';
import { answersOf, askAgain, type Asked } from './support/asked.js';
import type { Scene } from './support/audit-scene.js';
import { AUDIT } from './support/audit-table.js';
import { runCommand } from './support/command-line.js';
import type { TestUser } from './support/factories.js';
import { type Ending, Processes } from './support/processes.js';
import { makeThings, operationsOf, pathOf, type Things } from './support/things.js';
import { startWebServer, type WebServer } from './support/web-server.js';

const SECRET_KEY = 'a key for tests that is long enough to be one';
const WELL = /^(ok {5}.+\n){13,}All is well\.\n$/;
const STRANGE = 'Text of a stranger';

/** Answers that are of a person, whatever the organization. */
const OF_A_PERSON = ['listApiTokens', 'listOrganizationsForAuthenticatedUser'];

type Owner = Awaited<ReturnType<TestApp['create']['organization']>>;

const processes = new Processes();
let folder: string;
let web: WebServer;
let source: TestApp;
/** The organization that moves, and what the service answers to its administrator. */
let moving: { organization: Owner; at: Things; asked: Asked[]; path: string };
let stranger: Owner;
/** The installation that it moves to, which another organization uses. */
let target: TestApp;
let native: { organization: Owner; asked: Asked[] };

beforeAll(async () => {
  [folder, web] = [await processes.folder(), await startWebServer({ '/page.md': '# Found\n\nText.\n' })];
  source = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  const organization = await source.create.organization({ title: 'Moving' });
  const at = await makeThings(source, organization);
  await fill(source, organization, at);
  stranger = await strangerOf(source);
  moving = {
    organization,
    at,
    asked: (await answersOf(source, at, organization.admin)).filter(({ name }) => !OF_A_PERSON.includes(name)),
    path: newFile(),
  };
  const done = await commandOn(source.connection.name, ['backup', moving.path, '--organization', organization._id]);
  expect(done).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^Wrote \d+ records to \S+, \d+ bytes\nRestore it with the SECRET_KEY of this /,
    ) as string,
    stderr: '',
  });
  target = await startApp();
  const other = await target.create.organization({ title: 'Native' });
  native = {
    organization: other,
    asked: await answersOf(target, await makeThings(target, other), other.admin),
  };
});
afterAll(async () => {
  await target.close();
  await source.close();
  await web.close();
  await processes.clear();
});

const newFile = (): string => join(folder, `${randomUUID()}.backup`);

/** Runs a command on the database `name` of the engine that the tests have. */
function commandOn(name: string, args: string[], environment: Record<string, string> = {}): Promise<Ending> {
  const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
  uri.pathname = `/${name}`;
  return runCommand(join(folder, 'none'), args, { MONGODB_URI: uri.href, SECRET_KEY, ...environment });
}

/** Does everything in the organization that the audit tells of, but what takes something away. */
async function fill(app: TestApp, organization: Owner, at: Things): Promise<void> {
  const operations = await operationsOf(app);
  const reviewer = await app.create.user({ in: organization, role: 'review' });
  const scene: Omit<Scene, 'stranger'> = { app, at, admin: organization.admin, reviewer, page: `${web.url}/page.md` };
  for (const [name, row] of Object.entries(AUDIT)) {
    const operation = operations.find((one) => one.name === name);
    if (!operation || !('action' in row) || row.alone) continue;
    const here: Scene = { ...scene, stranger: await app.create.user() };
    const { by = 'admin', type = 'application/json', body } = row;
    const client = by === 'nobody' ? app.anonymous() : app.as(here[by]);
    const sent = client[operation.method](pathOf(operation, at)).set('Content-Type', type);
    const { status } = await sent.send(typeof body === 'function' ? await body(here) : body);
    expect([name, status < 300]).toEqual([name, true]);
  }
}

/** An organization with one of everything, whose texts say whose they are. */
async function strangerOf(app: TestApp): Promise<Owner> {
  const organization = await app.create.organization({ title: STRANGE });
  const { spaceId } = await makeThings(app, organization);
  const changes = [{ operation: 'insert_page', title: STRANGE, document: { markdown: `${STRANGE}\n` } }];
  await app.as(organization.admin).post(`/v1/spaces/${spaceId}/content`).send({ changes }).expect(200);
  return organization;
}

/** `user` with a token of the installation `app`. */
async function signedIn(app: TestApp, user: TestUser): Promise<TestUser> {
  const tokens = app.nest.get(TokensService, { strict: false });
  return { ...user, token: (await tokens.issue({ user: user._id, kind: 'api', label: 'test' })).token };
}

describe('what belongs to an organization', () => {
  it('is said of every collection, and of no other', () => {
    const rules = source.nest.get(OrganizationRecords, { strict: false }).all();
    const stored = Object.values(source.connection.models).map((model) => model.collection.name);
    expect(rules.map(({ collection }) => collection).sort()).toEqual([...new Set(stored)].sort());
  });

  it('is found by an index', () => {
    const models = Object.values(source.connection.models);
    for (const rule of source.nest.get(OrganizationRecords, { strict: false }).owned()) {
      const { collection, by = 'organization', unique = [] } = rule;
      const indexes = models.find((model) => model.collection.name === collection)?.schema.indexes() ?? [];
      const first = indexes.map(([fields]) => Object.keys(fields)[0]);
      for (const field of [by, ...unique]) {
        expect([collection, field, field === '_id' || first.includes(field)]).toEqual([collection, field, true]);
      }
    }
  });

  it('names everybody whose id stands in it', async () => {
    const users = new Set<string>();
    const held = new Set<string>();
    const texts: string[] = [];
    for await (const frames of readBackup(moving.path)) {
      for (const { kind, bytes } of frames) {
        const record = mongo.BSON.deserialize(bytes);
        if (kind !== 'record') continue;
        if (typeof record.email === 'string' && 'photoURL' in record) held.add(String(record._id));
        else texts.push(JSON.stringify(record));
      }
    }
    for await (const { _id } of source.connection.collection('users').find({})) users.add(String(_id));
    const all = texts.join('\n');
    expect([...users].filter((user) => all.includes(user)).sort()).toEqual([...held].sort());
  });

  it('is all that its backup holds', async () => {
    const bytes = gunzipSync(await readFile(moving.path)).toString('latin1');
    expect(bytes).toContain(moving.organization._id);
    for (const strange of [stranger._id, stranger.admin._id, stranger.admin.email, STRANGE]) {
      expect(bytes).not.toContain(strange);
    }
    const { password } = stranger.admin;
    expect([password, bytes.includes('$scrypt$')]).toEqual([null, false]);
  });
});

describe('an organization that moves', () => {
  it('answers every question as before, beside those that are there', async () => {
    const { organization, asked, path } = moving;
    const done = await commandOn(target.connection.name, ['restore', path]);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(
      /^Restored the organization \w+: \d+ records of \S+Z, version \S+\nPeople: 0 with an account here, which stays as it is; \d+ new\nWho is new /,
    );
    const again = await startApp({}, target.connection.name);
    const answered = await askAgain(again, asked, await signedIn(again, organization.admin));
    expect(asked.filter(({ answer }) => answer[0] === 200).length).toBeGreaterThan(80);
    expect(answered).toEqual(asked);
    expect(await askAgain(again, native.asked, native.organization.admin)).toEqual(native.asked);
    for (const app of [source, target]) {
      const doctor = await commandOn(app.connection.name, ['doctor']);
      expect(doctor).toEqual({ code: 0, stdout: expect.stringMatching(WELL) as string, stderr: '' });
    }
    await again.nest.close();
  });
});
