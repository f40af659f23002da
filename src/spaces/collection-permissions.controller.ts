import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { type CollectionAccess, CurrentCollection, RequireCollection } from './collection.guard.js';
import type { Collection } from './collection.schema.js';
import { GrantPermissionsDto, ListEveryoneQuery, UpdatePermissionDto } from './dto/permission.dto.js';
import { GrantViews } from './grant-views.service.js';
import { TeamPermissionPage, UserPermissionPage } from './grant.view.js';
import { GrantsService, type Place } from './grants.service.js';

@ApiTags('permissions')
@Controller('v1/collections/:collectionId/permissions')
export class CollectionPermissionsController {
  constructor(
    private readonly grants: GrantsService,
    private readonly views: GrantViews,
  ) {}

  /** Give people and teams an entry in a collection, or another role in the one they have. */
  @Post()
  @HttpCode(204)
  @Fails(409)
  @RequireCollection('admin')
  async inviteToCollection(
    @CurrentCollection() { collection }: CollectionAccess,
    @Body() body: GrantPermissionsDto,
  ): Promise<void> {
    await this.grants.put(placeOf(collection), body);
  }

  /** List the entries of people in a collection. */
  @Get('users')
  @RequireCollection('admin')
  async listUserPermissionsInCollection(
    @CurrentActor() actor: Actor,
    @CurrentCollection() { collection }: CollectionAccess,
    @Query() query: PageQuery,
  ): Promise<UserPermissionPage> {
    return this.views.ofUsers(this.grants.list(placeOf(collection), 'users', query), actor.user);
  }

  /** List the entries of teams in a collection. */
  @Get('teams')
  @RequireCollection('admin')
  async listTeamPermissionsInCollection(
    @CurrentCollection() { collection, member }: CollectionAccess,
    @Query() query: PageQuery,
  ): Promise<TeamPermissionPage> {
    return this.views.ofTeams(this.grants.list(placeOf(collection), 'teams', query), collection.organization, member);
  }

  /** List everyone with an effective role in a collection, wherever it comes from. */
  @Get('aggregate')
  @RequireCollection('admin')
  async listPermissionsAggregateInCollection(
    @CurrentActor() actor: Actor,
    @CurrentCollection() { collection }: CollectionAccess,
    @Query() query: ListEveryoneQuery,
  ): Promise<UserPermissionPage> {
    return this.views.everyone(await this.grants.everyone(placeOf(collection), query), actor.user);
  }

  /** Change the role of a person's entry in a collection. */
  @Patch('users/:userId')
  @HttpCode(204)
  @RequireCollection('admin')
  async updateUserPermissionInCollection(
    @CurrentCollection() { collection }: CollectionAccess,
    @Param('userId') userId: string,
    @Body() { role }: UpdatePermissionDto,
  ): Promise<void> {
    await this.grants.update(placeOf(collection), 'users', userId, role);
  }

  /** Change the role of a team's entry in a collection. */
  @Patch('teams/:teamId')
  @HttpCode(204)
  @RequireCollection('admin')
  async updateTeamPermissionInCollection(
    @CurrentCollection() { collection }: CollectionAccess,
    @Param('teamId') teamId: string,
    @Body() { role }: UpdatePermissionDto,
  ): Promise<void> {
    await this.grants.update(placeOf(collection), 'teams', teamId, role);
  }

  /** Remove a person's entry from a collection; what comes from elsewhere decides from now on. */
  @Delete('users/:userId')
  @HttpCode(205)
  @RequireCollection('admin')
  async removeUserFromCollection(
    @CurrentCollection() { collection }: CollectionAccess,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.grants.remove(placeOf(collection), 'users', userId);
  }

  /** Remove a team's entry from a collection; what comes from elsewhere decides from now on. */
  @Delete('teams/:teamId')
  @HttpCode(205)
  @RequireCollection('admin')
  async removeTeamFromCollection(
    @CurrentCollection() { collection }: CollectionAccess,
    @Param('teamId') teamId: string,
  ): Promise<void> {
    await this.grants.remove(placeOf(collection), 'teams', teamId);
  }
}

const placeOf = (collection: Collection): Place => ({ ...collection, kind: 'collection' });
