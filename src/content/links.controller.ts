import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { PageQuery } from '../common/page.dto.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { LinksQueryDto } from './dto/links-query.dto.js';
import { LinkAnswers } from './links/link.answers.js';
import { ContentLocationPage, FileBacklinkPage, LinkPage } from './links/link.view.js';

@ApiTags('content')
@Controller('v1/spaces/:spaceId')
export class LinksController {
  constructor(private readonly answers: LinkAnswers) {}

  /** List what the pages of a space lead to, with all places at which they do. */
  @Get('links')
  @RequireSpace('access')
  async listSpaceLinks(
    @CurrentSpace() access: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Query() query: LinksQueryDto,
  ): Promise<LinkPage> {
    return this.answers.ofSpace(access, actor.user, query);
  }

  /** List what a page leads to, with the places in it. */
  @Get('content/page/:pageId/links')
  @RequireSpace('access')
  async listPageLinksInSpace(
    @CurrentSpace() access: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Param('pageId') pageId: string,
    @Query() query: LinksQueryDto,
  ): Promise<LinkPage> {
    return this.answers.ofPage(access, actor.user, pageId, query);
  }

  /** List the other pages that lead to a page, each with the first place in it. */
  @Get('content/page/:pageId/backlinks')
  @RequireSpace('access')
  async listSpacePageBacklinks(
    @CurrentSpace() access: SpaceAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageQuery,
  ): Promise<ContentLocationPage> {
    return this.answers.toPage(access, pageId, query);
  }

  /** List the pages that use a file, each with the first place in it. */
  @Get('content/files/:fileId/backlinks')
  @RequireSpace('access')
  async listSpaceFileBacklinks(
    @CurrentSpace() access: SpaceAccess,
    @Param('fileId') fileId: string,
    @Query() query: PageQuery,
  ): Promise<FileBacklinkPage> {
    return this.answers.toFile(access, fileId, query);
  }
}
