import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { DocumentIds } from './document-ids.js';
import { LinksQueryDto } from './dto/links-query.dto.js';
import { FileLinks } from './files/file-links.js';
import { ContentLocationPage, FileBacklinkPage, LinkPage, Locations } from './links/link.view.js';
import { type LinkList, LinksService } from './links/links.service.js';

@ApiTags('content')
@Controller('v1/spaces/:spaceId')
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly files: FileLinks,
    private readonly documents: DocumentIds,
    private readonly urls: Urls,
  ) {}

  /** List what the pages of a space lead to, with all places at which they do. */
  @Get('links')
  @RequireSpace('access')
  async listSpaceLinks(
    @CurrentSpace() access: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Query() query: LinksQueryDto,
  ): Promise<LinkPage> {
    return this.page(await this.links.ofSpace(access, actor.user, query));
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
    return this.page(await this.links.ofPage(access, actor.user, pageId, query));
  }

  /** List the other pages that lead to a page, each with the first place in it. */
  @Get('content/page/:pageId/backlinks')
  @RequireSpace('access')
  async listSpacePageBacklinks(
    @CurrentSpace() access: SpaceAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageQuery,
  ): Promise<ContentLocationPage> {
    const locations = this.locations();
    return mapPage(await this.links.toPage(access, pageId, query), (one) => locations.toLocation(one));
  }

  /** List the pages that use a file, each with the first place in it. */
  @Get('content/files/:fileId/backlinks')
  @RequireSpace('access')
  async listSpaceFileBacklinks(
    @CurrentSpace() access: SpaceAccess,
    @Param('fileId') fileId: string,
    @Query() query: PageQuery,
  ): Promise<FileBacklinkPage> {
    const locations = this.locations();
    const page = await this.links.toFile(access, fileId, query);
    return mapPage(page, ({ location, file }) => locations.toFileBacklink(location, file));
  }

  private page({ stats, ...list }: LinkList): LinkPage {
    const locations = this.locations();
    const page = mapPage(list, (item) => locations.toItem(item));
    return { ...page, stats: { total: stats.total, broken: { total: stats.broken } } };
  }

  private locations(): Locations {
    return new Locations({
      urls: this.urls,
      linkOf: (space, file) => this.files.of(space, file),
      documentId: (space, key) => this.documents.of(space, key),
    });
  }
}
