export type { Member } from './member.schema.js';
export { MembersService } from './members.service.js';
export { CurrentOrganization, type OrganizationAccess, RequireOrganization } from './organization.guard.js';
export { type OrganizationPermissions, organizationPermissions } from './organization.policy.js';
export type { Organization } from './organization.schema.js';
export { OrganizationView, toOrganization } from './organization.view.js';
export { OrganizationsModule } from './organizations.module.js';
export { OrganizationsService } from './organizations.service.js';
export { PeopleService } from './people.service.js';
