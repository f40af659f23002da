import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { TranslationSettingsDto } from './dto/translation-settings.dto.js';
import type { TranslationSettings } from './translation-settings.schema.js';
import {
  toTranslationSettings,
  TranslationSettingsPage,
  TranslationSettingsView,
} from './translation-settings.view.js';
import { TranslationsService } from './translations.service.js';

@ApiTags('translations')
@Controller('v1/orgs/:organizationId/translations')
export class TranslationsController {
  constructor(
    private readonly translations: TranslationsService,
    private readonly urls: Urls,
  ) {}

  /** List the translation settings of an organization. */
  @Get()
  @RequireOrganization('read')
  async listTranslationSettings(
    @CurrentOrganization() access: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<TranslationSettingsPage> {
    const page = await this.translations.list(access.organization._id, query);
    return mapPage(page, (settings) => this.view(settings, access));
  }

  /** Make translation settings. */
  @Post()
  @Fails(409)
  @RequireOrganization('admin')
  async createTranslationSettings(
    @CurrentOrganization() access: OrganizationAccess,
    @Body() body: TranslationSettingsDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TranslationSettingsView> {
    const view = this.view(await this.translations.create(access.organization._id, body), access);
    response.location(view.urls.location);
    return view;
  }

  /** Read translation settings. */
  @Get(':translationSettingsId')
  @RequireOrganization('read')
  async getTranslationSettings(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('translationSettingsId') id: string,
  ): Promise<TranslationSettingsView> {
    return this.view(await this.translations.get(access.organization._id, id), access);
  }

  /** Change translation settings. */
  @Put(':translationSettingsId')
  @RequireOrganization('admin')
  async updateTranslationSettings(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('translationSettingsId') id: string,
    @Body() body: TranslationSettingsDto,
  ): Promise<TranslationSettingsView> {
    const settings = await this.translations.get(access.organization._id, id);
    return this.view(await this.translations.update(settings, body), access);
  }

  /** Delete translation settings for good. */
  @Delete(':translationSettingsId')
  @HttpCode(205)
  @RequireOrganization('admin')
  async deleteTranslationSettings(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('translationSettingsId') id: string,
  ): Promise<void> {
    await this.translations.remove(await this.translations.get(organization._id, id));
  }

  private view(settings: TranslationSettings, { member }: OrganizationAccess): TranslationSettingsView {
    return toTranslationSettings(settings, { member, urls: this.urls });
  }
}
