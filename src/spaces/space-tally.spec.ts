import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { DEFAULT_LEVELS, type DefaultLevel } from './grant.schema.js';
import { effectiveRole, Inheritance, type Levels } from './space-role.js';
import { SpaceTally } from './space-tally.js';

const PEOPLE = ['u0', 'u1', 'u2', 'u3'];
const TEAMS = ['t0', 't1', 't2'];
const COLLECTIONS = ['c0', 'c1', 'c2'];

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
const level = {
  defaultLevel: fc.constantFrom<DefaultLevel>(...DEFAULT_LEVELS, 'inherit', 'inherit'),
  users: fc.oneof(fc.constant([]), entries([...PEOPLE, 'somebody'])),
  teams: fc.oneof(fc.constant([]), entries([...TEAMS, 'others'])),
};
// each collection at the root, or in the one before
const collections = fc
  .array(fc.record({ ...level, nested: fc.boolean() }), { maxLength: COLLECTIONS.length })
  .map((list) =>
    list.map(({ nested, ...one }, index) => ({
      ...one,
      _id: COLLECTIONS[index] ?? '',
      parent: nested ? (COLLECTIONS[index - 1] ?? null) : null,
    })),
  );
const spaces = fc.array(fc.record({ ...level, parent: fc.constantFrom(null, ...COLLECTIONS) }), { maxLength: 12 });
const people = fc.tuple(
  ...PEOPLE.map((user) => fc.tuple(role, fc.subarray(TEAMS)).map(([own, teams]) => member(user, own, teams))),
);

describe('SpaceTally', () => {
  it('counts for each member the spaces in which the member has a role', () => {
    const property = fc.property(collections, spaces, people, (above, list, members) => {
      const inheritance = new Map(members.map((one) => [one.user, new Inheritance(one, above)]));
      const tally = new SpaceTally(members, inheritance);
      for (const space of list) tally.add(space);
      const right = members.map((one) => {
        const roles = list.map((space) => effectiveRole(space, one, new Inheritance(one, above).of(space.parent).role));
        return [one.user, roles.filter((effective) => effective !== null).length];
      });
      expect([...tally.counts()]).toEqual(right);
    });
    fc.assert(property, { numRuns: cases(200, 5000) });
  });
});
