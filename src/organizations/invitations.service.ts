import { ForbiddenException, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith } from '../audit/index.js';
import { type Admission, Invitations } from '../auth/index.js';
import { Answers } from '../common/answers.js';
import { newSecret } from '../common/ids.js';
import type { Role } from '../common/roles.js';
import { Database } from '../database/index.js';
import { type User, UsersService } from '../users/index.js';
import type { InvitePeopleDto } from './dto/invite-people.dto.js';
import { Invitation, invitationId } from './invitation.schema.js';
import type { InvitationsView, InvitationView } from './invite.view.js';
import { LinkInvitesService } from './link-invites.service.js';
import { MembersService } from './members.service.js';
import type { Organization } from './organization.schema.js';

/** Invitations by e-mail address, and what registration wants to know of invitations. */
@Injectable()
export class InvitationsService implements Invitations, OnModuleInit {
  constructor(
    @InjectModel(Invitation.name) private readonly invitations: Model<Invitation>,
    private readonly links: LinkInvitesService,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly database: Database,
    private readonly answers: Answers,
    private readonly audit: Audit,
  ) {}

  /** Answers what registration asks. */
  onModuleInit(): void {
    this.answers.give(Invitations, this);
  }

  /**
   * Makes members of people by their addresses. Who has no account gets a placeholder, and a secret to become it with: a
   * new one each time they are invited, unless they belong to another organization too. Who is a member stays as they
   * are. The number of commands does not depend on how many people there are.
   */
  invite(organization: Organization, body: InvitePeopleDto): Promise<InvitationsView> {
    const roles = rolesOf(organization, body);
    const sso = body.sso ?? false;
    return this.database.transaction(async () => {
      const known = await this.users.findByEmails([...roles.keys()]);
      const made = await this.makeMissing([...roles.keys()], known);
      const people = [...roles].flatMap(([email, role]) => {
        const user = known.get(email) ?? made.get(email);
        return user ? [{ user, role }] : [];
      });
      const failedSSOEmails = sso ? await this.withoutTrust(organization._id, known) : [];
      const invitations = await this.issue(
        organization._id,
        people.map(({ user }) => user).filter(({ placeholder }) => placeholder),
      );
      const asked = new Set(invitations.map(({ user }) => user));
      const users = await this.members.addMany(
        organization._id,
        people.map(({ user: { _id: user, placeholder }, role }) => ({
          user,
          role,
          sso: sso && placeholder,
          unasked: !asked.has(user),
        })),
      );
      const added = new Map(people.map(({ user, role }) => [user._id, role]));
      // who is no new member has a new secret at the most
      const invited = new Set([...users, ...invitations.map(({ user }) => user)]);
      await this.audit.record(
        ...[...invited].map((id) => ({
          organization: organization._id,
          action: 'member.invite' as const,
          id,
          ...(users.includes(id) && { changes: madeWith({ role: added.get(id) ?? null }) }),
        })),
      );
      return {
        users,
        invited: users.length,
        ...(failedSSOEmails.length > 0 && { failedSSOEmails }),
        invitations,
      };
    });
  }

  /** As {@link Invitations.find}. Two reads, four for a link. */
  async find(secret: string, email: string): Promise<Admission | null> {
    const invitation = await this.invitations.findById(invitationId(secret)).lean<Invitation>();
    if (invitation) {
      const user = await this.users.find(invitation.user);
      if (!user?.placeholder || user.email !== email.toLowerCase()) return null;
      return { user: user._id, accept: (id) => this.accept(invitation, id) };
    }
    const link = await this.links.find(secret);
    if (!link) return null;
    await this.links.checkEnabled(link.organization);
    return { user: null, accept: (id) => this.links.join(link.organization, link._id, id) };
  }

  /** As {@link Invitations.isForgotten}. One read. */
  async isForgotten(placeholder: User): Promise<boolean> {
    return (await this.members.belongingElsewhere(null, [placeholder._id])).size === 0;
  }

  private accept({ _id, organization }: Invitation, user: string): Promise<void> {
    return this.database.transaction(async () => {
      // withdrawn since it was looked for: the membership is gone too
      if (!(await this.invitations.exists({ _id }))) throw new ForbiddenException('The invitation was withdrawn');
      await this.invitations.deleteMany({ user });
      await this.audit.record({ organization, action: 'member.join', id: user });
    });
  }

  private async makeMissing(emails: readonly string[], known: ReadonlyMap<string, User>): Promise<Map<string, User>> {
    const unknown = emails.filter((email) => !known.has(email));
    return unknown.length === 0 ? new Map() : this.users.createPlaceholders(unknown);
  }

  /** Addresses in `known` for which the identity provider of `organization` is not trusted: they have accounts already. */
  private async withoutTrust(organization: string, known: ReadonlyMap<string, User>): Promise<string[]> {
    const users = [...known.values()].filter(({ placeholder }) => !placeholder);
    const members = await this.members.findMany(
      organization,
      users.map(({ _id }) => _id),
    );
    return users.filter(({ _id }) => members.get(_id)?.sso !== true).map(({ email }) => email);
  }

  /** New secrets for those of `placeholders` who belong to `organization` alone: whoever has one gets all they belong to. */
  private async issue(organization: string, placeholders: readonly User[]): Promise<InvitationView[]> {
    const ids = placeholders.map(({ _id }) => _id);
    if (ids.length === 0) return [];
    const elsewhere = await this.members.belongingElsewhere(organization, ids);
    const issued = placeholders
      .filter(({ _id }) => !elsewhere.has(_id))
      .map(({ _id, email }) => ({ email, user: _id, invite: newSecret() }));
    if (issued.length === 0) return [];
    await this.invitations.deleteMany({ user: { $in: issued.map(({ user }) => user) }, organization });
    await this.invitations.insertMany(
      issued.map(({ user, invite }) => ({ _id: invitationId(invite), organization, user })),
    );
    return issued;
  }
}

/** The role that each address is invited with, by address in lower case. */
function rolesOf(
  { defaultRole }: Organization,
  { emails, role: common = defaultRole }: InvitePeopleDto,
): Map<string, Role | null> {
  const roles = new Map<string, Role | null>();
  for (const { email, role = common } of emails) {
    if (!roles.has(email.toLowerCase())) roles.set(email.toLowerCase(), role);
  }
  return roles;
}
