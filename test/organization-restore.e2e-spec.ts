import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../src/common/ids.js';
import { Jobs } from '../src/jobs/index.js';
import { startApp, type TestApp } from './support/app.js';
import { runCommand } from './support/command-line.js';
import type { TestUser } from './support/factories.js';
import { countsIn, forge, type Forging, makeMoving, type Moving, restoredIn } from './support/moving.js';
import { type Ending, Processes } from './support/processes.js';
import { until } from './support/until.js';

const SECRET_KEY = 'a key for tests that is long enough to be one';
const OTHER_KEY = 'another key that is long enough to be one';
const DAY = 24 * 60 * 60_000;

const processes = new Processes();
let folder: string;
let source: TestApp;
let moving: Moving;
let backup: { path: string; done: Ending };
/** An installation that others use. */
let target: TestApp;
/** Somebody there who is a member of the organization that moves, too. */
let known: TestUser;

beforeAll(async () => {
  [folder, source] = [await processes.folder(), await startApp()];
  moving = await makeMoving(source);
  const path = newFile();
  const args = ['backup', path, '--organization', moving.organization._id];
  backup = { path, done: await commandOn(source.connection.name, args) };
  target = await startApp();
  await target.create.space();
  known = await target.create.user({
    email: moving.writer.email,
    displayName: 'Known Here',
    in: await target.create.organization(),
  });
});
afterAll(async () => {
  await target.close();
  await source.close();
  await processes.clear();
});

const newFile = (): string => join(folder, `${randomUUID()}.backup`);
const records = (app: TestApp, collection: string) => app.connection.collection<{ _id: string }>(collection);

/** Runs a command on the database `name` of the engine that the tests have. */
function commandOn(name: string, args: string[], environment: Record<string, string> = {}): Promise<Ending> {
  const uri = new URL(process.env.TEST_DATABASE_URI ?? '');
  uri.pathname = `/${name}`;
  return runCommand(join(folder, 'none'), args, { MONGODB_URI: uri.href, SECRET_KEY, ...environment });
}

/** Why what a forger made of the backup is refused; what is there stays as it is. */
async function refusalOf(forging: Forging): Promise<string> {
  const path = newFile();
  await forge(backup.path, path, forging);
  const before = await countsIn(target);
  const refusal = await restoredIn(target, path);
  expect(await countsIn(target)).toEqual(before);
  return refusal;
}

/** The record of `collection` with other fields. */
const changing =
  (of: string, fields: (record: Record<string, unknown>) => object): Forging['record'] =>
  (collection, record) => [collection === of ? { ...record, ...fields(record) } : record];

describe('a backup of one organization', () => {
  it('says what stays behind, and is made of an organization that is there', async () => {
    const { code, stdout, stderr } = backup.done;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`\nLeft out: installations ${moving.foreign}, which needs what belongs to another `);
    const path = newFile();
    const none = await commandOn(source.connection.name, ['backup', path, '--organization', 'nothing']);
    expect([none, existsSync(path)]).toEqual([
      { code: 1, stdout: '', stderr: 'There is no organization nothing\n' },
      false,
    ]);
  });
});

