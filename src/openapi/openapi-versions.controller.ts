import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Blobs } from '../blobs/index.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { sendBytes } from '../common/send-bytes.js';
import { Urls } from '../common/urls.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { OpenApiChangesQuery } from './dto/changes-query.dto.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';
import { OpenApiSpecs } from './openapi-specs.service.js';
import type { OpenApiVersion } from './openapi-version.schema.js';
import {
  OpenApiChangesView,
  OpenApiContentView,
  OpenApiVersionPage,
  OpenApiVersionView,
  textUrlOf,
  toOpenApiChanges,
  toOpenApiVersion,
} from './openapi-version.view.js';
import { OpenApiVersions } from './openapi-versions.service.js';

const RAW = {
  content: {
    'application/json': { schema: { type: 'object' as const, additionalProperties: true } },
    'application/yaml': { schema: { type: 'string' as const } },
  },
};

@ApiTags('openapi')
@Controller('v1/orgs/:organizationId/openapi/:specSlug/versions')
export class OpenApiVersionsController {
  constructor(
    private readonly specs: OpenApiSpecs,
    private readonly versions: OpenApiVersions,
    private readonly blobs: Blobs,
    private readonly urls: Urls,
  ) {}

  /** List the versions of an OpenAPI specification, newest first. */
  @Get()
  @RequireOrganization('read')
  async listOpenAPISpecVersions(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Query() query: PageQuery,
  ): Promise<OpenApiVersionPage> {
    const spec = await this.specs.get(organization._id, slug);
    return mapPage(await this.versions.list(spec, query), (version) => toOpenApiVersion(version, spec, this.urls));
  }

  /** Read the newest version of an OpenAPI specification. */
  @Get('latest')
  @RequireOrganization('read')
  async getLatestOpenAPISpecVersion(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
  ): Promise<OpenApiVersionView> {
    return this.getOpenAPISpecVersionById(access, slug, 'latest');
  }

  /** Read what the newest version of an OpenAPI specification says, as documents. */
  @Get('latest/content')
  @RequireOrganization('read')
  @ApiOkResponse({ type: OpenApiContentView })
  async getLatestOpenAPISpecVersionContent(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.getOpenAPISpecVersionContentById(access, slug, 'latest', request, response);
  }

  /** Read the text of the newest version of an OpenAPI specification, as it was sent or fetched. */
  @Get('latest/content/raw')
  @RequireOrganization('read')
  @ApiOkResponse(RAW)
  async getLatestOpenAPISpecVersionContentRaw(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.getOpenAPISpecVersionContentRawById(access, slug, 'latest', request, response);
  }

  /** Read a version of an OpenAPI specification. */
  @Get(':versionId')
  @RequireOrganization('read')
  async getOpenAPISpecVersionById(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') id: string,
  ): Promise<OpenApiVersionView> {
    const { spec, version } = await this.find(access, slug, id);
    return toOpenApiVersion(version, spec, this.urls);
  }

  /** Read what a version of an OpenAPI specification says, as documents. */
  @Get(':versionId/content')
  @RequireOrganization('read')
  @ApiOkResponse({ type: OpenApiContentView })
  async getOpenAPISpecVersionContentById(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { spec, version } = await this.find(access, slug, id);
    const [before, after] = [
      '{"filesystem":{"openapi.json":',
      `},"url":${JSON.stringify(textUrlOf(version, spec, this.urls))}}`,
    ];
    const { blobs } = this;
    // the document is JSON as it is stored: nothing of it is read here, however large it is
    const body = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(before);
      yield* blobs.stream(version.document.hash) as AsyncIterable<Buffer>;
      yield Buffer.from(after);
    };
    const size = Buffer.byteLength(before) + version.document.size + Buffer.byteLength(after);
    const answer = { type: 'application/json', tag: `${version._id}-content`, size };
    await send(answer, () => Readable.from(body(), { objectMode: false }), { request, response });
  }

  /** Read the text of a version of an OpenAPI specification, as it was sent or fetched. */
  @Get(':versionId/content/raw')
  @RequireOrganization('read')
  @ApiOkResponse(RAW)
  async getOpenAPISpecVersionContentRawById(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { version } = await this.find(access, slug, id);
    const { text, format } = version;
    const answer = { type: `application/${format}`, tag: `${version._id}-raw`, size: text.size };
    await send(answer, () => this.blobs.stream(text.hash), { request, response });
  }

  /** List what a version of an OpenAPI specification has changed, and what of it breaks clients. */
  @Get(':versionId/changes')
  @RequireOrganization('read')
  async getOpenAPISpecVersionChanges(
    @CurrentOrganization() access: OrganizationAccess,
    @Param('specSlug') slug: string,
    @Param('versionId') id: string,
    @Query() { from }: OpenApiChangesQuery,
  ): Promise<OpenApiChangesView> {
    const { spec, version } = await this.find(access, slug, id);
    return toOpenApiChanges(await this.versions.changes(spec, version, from));
  }

  private async find(
    { organization }: OrganizationAccess,
    slug: string,
    id: string,
  ): Promise<{ spec: OpenApiSpec; version: OpenApiVersion }> {
    const spec = await this.specs.get(organization._id, slug);
    return { spec, version: await this.versions.get(spec, id) };
  }
}

/** Answers with bytes that never change under their tag, unless the caller has them. */
async function send(
  { type, tag, size }: { type: string; tag: string; size: number },
  open: () => Readable,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  response.set({ ETag: `"${tag}"`, 'Content-Type': `${type}; charset=utf-8` });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(size));
  if (request.method === 'HEAD') response.end();
  else await sendBytes(open(), response);
}
