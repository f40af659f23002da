import { ROLES } from '../common/roles.js';
import type { Member, TeamRole } from './member.schema.js';
import { type OrganizationPermissions, organizationPermissions, organizationRights } from './organization.policy.js';

type Given = Partial<Pick<Member, 'role' | 'disabled'>> & { teams?: TeamRole[] };

function member({ role = null, disabled = false, teams = [] }: Given): Member {
  return {
    _id: 'o:u',
    organization: 'o',
    user: 'u',
    role,
    disabled,
    sso: false,
    holds: 0,
    teams: teams.map((teamRole, index) => ({ team: `t${index}`, role: teamRole })),
    joinedAt: new Date(0),
    lastSeenAt: null,
    name: 'ann',
    email: 'ann@example.org',
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
}

/** The names of what is allowed. */
const allowed = (given: Member | null): string[] =>
  Object.entries(organizationPermissions(given)).flatMap(([name, may]) => (may === true ? [name] : []));

const VIEW = ['view'];
const READ = [...VIEW, 'listMembers', 'listTeams'];
const EDIT = [...READ, 'listIntegrations'];
const CREATE = [...EDIT, 'createContent', 'createOpenAPISpec'];
const ADMIN = [...CREATE, 'admin', 'viewBilling'];

describe('organizationPermissions', () => {
  it.each([
    [null, VIEW],
    ['read', READ],
    ['comment', READ],
    ['edit', EDIT],
    ['review', EDIT],
    ['create', CREATE],
    ['admin', ADMIN],
  ] as const)('of the role %s', (role, names) => {
    expect(allowed(member({ role })).sort()).toEqual([...names].sort());
  });

  it('are none for strangers and disabled members, whatever they were', () => {
    const none = Object.fromEntries(Object.keys(organizationPermissions(null)).map((name) => [name, false]));
    expect(organizationPermissions(null)).toEqual(none);
    for (const role of [null, ...ROLES]) {
      expect(organizationPermissions(member({ role, disabled: true, teams: ['owner'] }))).toEqual(none);
    }
  });

  it.each([
    [[], false],
    [['member'], false],
    [['owner'], true],
    [['member', 'owner', 'member'], true],
  ] as [TeamRole[], boolean][])('with the teams %j: owner of a team is %j, whatever the role', (teams, owns) => {
    for (const role of [null, ...ROLES]) expect(organizationPermissions(member({ role, teams })).ownTeam).toBe(owns);
  });

  it('says all that the API promises, as true or false', () => {
    const names: (keyof OrganizationPermissions)[] = [
      'view',
      'admin',
      'ownTeam',
      'createContent',
      'createOpenAPISpec',
      'viewBilling',
      'listMembers',
      'listTeams',
      'listIntegrations',
    ];
    expect(Object.keys(organizationPermissions(null))).toEqual(names);
  });
});

describe('organizationRights', () => {
  it('lets every role read, and neither guests nor those who are disabled', () => {
    for (const role of ROLES) {
      expect(organizationRights(member({ role })).read).toBe(true);
      expect(organizationRights(member({ role, disabled: true })).read).toBe(false);
    }
    expect(organizationRights(member({ role: null })).read).toBe(false);
    expect(organizationRights(null)).toEqual({ ...organizationPermissions(null), read: false });
  });
});
