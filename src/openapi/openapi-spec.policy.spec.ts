import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { openApiSpecPermissions } from './openapi-spec.policy.js';

const member = (role: Role | null): Member => ({
  _id: 'o:u',
  organization: 'o',
  user: 'u',
  role,
  disabled: false,
  sso: false,
  holds: 0,
  teams: [],
  joinedAt: new Date(0),
  lastSeenAt: null,
  name: 'ann',
  email: 'ann@example.org',
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

describe('openApiSpecPermissions', () => {
  it.each([null, ...ROLES])('of the role %j', (role) => {
    const expected = { view: role !== null, edit: role !== null && ['create', 'admin'].includes(role) };
    expect(openApiSpecPermissions(member(role))).toEqual(expected);
  });

  it('are none for strangers', () => {
    expect(openApiSpecPermissions(null)).toEqual({ view: false, edit: false });
  });
});
