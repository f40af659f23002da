import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { mapPage } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { SearchQuery } from './dto/search.dto.js';
import { FindingService } from './finding.service.js';
import { OrganizationSearchPage, SpaceSearchPage, toFoundSpace, toSearchItem } from './search.view.js';

@ApiTags('content')
@Controller('v1')
export class SearchController {
  constructor(
    private readonly finding: FindingService,
    private readonly urls: Urls,
  ) {}

  /** Search the pages of a space, best first. */
  @Get('spaces/:spaceId/search')
  @RequireSpace('view')
  async searchSpaceContent(
    @CurrentSpace() { space, admitted }: SpaceAccess,
    @Query() query: SearchQuery,
  ): Promise<SpaceSearchPage> {
    return mapPage(await this.finding.inSpace(space, query, admitted), (page) => toSearchItem(page, this.urls));
  }

  /** Search the pages of every space of an organization that you can see; best space first. */
  @Get('orgs/:organizationId/search')
  @RequireOrganization('view')
  @ApiTags('organizations')
  async searchOrganizationContent(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: SearchQuery,
  ): Promise<OrganizationSearchPage> {
    const page = await this.finding.inOrganization(organization._id, member, query);
    return mapPage(page, (found) => toFoundSpace(found, this.urls));
  }
}
