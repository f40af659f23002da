import type { Member } from '../organizations/index.js';
import { organizationPermissions } from '../organizations/index.js';

/** What the caller may do with a team. */
export class TeamPermissions {
  /** Change its title and its members. */
  admin!: boolean;
  /** See it and its members. */
  view!: boolean;
}

/**
 * What `member` may do with the team `team` of the same organization: owners manage it, whatever their role in the
 * organization, and those who belong to it see it (decision 2). `null`: a stranger, who may nothing.
 */
export function teamPermissions(member: Member | null, team: string): TeamPermissions {
  const { admin, listTeams, view } = organizationPermissions(member);
  const own = view ? member?.teams.find((membership) => membership.team === team) : undefined;
  return { admin: admin || own?.role === 'owner', view: listTeams || own !== undefined };
}
