import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import {
  CurrentOrganization,
  type OrganizationAccess,
  OrganizationsService,
  RequireOrganization,
} from '../organizations/index.js';
import { CreateSpaceDto } from './dto/create-space.dto.js';
import { UpdateSpaceDto } from './dto/update-space.dto.js';
import { CollectionsService } from './collections.service.js';
import { ForVisitors } from '../auth/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from './space.guard.js';
import { effectiveRole } from './space-role.js';
import { SpacePublications } from './space-publications.js';
import type { Space } from './space.schema.js';
import { SpacePage, SpaceView, toSpace } from './space.view.js';
import { SpacesService } from './spaces.service.js';
import { AllOrNothing } from '../database/index.js';

@ApiTags('spaces')
@Controller('v1')
export class SpacesController {
  constructor(
    private readonly spaces: SpacesService,
    private readonly collections: CollectionsService,
    private readonly organizations: OrganizationsService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
  ) {}

  /** Read a space. */
  @Get('spaces/:spaceId')
  @ForVisitors()
  @RequireSpace('view', { trash: true })
  @ApiQuery({ name: 'shareKey', type: String, required: false, description: 'Secret of a share link.' })
  async getSpaceById(@CurrentSpace() access: SpaceAccess): Promise<SpaceView> {
    return this.view(access.space, access);
  }

  /** Update a space. */
  @Patch('spaces/:spaceId')
  @RequireSpace('admin')
  @AllOrNothing()
  async updateSpaceById(@CurrentSpace() access: SpaceAccess, @Body() body: UpdateSpaceDto): Promise<SpaceView> {
    const space = await this.spaces.update(access.space, body);
    // a new default level may have changed what the caller is
    return this.view(space, { ...access, role: effectiveRole(space, access.member, access.inherited.role) });
  }

  /** List the spaces of an organization that you can see. */
  @Get('orgs/:organizationId/spaces')
  @RequireOrganization('view')
  async listSpacesInOrganizationById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<SpacePage> {
    const page = await this.spaces.list(organization._id, member, query);
    const published = await this.publications.of(page.items.map(({ space }) => space));
    return mapPage(page, ({ space, ...listed }) =>
      toSpace(space, { ...listed, organization, urls: this.urls, publication: published.get(space._id) }),
    );
  }

  /** Make a space; you become its administrator. */
  @Post('orgs/:organizationId/spaces')
  @ApiBody({ type: CreateSpaceDto, required: false })
  @RequireOrganization('createContent')
  async createSpace(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: CreateSpaceDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SpaceView> {
    if (body.parent !== undefined) await this.collections.requireParent(body.parent, member);
    const space = await this.spaces.create(organization._id, member.user, body);
    const { level } = await this.collections.inherited(space.parent, member);
    const view = toSpace(space, { role: 'admin', level, organization, urls: this.urls });
    response.location(view.urls.location);
    return view;
  }

  private async view(
    space: Space,
    { role, inherited: { level }, audience, admitted }: SpaceAccess,
  ): Promise<SpaceView> {
    const organization = await this.organizations.settings(space.organization);
    const publication = (await this.publications.of([space], audience)).get(space._id);
    return toSpace(space, { role, level, organization, urls: this.urls, publication, admitted });
  }
}
