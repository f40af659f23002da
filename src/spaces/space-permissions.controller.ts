import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { GrantPermissionsDto, ListEveryoneQuery, UpdatePermissionDto } from './dto/permission.dto.js';
import { GrantViews } from './grant-views.service.js';
import { TeamPermissionPage, UserPermissionPage } from './grant.view.js';
import { GrantsService, type Place } from './grants.service.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from './space.guard.js';
import type { Space } from './space.schema.js';

@ApiTags('permissions')
@Controller('v1/spaces/:spaceId/permissions')
export class SpacePermissionsController {
  constructor(
    private readonly grants: GrantsService,
    private readonly views: GrantViews,
  ) {}

  /** Give people and teams an entry in a space, or another role in the one they have. */
  @Post()
  @HttpCode(204)
  @Fails(409)
  @RequireSpace('admin')
  async inviteToSpace(@CurrentSpace() { space }: SpaceAccess, @Body() body: GrantPermissionsDto): Promise<void> {
    await this.grants.put(placeOf(space), body);
  }

  /** List the entries of people in a space. */
  @Get('users')
  @RequireSpace('admin')
  async listUserPermissionsInSpace(
    @CurrentActor() actor: Actor,
    @CurrentSpace() { space }: SpaceAccess,
    @Query() query: PageQuery,
  ): Promise<UserPermissionPage> {
    return this.views.ofUsers(this.grants.list(placeOf(space), 'users', query), actor.user);
  }

  /** List the entries of teams in a space. */
  @Get('teams')
  @RequireSpace('admin')
  async listTeamPermissionsInSpace(
    @CurrentSpace() { space, member }: SpaceAccess,
    @Query() query: PageQuery,
  ): Promise<TeamPermissionPage> {
    return this.views.ofTeams(this.grants.list(placeOf(space), 'teams', query), space.organization, member);
  }

  /** List everyone with an effective role in a space, wherever it comes from. */
  @Get('aggregate')
  @RequireSpace('admin')
  async listPermissionsAggregateInSpace(
    @CurrentActor() actor: Actor,
    @CurrentSpace() { space }: SpaceAccess,
    @Query() query: ListEveryoneQuery,
  ): Promise<UserPermissionPage> {
    return this.views.everyone(await this.grants.everyone(placeOf(space), query), actor.user);
  }

  /** Change the role of a person's entry in a space. */
  @Patch('users/:userId')
  @HttpCode(204)
  @RequireSpace('admin')
  async updateUserPermissionInSpace(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('userId') userId: string,
    @Body() { role }: UpdatePermissionDto,
  ): Promise<void> {
    await this.grants.update(placeOf(space), 'users', userId, role);
  }

  /** Change the role of a team's entry in a space. */
  @Patch('teams/:teamId')
  @HttpCode(204)
  @RequireSpace('admin')
  async updateTeamPermissionInSpace(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('teamId') teamId: string,
    @Body() { role }: UpdatePermissionDto,
  ): Promise<void> {
    await this.grants.update(placeOf(space), 'teams', teamId, role);
  }

  /** Remove a person's entry from a space; what comes from elsewhere decides from now on. */
  @Delete('users/:userId')
  @HttpCode(205)
  @RequireSpace('admin')
  async removeUserFromSpace(@CurrentSpace() { space }: SpaceAccess, @Param('userId') userId: string): Promise<void> {
    await this.grants.remove(placeOf(space), 'users', userId);
  }

  /** Remove a team's entry from a space; what comes from elsewhere decides from now on. */
  @Delete('teams/:teamId')
  @HttpCode(205)
  @RequireSpace('admin')
  async removeTeamFromSpace(@CurrentSpace() { space }: SpaceAccess, @Param('teamId') teamId: string): Promise<void> {
    await this.grants.remove(placeOf(space), 'teams', teamId);
  }
}

const placeOf = (space: Space): Place => ({ ...space, kind: 'space' });
