import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { CreateOpenApiSpecDto } from './dto/create-openapi-spec.dto.js';
import { PutOpenApiSpecDto } from './dto/put-openapi-spec.dto.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';
import { OpenApiSpecPage, OpenApiSpecView, toOpenApiSpec } from './openapi-spec.view.js';
import { OpenApiSpecs } from './openapi-specs.service.js';
import { isSlug } from './slug.js';
import { SpecProcessing } from './spec-processing.js';

@ApiTags('openapi')
@Controller('v1/orgs/:organizationId/openapi')
export class OpenApiSpecsController {
  constructor(
    private readonly specs: OpenApiSpecs,
    private readonly processing: SpecProcessing,
    private readonly urls: Urls,
  ) {}

  /** List the OpenAPI specifications of an organization. */
  @Get()
  @RequireOrganization('read')
  async listOpenAPISpecs(
    @CurrentOrganization() access: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<OpenApiSpecPage> {
    const page = await this.specs.list(access.organization._id, query);
    return mapPage(page, (spec) => this.view(spec, access));
  }

  /** Make an OpenAPI specification; its source is read in the background. */
  @Post()
  @Fails(409)
  @RequireOrganization('createOpenAPISpec')
  async createOpenAPISpec(
    @CurrentOrganization() access: OrganizationAccess,
    @Body() { slug, source }: CreateOpenApiSpecDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OpenApiSpecView> {
    const view = this.view(await this.specs.create(access.organization._id, slug, source), access);
    this.processing.notice();
    response.location(view.urls.location);
    return view;
  }

  /** Read an OpenAPI specification. */
  @Get(':specSlug')
  @RequireOrganization('read')
  async getOpenAPISpecBySlug(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
  ): Promise<OpenApiSpecView> {
    return this.view(await this.specs.get(access.organization._id, slug), access);
  }

  /** Give an OpenAPI specification another source, have the same one read again, or make it. */
  @Put(':specSlug')
  @Fails(409)
  @RequireOrganization('createOpenAPISpec')
  async createOrUpdateOpenAPISpecBySlug(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Body() { source }: PutOpenApiSpecDto,
  ): Promise<OpenApiSpecView> {
    if (!isSlug(slug)) {
      throw new BadRequestException(
        'specSlug must be 1 to 100 characters long: small letters and digits, in words that are joined by "-"',
      );
    }
    const spec = await this.specs.put(access.organization._id, slug, source);
    this.processing.notice();
    return this.view(spec, access);
  }

  /** Delete an OpenAPI specification for good, with its versions. */
  @Delete(':specSlug')
  @HttpCode(205)
  @RequireOrganization('createOpenAPISpec')
  async deleteOpenAPISpecBySlug(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('specSlug') slug: string,
  ): Promise<void> {
    await this.specs.remove(await this.specs.get(organization._id, slug));
  }

  private view(spec: OpenApiSpec, { member }: OrganizationAccess): OpenApiSpecView {
    return toOpenApiSpec(spec, { member, urls: this.urls });
  }
}
