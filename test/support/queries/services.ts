import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ConfigModule, loadConfig } from '../../../src/config/index.js';
import { Audit } from '../../../src/audit/index.js';
import { AuthModule, TokensService } from '../../../src/auth/index.js';
import {
  ChangeRequestsModule,
  ChangeRequestsService,
  MergeRulesService,
  ReviewsService,
} from '../../../src/change-requests/index.js';
import { CommentsModule, CommentsService, RepliesService } from '../../../src/comments/index.js';
import { DomainEvents } from '../../../src/common/domain-events.js';
import { Urls } from '../../../src/common/urls.js';
import { ContentModule } from '../../../src/content/index.js';
import { Database } from '../../../src/database/index.js';
import { LinkRecords } from '../../../src/content/links/index.js';
import { RateCounts } from '../../../src/auth/rate-counts.service.js';
import { SignInFailures } from '../../../src/auth/sign-in-failures.service.js';
import { IdempotencyModule } from '../../../src/idempotency/index.js';
import { Idempotency } from '../../../src/idempotency/idempotency.service.js';
import { MembersService, OrganizationsService } from '../../../src/organizations/index.js';
import { InvitationsService } from '../../../src/organizations/invitations.service.js';
import { LinkInvitesService } from '../../../src/organizations/link-invites.service.js';
import { MemberChangesService } from '../../../src/organizations/member-changes.service.js';
import {
  CollectionsService,
  GrantsService,
  SpaceLifeService,
  SpacePurge,
  SpacesService,
} from '../../../src/spaces/index.js';
import { InstallationsService } from '../../../src/integrations/installations/installations.service.js';
import { PlacementsService } from '../../../src/integrations/installations/placements.service.js';
import { IntegrationsModule } from '../../../src/integrations/index.js';
import { IntegrationsService } from '../../../src/integrations/integrations.service.js';
import { IntegrationScripts } from '../../../src/integrations/scripts.service.js';
import { SiteSettings, SitesModule, SitesService } from '../../../src/sites/index.js';
import { CustomizationService } from '../../../src/sites/customization/customization.service.js';
import { PublicationsService } from '../../../src/sites/published/publications.service.js';
import { ResolverService } from '../../../src/sites/published/resolver.service.js';
import { SiteTokensService } from '../../../src/sites/published/site-tokens.service.js';
import { RedirectsService } from '../../../src/sites/redirects/redirects.service.js';
import { AdaptiveSchemasService } from '../../../src/sites/schema/adaptive-schemas.service.js';
import { ShareLinksService } from '../../../src/sites/share-links/share-links.service.js';
import { SiteStructureService } from '../../../src/sites/structure/site-structure.service.js';
import { VisitorAuthService } from '../../../src/sites/visitor-auth/visitor-auth.service.js';
import { SamlProvidersService, SsoModule } from '../../../src/sso/index.js';
import { SamlSignInService } from '../../../src/sso/saml-sign-in.service.js';
import { TeamMembersService, TeamsService, TeamViews } from '../../../src/teams/index.js';
import { UsersService } from '../../../src/users/index.js';
import { OpenApiModule, OpenApiSpecs } from '../../../src/openapi/index.js';
import { OpenApiVersions } from '../../../src/openapi/openapi-versions.service.js';
import { SpecQueue } from '../../../src/openapi/spec-queue.js';
import { TranslationsModule } from '../../../src/translations/index.js';
import { TranslationsService } from '../../../src/translations/translations.service.js';
import { WebhooksModule } from '../../../src/webhooks/index.js';
import { DeliveryAttempts } from '../../../src/webhooks/attempts.service.js';
import { DeliveriesService } from '../../../src/webhooks/deliveries.service.js';
import { WebhookLanes } from '../../../src/webhooks/lanes.service.js';
import { WebhookHealth } from '../../../src/webhooks/webhook-health.service.js';
import { WebhooksService } from '../../../src/webhooks/webhooks.service.js';
import type { TestDatabase } from '../database.js';

