import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiFoundResponse, ApiOkResponse, ApiSeeOtherResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Open, SessionView, SignIn } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { toUser } from '../users/index.js';
import { FinishSamlSignInDto, StartSamlSignInQuery } from './dto/saml-sign-in.dto.js';
import { toSamlService } from './saml-provider.view.js';
import { nodeSaml } from './saml/exchange.js';
import { SamlProvidersService } from './saml-providers.service.js';
import { SamlSignInService } from './saml-sign-in.service.js';

/** Where browsers and identity providers come to; none of it needs a token. */
@ApiTags('single-sign-on')
@Controller('saml/:samlProviderId')
@Open()
export class SamlController {
  constructor(
    private readonly signIn: SamlSignInService,
    private readonly providers: SamlProvidersService,
    private readonly urls: Urls,
  ) {}

  /** Begin to sign in: sends the browser to the identity provider. */
  @Get('login')
  @HttpCode(302)
  @Header('Cache-Control', 'no-store')
  @ApiFoundResponse({ description: 'To the identity provider.' })
  async startSamlSignIn(
    @Param('samlProviderId') samlProviderId: string,
    @Query() { RelayState }: StartSamlSignInQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    response.location(await this.signIn.start(samlProviderId, RelayState));
  }

  /** Sign in with the response of the identity provider. */
  @Post('acs')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Fails(403)
  @SignIn()
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiOkResponse({ type: SessionView })
  @ApiSeeOtherResponse({ description: 'To the relay state, with the token as `token` in the fragment.' })
  async finishSamlSignIn(
    @Param('samlProviderId') samlProviderId: string,
    @Body() { SAMLResponse, RelayState }: FinishSamlSignInDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionView | undefined> {
    const { user, token, target } = await this.signIn.finish(samlProviderId, SAMLResponse, RelayState);
    if (!target) return { user: toUser(user, this.urls, true), token };
    // browsers send no fragment on, neither to servers nor as a referrer
    target.hash = new URLSearchParams({ token }).toString();
    response.status(303).location(target.href);
    return undefined;
  }

  /** Read what an identity provider has to know of this service. */
  @Get('metadata')
  @Header('Content-Type', 'application/samlmetadata+xml')
  @ApiOkResponse({ content: { 'application/samlmetadata+xml': { schema: { type: 'string' } } } })
  async getSamlMetadata(@Param('samlProviderId') samlProviderId: string): Promise<string> {
    const { _id } = await this.providers.getAny(samlProviderId);
    const { entityID, acsURL } = toSamlService(_id, this.urls);
    const { generateServiceProviderMetadata } = await nodeSaml();
    return generateServiceProviderMetadata({
      issuer: entityID,
      callbackUrl: acsURL,
      wantAssertionsSigned: true,
      generateUniqueId: () => `_${_id}`,
    });
  }
}
