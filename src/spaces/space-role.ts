import { higherRole, type Role } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import type { DefaultLevel, Grant, Space } from './space.schema.js';

/** What of a space decides about access. */
export type SpaceLevels = Pick<Space, 'defaultLevel' | 'users' | 'teams'>;

/**
 * The effective role of `member` in `space`: the nearest level that says anything wins, so it may lower a role too
 * (decision 2, effective role). `null` for strangers, disabled members and whoever nothing gives access.
 */
export function spaceRole(space: SpaceLevels, member: Member | null): Role | null {
  if (!member || member.disabled) return null;
  if (member.role === 'admin') return 'admin';
  const own = space.users.find(({ subject }) => subject === member.user);
  if (own) return own.role;
  const teams = teamGrants(space.teams, member);
  if (teams.length > 0) return teams.reduce<Role | null>((role, grant) => higherRole(role, grant.role), null);
  if (space.defaultLevel === 'inherit') return member.role;
  return member.role === null ? null : space.defaultLevel;
}

function teamGrants(grants: Grant[], member: Member): Grant[] {
  const teams = new Set(member.teams.map(({ team }) => team));
  return grants.filter(({ subject }) => teams.has(subject));
}

/** The filter of those spaces of an organization in which `member` has a role: the database's form of {@link spaceRole}. */
export function visibleTo(member: Member): Record<string, unknown> {
  if (member.role === 'admin') return {};
  const teams = member.teams.map(({ team }) => team);
  const levels: DefaultLevel[] = ['read', 'comment', 'edit', 'review', 'create', 'admin', 'inherit'];
  const byLevel = member.role === null ? NOTHING : { defaultLevel: { $in: levels } };
  const byTeam = {
    $or: [
      { teams: { $elemMatch: { subject: { $in: teams }, role: { $ne: null } } } },
      { 'teams.subject': { $nin: teams }, ...byLevel },
    ],
  };
  return {
    $or: [
      { users: { $elemMatch: { subject: member.user, role: { $ne: null } } } },
      { 'users.subject': { $ne: member.user }, ...(teams.length === 0 ? byLevel : byTeam) },
    ],
  };
}

/** A filter that no space passes: guests have no role by default. */
const NOTHING = { defaultLevel: { $in: [] as DefaultLevel[] } };
