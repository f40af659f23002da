import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { CreateSamlProviderDto } from './dto/create-saml-provider.dto.js';
import { UpdateSamlProviderDto } from './dto/update-saml-provider.dto.js';
import { SamlLoginsView, SamlProviderPage, SamlProviderView, toSamlLogin } from './saml-provider.view.js';
import { SamlProviderViews } from './saml-provider-views.service.js';
import { SamlProvidersService } from './saml-providers.service.js';

@ApiTags('single-sign-on')
@Controller('v1/orgs/:organizationId')
export class SamlProvidersController {
  constructor(
    private readonly providers: SamlProvidersService,
    private readonly views: SamlProviderViews,
    private readonly urls: Urls,
  ) {}

  /** List the identity providers of an organization. */
  @Get('saml')
  @RequireOrganization('admin')
  async listSAMLProvidersInOrganizationById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<SamlProviderPage> {
    const page = await this.providers.list(organization._id, query);
    return { ...page, items: await this.views.of(page.items, member) };
  }

  /** Add an identity provider; with its label only, to learn first what it has to know of this service. */
  @Post('saml')
  @Fails(409)
  @RequireOrganization('admin')
  async createOrganizationSAMLProvider(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: CreateSamlProviderDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SamlProviderView> {
    const view = await this.views.one(await this.providers.create(organization._id, body), member);
    response.location(view.urls.location);
    return view;
  }

  /** Read an identity provider. */
  @Get('saml/:samlProviderId')
  @RequireOrganization('admin')
  async getOrganizationSAMLProviderById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Param('samlProviderId') samlProviderId: string,
  ): Promise<SamlProviderView> {
    return this.views.one(await this.providers.get(organization._id, samlProviderId), member);
  }

  /** Update an identity provider. */
  @Patch('saml/:samlProviderId')
  @RequireOrganization('admin')
  async updateOrganizationSAMLProvider(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Param('samlProviderId') samlProviderId: string,
    @Body() body: UpdateSamlProviderDto,
  ): Promise<SamlProviderView> {
    const provider = await this.providers.get(organization._id, samlProviderId);
    return this.views.one(await this.providers.update(provider, body), member);
  }

  /** Remove an identity provider; who came in by it stays a member. */
  @Delete('saml/:samlProviderId')
  @HttpCode(204)
  @RequireOrganization('admin')
  async deleteOrganizationSAMLProvider(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('samlProviderId') samlProviderId: string,
  ): Promise<void> {
    await this.providers.remove(await this.providers.get(organization._id, samlProviderId));
  }

  /** List where people of an organization sign in: its active identity providers, newest first. */
  @Get('sso')
  @RequireOrganization('view')
  async listSSOProviderLoginsInOrganization(
    @CurrentOrganization() { organization }: OrganizationAccess,
  ): Promise<SamlLoginsView> {
    const active = await this.providers.listActive(organization._id);
    return { items: active.map((provider) => toSamlLogin(provider, this.urls)) };
  }
}
