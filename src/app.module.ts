import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common';
import type { ConnectOptions } from 'mongoose';
import { AuthModule } from './auth/index.js';
import { Answers } from './common/answers.js';
import { ChangeRequestsModule } from './change-requests/index.js';
import { CommentsModule } from './comments/index.js';
import { type Config, ConfigModule } from './config/index.js';
import { ContentModule } from './content/index.js';
import { DatabaseModule } from './database/index.js';
import { EntityTagsModule } from './entity-tags/index.js';
import { IdempotencyModule } from './idempotency/index.js';
import { IntegrationsModule } from './integrations/index.js';
import { JobsModule } from './jobs/index.js';
import { OpenApiModule } from './openapi/index.js';
import { OrganizationsModule } from './organizations/index.js';
import { RevisionsModule } from './revisions/index.js';
import { SitesModule } from './sites/index.js';
import { SpacesModule } from './spaces/index.js';
import { SsoModule } from './sso/index.js';
import { SystemModule } from './system/index.js';
import { TeamsModule } from './teams/index.js';
import { TranslationsModule } from './translations/index.js';
import { UsersModule } from './users/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** What the application is made from. */
export interface AppOptions {
  config: Config;
  /** Address of the database, the embedded engine's included. */
  databaseUri: string;
  /** Further options of the connection. */
  connection?: ConnectOptions;
}

/** The modules of the service, lowest layer first. */
@Module({})
export class AppModule implements OnApplicationBootstrap {
  constructor(private readonly answers: Answers) {}

  /** @throws Error when one module asks what no other answers. */
  onApplicationBootstrap(): void {
    this.answers.check();
  }

  static of({ config, databaseUri, connection }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule.of(databaseUri, connection),
        EntityTagsModule,
        JobsModule,
        UsersModule,
        AuthModule,
        IdempotencyModule,
        OrganizationsModule,
        TeamsModule,
        OpenApiModule,
        TranslationsModule,
        RevisionsModule,
        WebhooksModule,
        SpacesModule,
        SsoModule,
        ContentModule,
        ChangeRequestsModule,
        CommentsModule,
        SitesModule,
        IntegrationsModule,
        SystemModule,
      ],
    };
  }
}
