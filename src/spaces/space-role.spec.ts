import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import fc from 'fast-check';
import type { Connection, Model } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { type SpaceLevels, spaceRole, visibleTo } from './space-role.js';
import { DEFAULT_LEVELS, type DefaultLevel, type Grant, Space, SpaceSchema } from './space.schema.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;

interface Levels {
  level?: DefaultLevel;
  users?: Record<string, Role | null>;
  teams?: Record<string, Role | null>;
}

const grants = (given: Record<string, Role | null> = {}): Grant[] =>
  Object.entries(given).map(([subject, role]) => ({ subject, role, createdAt: new Date(0) }));

const levels = ({ level = 'inherit', users, teams }: Levels): SpaceLevels => ({
  defaultLevel: level,
  users: grants(users),
  teams: grants(teams),
});

interface Person {
  role?: Role | null;
  disabled?: boolean;
  teams?: string[];
}

/** The membership of the user `me`. */
const member = ({ role = null, disabled = false, teams = [] }: Person): Member => ({
  _id: 'o:me',
  organization: 'o',
  user: 'me',
  role,
  disabled,
  sso: false,
  teams: teams.map((team) => ({ team, role: 'member' })),
  joinedAt: new Date(0),
  lastSeenAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

const WIDE_OPEN: Levels = { level: 'admin', users: { me: 'admin' }, teams: { t: 'admin' } };

describe('spaceRole', () => {
  it('is none for strangers and disabled members, whatever else is said', () => {
    expect(spaceRole(levels(WIDE_OPEN), null)).toBeNull();
    expect(spaceRole(levels(WIDE_OPEN), member({ role: 'admin', disabled: true, teams: ['t'] }))).toBeNull();
  });

  it('is admin for administrators of the organization, whatever else is said', () => {
    const locked = levels({ level: null, users: { me: null }, teams: { t: 'read' } });
    expect(spaceRole(locked, member({ role: 'admin', teams: ['t'] }))).toBe('admin');
  });

  it.each<[string, Levels, Person, Role | null]>([
    ['the own entry', { users: { me: 'edit' } }, { role: 'read' }, 'edit'],
    ['the own entry, though it lowers the role', { users: { me: 'read' } }, { role: 'create' }, 'read'],
    ['the own entry, though it is none', { level: 'edit', users: { me: null } }, { role: 'create' }, null],
    ['the own entry before those of teams', { users: { me: 'read' }, teams: { t: 'admin' } }, { teams: ['t'] }, 'read'],
    [
      'the own entry without access before those of teams',
      { users: { me: null }, teams: { t: 'admin' } },
      { role: 'edit', teams: ['t'] },
      null,
    ],
    ['the own entry of a guest', { level: null, users: { me: 'review' } }, {}, 'review'],
    ['nothing from the entries of others', { level: null, users: { other: 'admin' } }, { role: 'edit' }, null],
    ['the entry of a team', { teams: { t: 'comment' } }, { role: 'create', teams: ['t'] }, 'comment'],
    ['the entry of a team, for a guest too', { level: null, teams: { t: 'edit' } }, { teams: ['t'] }, 'edit'],
    [
      'the highest of several teams',
      { teams: { a: 'read', b: 'review', c: 'comment' } },
      { teams: ['c', 'b', 'a'] },
      'review',
    ],
    ['a team with a role before one without', { teams: { a: null, b: 'read' } }, { teams: ['a', 'b'] }, 'read'],
    [
      'a team without access before the level',
      { level: 'edit', teams: { t: null } },
      { role: 'edit', teams: ['t'] },
      null,
    ],
    ['nothing from teams of others', { level: null, teams: { t: 'admin' } }, { role: 'edit', teams: ['u'] }, null],
    ['the default level', { level: 'comment' }, { role: 'read' }, 'comment'],
    ['the default level, though it lowers the role', { level: 'read' }, { role: 'create' }, 'read'],
    ['the default level, not for guests', { level: 'edit' }, {}, null],
    ['none by default', { level: null }, { role: 'create' }, null],
    ['the role in the organization when it inherits', { level: 'inherit' }, { role: 'review' }, 'review'],
    ['none for a guest when it inherits', { level: 'inherit' }, {}, null],
  ])('is %s', (_rule, given, person, role) => {
    expect(spaceRole(levels(given), member(person))).toBe(role);
  });

  it.each([...ROLES])('takes the role %s from each level alike', (role) => {
    expect(spaceRole(levels({ users: { me: role } }), member({}))).toBe(role);
    expect(spaceRole(levels({ teams: { t: role } }), member({ teams: ['t'] }))).toBe(role);
    expect(spaceRole(levels({ level: role }), member({ role: 'read' }))).toBe(role);
    expect(spaceRole(levels({}), member({ role }))).toBe(role);
  });
});

describe('visibleTo', () => {
  let test: TestDatabase;
  let spaces: Model<Space>;

  beforeAll(async () => {
    test = await startTestDatabase();
    const app = await test.boot(MongooseModule.forFeature([{ name: Space.name, schema: SpaceSchema }]));
    spaces = app.get<Connection>(getConnectionToken()).model<Space>(Space.name);
  });

  afterAll(() => test.stop());

  const role = fc.constantFrom<Role | null>(...ROLES, null);
  const entries = (subjects: string[]): fc.Arbitrary<Record<string, Role | null>> =>
    fc.dictionary(fc.constantFrom(...subjects), role, { maxKeys: 3 });
  const space = fc.record({
    // half of them leave it to the default
    level: fc.constantFrom<DefaultLevel>(...DEFAULT_LEVELS, null, 'inherit', 'inherit'),
    users: fc.oneof(fc.constant({}), entries(['me', 'other', 'third'])),
    teams: fc.oneof(fc.constant({}), entries(['t1', 't2', 't3'])),
  });
  const person = fc.record({
    role: fc.constantFrom<Role | null>(...ROLES, null, null, 'read'),
    teams: fc.subarray(['t1', 't2', 't3', 't4']),
  });

  it(
    'finds exactly the spaces in which a member has a role',
    async () => {
      let organizations = 0;
      const property = fc.asyncProperty(fc.array(space, { minLength: 1, maxLength: 12 }), person, async (list, who) => {
        const organization = `o${++organizations}`;
        const records = list.map((given, index) => ({
          _id: `${organization}-${index}`,
          organization,
          title: 'x',
          revision: 'r',
          indexedRevision: 'r',
          ...levels(given),
        }));
        await spaces.insertMany(records);
        const reader = member(who);
        const found = await spaces.find({ organization, ...visibleTo(reader) }, { _id: 1 }).lean();
        const wanted = records.filter((record) => spaceRole(record, reader) !== null);
        expect(found.map(({ _id }) => _id).sort()).toEqual(wanted.map(({ _id }) => _id).sort());
      });
      await fc.assert(property, { numRuns: cases(300, 3000) });
    },
    LONG,
  );
});
