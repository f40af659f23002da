import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { ContentModule } from '../content/index.js';
import { keeps } from '../database/index.js';
import { OpenApiModule } from '../openapi/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { SpacesModule } from '../spaces/index.js';
import { AttachableSpaces } from './attachable-spaces.js';
import { CustomizationController } from './customization/customization.controller.js';
import { CustomizationRecord, CustomizationSchema } from './customization/customization.schema.js';
import { CustomizationService } from './customization/customization.service.js';
import { References } from './customization/references.service.js';
import { Destinations } from './redirects/destinations.service.js';
import { FormerPathRecord, FormerPathSchema } from './redirects/former-path.schema.js';
import { FormerPaths } from './redirects/former-paths.service.js';
import { Redirect, RedirectSchema } from './redirects/redirect.schema.js';
import { publishedControllers, publishedProviders } from './published/index.js';
import { RedirectsController } from './redirects/redirects.controller.js';
import { RedirectsService } from './redirects/redirects.service.js';
import { AdaptiveSchemaRecord, AdaptiveSchemaSchema } from './schema/adaptive-schema.schema.js';
import { AdaptiveSchemasController } from './schema/adaptive-schemas.controller.js';
import { AdaptiveSchemasService } from './schema/adaptive-schemas.service.js';
import { ShareLinksController } from './share-links/share-links.controller.js';
import { ShareLink, ShareLinkSchema } from './share-links/share-link.schema.js';
import { ShareLinksService } from './share-links/share-links.service.js';
import { SiteParts } from './site-parts.js';
import { SITE_RECORDS } from './site.records.js';
import { Site, SiteSchema } from './site.schema.js';
import { SiteAnswers } from './site.answers.js';
import { SiteLife } from './site-life.js';
import { SiteSettings } from './site-settings.service.js';
import { SitesController } from './sites.controller.js';
import { SiteSettingsInvariants } from './site-settings.invariants.js';
import { SitesInvariants } from './sites.invariants.js';
import { SitesService } from './sites.service.js';
import { PartAnswers } from './structure/part.answers.js';
import { SectionGroupsController } from './structure/section-groups.controller.js';
import { SectionsController } from './structure/sections.controller.js';
import { SiteSpacesController } from './structure/site-spaces.controller.js';
import { SiteStructureService } from './structure/site-structure.service.js';
import { StructureController } from './structure/structure.controller.js';
import { PublishingAuthController } from './visitor-auth/publishing-auth.controller.js';
import { VisitorAuth, VisitorAuthSchema } from './visitor-auth/visitor-auth.schema.js';
import { VisitorAuthService } from './visitor-auth/visitor-auth.service.js';

/** Published sites: settings, structure, audience, and what they look like. */
@Module({
  imports: [
    AuditModule,
    ContentModule,
    OpenApiModule,
    OrganizationsModule,
    RevisionsModule,
    SpacesModule,
    MongooseModule.forFeature([
      { name: Site.name, schema: SiteSchema },
      { name: ShareLink.name, schema: ShareLinkSchema },
      { name: CustomizationRecord.name, schema: CustomizationSchema },
      { name: Redirect.name, schema: RedirectSchema },
      { name: FormerPathRecord.name, schema: FormerPathSchema },
      { name: VisitorAuth.name, schema: VisitorAuthSchema },
      { name: AdaptiveSchemaRecord.name, schema: AdaptiveSchemaSchema },
    ]),
  ],
  controllers: [
    SitesController,
    SectionsController,
    SectionGroupsController,
    SiteSpacesController,
    StructureController,
    ShareLinksController,
    ...publishedControllers,
    CustomizationController,
    RedirectsController,
    PublishingAuthController,
    AdaptiveSchemasController,
  ],
  providers: [
    keeps(SITE_RECORDS),
    SitesService,
    SiteSettings,
    SiteAnswers,
    SiteParts,
    SiteLife,
    SitesInvariants,
    SiteSettingsInvariants,
    AttachableSpaces,
    SiteStructureService,
    PartAnswers,
    ShareLinksService,
    ...publishedProviders,
    References,
    CustomizationService,
    FormerPaths,
    Destinations,
    RedirectsService,
    VisitorAuthService,
    AdaptiveSchemasService,
  ],
  exports: [SitesService, SiteSettings, SiteParts],
})
export class SitesModule {}
