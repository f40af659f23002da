export { MemberAnswers } from './member.answers.js';
export { type Member, TEAM_ROLES, type TeamRole } from './member.schema.js';
export { MemberView } from './member.view.js';
export { MembersService, type NewMember } from './members.service.js';
export { RequireOrganizationOrSelf } from './member.guard.js';
export {
  CurrentOrganization,
  type OrganizationAccess,
  organizationAccessOf,
  RequireOrganization,
} from './organization.guard.js';
export {
  type OrganizationPermissions,
  organizationPermissions,
  type OrganizationRights,
  organizationRights,
} from './organization.policy.js';
export type { Organization } from './organization.schema.js';
export { OrganizationView, toOrganization } from './organization.view.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { PeopleService } from './people.service.js';
export { ActiveProviders, type InvitedSpace, InvitedSpaces, MemberSpaces, OwnSites } from './questions.js';
export { TeamMembershipsService } from './team-memberships.service.js';
