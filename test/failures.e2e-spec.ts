import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { IndexSweep } from '../src/content/index.js';
import { SegmentMerger } from '../src/content/search/merger.js';
import { SpecProcessing } from '../src/openapi/spec-processing.js';
import { WebhookDeliverer } from '../src/webhooks/index.js';
import { WEBHOOK_EVENTS } from '../src/webhooks/webhook-events.js';
import { ACCESS } from './support/access-table.js';
import { startApp, type TestApp } from './support/app.js';
import type { Scene } from './support/audit-scene.js';
import { AUDIT } from './support/audit-table.js';
import { cases } from './support/cases.js';
import { type Fault, FAULTS, type FaultyDatabase, startFaultyDatabase } from './support/database-faults.js';
import { type Changing, FailingCalls } from './support/failing-calls.js';
import type { Stored } from './support/stored.js';
import { type Success, SUCCESSES } from './support/successes.js';
import { idOf, makeThings, type Operation, operationsOf, pathOf } from './support/things.js';
import { startWebServer, type WebServer } from './support/web-server.js';

/** Faults that each operation meets, at calls that chance names; 0: all of them, at every call. */
const SHARE = cases(1, 0);
/** Operations that are no GET and change nothing. */
const READING = ['resolvePublishedContentByUrl', 'searchSiteContent'];
/** The GET that writes: it makes the key that it answers. */
const WRITING = 'getSitePublishingAuthById';
/** Faults that show what becomes of an `Idempotency-Key`; the others come to nothing. */
const FINAL: readonly Fault[] = ['refused', 'away'];

/** How operations are called that change nothing where the tables call them, or are refused. */
const OWN: Record<string, (scene: Scene) => Promise<Success>> = {
  transferSpace: async ({ app, at, admin }) => {
    const made = await app.as(admin).post(`/v1/orgs/${at.organizationId}/spaces`).send({ title: 'Free' }).expect(201);
    const organization = (await app.create.organization({ admin }))._id;
    return { path: { spaceId: idOf(made.body) }, body: { organization } };
  },
  unpublishSite: async ({ app, at, admin }) => {
    await app.as(admin).post(`/v1/orgs/${at.organizationId}/sites/${at.siteId}/publish`).expect(200);
    return {};
  },
  moveSiteSection: async ({ app, at, admin }) => {
    const { body } = await app.as(admin).get(`/v1/orgs/${at.organizationId}/sites/${at.siteId}/sections`).expect(200);
    const siteSection = idOf((body as { items: unknown[] }).items[0]);
    return { body: { position: { before: { type: 'site-section', siteSection } } } };
  },
  deleteSiteSpaceCustomizationById: async ({ app, at, admin }) => {
    const path = `/v1/orgs/${at.organizationId}/sites/${at.siteId}/site-spaces/${at.siteSpaceId}/customization`;
    const pdf = { enabled: false };
    await app.as(admin).patch(path).send({ pdf }).expect(200);
    return {};
  },
};

let app: TestApp;
let web: WebServer;
let database: FaultyDatabase;
let client: mongo.MongoClient;
let calls: FailingCalls;
let operations: Map<string, Operation>;
let scene: Scene;
let before: Stored;
/** Calls that failed so far, and what their requests were answered, by status. */
const met = { operations: 0, failures: 0, answers: {} as Record<number, number> };

beforeAll(async () => {
  web = await startWebServer({ '/page.md': '# Found\n\nText.\n' });
  database = await startFaultyDatabase();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  app = await startApp({ OUTBOUND_ALLOW: '127.0.0.1', MONGODB_URI: database.uri(name) }, name);
  client = await mongo.MongoClient.connect(process.env.TEST_DATABASE_URI ?? '');
  calls = new FailingCalls(app, database, client.db(name));
  operations = new Map((await operationsOf(app)).map((operation) => [operation.name, operation]));
  // what goes on by itself would meet faults in place of the requests
  await app.nest.get(SegmentMerger, { strict: false }).onModuleDestroy();
  await app.nest.get(IndexSweep, { strict: false }).onModuleDestroy();
  await app.nest.get(WebhookDeliverer, { strict: false }).onModuleDestroy();
  const organization = await app.create.organization();
  const { _id, admin } = organization;
  const reviewer = await app.create.user({ in: organization, role: 'review' });
  const at = await makeThings(app, organization);
  await app.nest.get(SpecProcessing, { strict: false }).onModuleDestroy();
  // the deliveries are a part of what happens
  const webhook = { url: 'https://hooks.invalid/all', events: WEBHOOK_EVENTS };
  await app.as(admin).post(`/v1/orgs/${_id}/webhooks`).send(webhook).expect(201);
  scene = { app, at, admin, reviewer, stranger: await app.create.user(), page: `${web.url}/page.md` };
  before = await calls.stored();
});
afterAll(async () => {
  await app.close();
  await client.close();
  await database.close();
  await web.close();
});

