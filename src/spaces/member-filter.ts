import { atLeast, type Role } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import type { Grant } from './grant.schema.js';
import { atRoot, effectiveRole, type Levels } from './space-role.js';

/** A condition on the records of members, in the database's form. */
export type MemberCondition = Record<string, unknown>;

/** What no record fulfils. */
const NOBODY: MemberCondition = { _id: { $in: [] } };

/**
 * The effective role of `member` in a space or collection. `levels` are what decides about access to it and to the
 * collections above, the nearest first: the space or collection itself.
 */
export function roleAt(levels: readonly Levels[], member: Member): Role | null {
  return levels.reduceRight((above, level) => effectiveRole(level, member, above), atRoot(member).role);
}

/**
 * Which active members have the effective role `role`, or, where that is left out, any: {@link roleAt} in the database's
 * form.
 */
export function membersWith(levels: readonly Levels[], role?: Role): MemberCondition {
  const others = { $and: [{ role: { $ne: 'admin' } }, byLevel(levels, role)] };
  return role === undefined || role === 'admin' ? { $or: [{ role: 'admin' }, others] } : others;
}

/** What the nearest level says of who is no administrator of the organization. */
function byLevel([nearest, ...above]: readonly Levels[], role?: Role): MemberCondition {
  if (!nearest) return { role: role ?? { $ne: null } };
  const byDefault = nearest.defaultLevel === 'inherit' ? byLevel(above, role) : byOwnLevel(nearest.defaultLevel, role);
  return byUser(nearest.users, byTeam(nearest.teams, byDefault, role), role);
}

/** The explicit level `level`; guests have nothing by it. */
function byOwnLevel(level: Role | null, role?: Role): MemberCondition {
  return level === null || (role !== undefined && level !== role) ? NOBODY : { role: { $ne: null } };
}

function byUser(users: Levels['users'], otherwise: MemberCondition, role?: Role): MemberCondition {
  if (users.length === 0) return otherwise;
  const allowed = users.filter((grant) => (role === undefined ? grant.role !== null : grant.role === role));
  return {
    $or: [{ user: { $in: subjects(allowed) } }, { $and: [{ user: { $nin: subjects(users) } }, otherwise] }],
  };
}

/** Of several teams the highest role counts. */
function byTeam(teams: Levels['teams'], otherwise: MemberCondition, role?: Role): MemberCondition {
  if (teams.length === 0) return otherwise;
  const allowed = teams.filter((grant) => (role === undefined ? grant.role !== null : grant.role === role));
  const higher = teams.filter((grant) => role !== undefined && grant.role !== role && atLeast(grant.role, role));
  return {
    $or: [
      { 'teams.team': { $in: subjects(allowed), $nin: subjects(higher) } },
      { $and: [{ 'teams.team': { $nin: subjects(teams) } }, otherwise] },
    ],
  };
}

const subjects = (grants: readonly Pick<Grant, 'subject'>[]): string[] => grants.map(({ subject }) => subject);
