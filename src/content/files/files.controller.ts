import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Open } from '../../auth/index.js';
import { Blobs } from '../../blobs/index.js';
import { envelope } from '../../common/error.filter.js';
import { sendBytes } from '../../common/send-bytes.js';
import { SpacesService } from '../../spaces/index.js';
import { planDownload, tagOf } from './download.js';
import { FileLinks } from './file-links.js';

/** Downloads. They need no token, and count as requests of the caller's address. */
@ApiTags('content')
@Controller('v1/files')
export class FilesController {
  constructor(
    private readonly links: FileLinks,
    private readonly spaces: SpacesService,
    private readonly blobs: Blobs,
  ) {}

  /** Download a file by the signed address that reading it answers. */
  @Open()
  @Get(':spaceId/:fileId/:signature')
  @ApiQuery({ name: 'name', type: String, description: 'Name of the file; part of the signed address.' })
  @ApiQuery({ name: 'type', type: String, description: 'Type of the file; part of the signed address.' })
  @ApiOkResponse({ content: { '*/*': { schema: { type: 'string', format: 'binary' } } } })
  async downloadFile(
    @Param('spaceId') space: string,
    @Param('fileId') file: string,
    @Param('signature') signature: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { name, type } = request.query;
    const linked = this.links.read({ space, file, signature, name, type });
    const found = linked && (await this.spaces.find(space));
    const blob = found && !found.deletedAt ? (await this.blobs.find([linked.blob])).get(linked.blob) : undefined;
    if (!linked || !blob) {
      throw new NotFoundException(
        'There is no such file, or its address has expired: read the file again for a new one',
      );
    }
    response.set('ETag', tagOf(blob.hash));
    const { status, headers, body } = planDownload(linked, blob.size, {
      fresh: request.fresh,
      range: request.range(blob.size),
      ifRange: request.get('If-Range'),
    });
    response.status(status).set(headers);
    if (status === 416) response.json(envelope(status, 'The file has none of the bytes that Range asks for'));
    else if (!body || request.method === 'HEAD') response.end();
    else await sendBytes(this.blobs.stream(blob.hash, body), response);
  }
}
