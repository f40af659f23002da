import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Audit, madeWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { fold, literally } from '../common/folding.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import type { Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import { UsersService } from '../users/index.js';
import { Member, memberId } from './member.schema.js';

/** Which members of an organization are asked for. */
export interface MembersQuery extends ListQuery {
  /** `guest`: those without a role. */
  role?: Role | 'guest';
  /** A part of the name or of the e-mail address, in any case. */
  search?: string;
  /** `lastSeenAt` leaves out who was never seen, and who is disabled (decision 5.15). */
  sort?: 'joinedAt' | 'lastSeenAt';
}

/** Somebody who is to become a member. */
export interface NewMember {
  user: string;
  /** `null`: a guest. */
  role: Role | null;
  /** Whether the identity provider of the organization is trusted for them. */
  sso?: boolean;
  /** Whether they were not asked, and have nothing yet by which they come. */
  unasked?: boolean;
}

/** Who belongs to which organization. */
@Injectable()
export class MembersService {
  private readonly byId: (id: string) => Promise<Member | null>;

  constructor(
    @InjectModel(Member.name) private readonly members: Model<Member>,
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly events: DomainEvents,
    private readonly audit: Audit,
  ) {
    this.byId = database.finder(members);
  }

  /** The active membership of `user` in `organization`; `null` for strangers and disabled members. One read. */
  async find(organization: string, user: string): Promise<Member | null> {
    const member = await this.byId(memberId(organization, user));
    return member && !member.disabled ? member : null;
  }

  /** The active memberships of `user`, by organization. */
  async organizationsOf(user: string): Promise<Map<string, Member>> {
    const members = await this.members.find({ user, disabled: false }).lean<Member[]>();
    return new Map(members.map((member) => [member.organization, member]));
  }

  /** Those of `users` who belong to `organization`, disabled members included. */
  async belonging(organization: string, users: readonly string[]): Promise<Set<string>> {
    const ids = users.map((user) => memberId(organization, user));
    const found = await this.members.find({ _id: { $in: ids } }, { user: 1 }).lean<Pick<Member, 'user'>[]>();
    return new Set(found.map(({ user }) => user));
  }

  /** Whether two people share an organization; everybody shares one with themselves. */
  async areFellows(one: string, other: string): Promise<boolean> {
    return (await this.fellowsOf(one, [other])).has(other);
  }

  /** Those of `others` who share an organization with `one`; everybody shares one with themselves. Two reads at most. */
  async fellowsOf(one: string, others: readonly string[]): Promise<Set<string>> {
    const asked = [...new Set(others)].filter((other) => other !== one);
    const itself = others.includes(one) ? [one] : [];
    if (asked.length === 0) return new Set(itself);
    const organizations = [...(await this.organizationsOf(one)).values()]
      // a guest does not see the other members
      .filter((member) => member.role !== null)
      .map((member) => member.organization);
    const found = await this.members
      .find({ user: { $in: asked }, disabled: false, organization: { $in: organizations } }, { user: 1 })
      .lean<Pick<Member, 'user'>[]>();
    return new Set([...itself, ...found.map(({ user }) => user)]);
  }

  /** The active memberships in `organization` of those of `users` who have one, by user. One read. */
  async findMany(organization: string, users: readonly string[]): Promise<Map<string, Member>> {
    const ids = users.map((user) => memberId(organization, user));
    const found = await this.members.find({ _id: { $in: ids }, disabled: false }).lean<Member[]>();
    return new Map(found.map((member) => [member.user, member]));
  }

  /** One page of the members of `organization`, disabled ones included, those who joined last first. */
  list(organization: string, { role, search, sort = 'joinedAt', ...query }: MembersQuery): Promise<Page<Member>> {
    const part = search === undefined ? undefined : { $regex: literally(fold(search)) };
    const filter = {
      organization,
      ...(role && { role: role === 'guest' ? null : role }),
      ...(sort === 'lastSeenAt' && { lastSeenAt: { $gt: new Date(0) }, disabled: false }),
      ...(part && { $or: [{ name: part }, { email: part }] }),
    };
    return findPage(this.members, filter, query, { sort });
  }

  /**
   * One page of the active members of `organization` to whom `condition` applies, those who joined last first.
   * @param list What tells this list from others.
   */
  listWhere(
    organization: string,
    condition: QueryFilter<Member>,
    query: ListQuery,
    list: unknown,
  ): Promise<Page<Member>> {
    const filter = { organization, disabled: false, ...condition };
    return findPage(this.members, filter, query, { sort: 'joinedAt', list: { organization, list } });
  }

  /**
   * Those of `users` who belong to `organization`, disabled members included; none of them leaves before the surrounding
   * transaction has ended. Two commands, however many people there are.
   */
  async hold(organization: string, users: readonly string[]): Promise<Set<string>> {
    const ids = users.map((user) => memberId(organization, user));
    await this.members.updateMany({ _id: { $in: ids } }, { $inc: { holds: 1 } }, { timestamps: false });
    return this.belonging(organization, users);
  }

  /** The membership of `user` in `organization`, disabled or not. @throws NotFoundException when there is none. */
  async get(organization: string, user: string): Promise<Member> {
    const member = await this.members.findById(memberId(organization, user)).lean<Member>();
    if (!member) throw new NotFoundException('Member not found');
    return member;
  }

  /** Those of `users` who belong to another organization than `organization`, or to any if that is `null`. One read. */
  async belongingElsewhere(organization: string | null, users: readonly string[]): Promise<Set<string>> {
    const filter = { user: { $in: [...users] }, ...(organization !== null && { organization: { $ne: organization } }) };
    const found = await this.members.find(filter, { user: 1 }).lean<Pick<Member, 'user'>[]>();
    return new Set(found.map(({ user }) => user));
  }

  /** Makes `user` a member. Who is one already keeps the present role. */
  async add(organization: string, user: string, role: Role | null): Promise<void> {
    await this.database.transaction(async () => {
      const [added] = await this.addMany(organization, [{ user, role }]);
      if (added === undefined) return;
      await this.audit.record({ organization, action: 'member.add', id: user, changes: madeWith({ role }) });
    });
  }

  /**
   * Makes people members; joins a surrounding transaction, in which the caller records why. Who is one already stays as
   * they are. Four commands, however many they are.
   *
   * @returns The ids of those who were none before.
   */
  addMany(organization: string, people: readonly NewMember[]): Promise<string[]> {
    return this.database.transaction(async () => {
      // held, because the records repeat their names
      const users = await this.users.hold(people.map(({ user }) => user));
      const present = await this.belonging(
        organization,
        people.map(({ user }) => user),
      );
      const joinedAt = new Date();
      const added = people
        .filter(({ user }) => !present.has(user))
        .map(({ user, role, sso = false, unasked = false }) => ({
          _id: memberId(organization, user),
          organization,
          user,
          role,
          sso,
          ...(unasked && { unasked }),
          joinedAt,
          name: fold(users.get(user)?.displayName ?? ''),
          email: fold(users.get(user)?.email ?? ''),
        }));
      const joined = added.map(({ user }) => user);
      if (joined.length === 0) return joined;
      await this.members.insertMany(added);
      await this.events.emit('member.added', { organization, users: joined });
      return joined;
    });
  }
}
