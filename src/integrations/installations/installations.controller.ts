import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../../common/fails.js';
import { mapPage, PageQuery } from '../../common/page.dto.js';
import {
  CurrentOrganization,
  type OrganizationAccess,
  organizationPermissions,
  RequireOrganization,
} from '../../organizations/index.js';
import { AdministeredOrganizations } from '../administered-organizations.js';
import { InstallIntegrationDto, ListInstallationsQuery, UpdateInstallationDto } from '../dto/installation.dto.js';
import { IntegrationAnswers } from '../integration.answers.js';
import { CurrentIntegration, type IntegrationAccess, RequireIntegration } from '../integration.guard.js';
import { integrationPermissions } from '../integration.policy.js';
import { IntegrationsService } from '../integrations.service.js';
import { CurrentInstallation, type InstallationAccess, RequireInstallation } from './installation.guard.js';
import { InstallationPage, InstallationView, OrganizationInstallationPage } from './installation.view.js';
import { InstallationsService } from './installations.service.js';

@ApiTags('integrations')
@Controller('v1')
export class InstallationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly installations: InstallationsService,
    private readonly organizations: AdministeredOrganizations,
    private readonly answers: IntegrationAnswers,
  ) {}

  /** List where an integration is installed: all of it for its owner, for others what they administer. */
  @Get('integrations/:integrationName/installations')
  @RequireIntegration('view')
  async listIntegrationInstallations(
    @CurrentIntegration() { integration, members }: IntegrationAccess,
    @Query() query: ListInstallationsQuery,
  ): Promise<InstallationPage> {
    const administered = [...members.values()].filter((member) => organizationPermissions(member).admin);
    const page = integrationPermissions(integration, members).admin
      ? await this.installations.list(integration._id, query)
      : await this.installations.listIn(
          administered.map(({ organization }) => organization),
          integration._id,
          query,
        );
    return mapPage(page, (installation) => this.answers.installation(installation, integration));
  }

  /** Install an integration in an organization that you administer. */
  @Post('integrations/:integrationName/installations')
  @Fails(403, 409)
  @RequireIntegration('view')
  async installIntegration(
    @CurrentIntegration() { integration, members }: IntegrationAccess,
    @Body() body: InstallIntegrationDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InstallationView> {
    const organization = this.organizations.byId(body.organization, members);
    const installation = await this.integrations.install(integration._id, organization);
    const view = this.answers.installation(installation, integration);
    response.location(view.urls.location);
    return view;
  }

  /** Read an installation. */
  @Get('integrations/:integrationName/installations/:installationId')
  @RequireInstallation('read')
  getIntegrationInstallationById(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
  ): InstallationView {
    return this.answers.installation(installation, integration);
  }

  /** Configure an installation. */
  @Patch('integrations/:integrationName/installations/:installationId')
  @RequireInstallation('admin')
  async updateIntegrationInstallation(
    @CurrentInstallation() { installation, integration }: InstallationAccess,
    @Body() { space_selection: spaceSelection, site_selection: siteSelection, ...fields }: UpdateInstallationDto,
  ): Promise<InstallationView> {
    const changes = { ...fields, ...(spaceSelection && { spaceSelection }), ...(siteSelection && { siteSelection }) };
    const updated = await this.installations.update(installation, integration, changes);
    return this.answers.installation(updated, integration);
  }

  /** Uninstall an integration, wherever it was put. */
  @Delete('integrations/:integrationName/installations/:installationId')
  @HttpCode(205)
  @RequireInstallation('admin')
  async uninstallIntegration(@CurrentInstallation() { installation }: InstallationAccess): Promise<void> {
    await this.installations.remove(installation);
  }

  /** List what an organization has installed, newest first. */
  @Get('orgs/:organizationId/installations')
  @RequireOrganization('listIntegrations')
  async listOrganizationInstallations(
    @CurrentOrganization() { organization: { _id: organization }, member }: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<OrganizationInstallationPage> {
    const page = await this.installations.listOf(organization, query);
    return this.answers.installed(page, new Map([[organization, member]]));
  }
}
