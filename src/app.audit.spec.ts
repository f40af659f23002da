import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { type ContentProcess, startContent } from '../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../test/support/database.js';
import { actAs, actAsNobody, Audit, AuditModule } from './audit/index.js';
import { newId } from './common/ids.js';
import { ConfigModule, loadConfig } from './config/index.js';
import { ContentModule } from './content/index.js';
import { Database } from './database/index.js';
import { MembersService, type Organization, OrganizationsService } from './organizations/index.js';
import { CollectionsService, SpaceLifeService, type Space, SpacesService } from './spaces/index.js';
import { UsersService } from './users/index.js';

/** What goes wrong with `change`, which fails for it. */
const FAULTS: Record<string, (change: () => Promise<unknown>) => Promise<unknown>> = {
  'nobody acts': (change) => actAsNobody(change),
  'the transaction cannot be ended': async (change) => {
    await test.fail('alwaysOn', { failCommands: ['commitTransaction'], errorCode: 2 });
    return change().finally(() => test.fail('off'));
  },
};

let test: TestDatabase;
let content: ContentProcess;
let connection: Connection;
let audit: Audit;
let database: Database;
let users: UsersService;
let organizations: OrganizationsService;
let members: MembersService;
let spaces: SpacesService;
let life: SpaceLifeService;
let collections: CollectionsService;
let organization: Organization;
let space: Space;

beforeAll(async () => {
  test = await startTestDatabase();
  const config = loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' });
  const app = await test.boot(ConfigModule.of(config), AuditModule, ContentModule);
  connection = app.get(getConnectionToken());
  audit = app.get(Audit, { strict: false });
  database = app.get(Database, { strict: false });
  organizations = app.get(OrganizationsService, { strict: false });
  members = app.get(MembersService, { strict: false });
  spaces = app.get(SpacesService, { strict: false });
  life = app.get(SpaceLifeService, { strict: false });
  collections = app.get(CollectionsService, { strict: false });
  users = app.get(UsersService, { strict: false });
  content = await startContent(test);
});

// of its own for each test: a transaction whose end failed holds for a while what it wrote
beforeEach(async () => {
  const { _id: ann } = await users.create({ email: `${newId()}@example.org`, displayName: 'Ann' });
  organization = await organizations.create(ann, { title: 'Acme' });
  space = await spaces.create(organization._id, ann, {});
});

afterAll(() => test.stop());

/** Everything that changes write to, but for texts and revisions, which nothing leads to before the pointer moves. */
async function stored(): Promise<string> {
  const names = [
    'audit_events',
    'organizations',
    'hostnames',
    'members',
    'spaces',
    'collections',
    'structures',
    'links',
  ];
  const all = names.map((name) => connection.collection(name).find().sort({ _id: 1 }).toArray());
  return JSON.stringify(await Promise.all(all));
}

/** Changes of every kind: of settings, of a record that is made, of places, of content. */
const CHANGES: Record<string, () => Promise<unknown>> = {
  'settings of an organization': () =>
    organizations.update(organization, { title: 'Other', hostname: newId().toLowerCase() }),
  'a new member': () => members.add(organization._id, 'bob', 'read'),
  'settings of a space': () => spaces.update(space, { title: 'Other' }),
  'a new collection': () => collections.create(organization._id, 'ann', {}),
  'a space in the trash': () => life.remove(space),
  'an edit': () =>
    content.writer.write(space._id, 'ann', async (editor) => editor.insertPage(await content.draft('A'))),
};

describe.each(Object.entries(FAULTS))('when %s', (_name, fault) => {
  it.each(Object.entries(CHANGES))('%s is neither made nor recorded', async (_what, change) => {
    const before = await stored();
    await expect(fault(change)).rejects.toThrow();
    expect(await stored()).toBe(before);
  });
});

describe('what is done', () => {
  it('is recorded once, however often its transaction begins anew', async () => {
    await test.fail(
      { times: 2 },
      { failCommands: ['commitTransaction'], errorCode: 112, errorLabels: ['TransientTransactionError'] },
    );
    await actAs('ann', () => spaces.update(space, { title: 'Retried' })).finally(() => test.fail('off'));
    const { count, items } = await audit.list(organization._id, { action: 'space.update' });
    expect([count, items[0]?.actor]).toEqual([1, 'ann']);
  });

  it('is recorded in a transaction alone, and where somebody acts', async () => {
    const done = { organization: organization._id, action: 'space.update', id: space._id } as const;
    await expect(audit.record(done)).rejects.toThrow('in the transaction that does it');
    const recording = () => database.transaction(() => audit.record(done));
    await expect(actAsNobody(recording)).rejects.toThrow('Nobody acts here');
    await actAsNobody(() => actAs('bob', recording));
    expect((await audit.list(organization._id, { actor: 'bob' })).count).toBe(1);
  });
});
