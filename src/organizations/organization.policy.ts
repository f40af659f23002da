import { atLeast } from '../common/roles.js';
import type { Member } from './member.schema.js';

/** What the caller may do in an organization. */
export class OrganizationPermissions {
  /** See that it exists. */
  view!: boolean;
  /** Change its settings, members and everything in it. */
  admin!: boolean;
  /** Is owner of at least one of its teams. */
  ownTeam!: boolean;
  /** Make spaces, collections and sites. */
  createContent!: boolean;
  createOpenAPISpec!: boolean;
  viewBilling!: boolean;
  /** See the other members. */
  listMembers!: boolean;
  listTeams!: boolean;
  listIntegrations!: boolean;
}

/** What of a membership says what its holder may do. */
export type Standing = Pick<Member, 'role' | 'disabled' | 'teams'>;

/** That of whoever makes an organization. */
export const FOUNDER: Standing = { role: 'admin', disabled: false, teams: [] };

/** What `member` may do in the organization of the membership; `null`: a stranger, who may nothing. */
export function organizationPermissions(member: Standing | null): OrganizationPermissions {
  const active = member !== null && !member.disabled;
  const role = active ? member.role : null;
  return {
    view: active,
    admin: atLeast(role, 'admin'),
    ownTeam: active && member.teams.some((membership) => membership.role === 'owner'),
    createContent: atLeast(role, 'create'),
    createOpenAPISpec: atLeast(role, 'create'),
    viewBilling: atLeast(role, 'admin'),
    listMembers: atLeast(role, 'read'),
    listTeams: atLeast(role, 'read'),
    listIntegrations: atLeast(role, 'edit'),
  };
}

/** What operations of an organization may demand: what answers tell of, and what every role but `guest` brings. */
export interface OrganizationRights extends OrganizationPermissions {
  /** Read what belongs to the organization as a whole (`org:read`, decision 2). */
  read: boolean;
}

/** The same as {@link organizationPermissions}, with what is not told. */
export function organizationRights(member: Member | null): OrganizationRights {
  const role = member !== null && !member.disabled ? member.role : null;
  return { ...organizationPermissions(member), read: atLeast(role, 'read') };
}
