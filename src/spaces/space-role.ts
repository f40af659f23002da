import { higherRole, type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import type { DefaultLevel, Grant } from './grant.schema.js';

/** What of a space or a collection decides about access. */
export interface Levels {
  defaultLevel: DefaultLevel;
  users: readonly Pick<Grant, 'subject' | 'role'>[];
  teams: readonly Pick<Grant, 'subject' | 'role'>[];
}

/** A collection, as far as it decides about access to what stands in it. */
export interface LevelsAbove extends Levels {
  _id: string;
  parent: string | null;
}

/** What comes down to a space or a collection from above. */
export interface Inherited {
  /** The role of the caller at the level above: in the collection, or at the root in the organization. */
  role: Role | null;
  /** The explicit level of the nearest collection above, or `inherit` when none has one. */
  level: DefaultLevel;
}

/** What comes down to whatever stands at the root of an organization. */
export function atRoot(member: Member | null): Inherited {
  return { role: member && !member.disabled ? member.role : null, level: 'inherit' };
}

/** What comes down to whatever stands in `collection`, to which `above` comes down. */
export function below(collection: Levels, member: Member | null, above: Inherited): Inherited {
  return {
    role: effectiveRole(collection, member, above.role),
    level: collection.defaultLevel === 'inherit' ? above.level : collection.defaultLevel,
  };
}

/**
 * The effective role of `member` in a space or collection, where the role at the level above is `above`: the nearest
 * level that says anything wins, so it may lower a role too (decision 2, effective role). `null` for strangers, disabled
 * members and whoever nothing gives access.
 */
export function effectiveRole(levels: Levels, member: Member | null, above: Role | null): Role | null {
  if (!member || member.disabled) return null;
  if (member.role === 'admin') return 'admin';
  const own = levels.users.find(({ subject }) => subject === member.user);
  if (own) return own.role;
  const memberOf = new Set(member.teams.map(({ team }) => team));
  const teams = levels.teams.filter(({ subject }) => memberOf.has(subject));
  if (teams.length > 0) return teams.reduce<Role | null>((role, grant) => higherRole(role, grant.role), null);
  if (levels.defaultLevel === 'inherit') return above;
  return member.role === null ? null : levels.defaultLevel;
}

/** What comes down from each of the collections of an organization to what stands in it, for one member. */
export class Inheritance {
  private readonly known = new Map<string, Inherited>();
  private readonly collections: Map<string, LevelsAbove>;
  private readonly root: Inherited;

  /** @param collections All that are asked about, with all above them. */
  constructor(
    private readonly member: Member | null,
    collections: readonly LevelsAbove[],
  ) {
    this.collections = new Map(collections.map((collection) => [collection._id, collection]));
    this.root = atRoot(member);
  }

  /** What comes down to what stands in `parent`; `null`, or a collection that is gone, stands for the root. */
  of(parent: string | null): Inherited {
    const collection = parent === null ? undefined : this.collections.get(parent);
    if (!collection) return this.root;
    const known = this.known.get(collection._id);
    if (known) return known;
    const inherited = below(collection, this.member, this.of(collection.parent));
    this.known.set(collection._id, inherited);
    return inherited;
  }

  /** Ids of the collections in which the member has a role. */
  visible(): string[] {
    return [...this.collections.keys()].filter((id) => this.of(id).role !== null);
  }

  /**
   * The filter of those spaces of the organization in which the member has a role: the database's form of
   * {@link effectiveRole}.
   */
  spaces(): Record<string, unknown> {
    const { member } = this;
    if (!member || member.disabled) return { defaultLevel: { $in: [] } };
    if (member.role === 'admin') return {};
    const teams = member.teams.map(({ team }) => team);
    const byLevel = this.byLevel(member);
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

  /** Spaces in which a member without an entry has a role: by their own level, or by what comes down to them. */
  private byLevel(member: Member): Record<string, unknown> {
    // a guest sees nothing at the root
    if (member.role === null) return { defaultLevel: 'inherit', parent: { $in: this.visible() } };
    // told by where the member sees nothing: a collection that is gone counts as the root
    const hidden = [...this.collections.keys()].filter((id) => this.of(id).role === null);
    return { $or: [{ defaultLevel: { $in: [...ROLES] } }, { defaultLevel: 'inherit', parent: { $nin: hidden } }] };
  }
}
