import { pipeline } from 'node:stream/promises';
import { Controller, Get, NotFoundException, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Open } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../../spaces/index.js';
import { PdfQueryDto } from '../dto/pdf-query.dto.js';
import { PdfLinks } from './pdf-links.js';
import { PdfService } from './pdf.service.js';
import { PdfView } from './pdf.view.js';

/** The content of a space for printing. */
@ApiTags('content')
@Controller('v1')
export class PdfController {
  constructor(
    private readonly links: PdfLinks,
    private readonly pdfs: PdfService,
  ) {}

  /** Get the address of a PDF of a space's content as it is now, or of a part of it; it works for an hour. */
  @Get('spaces/:spaceId/pdf')
  @Fails(413)
  @RequireSpace('access')
  async getSpacePDF(@CurrentSpace() { space }: SpaceAccess, @Query() query: PdfQueryDto): Promise<PdfView> {
    return this.links.address({ space: space._id, revision: space.revision }, query);
  }

  /** Download a PDF by its signed address. It is made at each download. */
  @Open()
  @Get('pdf/:token')
  @Fails(413)
  @ApiOkResponse({ content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } })
  async downloadPdf(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const target = this.links.read(token);
    if (!target) throw new NotFoundException('There is no such PDF, or its address has expired: ask for a new one');
    if (request.method === 'HEAD') {
      response.set('Content-Type', 'application/pdf').end();
      return;
    }
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    try {
      const pdf = await this.pdfs.print(target, gone.signal);
      response.status(200).set({
        'Content-Type': 'application/pdf',
        'Content-Length': String(pdf.size),
        'Content-Disposition': 'inline; filename=content.pdf',
        'Cache-Control': `private, max-age=${String(Math.floor((target.expires - Date.now()) / 1000))}`,
        'X-Content-Type-Options': 'nosniff',
      });
      await pipeline(pdf.read(), response);
    } catch (error) {
      // one who leaves before the end is no failure
      if (!gone.signal.aborted) throw error;
    }
  }
}
