import { PageOf } from '../common/page.dto.js';
import { type Member, MemberView, type TeamRole } from '../organizations/index.js';
import { TeamPermissions, teamPermissions } from './team.policy.js';
import type { Team } from './team.schema.js';

/** A team, as the API returns it. */
export class TeamView {
  object!: 'team';
  id!: string;
  title!: string;
  /** How many members belong to it. */
  members!: number;
  /** How many spaces it has an entry with a role in. */
  spaces!: number;
  /** ISO 8601, UTC. */
  createdAt!: string;
  permissions!: TeamPermissions;
}

export class TeamPage extends PageOf(TeamView) {}

/** What somebody is in a team. */
export class TeamMemberView {
  role!: 'owner' | 'member';
}

/** A team of a member, and what the member is in it. */
export class MemberTeamView {
  team!: TeamView;
  member!: TeamMemberView;
}

export class MemberTeamPage extends PageOf(MemberTeamView) {}

/** What the caller may do with a member of a team. */
export class TeamMemberPermissions {
  /** See the member. */
  view!: boolean;
}

/** A member of a team: what they are in the organization, and in the team. */
export class OrganizationTeamMemberView {
  organization!: MemberView;
  team!: TeamMemberView;
  permissions!: TeamMemberPermissions;
}

export class OrganizationTeamMemberPage extends PageOf(OrganizationTeamMemberView) {}

/** Shapes `team`, which has an entry in `spaces` spaces, for the caller whose membership is `member`. */
export function toTeam(team: Team, { member, spaces }: { member: Member | null; spaces: number }): TeamView {
  return {
    object: 'team',
    id: team._id,
    title: team.title,
    members: team.members,
    spaces,
    createdAt: team.createdAt.toISOString(),
    permissions: teamPermissions(member, team._id),
  };
}

/** What `member` is in the team `team`; `null` when the member does not belong to it. */
export function roleInTeam({ teams }: Pick<Member, 'teams'>, team: string): TeamRole | null {
  return teams.find((membership) => membership.team === team)?.role ?? null;
}
