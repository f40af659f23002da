import { createHash } from 'node:crypto';
import {
  BadRequestException,
  ForbiddenException,
  Injectable,
  NotFoundException,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, type Changes, madeWith, removedWith } from '../audit/index.js';
import { Answers } from '../common/answers.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId } from '../common/ids.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import type { CreateInviteDto } from './dto/create-invite.dto.js';
import type { UpdateInviteDto } from './dto/update-invite.dto.js';
import { isRedundant } from './invite.policy.js';
import { LinkInvite } from './link-invite.schema.js';
import { MemberChangesService } from './member-changes.service.js';
import type { Member } from './member.schema.js';
import { MembersService } from './members.service.js';
import { OrganizationsService } from './organizations.service.js';
import { InvitedSpaces } from './questions.js';

/** Links that let whoever knows them join. */
@Injectable()
export class LinkInvitesService implements OnModuleInit {
  private readonly spaces: () => InvitedSpaces;

  constructor(
    @InjectModel(LinkInvite.name) private readonly links: Model<LinkInvite>,
    private readonly members: MembersService,
    private readonly changes: MemberChangesService,
    private readonly organizations: OrganizationsService,
    private readonly database: Database,
    private readonly events: DomainEvents,
    private readonly audit: Audit,
    answers: Answers,
  ) {
    this.spaces = answers.ask(InvitedSpaces);
  }

  /** Has the links to a space go with it, and when another organization takes it over (decision 5.32). */
  onModuleInit(): void {
    const drop = async ({ space }: { space: string }): Promise<void> => {
      await this.links.deleteMany({ space });
    };
    this.events.on('space.transferring', drop);
    this.events.on('space.purged', drop);
  }

  /** One page of the links of `organization`, newest first. */
  list(organization: string, query: ListQuery): Promise<Page<LinkInvite>> {
    return findPage(this.links, { organization }, query);
  }

  /** The link `id` of `organization`. @throws NotFoundException when there is none. */
  async get(organization: string, id: string): Promise<LinkInvite> {
    const link = await this.links.findOne({ _id: id, organization }).lean<LinkInvite>();
    if (!link) throw new NotFoundException('Invite not found');
    return link;
  }

  /** The link `id` of whatever organization, or `null`. */
  async find(id: string): Promise<LinkInvite | null> {
    return isId(id) ? this.links.findById(id).lean<LinkInvite>() : null;
  }

  /**
   * Makes a link to `organization`, or to one of its spaces.
   * @throws BadRequestException for a space that `admin` does not see, and for a body that is neither the one nor the other.
   */
  async create(organization: string, { role, level, space }: CreateInviteDto, admin: Member): Promise<LinkInvite> {
    if ((role === undefined) === (level === undefined || space === undefined)) {
      throw new BadRequestException('The body must have role, for a link to the organization, or level and space');
    }
    if (space !== undefined && role === undefined) {
      const seen = await this.spaces().see(organization, [space], admin);
      if (!seen.has(space)) throw new BadRequestException('space must be a space of this organization');
    }
    const fields = role === undefined ? { space: space ?? null, role: level ?? null } : { space: null, role };
    return this.database.transaction(async () => {
      const [link] = await this.links.create([{ organization, ...fields }]);
      if (!link) throw new Error('The link was not made');
      await this.record(link, 'invite.create', madeWith(fields));
      return link.toObject<LinkInvite>();
    });
  }

  /**
   * Changes what the link `id` gives to who joins from now on.
   * @throws NotFoundException when there is none, BadRequestException for `role` where it takes `level`, or the reverse.
   */
  async update(organization: string, id: string, { role, level }: UpdateInviteDto): Promise<LinkInvite> {
    if (role === undefined && level === undefined) throw new BadRequestException('role must be given');
    return this.database.transaction(async () => {
      const link = await this.get(organization, id);
      const given = link.space === null ? role : level;
      if (given === undefined) {
        throw new BadRequestException(
          link.space === null
            ? 'role must be given: the link is to the organization'
            : 'level must be given: the link is to a space',
        );
      }
      const updated = await this.links
        .findOneAndUpdate({ _id: id, organization }, { $set: { role: given } }, { returnDocument: 'after' })
        .lean<LinkInvite>();
      if (!updated) throw new NotFoundException('Invite not found');
      const changes = { role: { before: link.role, after: given } };
      if (given !== link.role) await this.record(link, 'invite.update', changes);
      return updated;
    });
  }

  /** Takes the link `id` away: nobody joins by it from now on. @throws NotFoundException when there is none. */
  async remove(organization: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const link = await this.links.findOneAndDelete({ _id: id, organization }).lean<LinkInvite>();
      if (!link) throw new NotFoundException('Invite not found');
      await this.record(link, 'invite.delete', removedWith({ space: link.space, role: link.role }));
    });
  }

  /** @throws ForbiddenException where the links of `organization` are switched off (decision 3.42). */
  async checkEnabled(organization: string): Promise<void> {
    const { inviteLinks } = await this.organizations.get(organization);
    if (!inviteLinks) throw new ForbiddenException('The invitation links of this organization are switched off');
  }

  /**
   * Has `user` join by the link `id`; a role that they have is never lowered. Joins a surrounding transaction.
   *
   * @throws NotFoundException when there is no such link, or the space is in the trash; ForbiddenException where links are
   * switched off, and for a disabled member.
   */
  join(organization: string, id: string, user: string): Promise<void> {
    return this.database.transaction(async () => {
      const link = await this.get(organization, id);
      await this.checkEnabled(organization);
      const role = link.space === null ? link.role : null;
      const [added] = await this.members.addMany(organization, [{ user, role }]);
      const changes = madeWith({ role });
      if (added !== undefined) await this.audit.record({ organization, action: 'member.join', id: user, changes });
      const member = await this.members.get(organization, user);
      if (member.disabled) throw new ForbiddenException('Your membership in this organization is disabled');
      if (member.unasked) await this.changes.acknowledge(organization, user);
      if (link.space !== null) await this.admit(link, link.space, member, added !== undefined);
      else if (!isRedundant(link, member)) await this.changes.setRole(organization, user, link.role);
    });
  }

  /** Records what was done to a link: under a hash of its id, which is a secret. */
  private async record(
    { _id, organization }: Pick<LinkInvite, '_id' | 'organization'>,
    action: AuditAction,
    changes: Changes,
  ): Promise<void> {
    const id = createHash('sha256').update(_id).digest('base64url').slice(0, 20);
    await this.audit.record({ organization, action, id, changes });
  }

  private async admit(link: LinkInvite, space: string, member: Member, isNew: boolean): Promise<void> {
    const seen = (await this.spaces().see(link.organization, [space], member)).get(space);
    if (!seen) throw new NotFoundException('Invite not found');
    if (isNew || !isRedundant(link, member, seen)) await this.spaces().admit(space, member.user, link.role);
  }
}
