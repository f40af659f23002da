import { BadRequestException, Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { MembersService } from '../organizations/index.js';
import { AdministeredOrganizations } from './administered-organizations.js';
import { ListIntegrationsQuery } from './dto/list-integrations.dto.js';
import { PublishIntegrationDto } from './dto/publish-integration.dto.js';
import { IntegrationAnswers } from './integration.answers.js';
import {
  CurrentIntegration,
  type IntegrationAccess,
  IntegrationNameParam,
  RequireIntegration,
} from './integration.guard.js';
import { INTEGRATION_NAME } from './integration.schema.js';
import { IntegrationPage, IntegrationView } from './integration.view.js';
import { IntegrationsService } from './integrations.service.js';

@ApiTags('integrations')
@Controller('v1/integrations')
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly organizations: AdministeredOrganizations,
    private readonly members: MembersService,
    private readonly answers: IntegrationAnswers,
  ) {}

  /** List the public integrations, and all of your organizations. */
  @Get()
  async listIntegrations(
    @CurrentActor() { user }: Actor,
    @Query() query: ListIntegrationsQuery,
  ): Promise<IntegrationPage> {
    const members = await this.members.organizationsOf(user);
    const page = await this.integrations.list([...members.keys()], query);
    return { ...page, items: await this.answers.many(page.items, members) };
  }

  /** Read an integration. */
  @Get(':integrationName')
  @RequireIntegration('view')
  async getIntegrationByName(
    @CurrentIntegration() { integration, members }: IntegrationAccess,
  ): Promise<IntegrationView> {
    return this.answers.integration(integration, members);
  }

  /** Publish an integration, for the first time or anew. */
  @Post(':integrationName')
  @HttpCode(200)
  @Fails(403, 409)
  @IntegrationNameParam()
  async publishIntegration(
    @CurrentActor() { user }: Actor,
    @Param('integrationName') name: string,
    @Body() body: PublishIntegrationDto,
  ): Promise<IntegrationView> {
    // an address ends where a part of it is dots alone
    if (!INTEGRATION_NAME.test(name) || /^\.+$/.test(name)) {
      throw new BadRequestException(
        'integrationName must be 1 to 100 characters of A-Z, a-z, 0-9, "-", "_" and ".", and not dots alone',
      );
    }
    const members = await this.members.organizationsOf(user);
    const organization = await this.organizations.byName(body.organization, members);
    const answer = await this.answers.ahead(organization, members);
    return answer(await this.integrations.publish(name, organization, body));
  }

  /** Unpublish an integration; it ends wherever it is installed. */
  @Delete(':integrationName')
  @HttpCode(204)
  @RequireIntegration('admin')
  async unpublishIntegration(@CurrentIntegration() { integration }: IntegrationAccess): Promise<void> {
    await this.integrations.remove(integration);
  }
}