describe('what is refused, and changes nothing', () => {
  const { strange, lost } = { strange: /does not belong to the organization/, lost: / is not whole: / };

  it('what is of another version', async () => {
    const head = (migrations: string[]): Forging => ({ head: (all) => ({ ...all, migrations }) });
    expect(await refusalOf(head([]))).toMatch(/^The backup was written by an older version, .*make it again$/);
    expect(await refusalOf(head(['9999-later']))).toMatch(/^The backup was written by a newer version, .* upgrade /);
  });

  it('what is taken, with what to do', async () => {
    const { organization, writer } = moving;
    const own = newId();
    const taken = async (collection: string, fields: object): Promise<string> => {
      await records(target, collection).insertOne({ ...{ _id: own, organization: own }, ...fields });
      const refusal = await refusalOf({});
      await records(target, collection).deleteMany({ organization: own });
      return refusal;
    };
    expect(await taken('organizations', { _id: organization._id })).toBe(
      `Nothing was restored: the organization ${organization._id} is there already`,
    );
    expect(await taken('hostnames', { _id: organization.hostname })).toMatch(
      /^Nothing was restored: another organization holds the hostname "moving": give /,
    );
    expect(await taken('integrations', { _id: 'moving.own' })).toMatch(
      / another organization publishes an integration "moving.own": publish /,
    );
    expect(await taken('sites', { basename: 'x', proxyKey: 'moving.test/docs' })).toMatch(
      / another site is shown under moving.test\/docs: take the proxy off /,
    );
    expect(await taken('comments', { _id: moving.comment })).toBe(
      `Nothing was restored: there is another of comments with "${moving.comment}"`,
    );
    const { _id: admin } = organization.admin;
    expect(await taken('users', { _id: admin, email: 'somebody@else.test' })).toBe(
      `Somebody with another e-mail address has the id ${admin}`,
    );
    expect(writer._id).not.toBe(known._id);
  });

  it.each<[string, Forging, RegExp]>([
    ['a membership elsewhere', { record: changing('members', () => ({ _id: 'other:person' })) }, strange],
    ['a space of others', { record: changing('spaces', () => ({ organization: 'other' })) }, strange],
    ['a comment on a space of others', { record: changing('comments', () => ({ space: 'other' })) }, strange],
    ['a site with a space of others', { record: changing('sites', () => ({ spaces: ['other'] })) }, lost],
    ['content of others', { record: changing('spaces', () => ({ revision: 'other' })) }, lost],
    [
      'a trust in what vouches elsewhere',
      { record: changing('saml_trusts', () => ({ _id: 'other:person' })) },
      strange,
    ],
    [
      'a listing among the integrations of others',
      { record: changing('integrations', () => ({ listed: 'other' })) },
      strange,
    ],
    [
      'a text under the id of another',
      { record: changing('documents', () => ({ markdown: 'Other' })) },
      /hold what its id/,
    ],
    [
      'bytes under the id of others',
      { record: changing('pieces', () => ({ data: Buffer.from('x') })) },
      /hold what its id/,
    ],
    [
      'links of a space that has no id',
      { record: changing('spaces', ({ _id }) => ({ _id: `${String(_id)} other` })) },
      strange,
    ],
    [
      'somebody whom nothing names',
      { more: [['users', { _id: 'person', email: 'a@b.test' }]] },
      /^Nothing .* names users/,
    ],
    [
      'content that nothing refers to',
      { more: [['blobs', { _id: 'hash', organization: 'other' }]] },
      /^Nothing .* refers/,
    ],
    ['tokens', { more: [['tokens', { _id: 'token', user: 'person' }]] }, /holds tokens, which are of nobody$/],
    ['what should come first', { more: [['webhooks', { _id: 'hook', organization: 'other' }]] }, /at the wrong place$/],
    ['nobody', { record: (collection, record) => (collection === 'users' ? [] : [record]) }, lost],
    [
      'addresses that are no text',
      { record: changing('users', () => ({ email: { $ne: 1 } })) },
      /has no e-mail address/,
    ],
  ])('%s', async (_what, forging, why) => {
    expect(await refusalOf(forging)).toMatch(why);
  });
});

