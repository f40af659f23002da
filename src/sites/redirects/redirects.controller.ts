import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../../common/fails.js';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import { Urls } from '../../common/urls.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { CreateRedirectDto, destinationOf, UpdateRedirectDto } from './dto/redirect.dto.js';
import type { Redirect } from './redirect.schema.js';
import { SiteRedirectPage, SiteRedirectView, toRedirect } from './redirect.view.js';
import { RedirectsService } from './redirects.service.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/redirects')
export class RedirectsController {
  constructor(
    private readonly redirects: RedirectsService,
    private readonly urls: Urls,
  ) {}

  /** List the redirects of a site that somebody wrote, newest first. */
  @Get()
  @RequireSite('view')
  async listSiteRedirects(@CurrentSite() { site }: SiteAccess, @Query() query: PageQuery): Promise<SiteRedirectPage> {
    return mapPage(await this.redirects.list(site, query), view);
  }

  /** Lead an address of a site somewhere else; where there is content, that goes first. */
  @Post()
  @Fails(409)
  @RequireSite('manage')
  async createSiteRedirect(
    @CurrentSite() { site }: SiteAccess,
    @Body() { source, destination }: CreateRedirectDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteRedirectView> {
    const redirect = await this.redirects.create(site, { source, destination: destinationOf(destination) });
    response.location(this.urls.api('orgs', site.organization, 'sites', site._id, 'redirects', redirect._id));
    return view(redirect);
  }

  /** Update a redirect. */
  @Patch(':siteRedirectId')
  @Fails(409)
  @RequireSite('manage')
  async updateSiteRedirectById(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteRedirectId') id: string,
    @Body() { source, destination }: UpdateRedirectDto,
  ): Promise<SiteRedirectView> {
    const changes = {
      ...(source !== undefined && { source }),
      ...(destination && { destination: destinationOf(destination) }),
    };
    return view(await this.redirects.update(site, id, changes));
  }

  /** Delete a redirect. */
  @Delete(':siteRedirectId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteRedirectById(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteRedirectId') id: string,
  ): Promise<void> {
    await this.redirects.remove(site, id);
  }
}

function view({ _id: id, source, destination }: Redirect): SiteRedirectView {
  return toRedirect({ id, source, destination });
}
