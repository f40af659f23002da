import { ROLES, type Role } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { installationPermissions, integrationPermissions, mayInstall, seesIntegration } from './integration.policy.js';
import { INTEGRATION_VISIBILITIES } from './integration.schema.js';

/** Memberships with these roles, by organization. */
const membersOf = (roles: Record<string, Role | null>): Map<string, Member> =>
  new Map(
    Object.entries(roles).map(([organization, role]) => [
      organization,
      { organization, role, disabled: false, teams: [] } as unknown as Member,
    ]),
  );
const BELOW: (Role | null)[] = [null, ...ROLES.filter((role) => role !== 'admin')];

describe('integrations', () => {
  it.each(INTEGRATION_VISIBILITIES)('that are %s', (visibility) => {
    const integration = { visibility, organization: 'owner' };
    const isPrivate = visibility === 'private';
    const of = (roles: Record<string, Role | null>) => ({
      sees: seesIntegration(integration, membersOf(roles)),
      ...integrationPermissions(integration, membersOf(roles)),
    });
    expect(of({})).toEqual({ sees: !isPrivate, admin: false, install: false });
    expect(of({ other: 'admin' })).toEqual({ sees: !isPrivate, admin: false, install: !isPrivate });
    expect(of({ owner: 'admin' })).toEqual({ sees: true, admin: true, install: true });
    for (const role of BELOW) {
      expect(of({ owner: role, other: role })).toEqual({ sees: true, admin: false, install: false });
      expect(of({ owner: role, other: 'admin' })).toEqual({ sees: true, admin: false, install: !isPrivate });
    }
    expect([mayInstall(integration, 'owner'), mayInstall(integration, 'other')]).toEqual([true, !isPrivate]);
  });
});

describe('installations', () => {
  const of = (roles: Record<string, Role | null>) =>
    installationPermissions({ organization: 'acme', owner: 'owner' }, membersOf(roles));

  it('are read by administrators on both sides, and changed by those who installed them', () => {
    expect(of({})).toEqual({ view: false, read: false, admin: false });
    expect(of({ acme: 'admin' })).toEqual({ view: true, read: true, admin: true });
    expect(of({ owner: 'admin' })).toEqual({ view: true, read: true, admin: false });
    expect(of({ owner: 'create', other: 'admin' })).toEqual({ view: false, read: false, admin: false });
    for (const role of BELOW) expect(of({ acme: role })).toEqual({ view: role !== null, read: false, admin: false });
  });
});
