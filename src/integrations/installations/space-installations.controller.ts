import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../../common/fails.js';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import { Urls } from '../../common/urls.js';
import { InstallOnSpaceDto, UpdatePlacementDto } from '../dto/installation.dto.js';
import type { Integration } from '../integration.schema.js';
import { Configurations } from './configurations.service.js';
import { CurrentInstallation, type InstallationAccess, RequireInstallation } from './installation.guard.js';
import { SpaceInstallationPage, SpaceInstallationView, toSpaceInstallation } from './installation.view.js';
import type { Placement } from './placement.schema.js';
import { PlacementsService } from './placements.service.js';

/** The spaces that an installation was put on. */
@ApiTags('integrations')
@Controller('v1/integrations/:integrationName/installations/:installationId/spaces')
export class SpaceInstallationsController {
  constructor(
    private readonly placements: PlacementsService,
    private readonly configurations: Configurations,
    private readonly urls: Urls,
  ) {}

  /** List the spaces that an integration was put on. */
  @Get()
  @RequireInstallation('read')
  async listIntegrationInstallationSpaces(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Query() query: PageQuery,
  ): Promise<SpaceInstallationPage> {
    const page = await this.placements.list(installation, 'space', query);
    return mapPage(page, (placement) => this.view(placement, integration));
  }

  /** Put an integration on a space. */
  @Post()
  @Fails(409)
  @RequireInstallation('admin')
  async installIntegrationOnSpace(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Body() { space }: InstallOnSpaceDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SpaceInstallationView> {
    const view = this.view(await this.placements.add(installation, integration, 'space', space), integration);
    response.location(view.urls.location);
    return view;
  }

  /** Read how an integration is installed on a space. */
  @Get(':spaceId')
  @RequireInstallation('read')
  async getIntegrationSpaceInstallation(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Param('spaceId') space: string,
  ): Promise<SpaceInstallationView> {
    return this.view(await this.placements.get(installation, 'space', space), integration);
  }

  /** Configure an integration on a space. */
  @Patch(':spaceId')
  @RequireInstallation('admin')
  async updateIntegrationSpaceInstallation(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Param('spaceId') space: string,
    @Body() body: UpdatePlacementDto,
  ): Promise<SpaceInstallationView> {
    const placement = await this.placements.get(installation, 'space', space);
    return this.view(await this.placements.update(installation, integration, placement, body), integration);
  }

  /** Take an integration off a space. */
  @Delete(':spaceId')
  @HttpCode(205)
  @RequireInstallation('admin')
  async uninstallIntegrationFromSpace(
    @CurrentInstallation() { installation }: InstallationAccess,
    @Param('spaceId') space: string,
  ): Promise<void> {
    await this.placements.remove(installation, 'space', space);
  }

  private view(placement: Placement, integration: Integration): SpaceInstallationView {
    return toSpaceInstallation(this.configurations.open(placement), { integration, urls: this.urls });
  }
}
