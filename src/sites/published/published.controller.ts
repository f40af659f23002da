import { BadRequestException, Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForVisitors } from '../../auth/index.js';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import { Reads } from '../../common/reads.js';
import { Urls } from '../../common/urls.js';
import { FindingService, OrganizationSearchPage, toFoundSpace } from '../../content/index.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { RedirectQuery } from './dto/redirect-query.dto.js';
import { SearchSiteDto } from './dto/search-site.dto.js';
import { PublishedSiteView, ResolvedSiteRedirectView } from './published-site.view.js';
import { PublishedSitesService } from './published-sites.service.js';
import { SearchScopeError, searchedSpaces } from './search-scope.js';
import { siteFor } from './visible-site.js';

/** What whoever shows a published site asks about it. */
@ApiTags('sites')
@Controller('v1/orgs/:organizationId/sites/:siteId')
export class PublishedController {
  constructor(
    private readonly sites: PublishedSitesService,
    private readonly finding: FindingService,
    private readonly urls: Urls,
  ) {}

  /** Read all that is needed to show a published site, but for the content of its spaces. */
  @Get('published')
  @ForVisitors()
  @RequireSite('published')
  async getPublishedContentSite(@CurrentSite() access: SiteAccess): Promise<PublishedSiteView> {
    return this.sites.published(access);
  }

  /** Find where an address without content leads. */
  @Get('redirect')
  @ForVisitors()
  @RequireSite('published')
  async getSiteRedirectBySource(
    @CurrentSite() access: SiteAccess,
    @Query() { source }: RedirectQuery,
  ): Promise<ResolvedSiteRedirectView> {
    return this.sites.redirect(access, source);
  }

  /** Search the pages of a site, by space; best space first. */
  @Post('search')
  @HttpCode(200)
  @Reads()
  @ForVisitors()
  @RequireSite('published')
  async searchSiteContent(
    @CurrentSite() access: SiteAccess,
    @Query() query: PageQuery,
    @Body() body: SearchSiteDto,
  ): Promise<OrganizationSearchPage> {
    const { spaces, unconditional } = await this.sites.readable(access, searched(access, body));
    const list = ['site', access.site._id, ...spaces.map(({ _id }) => _id).sort()];
    const page = await this.finding.among(spaces, { ...query, query: body.query }, list, unconditional);
    return mapPage(page, (found) => toFoundSpace(found, this.urls));
  }
}

/** Ids of the spaces to search. @throws BadRequestException naming the property that names nothing. */
function searched(access: SiteAccess, body: SearchSiteDto): string[] {
  try {
    return searchedSpaces(siteFor(access).structure, body);
  } catch (error) {
    if (error instanceof SearchScopeError) throw new BadRequestException(error.message);
    throw error;
  }
}
