import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOrganization,
  MembersService,
  type OrganizationAccess,
  RequireOrganizationOrSelf,
} from '../organizations/index.js';
import { ListMemberTeamsQuery } from './dto/list-teams.dto.js';
import { TeamViews } from './team-views.service.js';
import { MemberTeamPage, roleInTeam } from './team.view.js';
import { TeamsService } from './teams.service.js';

@ApiTags('organizations')
@Controller('v1/orgs/:organizationId/members/:userId/teams')
export class MemberTeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly views: TeamViews,
  ) {}

  /** List the teams that a member belongs to. */
  @Get()
  @RequireOrganizationOrSelf('listTeams')
  async listTeamsForOrganizationMember(
    @CurrentOrganization() { organization, member: caller }: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: ListMemberTeamsQuery,
  ): Promise<MemberTeamPage> {
    const member = await this.members.get(organization._id, userId);
    const page = await this.teams.listOf(member, query);
    const views = await this.views.of(page.items, caller);
    // the record says what the member is in each of the teams that were found by it
    const items = views.map((team) => ({ team, member: { role: roleInTeam(member, team.id) ?? 'member' } }));
    return { ...page, items };
  }
}
