import type { Connection } from 'mongoose';
import { type ContentProcess, startContent } from '../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../test/support/database.js';
import { OF_CONTENT } from '../test/support/queries/content.js';
import { OF_DISCUSSIONS } from '../test/support/queries/discussions.js';
import { OF_INTEGRATIONS } from '../test/support/queries/integrations.js';
import { OF_OPENAPI } from '../test/support/queries/openapi.js';
import { OF_PEOPLE } from '../test/support/queries/people.js';
import { OF_THE_SERVICE } from '../test/support/queries/service.js';
import { type Services, startServices } from '../test/support/queries/services.js';
import { OF_SITES } from '../test/support/queries/sites.js';
import { OF_SPACES } from '../test/support/queries/spaces.js';
import { OF_WEBHOOKS } from '../test/support/queries/webhooks.js';
import { commandsOf, explain, multiply } from '../test/support/query-plans.js';
import { actsOf, type Asked, makeTenant, type Queries, type Tenant, writeOthers } from '../test/support/tenants.js';

/** Records of others in each collection: a query that reads so many reads what it should not. */
const OTHERS = 400;
/** What a query of one tenant, which has less than that of everything, may read. */
const ENOUGH = 150;

/** Queries that read a whole collection, by collection and filter, and why they may. */
const WHOLE: Record<string, string> = {
  'users {}': 'asks whether there is anybody, and stops at the first',
  'migrations {}': 'there are as many as there are versions',
};
/** Queries whose answer is put in order after it was read, by how collection and filter begin, and why that is little. */
const SORTED: Record<string, string> = {
  organizations: 'those of one person, or of one e-mail domain',
  change_requests: 'those of one person, with one status, in one space: an index over a list gives no order here',
  comments: 'those of several people, whom somebody asks for by name',
  integrations: 'those that everybody finds, and of the organizations of one person',
  'installations {"externalIds"': 'those with one external id: an index over a list gives no order here',
  collections: 'those of one organization that somebody sees, at most a thousand',
  'members {"teams.team"': 'those of one team: the embedded engine does not read an index over arrays in order',
  sites: 'those that carry one space, or one of those that a guest sees',
  teams: 'those of one member, or that one member can manage, at most a thousand',
};

/**
 * Everything that looks something up. A module of its own (as openapi, or webhooks) has a file of its own in
 * `test/support/queries`. Its services go into `services.ts` there, a record of others into `writeOthers` of
 * `test/support/tenants.ts`, and what is unique in it into `UNIQUE` of `test/support/query-plans.ts`.
 */
const QUERIES: Queries = {
  // first: what was done grows with everything that the others do
  ...OF_THE_SERVICE,
  ...OF_PEOPLE,
  ...OF_SPACES,
  ...OF_CONTENT,
  ...OF_DISCUSSIONS,
  ...OF_SITES,
  ...OF_INTEGRATIONS,
  ...OF_OPENAPI,
  ...OF_WEBHOOKS,
};

let test: TestDatabase;
let services: Services;
/** Writes what is there. */
let author: ContentProcess;
let connection: Connection;

beforeAll(async () => {
  test = await startTestDatabase();
  services = await startServices(test);
  connection = services.connection;
  author = await startContent(test);
  await writeOthers(services, author);
  await multiply(connection, OTHERS);
});

afterAll(() => test.stop());

describe('every index that is declared', () => {
  it('is built, and no other', async () => {
    for (const model of Object.values(connection.models)) {
      const built = (await model.collection.indexes()).map(({ key }) => JSON.stringify(key));
      const declared = model.schema.indexes().map(([key]) => JSON.stringify(key));
      expect([model.collection.name, built.sort()]).toEqual([model.collection.name, ['{"_id":1}', ...declared].sort()]);
    }
    expect(Object.keys(connection.models).length).toBeGreaterThan(8);
  });
});

describe('every query uses an index', () => {
  it('as can be seen from one that does not', async () => {
    const unsorted = await explain(connection, { find: 'users', filter: { displayName: 'Others' } });
    expect(unsorted).toMatchObject({ collection: 'users', stages: ['COLLSCAN'] });
    expect(unsorted.examined).toBeGreaterThan(OTHERS);
    const sorted = await explain(connection, { find: 'spaces', filter: { organization: 'o' }, sort: { title: 1 } });
    expect(sorted.stages).toEqual(['SORT', 'FETCH', 'IXSCAN']);
  });

  let given: Tenant;
  let asked: Asked;

  beforeAll(async () => {
    given = await makeTenant(services, author);
    asked = { ...services, ...actsOf(services), content: await startContent(test) };
  });

  it.each(Object.entries(QUERIES))('when %s', async (_, work) => {
    const all = await commandsOf([connection, asked.content.connection], () => work(given, asked));
    expect(all.length).toBeGreaterThan(0);
    for (const command of all) {
      const { collection, filter, stages, examined } = await explain(connection, command);
      const query = `${collection} ${filter}`;
      if (query in WHOLE) continue;
      expect([query, stages]).not.toEqual([query, expect.arrayContaining(['COLLSCAN'])]);
      if (!Object.keys(SORTED).some((start) => query.startsWith(start)))
        expect([query, stages]).not.toEqual([query, expect.arrayContaining(['SORT'])]);
      expect([query, examined > ENOUGH]).toEqual([query, false]);
    }
  });
});
