import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import { Urls } from '../../common/urls.js';
import { publishedUrls } from '../site-urls.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { CreateShareLinkDto, UpdateShareLinkDto } from './dto/share-link.dto.js';
import type { ShareLink } from './share-link.schema.js';
import { ShareLinkPage, ShareLinkView, toShareLink } from './share-link.view.js';
import { ShareLinksService } from './share-links.service.js';

@ApiTags('sites')
@Controller('v1/orgs/:organizationId/sites/:siteId/share-links')
export class ShareLinksController {
  constructor(
    private readonly links: ShareLinksService,
    private readonly urls: Urls,
  ) {}

  /** List the share links of a site, newest first. */
  @Get()
  @RequireSite('manage')
  async listSiteShareLinks(@CurrentSite() access: SiteAccess, @Query() query: PageQuery): Promise<ShareLinkPage> {
    return mapPage(await this.links.list(access.site, query), (link) => this.view(link, access));
  }

  /** Make a share link; its key is in `urls.published`. */
  @Post()
  @RequireSite('manage')
  async createSiteShareLink(
    @CurrentSite() access: SiteAccess,
    @Body() { name }: CreateShareLinkDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShareLinkView> {
    const { _id, organization } = access.site;
    const link = await this.links.create(access.site, name);
    response.location(this.urls.api('orgs', organization, 'sites', _id, 'share-links', link._id));
    return this.view(link, access);
  }

  /** Rename a share link, or switch it on or off. */
  @Patch(':shareLinkId')
  @RequireSite('manage')
  async updateSiteShareLinkById(
    @CurrentSite() access: SiteAccess,
    @Param('shareLinkId') id: string,
    @Body() body: UpdateShareLinkDto,
  ): Promise<ShareLinkView> {
    return this.view(await this.links.update(access.site, id, body), access);
  }

  /** Delete a share link for good: its key admits nobody from now on. */
  @Delete(':shareLinkId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteShareLinkById(@CurrentSite() { site }: SiteAccess, @Param('shareLinkId') id: string): Promise<void> {
    await this.links.remove(site, id);
  }

  private view(link: ShareLink, { site, organization: { hostname } }: SiteAccess): ShareLinkView {
    return toShareLink(link, publishedUrls(site, { urls: this.urls, hostname }).withKey(this.links.keyOf(link)));
  }
}
