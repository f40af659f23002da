import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { CreateSiteDto } from './dto/create-site.dto.js';
import { ListSitesQuery } from './dto/list-sites.dto.js';
import { UpdateSiteDto } from './dto/update-site.dto.js';
import { SiteAnswers } from './site.answers.js';
import { CurrentSite, RequireSite, type SiteAccess } from './site.guard.js';
import { SiteSettings } from './site-settings.service.js';
import { SitePage, SiteView } from './site.view.js';
import { SitesService } from './sites.service.js';

@ApiTags('sites')
@Controller('v1/orgs/:organizationId/sites')
export class SitesController {
  constructor(
    private readonly sites: SitesService,
    private readonly settings: SiteSettings,
    private readonly answers: SiteAnswers,
  ) {}

  /** List the sites of an organization that you can see, newest first. */
  @Get()
  @RequireOrganization('view')
  async listSites(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: ListSitesQuery,
  ): Promise<SitePage> {
    return this.answers.sites(await this.sites.list(organization._id, member, query), organization);
  }

  /** Make a site, of spaces that there are or of a new one. */
  @Post()
  @Fails(409)
  @ApiBody({ type: CreateSiteDto, required: false })
  @RequireOrganization('createContent')
  async createSite(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: CreateSiteDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteView> {
    const view = this.answers.site(await this.settings.create(member, body), organization);
    response.location(view.urls.location);
    return view;
  }

  /** Read a site. */
  @Get(':siteId')
  @RequireSite('view')
  getSiteById(@CurrentSite() { site, organization }: SiteAccess): SiteView {
    return this.answers.site(site, organization);
  }

  /** Update a site. */
  @Patch(':siteId')
  @Fails(409)
  @RequireSite('manage')
  async updateSiteById(
    @CurrentSite() { site, organization }: SiteAccess,
    @Body() body: UpdateSiteDto,
  ): Promise<SiteView> {
    return this.answers.site(await this.settings.update(site, body), organization);
  }

  /** Delete a site for good, with all its settings; the spaces on it survive. */
  @Delete(':siteId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteById(@CurrentSite() { site }: SiteAccess): Promise<void> {
    await this.sites.remove(site);
  }

  /** Publish a site: from now on whom its visibility admits can read it. */
  @Post(':siteId/publish')
  @HttpCode(200)
  @Fails(409)
  @RequireSite('manage')
  async publishSite(@CurrentSite() { site, organization }: SiteAccess): Promise<SiteView> {
    return this.answers.site(await this.settings.publish(site, true), organization);
  }

  /** Unpublish a site: from now on it admits nobody, and its settings stay. */
  @Post(':siteId/unpublish')
  @HttpCode(200)
  @RequireSite('manage')
  async unpublishSite(@CurrentSite() { site, organization }: SiteAccess): Promise<SiteView> {
    return this.answers.site(await this.settings.publish(site, false), organization);
  }
}
