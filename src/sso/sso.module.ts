import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { keeps } from '../database/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { formBody } from './form-body.js';
import { SamlController } from './saml.controller.js';
import { SamlPeopleService } from './saml-people.service.js';
import { SamlProvider, SamlProviderSchema } from './saml-provider.schema.js';
import { SamlProviderViews } from './saml-provider-views.service.js';
import { SamlProvidersController } from './saml-providers.controller.js';
import { SamlProvidersService } from './saml-providers.service.js';
import { SamlSignInService } from './saml-sign-in.service.js';
import { SamlTrust, SamlTrustSchema } from './saml-trust.schema.js';
import { SamlUse, SamlUseSchema } from './saml-use.schema.js';
import { SAML_RECORDS } from './saml.records.js';

/** Single sign-on: the identity providers of organizations, and the exchange with them by SAML 2.0. */
@Module({
  imports: [
    AuditModule,
    AuthModule,
    OrganizationsModule,
    TeamsModule,
    UsersModule,
    MongooseModule.forFeature([
      { name: SamlProvider.name, schema: SamlProviderSchema },
      { name: SamlUse.name, schema: SamlUseSchema },
      { name: SamlTrust.name, schema: SamlTrustSchema },
    ]),
  ],
  controllers: [SamlProvidersController, SamlController],
  providers: [keeps(SAML_RECORDS), SamlProvidersService, SamlProviderViews, SamlSignInService, SamlPeopleService],
  exports: [SamlProvidersService],
})
export class SsoModule implements NestModule {
  /** Has forms read where they are sent to, and nowhere else. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(formBody).forRoutes({ path: 'saml/:samlProviderId/acs', method: RequestMethod.POST });
  }
}
