import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Role } from '../common/roles.js';
import { Member, memberId } from './member.schema.js';

/** Who belongs to which organization. */
@Injectable()
export class MembersService {
  constructor(@InjectModel(Member.name) private readonly members: Model<Member>) {}

  /** The active membership of `user` in `organization`; `null` for strangers and disabled members. One read. */
  async find(organization: string, user: string): Promise<Member | null> {
    const member = await this.members.findById(memberId(organization, user)).lean<Member>();
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

  /** Makes `user` a member; joins a surrounding transaction. Who is one already keeps the present role. */
  async add(organization: string, user: string, role: Role | null): Promise<void> {
    const member = {
      organization,
      user,
      role,
      disabled: false,
      sso: false,
      teams: [],
      joinedAt: new Date(),
      lastSeenAt: null,
    };
    await this.members.updateOne({ _id: memberId(organization, user) }, { $setOnInsert: member }, { upsert: true });
  }
}
