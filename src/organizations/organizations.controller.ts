import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CreateOrganizationDto } from './dto/create-organization.dto.js';
import { UpdateOrganizationDto } from './dto/update-organization.dto.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from './organization.guard.js';
import { FOUNDER } from './organization.policy.js';
import { OrganizationPage, OrganizationsView, OrganizationView, toOrganization } from './organization.view.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('organizations')
@Controller('v1')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly urls: Urls,
  ) {}

  /** List the organizations you belong to. */
  @Get('orgs')
  async listOrganizationsForAuthenticatedUser(
    @CurrentActor() actor: Actor,
    @Query() query: PageQuery,
  ): Promise<OrganizationPage> {
    const page = await this.organizations.listOf(actor.user, query);
    return mapPage(page, ({ organization, member }) => toOrganization(organization, member, this.urls));
  }

  /** Make an organization; you become its administrator. */
  @Post('orgs')
  async createOrganization(
    @CurrentActor() actor: Actor,
    @Body() body: CreateOrganizationDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrganizationView> {
    const organization = await this.organizations.create(actor.user, body);
    const view = toOrganization(organization, FOUNDER, this.urls);
    response.location(view.urls.location);
    return view;
  }

  /** Read an organization. */
  @Get('orgs/:organizationId')
  @RequireOrganization('view')
  getOrganizationById(@CurrentOrganization() { organization, member }: OrganizationAccess): OrganizationView {
    return toOrganization(organization, member, this.urls);
  }

  /** Update an organization. */
  @Patch('orgs/:organizationId')
  @Fails(409)
  @RequireOrganization('admin')
  async updateOrganizationById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: UpdateOrganizationDto,
  ): Promise<OrganizationView> {
    return toOrganization(await this.organizations.update(organization, body), member, this.urls);
  }

  /** List the organizations that go with an e-mail domain. */
  @Get('email-domains/:emailDomain/orgs')
  async getOrganizationsForEmailDomain(
    @CurrentActor() actor: Actor,
    @Param('emailDomain') emailDomain: string,
  ): Promise<OrganizationsView> {
    const found = await this.organizations.forEmailDomain(emailDomain, actor.user);
    return { organizations: found.map(({ organization, member }) => toOrganization(organization, member, this.urls)) };
  }
}
