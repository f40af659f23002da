import { Controller, Get, HttpCode, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { create as disposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { type Actor, CurrentActor } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { sendBytes } from '../../common/send-bytes.js';
import { toSlug } from '../../common/slugs.js';
import { Urls } from '../../common/urls.js';
import { CurrentSpace, RequireSpace, type SpaceAccess, spacePermissions } from '../../spaces/index.js';
import { ImportView, toImport } from '../import.view.js';
import { claimsOf } from '../reader.js';
import { ArchiveExporter } from './archive.exporter.js';
import { ArchiveImporter } from './archive.importer.js';
import { zipOf } from './zip.js';

const BYTES = { schema: { type: 'string', format: 'binary' } } as const;

/** The whole content of a space as one file, out and in again. */
@ApiTags('content')
@Controller('v1/spaces/:spaceId/content/archive')
export class ArchiveController {
  constructor(
    private readonly exporter: ArchiveExporter,
    private readonly importer: ArchiveImporter,
    private readonly urls: Urls,
  ) {}

  /** Download the content of a space: a zip of Markdown files, SUMMARY.md, files, and a manifest with ids. */
  @Get()
  @RequireSpace('view')
  @ApiOkResponse({ content: { 'application/zip': BYTES } })
  async getContentArchive(@CurrentSpace() access: SpaceAccess, @Res() response: Response): Promise<void> {
    const { space } = access;
    // who reads the space on a published site alone gets the texts as that shows them
    const { entries, at } = await this.exporter.export(space, claimsOf(access));
    response.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': disposition(`${toSlug(space.title, 'space')}.zip`),
      'X-Content-Type-Options': 'nosniff',
    });
    await sendBytes(await zipOf(entries, at), response);
  }

  /** Import an archive: its pages are added behind the present ones, as one revision, with their ids where those are free. */
  @Put()
  @HttpCode(201)
  @Fails(409, 413)
  @RequireSpace('edit', { locked: 'merge' })
  @ApiConsumes('application/zip')
  @ApiBody({ ...BYTES, required: true })
  async putContentArchive(
    @CurrentSpace() { space, role }: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportView> {
    const mayMerge = spacePermissions(role, space).merge;
    const imported = await this.importer.import(space, request, { author: actor.user, mayMerge });
    response.location(this.urls.api('spaces', space._id, 'revisions', imported.revision));
    return toImport(imported);
  }
}
