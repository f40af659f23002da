import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Member, memberId, type TeamRole } from './member.schema.js';

/** Some people, and what they are to be in a team. */
interface Assignment {
  /** Ids of users. */
  users: readonly string[];
  role: TeamRole;
}

/** Which members belong to which teams. The memberships stand in the records of the members. */
@Injectable()
export class TeamMembershipsService {
  constructor(@InjectModel(Member.name) private readonly members: Model<Member>) {}

  /** One page of the members of `team`, those who joined the organization last first. */
  list(team: string, query: ListQuery): Promise<Page<Member>> {
    return findPage(this.members, { 'teams.team': team }, query, { sort: 'joinedAt' });
  }

  /** How many members belong to `team`. */
  count(team: string): Promise<number> {
    return this.members.countDocuments({ 'teams.team': team });
  }

  /** What those of `users` of `organization` who belong to `team` are in it, by user. One read. */
  async rolesOf(organization: string, team: string, users: readonly string[]): Promise<Map<string, TeamRole>> {
    const filter = { _id: { $in: idsOf(organization, users) }, 'teams.team': team };
    const found = await this.members.find(filter, { user: 1, teams: 1 }).lean<Pick<Member, 'user' | 'teams'>[]>();
    return new Map(
      found.flatMap(({ user, teams }) => teams.filter((one) => one.team === team).map(({ role }) => [user, role])),
    );
  }

  /**
   * Has `users` of `organization` belong to `team`; who does already stays what they are. Joins a surrounding transaction.
   * @returns How many of them are new.
   */
  async add(organization: string, team: string, { users, role }: Assignment): Promise<number> {
    const { modifiedCount } = await this.members.updateMany(
      { _id: { $in: idsOf(organization, users) }, 'teams.team': { $ne: team } },
      { $push: { teams: { team, role } } },
    );
    return modifiedCount;
  }

  /** Has those of `users` who belong to `team` be `role` in it; joins a surrounding transaction. */
  async setRole(organization: string, team: string, { users, role }: Assignment): Promise<void> {
    await this.members.updateMany(
      { _id: { $in: idsOf(organization, users) }, 'teams.team': team },
      { $set: { 'teams.$.role': role } },
    );
  }

  /**
   * Has `users` of `organization` belong to `team` no longer; joins a surrounding transaction.
   * @returns How many of them did.
   */
  async remove(organization: string, team: string, users: readonly string[]): Promise<number> {
    const { modifiedCount } = await this.members.updateMany(
      { _id: { $in: idsOf(organization, users) }, 'teams.team': team },
      { $pull: { teams: { team } } },
    );
    return modifiedCount;
  }

  /** Has nobody belong to `team` any more; joins a surrounding transaction. */
  async removeAll(team: string): Promise<void> {
    await this.members.updateMany({ 'teams.team': team }, { $pull: { teams: { team } } });
  }
}

const idsOf = (organization: string, users: readonly string[]): string[] =>
  users.map((user) => memberId(organization, user));
