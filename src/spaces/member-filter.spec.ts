import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { DEFAULT_LEVELS, type DefaultLevel } from './grant.schema.js';
import { membersWith, roleAt } from './member-filter.js';
import type { Levels } from './space-role.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;
const PEOPLE = ['u0', 'u1', 'u2', 'u3', 'u4'];
const TEAMS = ['t0', 't1', 't2'];

const member = (user: string, role: Role | null, teams: string[]): Member => ({
  _id: `o:${user}`,
  organization: 'o',
  user,
  role,
  disabled: false,
  sso: false,
  holds: 0,
  teams: teams.map((team) => ({ team, role: 'member' })),
  joinedAt: new Date(0),
  lastSeenAt: null,
  name: user,
  email: `${user}@example.org`,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

const role = fc.constantFrom<Role | null>(...ROLES, null);
const entries = (subjects: string[]): fc.Arbitrary<Levels['users']> =>
  fc
    .dictionary(fc.constantFrom(...subjects), role, { maxKeys: 3 })
    .map((roles) => Object.entries(roles).map(([subject, one]) => ({ subject, role: one })));
const level = fc.record({
  defaultLevel: fc.constantFrom<DefaultLevel>(...DEFAULT_LEVELS, 'inherit', 'inherit', 'inherit'),
  users: fc.oneof(fc.constant([]), entries(PEOPLE)),
  teams: fc.oneof(fc.constant([]), entries(TEAMS)),
});
const people = fc.tuple(
  ...PEOPLE.map((user) =>
    fc
      .tuple(fc.constantFrom<Role | null>(...ROLES, null, 'read'), fc.subarray(TEAMS))
      .map(([own, teams]) => member(user, own, teams)),
  ),
);

describe('the filter of members with a role', () => {
  let test: TestDatabase;
  let connection: Connection;

  beforeAll(async () => {
    test = await startTestDatabase();
    connection = await test.connect('filter');
  });
  afterAll(() => test.stop());

  it(
    'finds exactly those who have it',
    async () => {
      const records = connection.collection<Member>('some_members');
      const property = fc.asyncProperty(fc.array(level, { maxLength: 4 }), people, async (levels, list) => {
        // there is no index that would keep them out of the way
        await records.deleteMany({});
        await records.insertMany(list);
        for (const wanted of [undefined, ...ROLES]) {
          const found = await records.find(membersWith(levels, wanted)).toArray();
          const right = list.filter((one) => {
            const effective = roleAt(levels, one);
            return wanted === undefined ? effective !== null : effective === wanted;
          });
          expect(found.map(({ user }) => user).sort()).toEqual(right.map(({ user }) => user).sort());
        }
      });
      await fc.assert(property, { numRuns: cases(40, 1000) });
    },
    LONG,
  );
});
