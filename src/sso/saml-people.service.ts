import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { actAs, Audit, madeWith } from '../audit/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { MembersService } from '../organizations/index.js';
import { TeamMembersService, TeamsService } from '../teams/index.js';
import { type User, UsersService } from '../users/index.js';
import type { SamlIdentity } from './saml/assertion.js';
import { SamlRefusal } from './saml/refusal.js';
import type { SamlProvider } from './saml-provider.schema.js';
import { SamlTrust, trustId } from './saml-trust.schema.js';

/** Whom identity providers let in, and who becomes a member by that (decision 3.47). */
@Injectable()
export class SamlPeopleService implements OnModuleInit {
  constructor(
    @InjectModel(SamlTrust.name) private readonly trusts: Model<SamlTrust>,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersService,
    private readonly audit: Audit,
    private readonly events: DomainEvents,
  ) {}

  /** Forgets whom an organization's identity providers were trusted for when they leave it. */
  onModuleInit(): void {
    this.events.on('member.removed', async ({ organization, user }) => {
      await this.trusts.deleteOne({ _id: trustId(organization, user) });
    });
  }

  /**
   * The person whom `provider` vouches for, who is made, and made a member, when the address is new; joins a surrounding
   * transaction. @throws SamlRefusal when the word of this identity provider does not count for the person.
   */
  async admit(provider: SamlProvider, identity: SamlIdentity): Promise<User> {
    const known = await this.users.findByEmail(identity.email);
    const user = await this.settle(provider, identity, known);
    await this.trust(provider.organization, user._id);
    return user.emailVerified ? user : this.users.confirmEmail(user._id);
  }

  private async settle(provider: SamlProvider, identity: SamlIdentity, known: User | null): Promise<User> {
    const { email } = identity;
    const displayName =
      identity.displayName ??
      Array.from(email.slice(0, email.lastIndexOf('@')))
        .slice(0, 64)
        .join('');
    if (!known) {
      const made = await this.users.create({ email, displayName });
      await this.join(provider, made._id);
      return made;
    }
    if (!known.placeholder) {
      await this.checkTrust(provider.organization, known);
      return known;
    }
    const isMember = await this.checkInvitation(provider.organization, known);
    const claimed = await this.users.claim(known._id, { displayName });
    if (!isMember) await this.join(provider, known._id);
    return claimed;
  }

  /** Makes somebody a member as the provider says, and of its team; it is their own doing. */
  private join(provider: SamlProvider, user: string): Promise<void> {
    return actAs(user, () => this.add(provider, user));
  }

  private async add({ organization, defaultRole: role, defaultTeam }: SamlProvider, user: string): Promise<void> {
    const added = await this.members.addMany(organization, [{ user, role, sso: true }]);
    if (added.length === 0) throw new SamlRefusal('An administrator has disabled your membership in the organization');
    const changes = madeWith({ role, sso: true });
    await this.audit.record({ organization, action: 'member.join', id: user, changes });
    const team = defaultTeam === null ? null : await this.teams.find(organization, defaultTeam);
    if (team) await this.teamMembers.set(team, user);
  }

  /** @throws SamlRefusal for somebody with an account for whom the provider is not trusted. */
  private async checkTrust(organization: string, { _id: user }: User): Promise<void> {
    const member = await this.members.find(organization, user);
    if (!member) {
      throw new SamlRefusal(
        'Use your existing way to sign in: your account does not belong to the organization. An administrator of the organization can invite you, and then let you sign in this way',
      );
    }
    if (!member.sso) {
      throw new SamlRefusal(
        `Use your existing way to sign in: your account was there before single sign-on. An administrator of the organization can let you sign in this way, by POST /v1/orgs/${organization}/members/${user}/sso`,
      );
    }
    if (await this.trusts.exists({ _id: trustId(organization, user) })) return;
    // else whoever runs an organization could take over any account: by adding its address, and vouching for it
    if ((await this.members.belongingElsewhere(organization, [user])).has(user)) {
      throw new SamlRefusal(
        'Use your existing way to sign in: your account belongs to other organizations too, so that the identity provider of one is not enough for it',
      );
    }
  }

  /** Whether the placeholder is a member already. @throws SamlRefusal when it was invited otherwise, or by others. */
  private async checkInvitation(organization: string, { _id: user }: User): Promise<boolean> {
    if ((await this.members.belongingElsewhere(organization, [user])).has(user)) {
      throw new SamlRefusal('Another organization has invited you: register with the invitation that it sent you');
    }
    const member = await this.members.find(organization, user);
    if (member && !member.sso) {
      throw new SamlRefusal(
        `Register with the invitation that you were sent: it was not made for single sign-on. An administrator of the organization can let you sign in this way, by POST /v1/orgs/${organization}/members/${user}/sso`,
      );
    }
    return member !== null;
  }

  private async trust(organization: string, user: string): Promise<void> {
    const _id = trustId(organization, user);
    if (await this.trusts.exists({ _id })) return;
    await this.trusts.create([{ _id }]);
  }
}
