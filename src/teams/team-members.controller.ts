import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { PageQuery } from '../common/page.dto.js';
import { MemberAnswers } from '../organizations/index.js';
import { SetTeamMemberDto, UpdateTeamMembersDto } from './dto/team-members.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { CurrentTeam, RequireTeam, RequireTeamOrSelf, type TeamAccess } from './team.guard.js';
import { OrganizationTeamMemberPage, roleInTeam } from './team.view.js';

@ApiTags('teams')
@Controller('v1/orgs/:organizationId/teams/:teamId/members')
export class TeamMembersController {
  constructor(
    private readonly members: TeamMembersService,
    private readonly answers: MemberAnswers,
  ) {}

  /** List the members of a team. */
  @Get()
  @RequireTeam('view')
  async listTeamMembersInOrganizationById(
    @CurrentTeam() { team, member: viewer }: TeamAccess,
    @Query() query: PageQuery,
  ): Promise<OrganizationTeamMemberPage> {
    const page = await this.members.list(team, query);
    const views = await this.answers.of(viewer, page.items);
    const roles = new Map(page.items.map((member) => [member.user, roleInTeam(member, team._id)]));
    const items = views.map((organization) => ({
      organization,
      team: { role: roles.get(organization.id) ?? ('member' as const) },
      // who sees the team sees who belongs to it
      permissions: { view: true },
    }));
    return { ...page, items };
  }

  /** Add members to a team, remove others and change their roles, all at once. */
  @Put()
  @HttpCode(204)
  @RequireTeam('admin')
  async updateMembersInOrganizationTeam(
    @CurrentTeam() { team }: TeamAccess,
    @Body() body: UpdateTeamMembersDto,
  ): Promise<void> {
    await this.members.update(team, body);
  }

  /** Add a member to a team, or change the role there. */
  @Put(':userId')
  @HttpCode(204)
  @ApiBody({ type: SetTeamMemberDto, required: false })
  @RequireTeam('admin')
  async addMemberToOrganizationTeamById(
    @CurrentTeam() { team }: TeamAccess,
    @Param('userId') userId: string,
    @Body() body?: SetTeamMemberDto,
  ): Promise<void> {
    await this.members.set(team, userId, body?.role);
  }

  /** Remove a member from a team; everybody may leave. */
  @Delete(':userId')
  @HttpCode(204)
  @RequireTeamOrSelf('admin')
  async deleteMemberFromOrganizationTeamById(
    @CurrentTeam() { team }: TeamAccess,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.members.remove(team, userId);
  }
}
