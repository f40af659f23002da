import { ConflictException, Injectable, NotFoundException, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith, NAMED, removedWith } from '../audit/index.js';
import { batchesOf } from '../common/batches-of.js';
import { DomainEvents } from '../common/domain-events.js';
import { fold, literally } from '../common/folding.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { type Member, organizationPermissions, TeamMembershipsService } from '../organizations/index.js';
import { MAX_TEAMS, Team } from './team.schema.js';

/** Which teams, of those of an organization. */
interface TeamFilter extends ListQuery {
  /** Part of the title, in any case. */
  title?: string;
}

/** Teams, but for who belongs to them. */
@Injectable()
export class TeamsService implements OnModuleInit {
  constructor(
    @InjectModel(Team.name) private readonly teams: Model<Team>,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly memberships: TeamMembershipsService,
    private readonly audit: Audit,
  ) {}

  /** Keeps the numbers of members right when somebody leaves the organization. */
  onModuleInit(): void {
    this.events.on('member.removed', async ({ teams }) => {
      if (teams.length === 0) return;
      await this.teams.updateMany(
        { _id: { $in: teams } },
        { $inc: { members: -1, changes: 1 } },
        { timestamps: false },
      );
    });
  }

  /** The team `id` of `organization`, or `null`. */
  async find(organization: string, id: string): Promise<Team | null> {
    return isId(id) ? this.teams.findOne({ _id: id, organization }).lean<Team>() : null;
  }

  /** The team `id` of `organization`. @throws NotFoundException when there is none. */
  async get(organization: string, id: string): Promise<Team> {
    const team = await this.find(organization, id);
    if (!team) throw new NotFoundException('Team not found');
    return team;
  }

  /** Those of the teams `ids` that `organization` has, by id. One query. */
  async findMany(organization: string, ids: readonly string[]): Promise<Map<string, Team>> {
    const found = await this.teams.find({ _id: { $in: [...new Set(ids)] }, organization }).lean<Team[]>();
    return new Map(found.map((team) => [team._id, team]));
  }

  /** One page of the teams of `organization`, newest first. */
  list(organization: string, { title, ...query }: TeamFilter): Promise<Page<Team>> {
    return findPage(this.teams, { organization, ...titled(title) }, query);
  }

  /** One page of the teams that `member` can manage (decision 5.22), newest first; none for `null`. */
  listManagedBy(organization: string, member: Member | null, { title, ...query }: TeamFilter): Promise<Page<Team>> {
    if (organizationPermissions(member).admin) return this.list(organization, { title, ...query });
    const owned = member?.teams.filter(({ role }) => role === 'owner') ?? [];
    const filter = { organization, _id: { $in: owned.map(({ team }) => team) }, ...titled(title) };
    return findPage(this.teams, filter, query, { list: { organization, owner: member?.user, title } });
  }

  /** One page of the teams that `member` belongs to, newest first. */
  listOf({ organization, user, teams }: Member, { title, ...query }: TeamFilter): Promise<Page<Team>> {
    const filter = { organization, _id: { $in: teams.map(({ team }) => team) }, ...titled(title) };
    return findPage(this.teams, filter, query, { list: { organization, member: user, title } });
  }

  /**
   * Makes a team of `members`, ids of people who belong to the organization.
   * @throws ConflictException when the organization has as many as there may be.
   */
  async create(organization: string, { title, members }: { title: string; members: readonly string[] }): Promise<Team> {
    return this.database.transaction(async () => {
      if ((await this.teams.countDocuments({ organization })) >= MAX_TEAMS)
        throw new ConflictException(`An organization has at most ${String(MAX_TEAMS)} teams`);
      const [made] = await this.teams.create([{ organization, title, folded: fold(title) }]);
      if (!made) throw new Error('The team was not made');
      const [first, ...others] = batchesOf(members, NAMED);
      const done = { organization, id: made._id };
      await this.audit.record(
        { ...done, action: 'team.create', changes: madeWith({ title, ...(first && { members: first }) }) },
        ...others.map((part) => ({
          ...done,
          action: 'team.update-members' as const,
          changes: madeWith({ members: part }),
        })),
      );
      if (members.length === 0) return made.toObject<Team>();
      const added = await this.memberships.add(organization, made._id, { users: members, role: 'member' });
      return this.touch(made._id, added);
    });
  }

  /** Gives a team another title. @throws NotFoundException when it is gone. */
  async rename({ _id: id, organization }: Team, title: string): Promise<Team> {
    return this.database.transaction(async () => {
      const before = await this.get(organization, id);
      const set = { title, folded: fold(title) };
      const renamed = await this.teams
        .findOneAndUpdate({ _id: id }, { $set: set, $inc: { changes: 1 } }, { returnDocument: 'after' })
        .lean<Team>();
      if (!renamed) throw new NotFoundException('Team not found');
      await this.audit.recordUpdate({ organization, action: 'team.update', id }, [before, renamed], { title });
      return renamed;
    });
  }

  /** Removes a team for good, with all memberships and entries of it (decision 5.25). @throws NotFoundException when it is gone. */
  async remove({ _id: team, organization }: Team): Promise<void> {
    await this.database.transaction(async () => {
      const gone = await this.teams.findOneAndDelete({ _id: team }).lean<Team>();
      if (!gone) throw new NotFoundException('Team not found');
      await this.memberships.removeAll(team);
      await this.events.emit('team.deleted', { organization, team });
      const changes = removedWith({ title: gone.title });
      await this.audit.record({ organization, action: 'team.delete', id: team, changes });
    });
  }

  /**
   * Has one change of a team's members wait for the other, and adds `joined` to how many there are; in a surrounding
   * transaction. @throws NotFoundException when the team is gone.
   */
  async touch(id: string, joined: number): Promise<Team> {
    const update = { $inc: { members: joined, changes: 1 } };
    const touched = await this.teams
      .findOneAndUpdate({ _id: id }, update, { returnDocument: 'after', timestamps: false })
      .lean<Team>();
    if (!touched) throw new NotFoundException('Team not found');
    return touched;
  }

  /**
   * Those of the teams `ids` that `organization` has; none of them goes before the surrounding transaction has ended.
   * Two commands, however many teams there are.
   */
  async hold(organization: string, ids: readonly string[]): Promise<Set<string>> {
    const filter = { _id: { $in: [...ids] }, organization };
    await this.teams.updateMany(filter, { $inc: { changes: 1 } }, { timestamps: false });
    return new Set((await this.findMany(organization, ids)).keys());
  }

  /** Sets how many members a team has, where it was found to be wrong; joins a surrounding transaction. */
  async setCount(id: string, members: number): Promise<void> {
    await this.teams.updateOne({ _id: id }, { $set: { members } }, { timestamps: false });
  }

  /** Every team, in batches in the order of their ids: for checks of the whole. */
  async *all(batch = 200): AsyncGenerator<Team> {
    for (let after = ''; ;) {
      const teams = await this.teams
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(batch)
        .lean<Team[]>();
      yield* teams;
      const last = teams.at(-1);
      if (!last || teams.length < batch) return;
      after = last._id;
    }
  }
}

/** The filter of teams whose title contains `part`, in any case. */
function titled(part: string | undefined): { folded?: { $regex: string } } {
  return part === undefined || part === '' ? {} : { folded: { $regex: literally(fold(part)) } };
}
