import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { Invariants, type Problem } from '../database/index.js';
import { UsersModule, UsersService } from '../users/index.js';
import { MembersService, OrganizationsModule, OrganizationsService } from './index.js';

const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));
const INVARIANT = 'every member is found by the name and the e-mail address of the person';

let test: TestDatabase;
let connection: Connection;
let users: UsersService;
let organizations: OrganizationsService;
let members: MembersService;
let problems: () => Promise<Problem[]>;
let people = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  const app = await test.boot(config, UsersModule, OrganizationsModule);
  connection = app.get(getConnectionToken());
  users = app.get(UsersService, { strict: false });
  organizations = app.get(OrganizationsService, { strict: false });
  members = app.get(MembersService, { strict: false });
  const invariant = new Map(app.get(Invariants, { strict: false }).entries()).get(INVARIANT);
  problems = async () => {
    const found: Problem[] = [];
    for await (const problem of invariant?.() ?? []) found.push(problem);
    return found;
  };
});

afterAll(() => test.stop());

const newUser = async (displayName = 'Somebody'): Promise<string> =>
  (await users.create({ email: `P${++people}@example.org`, displayName }))._id;

describe('the names of members', () => {
  it('follow those of the people, in all their organizations', async () => {
    const user = await newUser('Ann Author');
    const made = [
      await organizations.create(user, { title: 'One' }),
      await organizations.create(user, { title: 'Other' }),
    ];
    await users.update(user, { displayName: 'ANN Writer' });
    await users.update(user, { photoURL: null });
    for (const { _id } of made) {
      expect(await members.get(_id, user)).toMatchObject({ name: 'ann writer', email: 'p1@example.org' });
    }
    expect(await problems()).toEqual([]);
  });

  it('are right whatever a change of the name meets', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { _id } = await organizations.create(await newUser(), { title: 'Meeting' });
      const user = await newUser('Before');
      await Promise.all([members.add(_id, user, 'read'), users.update(user, { displayName: 'After' })]);
      expect((await members.get(_id, user)).name).toBe('after');
    }
    expect(await problems()).toEqual([]);
  });

  it('are put right by doctor, and members without a person are named', async () => {
    const user = await newUser('Right Name');
    const { _id } = await organizations.create(user, { title: 'Wrong' });
    await members.add(_id, 'nobody', 'read');
    await connection.collection('members').updateOne({ user }, { $set: { name: 'wrong' } });
    const found = await problems();
    expect(found.map(({ where, what, repair }) => [where, what, repair !== undefined]).sort()).toEqual(
      [
        [`member ${_id}:nobody`, 'the person nobody does not exist', false],
        [
          `member ${_id}:${user}`,
          `is found by "wrong" and "p${people}@example.org", which is not what ${user} is called`,
          true,
        ],
      ].sort(),
    );
    for (const { repair } of found) await repair?.();
    expect((await members.get(_id, user)).name).toBe('right name');
    expect(await problems()).toHaveLength(1);
  });
});
