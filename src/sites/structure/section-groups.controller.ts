import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PageQuery } from '../../common/page.dto.js';
import { CurrentSite, RequireSite, type SiteAccess } from '../site.guard.js';
import { MoveGroupDto, positionOf } from './dto/moves.dto.js';
import { AddSectionToGroupDto, CreateSectionGroupDto, UpdateSectionGroupDto } from './dto/section-groups.dto.js';
import { PartAnswers } from './part.answers.js';
import { SiteStructureService } from './site-structure.service.js';
import { SiteSectionGroupPage, SiteSectionGroupView } from './structure.view.js';
import { AllOrNothing } from '../../database/index.js';

@ApiTags('sites')
@AllOrNothing()
@Controller('v1/orgs/:organizationId/sites/:siteId/section-groups')
export class SectionGroupsController {
  constructor(
    private readonly structure: SiteStructureService,
    private readonly answers: PartAnswers,
  ) {}

  /** List the section groups of a site, in reading order. */
  @Get()
  @RequireSite('view')
  async listSiteSectionGroups(
    @CurrentSite() access: SiteAccess,
    @Query() query: PageQuery,
  ): Promise<SiteSectionGroupPage> {
    return this.answers.groups(access, query);
  }

  /** Add a section group. */
  @Post()
  @RequireSite('manage')
  async addSectionGroupToSite(
    @CurrentSite() access: SiteAccess,
    @Body() body: CreateSectionGroupDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteSectionGroupView> {
    const changed = await this.structure.addGroup(access.site, body);
    this.answers.locate(response, changed, 'section-groups');
    return this.answers.group(access, changed);
  }

  /** Update a section group. */
  @Patch(':siteSectionGroupId')
  @RequireSite('manage')
  async updateSiteSectionGroupById(
    @CurrentSite() access: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() body: UpdateSectionGroupDto,
  ): Promise<SiteSectionGroupView> {
    return this.answers.group(access, await this.structure.updateGroup(access.site, id, body));
  }

  /** Remove a section group; its sections take its place. */
  @Delete(':siteSectionGroupId')
  @HttpCode(205)
  @RequireSite('manage')
  async deleteSiteSectionGroupById(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteSectionGroupId') id: string,
  ): Promise<void> {
    await this.structure.removeGroup(site, id);
  }

  /** Move a section group, beside a group or a section at the top level; or to the end. */
  @Post(':siteSectionGroupId/move')
  @HttpCode(200)
  @ApiBody({ type: MoveGroupDto, required: false })
  @RequireSite('manage')
  async moveSiteSectionGroup(
    @CurrentSite() access: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() { position }: MoveGroupDto,
  ): Promise<SiteSectionGroupView> {
    const to = positionOf(position, (anchor) => anchor.id);
    return this.answers.group(access, await this.structure.moveGroup(access.site, id, to));
  }

  /** Put a section into a group, out of any other. */
  @Post(':siteSectionGroupId/sections')
  @RequireSite('manage')
  async addSectionToGroup(
    @CurrentSite() access: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Body() { sectionId }: AddSectionToGroupDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteSectionGroupView> {
    const changed = await this.structure.addToGroup(access.site, id, sectionId);
    this.answers.locate(response, changed, 'section-groups');
    return this.answers.group(access, changed);
  }

  /** Take a section out of a group, to after it. */
  @Delete(':siteSectionGroupId/sections/:siteSectionId')
  @HttpCode(205)
  @RequireSite('manage')
  async removeSectionFromGroup(
    @CurrentSite() { site }: SiteAccess,
    @Param('siteSectionGroupId') id: string,
    @Param('siteSectionId') sectionId: string,
  ): Promise<void> {
    await this.structure.removeFromGroup(site, id, sectionId);
  }
}
