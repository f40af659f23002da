import { CONTRACT, EXTENSIONS, type Operation as Row } from './contract/contract.js';
import { ACCESS } from './support/access-table.js';
import { startApp, type TestApp } from './support/app.js';
import type { Scene } from './support/audit-scene.js';
import { AUDIT } from './support/audit-table.js';
import type { TestUser } from './support/factories.js';
import { type Success, SUCCESSES } from './support/successes.js';
import { makeThings, type Operation, operationsOf, pathOf, remake, targetsOf, type Things } from './support/things.js';
import { startWebServer, type WebServer } from './support/web-server.js';

const ALL = [...CONTRACT, ...EXTENSIONS];
const JSON_TYPE = 'application/json';

/** Whether it takes away what its path names, as the table of permissions says. */
const takesAway = ({ id }: Row): boolean => ACCESS[id]?.destroys === true;
const depthOf = ({ path }: Row): number => path.split('/').length;
/**
 * What takes something away comes last, and what lies deeper before what holds it (site-spaces before sections): so all can
 * act on the same things.
 */
const IN_ORDER = [
  ...ALL.filter((row) => !takesAway(row)),
  ...ALL.filter(takesAway).toSorted((a, b) => depthOf(b) - depthOf(a) || (a.path < b.path ? 1 : -1)),
];

let app: TestApp;
let web: WebServer;
let operations: Map<string, Operation>;
let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
let scene: Omit<Scene, 'at' | 'stranger'>;
let things: Things;
/** Another administrator, who made nothing of it. */
let second: TestUser;

beforeAll(async () => {
  web = await startWebServer({ '/page.md': '# Found\n\nText.\n' });
  app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  operations = new Map((await operationsOf(app)).map((operation) => [operation.name, operation]));
  organization = await app.create.organization();
  const reviewer = await app.create.user({ in: organization, role: 'review' });
  scene = { app, admin: organization.admin, reviewer, page: `${web.url}/page.md` };
  second = await app.create.user({ in: organization, role: 'admin' });
  things = await makeThings(app, organization);
});
afterAll(async () => {
  await app.close();
  await web.close();
});

/** How the operation of `row` is called with success, and on what: by the first table that says so. */
async function successOf({ id, status }: Row, operation: Operation): Promise<{ at: Things; how: Success }> {
  const [own, access, audit] = [SUCCESSES[id], ACCESS[id], AUDIT[id]];
  const sceneOf = async (at = things): Promise<Scene> => ({ ...scene, at, stranger: await app.create.user() });
  if (own) {
    const here = await sceneOf();
    return { at: here.at, how: await own(here) };
  }
  if (access?.allowed === status) {
    const body = typeof access.body === 'function' ? access.body(things) : (access.body as object | undefined);
    return { at: things, how: { query: access.query, body, type: access.type } };
  }
  if (!audit || !('action' in audit)) throw new Error(`No table says how ${id} answers ${String(status)}`);
  const at = audit.alone ? await remake(app, organization, things, targetsOf(operation)) : things;
  const here = await sceneOf(at);
  const { by = 'admin', body, type } = audit;
  const token = by === 'nobody' ? null : here[by].token;
  return { at: here.at, how: { token, type, body: typeof body === 'function' ? await body(here) : body } };
}

/** Calls the operation of `row` with success. */
async function call(row: Row): Promise<{ status: number; type: string; text: string }> {
  const operation = operations.get(row.id);
  if (!operation) throw new Error(`There is no operation ${row.id}`);
  const { at, how } = await successOf(row, operation);
  const { token = second.token, query = {}, body, type = JSON_TYPE } = how;
  const sent = app
    .anonymous()
    [operation.method](pathOf(operation, { ...at, ...how.path }))
    .query(query);
  if (token !== null) void sent.set('Authorization', `Bearer ${token}`);
  const answer = await (body === undefined ? sent : sent.set('Content-Type', type).send(body));
  return { status: answer.status, type: answer.type, text: answer.status < 400 ? '' : answer.text };
}

const matches = (type: string, wanted: string): boolean =>
  wanted === type || wanted === '*/*' || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)));

describe('every operation, called with success', () => {
  it.each(IN_ORDER.map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const { status, type, text } = await call(row);
    expect([status, text]).toEqual([row.status, '']);
    if (row.answer) {
      expect(type).toBe(JSON_TYPE);
      expect(app.held).toContain(`${row.method} ${row.path} ${String(row.status)}`);
    } else {
      const wanted = row.content ?? [''];
      expect([type, wanted.some((one) => matches(type, one))]).toEqual([type, true]);
    }
  });

  it('is every operation that is described', () => {
    expect(ALL.map(({ id }) => id).toSorted()).toEqual([...operations.keys()].toSorted());
  });
});
