import type { Member } from '../organizations/index.js';
import { effectiveRole, type Inheritance, type Levels } from './space-role.js';

/** What of a space decides about access. */
export interface SpaceAccessLevels extends Levels {
  parent: string | null;
}

/** Spaces that are alike for everybody who has no entry in them. */
interface Alike extends SpaceAccessLevels {
  count: number;
}

/**
 * Counts the spaces that members see. Those with the same parent, level and entries of teams are alike but for who has an
 * entry of their own: so they are counted together, and the few with entries are set right one by one.
 */
export class SpaceTally {
  private readonly alike = new Map<string, Alike>();
  private readonly corrections = new Map<string, number>();
  private readonly byUser: ReadonlyMap<string, Member>;
  private readonly teams: ReadonlySet<string>;

  /** @param inheritance What comes down to spaces for each of `members`, by user. */
  constructor(
    private readonly members: readonly Member[],
    private readonly inheritance: ReadonlyMap<string, Inheritance>,
  ) {
    this.byUser = new Map(members.map((member) => [member.user, member]));
    this.teams = new Set(members.flatMap((member) => member.teams.map(({ team }) => team)));
  }

  /** Counts one more space. */
  add({ parent, defaultLevel, users, teams: all }: SpaceAccessLevels): void {
    const teams = all.filter(({ subject }) => this.teams.has(subject)).map(({ subject, role }) => ({ subject, role }));
    const key = JSON.stringify([parent, defaultLevel, teams]);
    const group = this.alike.get(key) ?? { parent, defaultLevel, users: [], teams, count: 0 };
    group.count += 1;
    this.alike.set(key, group);
    for (const own of users) {
      const member = this.byUser.get(own.subject);
      if (!member) continue;
      const more = Number(this.sees(member, { ...group, users: [own] })) - Number(this.sees(member, group));
      if (more !== 0) this.corrections.set(member.user, (this.corrections.get(member.user) ?? 0) + more);
    }
  }

  /** How many of the spaces that were added each member has a role in, by user. */
  counts(): Map<string, number> {
    const groups = [...this.alike.values()];
    return new Map(
      this.members.map((member) => {
        const seen = groups.filter((group) => this.sees(member, group)).reduce((sum, { count }) => sum + count, 0);
        return [member.user, seen + (this.corrections.get(member.user) ?? 0)];
      }),
    );
  }

  private sees(member: Member, space: SpaceAccessLevels): boolean {
    const above = this.inheritance.get(member.user)?.of(space.parent).role ?? null;
    return effectiveRole(space, member, above) !== null;
  }
}
