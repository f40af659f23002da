import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { mapPage } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { ChangeContentDto } from './dto/change-content.dto.js';
import { ContentQuery, FilesQuery, PageContentQuery } from './dto/content-query.dto.js';
import { EditService } from './edit.service.js';
import { ChangedPageView, EditResultView, toChange } from './edit.view.js';
import { FileLinks } from './file-links.js';
import { FilePage, FileView, toFile } from './file.view.js';
import { type PageContext, PagesView, PageView, toPage, toPages } from './page.view.js';
import { ReadingService } from './reading.service.js';
import { RevisionView, toRevision } from './revision.view.js';

@ApiTags('content')
@ApiExtraModels(ChangedPageView)
@Controller('v1/spaces/:spaceId/content')
export class ContentController {
  constructor(
    private readonly reading: ReadingService,
    private readonly editing: EditService,
    private readonly files: FileLinks,
    private readonly urls: Urls,
  ) {}

  /** Read the present revision of a space, with all pages and files. */
  @Get()
  @RequireSpace('view')
  async getCurrentRevision(
    @CurrentSpace() { space }: SpaceAccess,
    @Query() query: ContentQuery,
  ): Promise<RevisionView> {
    const content = await this.reading.revision(space.revision);
    return toRevision(content, this.context(space._id, query), (file) => this.files.of(space._id, file));
  }

  /** Edit pages: up to 50 changes, all or none, as one revision. */
  @Post()
  @Fails(409)
  @HttpCode(200)
  @RequireSpace('edit')
  async editContent(
    @CurrentSpace() { space }: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Body() body: ChangeContentDto,
  ): Promise<EditResultView> {
    const { revision, touched } = await this.editing.edit(space, actor.user, body.changes);
    return { revision, changes: touched.map((one) => toChange(one, space._id, this.urls)) };
  }

  /** List the pages of a space, nested, in reading order. */
  @Get('pages')
  @RequireSpace('view')
  async listPages(@CurrentSpace() { space }: SpaceAccess, @Query() query: ContentQuery): Promise<PagesView> {
    return { pages: toPages(await this.reading.pages(space.revision), this.context(space._id, query)) };
  }

  /** List the files of a space by name. */
  @Get('files')
  @RequireSpace('view')
  async listFiles(@CurrentSpace() { space }: SpaceAccess, @Query() query: FilesQuery): Promise<FilePage> {
    const page = await this.reading.files(space.revision, query);
    return mapPage(page, (file) => toFile(file, this.files.of(space._id, file)));
  }

  /** Read a file's name, size and address. */
  @Get('files/:fileId')
  @RequireSpace('view')
  async getFileById(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('fileId') fileId: string,
    @Query() _query: ContentQuery,
  ): Promise<FileView> {
    const file = await this.reading.file(space.revision, fileId);
    return toFile(file, this.files.of(space._id, file));
  }

  /** Read a page with its text. */
  @Get('page/:pageId')
  @RequireSpace('view')
  async getPageById(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    const { page, text } = await this.reading.page(space.revision, pageId, query.format ?? 'markdown');
    return { ...toPage(page, this.context(space._id, query)), ...text };
  }

  private context(space: string, { metadata = true }: ContentQuery): PageContext {
    return { space, urls: this.urls, metadata };
  }
}
