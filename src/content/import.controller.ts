import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { CurrentSpace, RequireSpace, type SpaceAccess, spacePermissions } from '../spaces/index.js';
import { ImportContentDto } from './dto/import-content.dto.js';
import { ImportService } from './import/import.service.js';
import { ImportView, toImport } from './import.view.js';

@ApiTags('content')
@Controller('v1/spaces/:spaceId/content')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly urls: Urls,
  ) {}

  /** Import a website, a page, a wiki or an archive: its pages are added behind the present ones, as one revision. */
  @Post('import')
  @Fails(409)
  @RequireSpace('edit', { locked: 'merge' })
  async importContent(
    @CurrentSpace() { space, role }: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Body() { url, source }: ImportContentDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportView> {
    const mayMerge = spacePermissions(role, space).merge;
    const imported = await this.imports.import(space, { url, source, author: actor.user, mayMerge });
    response.location(this.urls.api('spaces', space._id, 'revisions', imported.revision));
    return toImport(imported);
  }
}
