import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { keeps } from '../database/index.js';
import { JobsModule } from '../jobs/index.js';
import { UsersModule } from '../users/index.js';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditRetention } from './audit-retention.js';
import { InvitationsService } from './invitations.service.js';
import { Invitation, InvitationSchema } from './invitation.schema.js';
import { InviteAnswers } from './invite.answers.js';
import { InvitesController } from './invites.controller.js';
import { LinkInvite, LinkInviteSchema } from './link-invite.schema.js';
import { LinkInvitesService } from './link-invites.service.js';
import { MemberAnswers } from './member.answers.js';
import { MemberChangesService } from './member-changes.service.js';
import { MemberNamesService } from './member-names.service.js';
import { Member, MemberSchema } from './member.schema.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { ORGANIZATION_RECORDS } from './organization.records.js';
import { Hostname, HostnameSchema, Organization, OrganizationSchema } from './organization.schema.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';
import { PeopleService } from './people.service.js';
import { SignInRulesService } from './sign-in-rules.service.js';
import { SubdomainsController } from './subdomains.controller.js';
import { TeamMembershipsService } from './team-memberships.service.js';
import { UsersController } from './users.controller.js';

/** Organizations, who belongs to them, and what members see of each other. */
@Module({
  imports: [
    AuditModule,
    AuthModule,
    JobsModule,
    UsersModule,
    MongooseModule.forFeature([
      { name: Organization.name, schema: OrganizationSchema },
      { name: Hostname.name, schema: HostnameSchema },
      { name: Member.name, schema: MemberSchema },
      { name: LinkInvite.name, schema: LinkInviteSchema },
      { name: Invitation.name, schema: InvitationSchema },
    ]),
  ],
  controllers: [
    OrganizationsController,
    MembersController,
    InvitesController,
    SubdomainsController,
    UsersController,
    AuditEventsController,
  ],
  providers: [
    keeps(ORGANIZATION_RECORDS),
    OrganizationsService,
    MembersService,
    MemberAnswers,
    MemberChangesService,
    MemberNamesService,
    LinkInvitesService,
    InvitationsService,
    InviteAnswers,
    SignInRulesService,
    PeopleService,
    TeamMembershipsService,
    AuditRetention,
  ],
  exports: [OrganizationsService, MembersService, MemberAnswers, PeopleService, TeamMembershipsService],
})
export class OrganizationsModule {}
