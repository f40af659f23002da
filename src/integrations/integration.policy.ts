import { type Member, organizationPermissions } from '../organizations/index.js';
import type { Integration } from './integration.schema.js';

/** What the caller may do with an integration (decision 2). */
export class IntegrationPermissions {
  /** Publish it anew, unpublish it, see who has installed it. */
  admin!: boolean;
  /** Install it in an organization of one's own. */
  install!: boolean;
}

/** Whether somebody with `members`, memberships by organization, may know of `integration` (decision 3.80). */
export function seesIntegration(
  { visibility, organization }: Pick<Integration, 'visibility' | 'organization'>,
  members: ReadonlyMap<string, Member>,
): boolean {
  return visibility !== 'private' || members.has(organization);
}

/** What somebody with `members`, memberships by organization, may do with `integration`. */
export function integrationPermissions(
  integration: Pick<Integration, 'visibility' | 'organization'>,
  members: ReadonlyMap<string, Member>,
): IntegrationPermissions {
  const admin = isAdmin(members.get(integration.organization));
  const install = integration.visibility === 'private' ? admin : [...members.values()].some(isAdmin);
  return { admin, install };
}

/** Whether `organization` may have `integration` installed: a private one is for its owner alone. */
export function mayInstall(
  { visibility, organization: owner }: Pick<Integration, 'visibility' | 'organization'>,
  organization: string,
): boolean {
  return visibility !== 'private' || owner === organization;
}

/** What the caller may do with an installation. */
export interface InstallationPermissions {
  /** Know of it. */
  view: boolean;
  /** Read it, and what it is on. */
  read: boolean;
  /** Change and end it, and say what it is on. */
  admin: boolean;
}

/**
 * What somebody with `members` may do with an installation in `organization` of an integration of `owner`. Administrators of either
 * read it; only those who have installed it change it.
 */
export function installationPermissions(
  { organization, owner }: { organization: string; owner: string },
  members: ReadonlyMap<string, Member>,
): InstallationPermissions {
  const member = members.get(organization) ?? null;
  const admin = isAdmin(member);
  const read = admin || isAdmin(members.get(owner));
  return { view: read || organizationPermissions(member).listMembers, read, admin };
}

const isAdmin = (member: Member | null | undefined): boolean => organizationPermissions(member ?? null).admin;
