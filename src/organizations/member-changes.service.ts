import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, removedWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import type { Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import { UsersService } from '../users/index.js';
import { Invitation } from './invitation.schema.js';
import { Member, memberId } from './member.schema.js';
import { MembersService } from './members.service.js';
import { OrganizationsService } from './organizations.service.js';

/** Administrators that are looked at for one who can act: those who have been there longest. */
const LOOKED_AT = 500;

/** What happens to memberships. Every change counts from the next request on: nothing of them is kept in memory. */
@Injectable()
export class MemberChangesService {
  constructor(
    @InjectModel(Member.name) private readonly records: Model<Member>,
    @InjectModel(Invitation.name) private readonly invitations: Model<Invitation>,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly users: UsersService,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly audit: Audit,
  ) {}

  /**
   * Gives a member another role; `null` makes a guest.
   * @throws NotFoundException when there is no such member, ConflictException for the last administrator (decision 5.17).
   */
  setRole(organization: string, user: string, role: Role | null): Promise<Member> {
    return this.database.transaction(async () => {
      const member = await this.members.get(organization, user);
      if (member.role === role) return member;
      await this.keepAdministrator(member);
      return this.change(member, { role });
    });
  }

  /**
   * Removes a member, with what the person has in the organization: team memberships, direct permissions, requested
   * reviews and open invitations. What the person wrote stays.
   *
   * @throws NotFoundException when there is no such member, ConflictException for the last administrator (decision 5.17).
   */
  remove(organization: string, user: string): Promise<void> {
    return this.database.transaction(async () => {
      const member = await this.members.get(organization, user);
      await this.keepAdministrator(member);
      const teams = member.teams.map(({ team }) => team);
      await this.events.emit('member.removed', { organization, user, teams });
      await this.invitations.deleteMany({ organization, user });
      await this.records.deleteOne({ _id: member._id });
      const changes = removedWith({ role: member.role });
      await this.audit.record({ organization, action: 'member.remove', id: user, changes });
    });
  }

  /** Notes that a member is there (decision 5.18), unasked or not. */
  async ping(organization: string, user: string): Promise<void> {
    const seen = { $set: { lastSeenAt: new Date() }, $unset: { unasked: 1 as const } };
    await this.records.updateOne({ _id: memberId(organization, user) }, seen, { timestamps: false });
  }

  /** Notes that a member came by their own will; joins a surrounding transaction. */
  async acknowledge(organization: string, user: string): Promise<void> {
    const filter = { _id: memberId(organization, user), unasked: true };
    await this.records.updateOne(filter, { $unset: { unasked: 1 } }, { timestamps: false });
  }

  /** Has the identity provider trusted for a member (decision 5.19). @throws NotFoundException when there is none. */
  async trustProvider(organization: string, user: string): Promise<Member> {
    return this.database.transaction(async () => {
      const member = await this.members.get(organization, user);
      return member.sso ? member : this.change(member, { sso: true });
    });
  }

  private async change(before: Member, set: Partial<Pick<Member, 'role' | 'sso'>>): Promise<Member> {
    const { organization, user: id } = before;
    const member = await this.records
      .findByIdAndUpdate(before._id, { $set: { ...set } }, { returnDocument: 'after' })
      .lean<Member>();
    if (!member) throw new NotFoundException('Member not found');
    await this.audit.recordUpdate({ organization, action: 'member.update', id }, [before, member], set);
    return member;
  }

  /**
   * Who was invited and has not come yet is no other administrator: nobody can act as them, and their secret may be lost.
   * @throws ConflictException when nobody but `member`, who is about to be no administrator any more, is one.
   */
  private async keepAdministrator({ organization, role, disabled, _id }: Member): Promise<void> {
    if (role !== 'admin' || disabled) return;
    // two that demote each other would both find the other still there, if they did not write to one record
    await this.organizations.meetAdministratorChanges(organization);
    const others = await this.records
      .find({ organization, role: 'admin', disabled: false, _id: { $ne: _id } }, { user: 1 })
      .sort({ joinedAt: 1, _id: 1 })
      .limit(LOOKED_AT)
      .lean<Pick<Member, 'user'>[]>();
    if (await this.users.hasCome(others.map(({ user }) => user))) return;
    throw new ConflictException('This is the last administrator of the organization: make somebody else one first');
  }
}