/** What the service is made of, as one process runs it on the database of `test`: everything that is asked to look something up. */
export async function startServices(test: TestDatabase) {
  const config = loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' });
  const app = await test.boot(
    ConfigModule.of(config),
    AuthModule,
    IdempotencyModule,
    SsoModule,
    ContentModule,
    ChangeRequestsModule,
    CommentsModule,
    SitesModule,
    IntegrationsModule,
    OpenApiModule,
    TranslationsModule,
    WebhooksModule,
  );
  return {
    connection: app.get<Connection>(getConnectionToken()),
    database: app.get(Database, { strict: false }),
    events: app.get(DomainEvents, { strict: false }),
    users: app.get(UsersService, { strict: false }),
    audit: app.get(Audit, { strict: false }),
    tokens: app.get(TokensService, { strict: false }),
    organizations: app.get(OrganizationsService, { strict: false }),
    members: app.get(MembersService, { strict: false }),
    memberChanges: app.get(MemberChangesService, { strict: false }),
    links: app.get(LinkInvitesService, { strict: false }),
    invitations: app.get(InvitationsService, { strict: false }),
    idempotency: app.get(Idempotency, { strict: false }),
    rateCounts: app.get(RateCounts, { strict: false }),
    failures: app.get(SignInFailures, { strict: false }),
    providers: app.get(SamlProvidersService, { strict: false }),
    samlSignIn: app.get(SamlSignInService, { strict: false }),
    spaces: app.get(SpacesService, { strict: false }),
    life: app.get(SpaceLifeService, { strict: false }),
    purge: app.get(SpacePurge, { strict: false }),
    collections: app.get(CollectionsService, { strict: false }),
    grants: app.get(GrantsService, { strict: false }),
    teams: app.get(TeamsService, { strict: false }),
    teamMembers: app.get(TeamMembersService, { strict: false }),
    teamViews: app.get(TeamViews, { strict: false }),
    changeRequests: app.get(ChangeRequestsService, { strict: false }),
    reviews: app.get(ReviewsService, { strict: false }),
    mergeRules: app.get(MergeRulesService, { strict: false }),
    comments: app.get(CommentsService, { strict: false }),
    replies: app.get(RepliesService, { strict: false }),
    sites: app.get(SitesService, { strict: false }),
    siteSettings: app.get(SiteSettings, { strict: false }),
    shareLinks: app.get(ShareLinksService, { strict: false }),
    siteStructure: app.get(SiteStructureService, { strict: false }),
    customization: app.get(CustomizationService, { strict: false }),
    redirects: app.get(RedirectsService, { strict: false }),
    visitorAuth: app.get(VisitorAuthService, { strict: false }),
    schemas: app.get(AdaptiveSchemasService, { strict: false }),
    resolver: app.get(ResolverService, { strict: false }),
    siteTokens: app.get(SiteTokensService, { strict: false }),
    publications: app.get(PublicationsService, { strict: false }),
    specs: app.get(OpenApiSpecs, { strict: false }),
    specVersions: app.get(OpenApiVersions, { strict: false }),
    specQueue: app.get(SpecQueue, { strict: false }),
    translations: app.get(TranslationsService, { strict: false }),
    webhooks: app.get(WebhooksService, { strict: false }),
    deliveries: app.get(DeliveriesService, { strict: false }),
    lanes: app.get(WebhookLanes, { strict: false }),
    attempts: app.get(DeliveryAttempts, { strict: false }),
    webhookHealth: app.get(WebhookHealth, { strict: false }),
    linkRecords: app.get(LinkRecords, { strict: false }),
    urls: app.get(Urls, { strict: false }),
    integrations: app.get(IntegrationsService, { strict: false }),
    installations: app.get(InstallationsService, { strict: false }),
    placements: app.get(PlacementsService, { strict: false }),
    scripts: app.get(IntegrationScripts, { strict: false }),
  };
}

export type Services = Awaited<ReturnType<typeof startServices>>;
