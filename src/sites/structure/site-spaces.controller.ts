import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ForVisitors } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { MoveSiteSpaceDto, positionOf } from './dto/moves.dto.js';
import { AddSiteSpaceDto, ListSiteSpacesQuery, UpdateSiteSpaceDto } from './dto/site-spaces.dto.js';
import { PartAnswers } from './part.answers.js';
import { SiteStructureService } from './site-structure.service.js';
import { SiteSpacePage, SiteSpaceView } from './structure.view.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/site-spaces')
export class SiteSpacesController {
  constructor(
    private readonly structure: SiteStructureService,
    private readonly answers: PartAnswers,
  ) {}

  /** List the spaces on a site, in reading order. */
  @Get()
  @ForVisitors()
  @RequireSite('published')
  async listSiteSpaces(@CurrentSite() access: SiteAccess, @Query() query: ListSiteSpacesQuery): Promise<SiteSpacePage> {
    return this.answers.siteSpaces(access, query);
  }

  /** Put a space on a site: into a section, or at the root of a site without sections. */
  @Post()
  @Fails(409)
  @RequireSite('manage')
  async addSpaceToSite(
    @CurrentSite() access: SiteAccess,
    @Body() body: AddSiteSpaceDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteSpaceView> {
    const changed = await this.structure.addSiteSpace(access.site, access.member, body);
    this.answers.locate(response, changed, 'site-spaces');
    return this.answers.siteSpace(access, changed);
  }

  /** Update a space on a site. */
  @Patch(':siteSpaceId')
  @Fails(409)
  @RequireSite('manage')
  async updateSiteSpaceById(
    @CurrentSite() access: SiteAccess,
    @Param('siteSpaceId') id: string,
    @Body() body: UpdateSiteSpaceDto,
  ): Promise<SiteSpaceView> {
    return this.answers.siteSpace(access, await this.structure.updateSiteSpace(access.site, id, body));
  }

  /** Take a space off a site; the space survives. */
  @Delete(':siteSpaceId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteSpaceById(@CurrentSite() { site }: SiteAccess, @Param('siteSpaceId') id: string): Promise<void> {
    await this.structure.removeSiteSpace(site, id);
  }

  /** Move a space on a site: beside another, in whatever section that is; or to the end of where it stands. */
  @Post(':siteSpaceId/move')
  @HttpCode(200)
  @Fails(409)
  @ApiBody({ type: MoveSiteSpaceDto, required: false })
  @RequireSite('manage')
  async moveSiteSpace(
    @CurrentSite() access: SiteAccess,
    @Param('siteSpaceId') id: string,
    @Body() { position }: MoveSiteSpaceDto,
  ): Promise<SiteSpaceView> {
    const to = positionOf(position, ({ siteSpace }) => siteSpace);
    return this.answers.siteSpace(access, await this.structure.moveSiteSpace(access.site, id, to));
  }
}