describe('a restoration', () => {
  it('that breaks off leaves nothing, whoever breaks it off', async () => {
    const before = await countsIn(target);
    const written: string[] = [];
    const kindOf = (collection: string): undefined => {
      written.push(collection);
      // in the last transaction: all else is written
      if (collection === 'sites') throw new Error('stopped');
    };
    await expect(restoredIn(target, backup.path, { kindOf })).rejects.toThrow('stopped');
    expect(written).toContain('comments');
    expect(await countsIn(target)).toEqual(before);
  });

  it('that was killed is begun anew, and is not swept meanwhile', async () => {
    const { _id: organization } = moving.organization;
    await target.nest.get(Jobs, { strict: false }).start({ poll: 20, lock: 600_000 });
    expect(await isSwept()).toBe(true);
    const before = await countsIn(target);
    const killed = async (until: Date): Promise<void> => {
      await records(target, 'restorations').insertOne({ _id: organization, at: until, holder: 'x', until } as never);
      const batch = { _id: `${organization}/000000000001`, collection: 'comments', ids: [moving.comment] };
      await records(target, 'restored_batches').insertOne(batch);
      await records(target, 'comments').insertOne({ _id: moving.comment });
    };
    await killed(new Date(Date.now() + DAY));
    expect(await restoredIn(target, backup.path)).toMatch(/ is being restored: wait for that, or a minute where /);

    await records(target, 'restorations').updateOne({ _id: organization }, { $set: { until: new Date(0) } });
    expect(await isSwept()).toBe(false);
    const told = await commandOn(target.connection.name, ['doctor']);
    expect(told.stdout).toContain(`organization ${organization}: it was restored in part only, which nobody sees: run`);
    const repaired = await commandOn(target.connection.name, ['doctor', '--repair']);
    expect(repaired.stdout).toContain('run "restore" again - repaired');
    expect(await isSwept()).toBe(true);
    expect(await countsIn(target)).toEqual(before);
    await killed(new Date(0));
  });

  it('leaves people who are there as they are, and encrypts with the key that is there', async () => {
    const { organization, writer, vouched, space, file, comment, site, keys } = moving;
    await records(target, 'hostnames').insertOne({ _id: 'former', organization: newId() } as never);
    const path = newFile();
    await forge(backup.path, path, {
      // a name that the organization had, and somebody else has here
      record: (collection, record) => (collection === 'hostnames' ? [record, { ...record, _id: 'former' }] : [record]),
    });
    const key = { SECRET_KEY: OTHER_KEY, SECRET_KEY_FORMER: SECRET_KEY };
    const done = await commandOn(target.connection.name, ['restore', path], key);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout.split('\n').slice(1)).toEqual([
      'People: 1 with an account here, which stays as it is; 2 new',
      'Who is new has no password: they use single sign-on, or "user password" gives them one.',
      'Left out: hostnames former is taken',
      '',
    ]);
    const password = ['user', 'password', organization.admin.email, '--password', 'correct horse'];
    expect((await commandOn(target.connection.name, password)).stdout).toMatch(
      /^User {6}\w+ {2}\S+@example.org\nSign-ins {2}0 ended\n$/,
    );

    const there = await startApp({ SECRET_KEY: OTHER_KEY }, target.connection.name);
    const signIn = { email: organization.admin.email, password: 'correct horse' };
    const { body } = await there.anonymous().post('/v1/auth/login').send(signIn).expect(200);
    const admin = { ...organization.admin, token: (body as { token: string }).token };
    const links = await there.as(admin).get(`/v1/orgs/${organization._id}/sites/${site}/share-links`).expect(200);
    expect(links.body).toEqual(keys);
    const pages = await there.as(admin).get(`/v1/spaces/${space}/content/path/given`).query({ format: 'markdown' });
    expect(pages.text).toContain('Written elsewhere');
    const { body: answer } = await there.as(admin).get(`/v1/spaces/${space}/content/files/${file}`).expect(200);
    const { pathname, search } = new URL((answer as { downloadURL: string }).downloadURL);
    expect(
      (
        await there
          .anonymous()
          .get(pathname + search)
          .expect(200)
      ).text,
    ).toBe('Bytes');

    const { body: said } = await there.as(known).get(`/v1/spaces/${space}/comments/${comment}`).expect(200);
    expect(said).toMatchObject({ postedBy: { id: known._id, displayName: 'Known Here' } });
    const members = `/v1/orgs/${organization._id}/members`;
    const { body: member } = await there.as(admin).get(`${members}/${known._id}`).expect(200);
    expect(member).toMatchObject({ id: known._id, role: 'comment', sso: false, user: { displayName: 'Known Here' } });
    expect((await there.as(admin).get(`${members}/${vouched}`).expect(200)).body).toMatchObject({ sso: true });
    const asked = { _id: `${organization._id}:${known._id}`, name: 'known here', unasked: true };
    expect(await records(there, 'members').countDocuments(asked)).toBe(1);
    expect(await records(there, 'saml_trusts').countDocuments({ _id: `${organization._id}:${vouched}` })).toBe(1);
    expect(await idIn(there, writer._id)).toEqual([]);
    const people = await records(there, 'users')
      .find({ _id: { $in: [organization.admin._id, vouched] } })
      .toArray();
    expect(people).toHaveLength(2);
    for (const one of people) expect(one).toMatchObject({ emailVerified: false });
    const doctor = await commandOn(target.connection.name, ['doctor'], { SECRET_KEY: OTHER_KEY });
    expect(doctor.stdout).toMatch(/All is well\.\n$/);
    await there.nest.close();
    expect(await restoredIn(target, path)).toMatch(/ is there already$/);
  });
});

/** Whether a sweep removes a revision of a space that is not there. */
async function isSwept(): Promise<boolean> {
  const revisions = records(target, 'revisions');
  const there = await revisions.findOne({});
  const { insertedId: _id } = await revisions.insertOne({
    ...there,
    ...{ _id: newId(), space: newId(), createdAt: new Date(Date.now() - 9 * DAY) },
  });
  const sweeps = target.connection.collection<{ generation: number }>('sweeps');
  const generation = (await sweeps.findOne({}))?.generation ?? 0;
  await until('a sweep is over that began after that', async () => {
    await sweeps.updateOne({ phase: 'done', generation }, { $set: { startedAt: new Date(0) } });
    await target.nest.get(Jobs, { strict: false }).now('sweep-content');
    return (await sweeps.countDocuments({ phase: 'done', generation: { $gt: generation } })) === 1;
  });
  const { deletedCount } = await revisions.deleteOne({ _id });
  return deletedCount === 0;
}

/** Collections in which the text `id` stands. */
async function idIn(app: TestApp, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await app.connection.listCollections()) {
    for await (const record of records(app, name).find({})) {
      if (JSON.stringify(record).includes(id)) found.push(name);
    }
  }
  return found;
}
