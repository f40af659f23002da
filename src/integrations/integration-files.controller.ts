import { Controller, Get, NotFoundException, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Open } from '../auth/index.js';
import { Blobs } from '../blobs/index.js';
import { sendBytes } from '../common/send-bytes.js';
import { IMAGE_TYPES } from './declared/images.js';
import { ScriptQuery } from './dto/script.dto.js';
import { IntegrationNameParam } from './integration.guard.js';
import { fileNameOf } from './integration.view.js';
import { IntegrationsService } from './integrations.service.js';
import { IntegrationScripts } from './scripts.service.js';

/** How long what never changes may be kept, in seconds. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The policy of what may do nothing by itself. */
const NOTHING = "sandbox; default-src 'none'";
/** An SVG may bring its own styles; it is shut in all the same. */
const IMAGE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** The bytes of integrations, for everybody: they need no token, and count as requests of the caller's address. */
@ApiTags('integrations')
@Controller('v1/integrations/:integrationName')
export class IntegrationFilesController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly scripts: IntegrationScripts,
    private readonly blobs: Blobs,
  ) {}

  /** Get the script of an integration that is installed on a published site. */
  @Open()
  @Get('script')
  @IntegrationNameParam()
  @ApiOkResponse({ content: { 'text/javascript': { schema: { type: 'string' } } } })
  async getIntegrationScript(
    @Param('integrationName') name: string,
    @Query() { site, version }: ScriptQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const script = await this.scripts.served(name, site);
    response.set({
      ...headersOf(script.blob, script.contentSecurityPolicy ?? NOTHING),
      'Content-Type': 'text/javascript; charset=utf-8',
      // at the address of another version, what is served now is not what will be served
      'Cache-Control': version === script.version ? FOR_EVER : 'no-cache',
    });
    await this.send(script.blob, request, response);
  }

  /** Get an image of an integration. */
  @Open()
  @Get('assets/:file')
  @IntegrationNameParam()
  @ApiOkResponse({ content: { 'image/*': { schema: { type: 'string', format: 'binary' } } } })
  async getIntegrationAsset(
    @Param('integrationName') name: string,
    @Param('file') file: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const integration = await this.integrations.find(name);
    const images = integration ? [...(integration.icon ? [integration.icon] : []), ...integration.previewImages] : [];
    const image = images.find((one) => fileNameOf(one) === file);
    if (!image) throw new NotFoundException('There is no such image');
    response.set({
      ...headersOf(image.blob, IMAGE_POLICY),
      'Content-Type': IMAGE_TYPES[image.ending],
      'Cache-Control': FOR_EVER,
    });
    await this.send(image.blob, request, response);
  }

  private async send(blob: string, request: Request, response: Response): Promise<void> {
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const stored = (await this.blobs.find([blob])).get(blob);
    if (!stored) throw new Error(`The bytes of ${blob} are missing`);
    response.status(200).set('Content-Length', String(stored.size));
    if (request.method === 'HEAD') response.end();
    else await sendBytes(this.blobs.stream(blob), response);
  }
}

function headersOf(blob: string, policy: string): Record<string, string> {
  return {
    ETag: `"${blob}"`,
    'Content-Security-Policy': policy,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  };
}
