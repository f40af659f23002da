import { type AccessRow, MANAGE, PAGED, READ } from './access-row.js';

/** Who may call the operations of teams, and those on what one member belongs to. */
export const ACCESS_OF_TEAMS: Record<string, AccessRow> = {
  listTeamsInOrganizationById: { ...READ, ...PAGED },
  createOrganizationTeam: { least: 'admin', allowed: 201, body: { title: 'Team' }, malformed: { body: { title: '' } } },
  getTeamInOrganizationById: { ...READ, hidden: true },
  updateTeamInOrganizationById: {
    least: 'admin',
    allowed: 200,
    hidden: true,
    body: { title: 'Team' },
    malformed: { body: {} },
  },
  removeTeamFromOrganizationById: { ...MANAGE, destroys: true },
  listTeamMembersInOrganizationById: { ...READ, ...PAGED, hidden: true },
  updateMembersInOrganizationTeam: { ...MANAGE, hidden: true, body: {}, malformed: { body: { add: 'everybody' } } },
  addMemberToOrganizationTeamById: { ...MANAGE, hidden: true, malformed: { body: { role: 'boss' } } },
  deleteMemberFromOrganizationTeamById: { ...MANAGE, hidden: true, destroys: true },
  listTeamsForOrganizationMember: { ...READ, ...PAGED },
  listSpacesForOrganizationMember: { least: 'admin', allowed: 200, malformed: { query: { order: 'up' } } },
};

/** Who may call the operations of members. */
export const ACCESS_OF_MEMBERS: Record<string, AccessRow> = {
  listMembersInOrganizationById: { ...READ, malformed: { query: { sort: 'name' } } },
  getMemberInOrganizationById: READ,
  updateMemberInOrganizationById: { least: 'admin', allowed: 200, body: {}, malformed: { body: { role: 'owner' } } },
  removeMemberFromOrganizationById: { least: 'admin', allowed: 204, destroys: true },
  setUserAsSSOMemberForOrganization: { least: 'admin', allowed: 200 },
  updateOrganizationMemberLastSeenAt: { least: 'guest', allowed: 200 },
};

/** Who may call the operations of single sign-on. */
export const ACCESS_OF_SSO: Record<string, AccessRow> = {
  listSAMLProvidersInOrganizationById: { least: 'admin', allowed: 200, ...PAGED },
  createOrganizationSAMLProvider: {
    least: 'admin',
    allowed: 201,
    body: { label: 'Acme' },
    malformed: { body: { label: '' } },
  },
  getOrganizationSAMLProviderById: { least: 'admin', allowed: 200 },
  updateOrganizationSAMLProvider: { least: 'admin', allowed: 200, body: {}, malformed: { body: { label: null } } },
  deleteOrganizationSAMLProvider: { ...MANAGE, destroys: true },
  listSSOProviderLoginsInOrganization: { least: 'guest', allowed: 200 },
};

/** Who may read the audit trail. */
export const ACCESS_OF_AUDIT: Record<string, AccessRow> = {
  listAuditEvents: { least: 'admin', allowed: 200, malformed: { query: { from: 'yesterday' } } },
};

/** Who may call the operations of invitations. */
export const ACCESS_OF_INVITATIONS: Record<string, AccessRow> = {
  listOrganizationInviteLinks: { least: 'admin', allowed: 200, ...PAGED },
  createOrganizationInvite: { least: 'admin', allowed: 201, body: { role: null }, malformed: { body: {} } },
  getOrganizationInviteLink: { least: 'stranger', allowed: 200 },
  updateOrganizationInviteById: { least: 'admin', allowed: 200, body: { role: 'read' }, malformed: { body: {} } },
  deleteOrganizationInviteById: { least: 'admin', allowed: 205, destroys: true },
  inviteUsersToOrganization: {
    least: 'admin',
    allowed: 200,
    body: { emails: ['new@example.org'] },
    malformed: { body: { emails: [] } },
  },
};
