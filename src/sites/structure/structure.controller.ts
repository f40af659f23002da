import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ForVisitors } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { positionOf, SortStructureDto } from './dto/moves.dto.js';
import { StructureQuery } from './dto/site-spaces.dto.js';
import { PartAnswers } from './part.answers.js';
import { SiteStructureService } from './site-structure.service.js';
import { SiteSectionGroupView, SiteSectionView, SiteSpaceView, SiteStructureView } from './structure.view.js';
import { AllOrNothing } from '../../database/index.js';

const MOVED = [SiteSpaceView, SiteSectionView, SiteSectionGroupView];

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/structure')
export class StructureController {
  constructor(
    private readonly structure: SiteStructureService,
    private readonly answers: PartAnswers,
  ) {}

  /** Read what a site is made of: its sections in reading order, or its site-spaces when it has none. */
  @Get()
  @ForVisitors()
  @RequireSite('published')
  async getSiteStructure(
    @CurrentSite() access: SiteAccess,
    @Query() _query: StructureQuery,
  ): Promise<SiteStructureView> {
    return this.answers.structure(access);
  }

  /** Move a part of a site, as the operation for its kind does; the answer is what was moved. */
  @Patch('sort')
  @Fails(409)
  @ApiOkResponse({ schema: { oneOf: MOVED.map((view) => ({ $ref: getSchemaPath(view) })) } })
  @RequireSite('manage')
  async sortSiteStructure(
    @CurrentSite() access: SiteAccess,
    @Body() { item, position }: SortStructureDto,
  ): Promise<SiteSpaceView | SiteSectionView | SiteSectionGroupView> {
    const to = positionOf(position, ({ id }) => id);
    const changed = await this.structure.sort(access.site, item, { to, beside: position ?? {} });
    if (item.type === 'site-space') return this.answers.siteSpace(access, changed);
    return item.type === 'site-section' ? this.answers.section(access, changed) : this.answers.group(access, changed);
  }
}