/** How the operation `name` is called so that it changes something, by the first table that says so. */
async function successOf(name: string): Promise<Success> {
  const [own, access, audit] = [OWN[name] ?? SUCCESSES[name], ACCESS[name], AUDIT[name]];
  if (own) return own(scene);
  if (audit && 'action' in audit) {
    const { by = 'admin', body, type } = audit;
    const token = by === 'nobody' ? null : scene[by].token;
    return { token, type, body: typeof body === 'function' ? await body(scene) : body };
  }
  const body = typeof access?.body === 'function' ? access.body(scene.at) : (access?.body as object | undefined);
  return { query: access?.query, body, type: access?.type };
}

async function changingOf({ name, method, path }: Operation): Promise<Changing> {
  const success = await successOf(name);
  const { token = scene.admin.token, query = {}, body, type = 'application/json' } = success;
  const address = pathOf({ name, method, path, open: false }, { ...scene.at, ...success.path });
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const isRead = method !== 'get' && [...operations.values()].some((one) => one.method === 'get' && one.path === path);
  return {
    send: async (headers = {}) => {
      const sent = app.anonymous()[method](address).query(query).set(authorization).set(headers);
      return body === undefined ? sent : sent.set('Content-Type', type).send(body);
    },
    ...(isRead && { read: async () => app.anonymous().get(address).set(authorization) }),
  };
}

describe('an operation of which a call of the database fails', () => {
  it('is every one that changes something', () => {
    const changing = [...operations.values()].filter(({ method }) => method !== 'get').map(({ name }) => name);
    expect(Object.keys(AUDIT).toSorted()).toEqual(changing.toSorted());
    expect(operations.get(WRITING)?.method).toBe('get');
  });

  it.each([...Object.keys(AUDIT), WRITING])('happens once or not at all: %s', async (name) => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`There is no operation ${name}`);
    try {
      const changing = await changingOf(operation);
      // what is made when it is first read is made
      await changing.read?.();
      const here = await calls.stored();
      const wanted = await calls.wanted(changing, here);
      expect(wanted.effect.length > 0).toBe(!READING.includes(name));
      const meet = async (fault: Fault, at: number, keyed: boolean): Promise<boolean> => {
        const key = keyed ? { key: randomUUID() } : {};
        const { struck, status, problems } = await calls.run(changing, here, wanted, { fault, at, ...key });
        expect([fault, at, keyed, struck, problems]).toEqual([fault, at, keyed, struck, []]);
        if (struck === undefined) return false;
        met.failures += 1;
        met.answers[status] = (met.answers[status] ?? 0) + 1;
        return true;
      };
      const mayHaveKey = (fault: Fault): boolean => operation.method === 'post' && FINAL.includes(fault);
      if (SHARE > 0) {
        const any = fc.tuple(fc.constantFrom(...FAULTS), fc.nat(wanted.calls - 1), fc.boolean());
        for (const [fault, at, keyed] of fc.sample(any, SHARE)) await meet(fault, at, keyed && mayHaveKey(fault));
        return;
      }
      for (const fault of FAULTS) {
        for (const keyed of mayHaveKey(fault) ? [false, true] : [false]) {
          for (let at = 0; await meet(fault, at, keyed); at += 1);
        }
      }
      met.operations += 1;
      // whoever lets it run for an hour wants to know
      process.stdout.write(`${name}: ${JSON.stringify(met)}\n`);
    } finally {
      await calls.reset(before);
    }
  });
});
