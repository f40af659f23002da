import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../../common/fails.js';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import { Urls } from '../../common/urls.js';
import { InstallOnSiteDto, UpdatePlacementDto } from '../dto/installation.dto.js';
import type { Integration } from '../integration.schema.js';
import { Configurations } from './configurations.service.js';
import { CurrentInstallation, type InstallationAccess, RequireInstallation } from './installation.guard.js';
import { SiteInstallationPage, SiteInstallationView, toSiteInstallation } from './installation.view.js';
import type { Placement } from './placement.schema.js';
import { PlacementsService } from './placements.service.js';

/** The sites that an installation was put on. */
@ApiTags('integrations')
@Controller('v1/integrations/:integrationName/installations/:installationId/sites')
export class SiteInstallationsController {
  constructor(
    private readonly placements: PlacementsService,
    private readonly configurations: Configurations,
    private readonly urls: Urls,
  ) {}

  /** List the sites that an integration was put on. */
  @Get()
  @RequireInstallation('read')
  async listIntegrationInstallationSites(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Query() query: PageQuery,
  ): Promise<SiteInstallationPage> {
    const page = await this.placements.list(installation, 'site', query);
    return mapPage(page, (placement) => this.view(placement, integration));
  }

  /** Put an integration on a site. */
  @Post()
  @Fails(409)
  @RequireInstallation('admin')
  async installIntegrationOnSite(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Body() { siteId }: InstallOnSiteDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteInstallationView> {
    const view = this.view(await this.placements.add(installation, integration, 'site', siteId), integration);
    response.location(view.urls.location);
    return view;
  }

  /** Read how an integration is installed on a site. */
  @Get(':siteId')
  @RequireInstallation('read')
  async getIntegrationSiteInstallation(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Param('siteId') site: string,
  ): Promise<SiteInstallationView> {
    return this.view(await this.placements.get(installation, 'site', site), integration);
  }

  /** Configure an integration on a site. */
  @Patch(':siteId')
  @RequireInstallation('admin')
  async updateIntegrationSiteInstallation(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Param('siteId') site: string,
    @Body() body: UpdatePlacementDto,
  ): Promise<SiteInstallationView> {
    const placement = await this.placements.get(installation, 'site', site);
    return this.view(await this.placements.update(installation, integration, placement, body), integration);
  }

  /** Take an integration off a site. */
  @Delete(':siteId')
  @HttpCode(205)
  @RequireInstallation('admin')
  async uninstallIntegrationFromSite(
    @CurrentInstallation() { installation }: InstallationAccess,
    @Param('siteId') site: string,
  ): Promise<void> {
    await this.placements.remove(installation, 'site', site);
  }

  private view(placement: Placement, integration: Integration): SiteInstallationView {
    return toSiteInstallation(this.configurations.open(placement), { integration, urls: this.urls });
  }
}
