import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { BlobsModule } from '../blobs/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { SitesModule } from '../sites/index.js';
import { SpacesModule } from '../spaces/index.js';
import { AdministeredOrganizations } from './administered-organizations.js';
import { Configurations } from './installations/configurations.service.js';
import { Installation, InstallationSchema } from './installations/installation.schema.js';
import { InstallationsController } from './installations/installations.controller.js';
import { InstallationsService } from './installations/installations.service.js';
import { Placement, PlacementSchema } from './installations/placement.schema.js';
import { PlacementsService } from './installations/placements.service.js';
import { SiteInstallationsController } from './installations/site-installations.controller.js';
import { SpaceInstallationsController } from './installations/space-installations.controller.js';
import { IntegrationAnswers } from './integration.answers.js';
import { IntegrationFilesController } from './integration-files.controller.js';
import { IntegrationLife } from './integration-life.js';
import { INTEGRATION_RECORDS } from './integration.records.js';
import { Integration, IntegrationSchema } from './integration.schema.js';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationsInvariants } from './integrations.invariants.js';
import { IntegrationsService } from './integrations.service.js';
import { IntegrationScripts } from './scripts.service.js';

/** Integrations: published by organizations, installed by others, on spaces and sites. */
@Module({
  imports: [
    AuditModule,
    BlobsModule,
    OrganizationsModule,
    SitesModule,
    SpacesModule,
    MongooseModule.forFeature([
      { name: Integration.name, schema: IntegrationSchema },
      { name: Installation.name, schema: InstallationSchema },
      { name: Placement.name, schema: PlacementSchema },
    ]),
  ],
  controllers: [
    IntegrationsController,
    InstallationsController,
    SpaceInstallationsController,
    SiteInstallationsController,
    IntegrationFilesController,
  ],
  providers: [
    keeps(INTEGRATION_RECORDS),
    IntegrationsService,
    InstallationsService,
    PlacementsService,
    Configurations,
    IntegrationScripts,
    IntegrationAnswers,
    AdministeredOrganizations,
    IntegrationLife,
    IntegrationsInvariants,
  ],
})
export class IntegrationsModule {}
