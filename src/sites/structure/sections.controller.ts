import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ForVisitors } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { MoveSectionDto, positionOf } from './dto/moves.dto.js';
import { CreateSectionDto, UpdateSectionDto } from './dto/sections.dto.js';
import { ListPartsQuery } from './dto/site-spaces.dto.js';
import { PartAnswers } from './part.answers.js';
import { SiteStructureService } from './site-structure.service.js';
import { SiteSectionPage, SiteSectionView } from './structure.view.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/sections')
export class SectionsController {
  constructor(
    private readonly structure: SiteStructureService,
    private readonly answers: PartAnswers,
  ) {}

  /** List the sections of a site, in reading order. */
  @Get()
  @ForVisitors()
  @RequireSite('published')
  async listSiteSections(@CurrentSite() access: SiteAccess, @Query() query: ListPartsQuery): Promise<SiteSectionPage> {
    return this.answers.sections(access, query);
  }

  /** Add a section with a space; on a site without sections, what stands at its root becomes the first one. */
  @Post()
  @RequireSite('manage')
  async addSectionToSite(
    @CurrentSite() access: SiteAccess,
    @Body() body: CreateSectionDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteSectionView> {
    const changed = await this.structure.addSection(access.site, access.member, body);
    this.answers.locate(response, changed, 'sections');
    return this.answers.section(access, changed);
  }

  /** Update a section. */
  @Patch(':siteSectionId')
  @Fails(409)
  @RequireSite('manage')
  async updateSiteSectionById(
    @CurrentSite() access: SiteAccess,
    @Param('siteSectionId') id: string,
    @Body() body: UpdateSectionDto,
  ): Promise<SiteSectionView> {
    return this.answers.section(access, await this.structure.updateSection(access.site, id, body));
  }

  /** Remove a section from a site; its spaces survive. */
  @Delete(':siteSectionId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteSectionById(@CurrentSite() { site }: SiteAccess, @Param('siteSectionId') id: string): Promise<void> {
    await this.structure.removeSection(site, id);
  }

  /** Move a section: beside another, into or out of a group; or to the end of where it stands. */
  @Post(':siteSectionId/move')
  @HttpCode(200)
  @ApiBody({ type: MoveSectionDto, required: false })
  @RequireSite('manage')
  async moveSiteSection(
    @CurrentSite() access: SiteAccess,
    @Param('siteSectionId') id: string,
    @Body() { position }: MoveSectionDto,
  ): Promise<SiteSectionView> {
    const to = positionOf(position, ({ siteSection }) => siteSection);
    return this.answers.section(access, await this.structure.moveSection(access.site, id, to));
  }
}
