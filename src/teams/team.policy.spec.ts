import type { Member, TeamRole } from '../organizations/index.js';
import type { Role } from '../common/roles.js';
import { teamPermissions } from './team.policy.js';

interface Given {
  role?: Role | null;
  disabled?: boolean;
  own?: TeamRole;
  other?: TeamRole;
}

const member = ({ role = null, disabled = false, own, other }: Given): Member => ({
  _id: 'o:u',
  organization: 'o',
  user: 'u',
  role,
  disabled,
  sso: false,
  holds: 0,
  teams: [...(other ? [{ team: 't2', role: other }] : []), ...(own ? [{ team: 't1', role: own }] : [])],
  joinedAt: new Date(0),
  lastSeenAt: null,
  name: 'ann',
  email: 'ann@example.org',
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

describe('teamPermissions', () => {
  it.each<[string, Given, { admin: boolean; view: boolean }]>([
    ['administrators manage every team', { role: 'admin' }, { admin: true, view: true }],
    ['members see every team', { role: 'read' }, { admin: false, view: true }],
    ['creators of content do not manage teams', { role: 'create' }, { admin: false, view: true }],
    ['owners manage their team', { role: 'read', own: 'owner' }, { admin: true, view: true }],
    ['owners do not manage other teams', { role: 'read', other: 'owner' }, { admin: false, view: true }],
    ['guests see no team', {}, { admin: false, view: false }],
    ['guests see the teams that they belong to', { own: 'member' }, { admin: false, view: true }],
    ['guests manage the teams that they own', { own: 'owner' }, { admin: true, view: true }],
    ['disabled owners may nothing', { own: 'owner', disabled: true }, { admin: false, view: false }],
  ])('%s', (_rule, given, permissions) => {
    expect(teamPermissions(member(given), 't1')).toEqual(permissions);
  });

  it('lets strangers do nothing', () => {
    expect(teamPermissions(null, 't1')).toEqual({ admin: false, view: false });
  });
});
