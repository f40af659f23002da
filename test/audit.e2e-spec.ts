import { AUDIT_ACTIONS } from '../src/audit/index.js';
import { AuditRetention } from '../src/organizations/audit-retention.js';
import { SpacePurge } from '../src/spaces/index.js';
import { startApp, type TestApp } from './support/app.js';
import { type Performed, type Recorded, type Scene } from './support/audit-scene.js';
import { AUDIT } from './support/audit-table.js';
import type { TestUser } from './support/factories.js';
import { makeThings, type Operation, operationsOf, pathOf, remake, targetsOf, type Things } from './support/things.js';
import { startWebServer, type WebServer } from './support/web-server.js';

interface Event {
  object: string;
  id: string;
  at: string;
  actor: { type: string; id?: string };
  action: string;
  resource: { object: string; id: string };
  changes: object;
}
interface List {
  next?: { page: string };
  count: number;
  items: Event[];
}

const DAY = 24 * 60 * 60_000;
/** Actions that no operation of the table records, each in a test of its own. */
const ELSEWHERE = ['member.add', 'space.purge', 'comment.resolve', 'comment.reopen', 'site.unpublish'];

let app: TestApp;
let web: WebServer;
let operations: Operation[];
let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
let reviewer: TestUser;
let things: Things;

beforeAll(async () => {
  web = await startWebServer({ '/page.md': '# Found\n\nText.\n' });
  app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  operations = await operationsOf(app);
  organization = await app.create.organization();
  reviewer = await app.create.user({ in: organization, role: 'review' });
  things = await makeThings(app, organization);
});
afterAll(async () => {
  await app.close();
  await web.close();
});

/** What was done in an organization, the latest first. */
async function eventsOf(id: string, query: object = {}, user = organization.admin): Promise<List> {
  return (await app.as(user).get(`/v1/orgs/${id}/audit-events`).query(query).expect(200)).body as List;
}

/** How many events there are, of all organizations. */
const total = (): Promise<number> => app.connection.collection('audit_events').countDocuments({});

const found = (name: string): Operation => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  return operation;
};

async function sceneOf(name: string, row: Recorded): Promise<Scene> {
  const at = row.alone ? await remake(app, organization, things, targetsOf(found(name))) : things;
  return {
    app,
    at,
    admin: organization.admin,
    reviewer,
    stranger: await app.create.user(),
    page: `${web.url}/page.md`,
  };
}

function send(name: string, as: TestUser | null, at: Things, row: Pick<Recorded, 'type'> & { body?: unknown }) {
  const operation = found(name);
  const sent = (as ? app.as(as) : app.anonymous())[operation.method](pathOf(operation, at));
  return row.body === undefined
    ? sent
    : sent.set('Content-Type', row.type ?? 'application/json').send(row.body as object);
}

