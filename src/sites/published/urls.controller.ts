import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Open } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { ResolveUrlDto, ResolveUrlQuery } from './dto/resolve-url.dto.js';
import { type ResolutionView, ResolvedContentView, ResolvedRedirectView } from './resolution.view.js';
import { ResolverService } from './resolver.service.js';

const RESOLUTION = {
  oneOf: [{ $ref: getSchemaPath(ResolvedContentView) }, { $ref: getSchemaPath(ResolvedRedirectView) }],
};

/** Finds what addresses of published sites lead to, for whoever shows them. */
@ApiTags('sites')
@ApiExtraModels(ResolvedContentView, ResolvedRedirectView)
@Controller('v1/urls/published')
export class UrlsController {
  constructor(private readonly resolver: ResolverService) {}

  /** Resolve an address of a published site for a visitor. */
  @Post()
  @HttpCode(200)
  @Open()
  @Fails(401, 404)
  @ApiOkResponse({ schema: RESOLUTION })
  async resolvePublishedContentByUrl(
    @Body() { url, redirectOnError, visitor }: ResolveUrlDto,
  ): Promise<ResolutionView> {
    return this.resolver.resolve({ url, redirectOnError, ...visitor });
  }

  /** Resolve an address of a published site. */
  @Get()
  @Open()
  @Fails(401, 404)
  @ApiOkResponse({ schema: RESOLUTION })
  async getPublishedContentByUrl(
    @Query() { url, redirectOnError, visitorAuthToken }: ResolveUrlQuery,
  ): Promise<ResolutionView> {
    return this.resolver.resolve({ url, redirectOnError, jwtToken: visitorAuthToken });
  }
}
