import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { Audit, NAMED } from '../audit/index.js';
import { batchesOf } from '../common/batches-of.js';
import type { Page } from '../common/page.dto.js';
import type { ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { type Member, MembersService, TeamMembershipsService, type TeamRole } from '../organizations/index.js';
import { UsersService } from '../users/index.js';
import type { UpdateTeamMembersDto } from './dto/team-members.dto.js';
import type { Team } from './team.schema.js';
import { TeamsService } from './teams.service.js';

/** Who is to be what in a team; without a role: whoever is new becomes `member`, others stay what they are. */
type Wanted = Map<string, TeamRole | undefined>;

/** Who belongs to which team. */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly memberships: TeamMembershipsService,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly audit: Audit,
  ) {}

  /** One page of the members of a team, those who joined the organization last first. */
  list(team: Team, query: ListQuery): Promise<Page<Member>> {
    return this.memberships.list(team._id, query);
  }

  /**
   * Makes a team; `members` are ids of people.
   * @throws BadRequestException when one of them does not belong to the organization, ConflictException when it has as
   * many teams as there may be.
   */
  async create(organization: string, title: string, members: readonly string[] = []): Promise<Team> {
    return this.database.transaction(async () => {
      const unique = [...new Set(members)];
      const belonging = await this.members.belonging(organization, unique);
      const stranger = unique.find((user) => !belonging.has(user));
      if (stranger !== undefined) throw notHere('members', stranger);
      return this.teams.create(organization, { title, members: unique });
    });
  }

  /**
   * Changes who belongs to a team, all at once (decision 5.23). People are named by id, or by e-mail address in any case.
   * @throws BadRequestException for somebody in `add` or `memberships` who does not belong to the organization.
   */
  async update(
    { _id: team, organization }: Team,
    { add = [], remove = [], memberships = {} }: UpdateTeamMembersDto,
  ): Promise<void> {
    const named = Object.entries(memberships);
    const idOf = await this.resolver([...add, ...remove, ...named.map(([key]) => key)]);
    await this.database.transaction(async () => {
      const ids = new Set([...add, ...named.map(([key]) => key)].map(idOf));
      const belonging = await this.members.belonging(organization, [...ids]);
      const known = (key: string, property: string): string => {
        const id = idOf(key);
        if (!belonging.has(id)) throw notHere(property, key);
        return id;
      };
      const wanted: Wanted = new Map(add.map((key) => [known(key, 'add'), undefined]));
      for (const [key, { role }] of named) {
        const id = known(key, 'memberships');
        if ((wanted.get(id) ?? role) !== role)
          throw new BadRequestException(`memberships names two roles for "${key}", who is named twice`);
        wanted.set(id, role);
      }
      const removed = new Set(remove.map(idOf));
      for (const id of removed) wanted.delete(id);
      await this.apply(organization, team, wanted, [...removed]);
    });
  }

  /**
   * Has `user` belong to a team as `role`; without one, as `member`, or as what the person is already (decision 5.24).
   * @throws NotFoundException for somebody who does not belong to the organization.
   */
  async set({ _id: team, organization }: Team, user: string, role?: TeamRole): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.members.belonging(organization, [user])).has(user)) throw notFound();
      await this.apply(organization, team, new Map([[user, role]]), []);
    });
  }

  /** Has `user` belong to a team no longer. @throws NotFoundException for somebody who does not belong to it. */
  async remove({ _id: team, organization }: Team, user: string): Promise<void> {
    await this.database.transaction(async () => {
      const roles = await this.memberships.rolesOf(organization, team, [user]);
      if (!roles.has(user)) throw notFound();
      await this.apply(organization, team, new Map(), [user]);
    });
  }

  /** Writes who is what, and the number of members with it; within a transaction. */
  private async apply(organization: string, team: string, wanted: Wanted, removed: readonly string[]): Promise<void> {
    if (wanted.size === 0 && removed.length === 0) return;
    const named = [...wanted.keys(), ...removed];
    const before = await this.memberships.rolesOf(organization, team, named);
    let joined = 0;
    for (const role of new Set(wanted.values())) {
      const users = [...wanted].filter(([, one]) => one === role).map(([user]) => user);
      if (role !== undefined) await this.memberships.setRole(organization, team, { users, role });
      joined += await this.memberships.add(organization, team, { users, role: role ?? 'member' });
    }
    if (removed.length > 0) joined -= await this.memberships.remove(organization, team, removed);
    await this.teams.touch(team, joined);
    const after = await this.memberships.rolesOf(organization, team, named);
    const changed = named.filter((user) => before.get(user) !== after.get(user));
    const done = { organization, action: 'team.update-members', id: team } as const;
    const parts = [...batchesOf(changed, NAMED)].map((part) => ({
      ...done,
      changes: { members: { before: rolesAmong(part, before), after: rolesAmong(part, after) } },
    }));
    await this.audit.record(...parts);
  }

  /** What tells the id of whom `keys` name; who has no such address has none either. At most one query. */
  private async resolver(keys: readonly string[]): Promise<(key: string) => string> {
    const emails = keys.filter(isAddress);
    const found = emails.length === 0 ? undefined : await this.users.findByEmails(emails);
    return (key) => (isAddress(key) ? (found?.get(key.toLowerCase())?._id ?? '') : key);
  }
}

/** Those of `users` who belong to a team, with what they are in it. */
function rolesAmong(
  users: readonly string[],
  roles: ReadonlyMap<string, TeamRole>,
): { user: string; role: TeamRole }[] {
  return users.flatMap((user) => {
    const role = roles.get(user);
    return role === undefined ? [] : [{ user, role }];
  });
}

/** Ids have no such character. */
const isAddress = (key: string): boolean => key.includes('@');

function notHere(property: string, key: string): BadRequestException {
  return new BadRequestException(`${property} names "${key.slice(0, 254)}", who is no member of this organization`);
}

function notFound(): NotFoundException {
  return new NotFoundException('Member not found');
}
