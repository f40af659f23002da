import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import fc from 'fast-check';
import type { Connection, Model } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { DEFAULT_LEVELS, type DefaultLevel } from './grant.schema.js';
import { effectiveRole, Inheritance, type Levels, type LevelsAbove } from './space-role.js';
import { Space, SpaceSchema } from './space.schema.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;

interface Given {
  level?: DefaultLevel;
  users?: Record<string, Role | null>;
  teams?: Record<string, Role | null>;
}

const grants = (given: Record<string, Role | null> = {}) =>
  Object.entries(given).map(([subject, role]) => ({ subject, role, createdAt: new Date(0) }));

const levels = ({ level = 'inherit', users, teams }: Given): Levels => ({
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
  holds: 0,
  teams: teams.map((team) => ({ team, role: 'member' })),
  joinedAt: new Date(0),
  lastSeenAt: null,
  name: 'me',
  email: 'me@example.org',
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

/** The role at the root of the organization. */
const spaceRole = (given: Levels, who: Member | null): Role | null =>
  effectiveRole(given, who, new Inheritance(who, []).of(null).role);

const WIDE_OPEN: Given = { level: 'admin', users: { me: 'admin' }, teams: { t: 'admin' } };

describe('effectiveRole', () => {
  it('is none for strangers and disabled members, whatever else is said', () => {
    expect(spaceRole(levels(WIDE_OPEN), null)).toBeNull();
    expect(spaceRole(levels(WIDE_OPEN), member({ role: 'admin', disabled: true, teams: ['t'] }))).toBeNull();
  });

  it('is admin for administrators of the organization, whatever else is said', () => {
    const locked = levels({ level: null, users: { me: null }, teams: { t: 'read' } });
    expect(spaceRole(locked, member({ role: 'admin', teams: ['t'] }))).toBe('admin');
  });

  it.each<[string, Given, Person, Role | null]>([
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

/** The role of `who` in a collection, as domain rules spell it: upwards, until a level says something. */
function plainRole(id: string, collections: LevelsAbove[], who: Member): Role | null {
  if (who.role === 'admin') return 'admin';
  for (let at = collections.find(({ _id }) => _id === id); at;) {
    const own = at.users.find(({ subject }) => subject === who.user);
    if (own) return own.role;
    const teams = at.teams
      .filter(({ subject }) => who.teams.some(({ team }) => team === subject))
      .map(({ role }) => role);
    if (teams.length > 0) return ROLES.findLast((role) => teams.includes(role)) ?? null;
    if (at.defaultLevel !== 'inherit') return who.role === null ? null : at.defaultLevel;
    const { parent } = at;
    at = collections.find(({ _id }) => _id === parent);
  }
  return who.role;
}

/** A collection in another, or at the root. */
const collection = (_id: string, parent: string | null, given: Given): LevelsAbove => ({
  _id,
  parent,
  ...levels(given),
});

describe('Inheritance', () => {
  const tree = [
    collection('a', null, { level: 'edit' }),
    collection('b', 'a', { users: { me: null }, teams: { t: 'create' } }),
    collection('c', 'b', {}),
    collection('d', 'a', { level: null, users: { boss: 'admin' } }),
    collection('e', 'd', { level: 'comment' }),
  ];

  it.each<[string, Person & { user?: string }, (Role | null)[]]>([
    ['the nearest level', { role: 'read' }, ['edit', null, null, null, 'comment']],
    ['nothing by default for guests', {}, [null, null, null, null, null]],
    ['everything for administrators', { role: 'admin' }, ['admin', 'admin', 'admin', 'admin', 'admin']],
  ])('brings down %s', (_rule, person, roles) => {
    const inheritance = new Inheritance(member(person), tree);
    expect(tree.map(({ _id }) => inheritance.of(_id).role)).toEqual(roles);
  });

  it('brings down the entries of teams, and the own one before them', () => {
    const others = tree.map((one) => ({ ...one, users: [] }));
    expect(new Inheritance(member({ teams: ['t'] }), others).of('c').role).toBe('create');
    expect(new Inheritance(member({ teams: ['t'] }), tree).of('c').role).toBeNull();
  });

  it('brings down the explicit level of the nearest, for everybody alike', () => {
    const inheritance = new Inheritance(member({}), tree);
    expect(tree.map(({ _id }) => inheritance.of(_id).level)).toEqual(['edit', 'edit', 'edit', null, 'comment']);
    expect(inheritance.of(null)).toEqual({ role: null, level: 'inherit' });
  });

  it('takes a collection that is gone for the root', () => {
    expect(new Inheritance(member({ role: 'review' }), tree).of('gone')).toEqual({ role: 'review', level: 'inherit' });
  });

  it('gives strangers and disabled members nothing', () => {
    expect(new Inheritance(null, tree).of('a').role).toBeNull();
    expect(new Inheritance(member({ role: 'admin', disabled: true }), tree).of('a').role).toBeNull();
  });
});

describe('the filter of visible spaces', () => {
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
  const given = {
    // half of them leave it to the default
    level: fc.constantFrom<DefaultLevel>(...DEFAULT_LEVELS, null, 'inherit', 'inherit'),
    users: fc.oneof(fc.constant({}), entries(['me', 'other', 'third'])),
    teams: fc.oneof(fc.constant({}), entries(['t1', 't2', 't3'])),
  };
  // in the collection of that number, in one that is gone, or at the root
  const space = fc.record({ ...given, in: fc.integer({ min: -2, max: 7 }) });
  const tree = fc.array(fc.record({ ...given, above: fc.nat(20) }), { maxLength: 8 }).map((list) =>
    list.map((one, index) => {
      const above = one.above % (index + 1);
      return collection(`c${index}`, above === index ? null : `c${above}`, one);
    }),
  );
  const person = fc.record({
    role: fc.constantFrom<Role | null>(...ROLES, null, null, 'read'),
    teams: fc.subarray(['t1', 't2', 't3', 't4']),
  });

  it(
    'finds exactly the spaces in which a member has a role, which is the one that the rules spell',
    async () => {
      let organizations = 0;
      const property = fc.asyncProperty(
        fc.array(space, { minLength: 1, maxLength: 12 }),
        tree,
        person,
        async (list, collections, who) => {
          const organization = `o${++organizations}`;
          const records = list.map((one, index) => ({
            _id: `${organization}-${index}`,
            organization,
            parent: one.in < 0 ? (one.in === -1 ? null : 'gone') : (collections[one.in]?._id ?? null),
            order: 'a0',
            title: 'x',
            revision: 'r',
            ...levels(one),
          }));
          await spaces.insertMany(records);
          const reader = member(who);
          const inheritance = new Inheritance(reader, collections);
          const found = await spaces.find({ organization, ...inheritance.spaces() }, { _id: 1 }).lean();
          const wanted = records.filter((one) => effectiveRole(one, reader, inheritance.of(one.parent).role) !== null);
          expect(found.map(({ _id }) => _id).sort()).toEqual(wanted.map(({ _id }) => _id).sort());
          for (const one of records) {
            const role = effectiveRole(one, reader, inheritance.of(one.parent).role);
            expect(role).toBe(plainRole(one._id, [...collections, one], reader));
          }
          expect(
            collections.filter(({ _id }) => plainRole(_id, collections, reader) !== null).map(({ _id }) => _id),
          ).toEqual(inheritance.visible());
        },
      );
      await fc.assert(property, { numRuns: cases(150, 3000) });
    },
    LONG,
  );
});
