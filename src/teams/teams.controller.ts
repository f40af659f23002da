import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import {
  CurrentOrganization,
  MembersService,
  type OrganizationAccess,
  RequireOrganization,
} from '../organizations/index.js';
import { CreateTeamDto } from './dto/create-team.dto.js';
import { ListTeamsQuery } from './dto/list-teams.dto.js';
import { UpdateTeamDto } from './dto/update-team.dto.js';
import { TeamMembersService } from './team-members.service.js';
import { CurrentTeam, RequireTeam, type TeamAccess } from './team.guard.js';
import { TeamViews } from './team-views.service.js';
import { TeamPage, TeamView } from './team.view.js';
import { TeamsService } from './teams.service.js';
import { AllOrNothing } from '../database/index.js';

@ApiTags('teams')
@Controller('v1/orgs/:organizationId/teams')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersService,
    private readonly members: MembersService,
    private readonly views: TeamViews,
    private readonly urls: Urls,
  ) {}

  /** List the teams of an organization. */
  @Get()
  @RequireOrganization('listTeams')
  async listTeamsInOrganizationById(
    @CurrentOrganization() { organization: { _id: organization }, member }: OrganizationAccess,
    @Query() { owner, ...query }: ListTeamsQuery,
  ): Promise<TeamPage> {
    const page =
      owner === undefined
        ? await this.teams.list(organization, query)
        : await this.teams.listManagedBy(organization, await this.members.find(organization, owner), query);
    return { ...page, items: await this.views.of(page.items, member) };
  }

  /** Make a team. */
  @Put()
  @HttpCode(201)
  @Fails(409)
  @RequireOrganization('admin')
  @AllOrNothing()
  async createOrganizationTeam(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() { title, members }: CreateTeamDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TeamView> {
    const team = await this.teamMembers.create(organization._id, title, members);
    response.location(this.urls.api('orgs', organization._id, 'teams', team._id));
    return this.views.one(team, member);
  }

  /** Read a team. */
  @Get(':teamId')
  @RequireTeam('view')
  async getTeamInOrganizationById(@CurrentTeam() { team, member }: TeamAccess): Promise<TeamView> {
    return this.views.one(team, member);
  }

  /** Rename a team. */
  @Patch(':teamId')
  @RequireTeam('admin')
  @AllOrNothing()
  async updateTeamInOrganizationById(
    @CurrentTeam() access: TeamAccess,
    @Body() { title }: UpdateTeamDto,
  ): Promise<TeamView> {
    return this.views.one(await this.teams.rename(access.team, title), access.member);
  }

  /** Delete a team for good, with its memberships and its entries in spaces and collections. */
  @Delete(':teamId')
  @HttpCode(204)
  @RequireOrganization('admin')
  async removeTeamFromOrganizationById(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('teamId') teamId: string,
  ): Promise<void> {
    await this.teams.remove(await this.teams.get(organization._id, teamId));
  }
}