describe('what is recorded', () => {
  it('is told of every operation that changes something, and every action is there', () => {
    const changing = operations.filter(({ method }) => method !== 'get').map(({ name }) => name);
    expect(Object.keys(AUDIT).sort()).toEqual(changing.sort());
    const actions = Object.values(AUDIT).flatMap((row) => ('action' in row ? [row.action] : []));
    expect([...new Set([...actions, ...ELSEWHERE])].sort()).toEqual([...AUDIT_ACTIONS].sort());
  });

  const recorded = Object.entries(AUDIT).flatMap(([name, row]) => ('action' in row ? [[name, row] as const] : []));
  it.each(recorded)('%s', async (name, row) => {
    const scene = await sceneOf(name, row);
    const body = typeof row.body === 'function' ? await row.body(scene) : row.body;
    const { by = 'admin', type } = row;
    const caller = by === 'nobody' ? null : scene[by];
    const before = await total();

    const at = { ...scene.at, ...row.refused?.at };
    const refused = row.refused ? caller : scene.stranger;
    expect((await send(name, refused, at, { type, body: row.refused?.body ?? body })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await total()).toBe(before);

    const answer = await send(name, caller, scene.at, { type, body });
    expect([answer.status, answer.status < 300 ? '' : answer.body]).toEqual([answer.status, '']);
    const done: Performed = { ...scene, body, answer: answer.body as unknown };
    const inside = name === 'createOrganization' ? [] : [things.organizationId];
    const organizations = [...inside, ...(row.organizations?.(done) ?? [])];
    expect(await total()).toBe(before + organizations.length);
    for (const id of organizations) {
      expect((await eventsOf(id, { limit: 1 })).items).toEqual([
        {
          object: 'audit-event',
          id: expect.stringMatching(/^\w{20}$/) as string,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
          actor: { type: 'user', id: row.actor?.(done) ?? caller?._id },
          action: row.action,
          resource: {
            object: expect.stringMatching(/^[a-z-]+$/) as string,
            id: typeof row.resource === 'string' ? scene.at[row.resource] : row.resource(done),
          },
          changes: typeof row.changes === 'function' ? (row.changes as (of: Performed) => object)(done) : row.changes,
        },
      ]);
    }
    if (row.settles !== true) return;
    const again = await send(name, caller, scene.at, { type, body });
    expect([again.status, await total()]).toEqual([answer.status, before + organizations.length]);
  });

  it('tells comments that are resolved from those that are opened again, and nothing of reactions', async () => {
    const { spaceId, commentId } = things;
    const change = (body: object) => app.as(reviewer).put(`/v1/spaces/${spaceId}/comments/${commentId}`).send(body);
    await change({ resolved: true }).expect(200);
    await change({ resolved: true, addedReactions: ['👍'] }).expect(200);
    await change({ resolved: false }).expect(200);
    const { items } = await eventsOf(organization._id, { resource: commentId, actor: reviewer._id });
    expect(items.map(({ action, changes }) => [action, changes])).toEqual([
      ['comment.reopen', { status: { before: 'resolved', after: 'open' } }],
      ['comment.resolve', { status: { before: 'open', after: 'resolved' } }],
    ]);
  });

  it('names everybody who was let in, however many they are', async () => {
    const own = await app.create.organization();
    const { _id: space } = await app.create.space({ organization: own });
    const emails = (from: number) => Array.from({ length: 100 }, (_, at) => `p${String(from + at)}@many.example`);
    const users: string[] = [];
    for (const from of [0, 100]) {
      const invited = app
        .as(own.admin)
        .post(`/v1/orgs/${own._id}/invites`)
        .send({ emails: emails(from) });
      users.push(...((await invited.expect(200)).body as { users: string[] }).users);
    }
    await app.as(own.admin).post(`/v1/spaces/${space}/permissions`).send({ users, role: 'comment' }).expect(204);
    const team = { title: 'Many', members: users };
    await app.as(own.admin).put(`/v1/orgs/${own._id}/teams`).send(team).expect(201);
    const { items } = await eventsOf(own._id, { from: new Date(0).toISOString(), limit: 1000 }, own.admin);
    const invited = items.filter(({ action }) => action === 'member.invite').map(({ resource }) => resource.id);
    expect(invited.sort()).toEqual([...users].sort());
    const listed = (action: RegExp, property: string): unknown[] =>
      items
        .filter((event) => action.test(event.action))
        .flatMap(({ changes }) => (changes as Record<string, { after: unknown[] }>)[property]?.after ?? []);
    const granted = listed(/^space\.grant$/, 'users') as { id: string }[];
    expect(granted.map(({ id }) => id).sort()).toEqual([...users].sort());
    expect(listed(/^team\./, 'members').sort()).toEqual([...users].sort());
  });

  it('names the service itself for what nobody asked it to do', async () => {
    const own = await app.create.organization();
    const space = await app.create.space({ organization: own, title: 'Old' });
    await app.as(own.admin).delete(`/v1/spaces/${space._id}`).expect(205);
    const purge = app.nest.get(SpacePurge, { strict: false });
    await purge.run(undefined, new Date(Date.now() + 8 * DAY));
    const member = await app.create.user({ in: own });
    const { items } = await eventsOf(own._id, { actor: 'system', limit: 2 }, own.admin);
    expect(items.map(({ actor, action, resource, changes }) => ({ actor, action, resource, changes }))).toEqual([
      {
        actor: { type: 'system' },
        action: 'member.add',
        resource: { object: 'member', id: member._id },
        changes: { role: { after: 'read' } },
      },
      {
        actor: { type: 'system' },
        action: 'space.purge',
        resource: { object: 'space', id: space._id },
        changes: { title: { before: 'Old' } },
      },
    ]);
  });

  it('holds no secrets and no texts', async () => {
    const stored = JSON.stringify(await app.connection.collection('audit_events').find().toArray());
    for (const { _id } of await app.connection.collection<{ _id: string }>('link_invites').find().toArray()) {
      expect(stored).not.toContain(_id);
    }
    expect(stored).not.toContain('What I think');
    expect(stored).not.toContain('correct horse');
  });
});

describe('the list of what was done', () => {
  let own: typeof organization;
  let member: TestUser;
  let space: string;

  beforeAll(async () => {
    own = await app.create.organization();
    member = await app.create.user({ in: own, role: 'create' });
    const made = await app.as(member).post(`/v1/orgs/${own._id}/spaces`).send({ title: 'One' }).expect(201);
    space = (made.body as { id: string }).id;
    for (const title of ['Two', 'Three'])
      await app.as(own.admin).patch(`/v1/spaces/${space}`).send({ title }).expect(200);
  });

  const actions = async (query: object): Promise<string[]> =>
    (await eventsOf(own._id, query, own.admin)).items.map(({ action }) => action);

  it('is narrowed by who, what, to which and when, and all of them together', async () => {
    const all = ['space.update', 'space.update', 'space.create', 'member.add', 'organization.create'];
    expect(await actions({})).toEqual(all);
    expect(await actions({ actor: member._id })).toEqual(['space.create']);
    expect(await actions({ actor: 'system' })).toEqual(['member.add', 'organization.create']);
    expect(await actions({ action: 'space.update' })).toEqual(['space.update', 'space.update']);
    expect(await actions({ resource: member._id })).toEqual(['member.add']);
    expect(await actions({ resource: 'nothing' })).toEqual([]);
    const [last, one, made] = (await eventsOf(own._id, {}, own.admin)).items;
    expect(await actions({ from: last?.at })).toEqual(['space.update']);
    expect(await actions({ to: made?.at })).toEqual(['member.add', 'organization.create']);
    expect(await actions({ from: made?.at, to: last?.at })).toEqual(['space.update', 'space.create']);
    expect(await actions({ from: '2000-01-01T00:00:00+01:00', to: '2000-01-01T00:00:00Z' })).toEqual([]);
    const query = { actor: own.admin._id, action: 'space.update', resource: space, from: one?.at, to: last?.at };
    expect(await eventsOf(own._id, query, own.admin)).toEqual({ count: 1, items: [one] });
  });

  it('is read page by page to its end, with the same filters alone', async () => {
    const whole = await eventsOf(own._id, { resource: space }, own.admin);
    const walked: Event[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await eventsOf(own._id, { resource: space, limit: 1, page }, own.admin);
      expect(part.count).toBe(whole.count);
      walked.push(...part.items);
      page = part.next?.page;
    }
    expect(walked).toEqual(whole.items);
    const { next } = await eventsOf(own._id, { limit: 1 }, own.admin);
    const other = { limit: 1, page: next?.page, actor: member._id };
    await app.as(own.admin).get(`/v1/orgs/${own._id}/audit-events`).query(other).expect(400);
  });

  it.each([
    ['from', 'yesterday', /^from must be a date and time in ISO 8601/],
    ['to', '2026-02-30T00:00:00Z', /^to must be a date and time in ISO 8601/],
    ['to', '2026-02-03', /^to must be a date and time in ISO 8601/],
    ['action', 'space.explode', /^action must be one of: /],
    ['actor', 'x'.repeat(65), /^actor must be /],
    ['resource', 'x'.repeat(65), /^resource must be /],
    ['actor[$ne]', 'x', /./],
    ['page', 'elsewhere', /^page is not a page of this list/],
  ])('refuses %s=%s', async (name, value, message) => {
    const sent = app
      .as(own.admin)
      .get(`/v1/orgs/${own._id}/audit-events?${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    if (name.includes('[')) {
      // no parameter of ours: the list is as it would be without it
      expect(((await sent.expect(200)).body as List).count).toBe(5);
      return;
    }
    const { body } = await sent.expect(400);
    expect(body).toEqual({ error: { code: 400, message: expect.stringMatching(message) as string } });
  });

  it('is for administrators, each of their own organization', async () => {
    const path = `/v1/orgs/${own._id}/audit-events`;
    await app.anonymous().get(path).expect(401);
    await app.as(organization.admin).get(path).expect(404);
    await app.as(member).get(path).expect(403);
    const { items } = await eventsOf(organization._id, { resource: space });
    expect(items).toEqual([]);
  });

  it('ends with what is older than it is kept', async () => {
    const old = await app.create.organization();
    const retention = app.nest.get(AuditRetention, { strict: false });
    await retention.run(undefined, Date.now() + 399 * DAY);
    expect((await eventsOf(old._id, {}, old.admin)).count).toBe(1);
    await app.connection
      .collection('audit_events')
      .updateOne({ organization: old._id }, { $set: { at: new Date(Date.now() - 401 * DAY) } });
    await retention.run();
    expect((await eventsOf(old._id, {}, old.admin)).count).toBe(0);
    expect((await eventsOf(own._id, {}, own.admin)).count).toBe(5);
  });
});
