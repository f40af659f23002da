import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { UsersModule } from '../users/index.js';
import { MemberTeamsController } from './member-teams.controller.js';
import { TeamMembersController } from './team-members.controller.js';
import { TeamMembersService } from './team-members.service.js';
import { TEAM_RECORDS } from './team.records.js';
import { Team, TeamSchema } from './team.schema.js';
import { TeamViews } from './team-views.service.js';
import { TeamsController } from './teams.controller.js';
import { TeamsInvariants } from './teams.invariants.js';
import { TeamsService } from './teams.service.js';

/** Teams, and who of an organization belongs to them. */
@Module({
  imports: [
    AuditModule,
    OrganizationsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: Team.name, schema: TeamSchema }]),
  ],
  controllers: [TeamsController, TeamMembersController, MemberTeamsController],
  providers: [keeps(TEAM_RECORDS), TeamsService, TeamMembersService, TeamViews, TeamsInvariants],
  exports: [TeamsService, TeamMembersService, TeamViews],
})
export class TeamsModule {}
