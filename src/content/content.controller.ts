import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { CurrentSpace, RequireSpace, type Space, type SpaceAccess } from '../spaces/index.js';
import { ContentAnswers, type RevisionAt } from './content.answers.js';
import { ChangeContentDto } from './dto/change-content.dto.js';
import { ContentQuery, FilesQuery, PageContentQuery } from './dto/content-query.dto.js';
import { EditService } from './edit.service.js';
import { ChangedPageView, EditResultView, toChangesView } from './edit.view.js';
import { FileLinks } from './files/file-links.js';
import { FilePage, FileView } from './files/file.view.js';
import { joinedPath, PathParam } from './page-path.js';
import { AnswersPage, PagesView, type PageView } from './page.view.js';
import { ReusableContentView, RevisionView } from './revision.view.js';

@ApiTags('content')
@ApiExtraModels(ChangedPageView)
@Controller('v1/spaces/:spaceId/content')
export class ContentController {
  constructor(
    private readonly answers: ContentAnswers,
    private readonly editing: EditService,
    private readonly files: FileLinks,
    private readonly urls: Urls,
  ) {}

  /** Read the present revision of a space, with all pages and files. */
  @Get()
  @RequireSpace('view')
  async getCurrentRevision(
    @CurrentSpace() { space }: SpaceAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: ContentQuery,
  ): Promise<RevisionView> {
    return this.answers.revision(present(space), query, { space, user });
  }

  /** Edit pages and files: up to 50 changes, all or none, as one revision. */
  @Post()
  @Fails(409)
  @HttpCode(200)
  @RequireSpace('edit')
  async editContent(
    @CurrentSpace() { space }: SpaceAccess,
    @CurrentActor() actor: Actor,
    @Body() body: ChangeContentDto,
  ): Promise<EditResultView> {
    const result = await this.editing.edit(space, actor.user, body.changes);
    const content = this.urls.api('spaces', space._id, 'content');
    return { revision: result.revision, ...toChangesView(result, content, (file) => this.files.of(space._id, file)) };
  }

  /** List the pages of a space, nested, in reading order. */
  @Get('pages')
  @RequireSpace('view')
  async listPages(@CurrentSpace() { space }: SpaceAccess, @Query() query: ContentQuery): Promise<PagesView> {
    return this.answers.pages(present(space), query);
  }

  /** List the files of a space by name. */
  @Get('files')
  @RequireSpace('view')
  async listFiles(@CurrentSpace() { space }: SpaceAccess, @Query() query: FilesQuery): Promise<FilePage> {
    return this.answers.files(present(space), query);
  }

  /** Read a file's name, size and address. */
  @Get('files/:fileId')
  @RequireSpace('view')
  async getFileById(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('fileId') fileId: string,
    @Query() query: ContentQuery,
  ): Promise<FileView> {
    return this.answers.file(present(space), fileId, query);
  }

  /** Read a page with its text. */
  @Get('page/:pageId')
  @AnswersPage()
  @RequireSpace('view')
  async getPageById(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.page(present(space), pageId, query);
  }

  /** Read the page at a path, with its text. */
  @Get('path/*pagePath')
  @PathParam()
  @AnswersPage()
  @RequireSpace('view')
  async getPageByPath(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('pagePath') path: string[],
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.pageByPath(present(space), joinedPath(path), query);
  }

  /** Read the title of a reusable content, and the id of its text. */
  @Get('reusable-contents/:reusableContentId')
  @RequireSpace('view')
  async getReusableContentById(
    @CurrentSpace() { space }: SpaceAccess,
    @Param('reusableContentId') id: string,
    @Query() query: ContentQuery,
  ): Promise<ReusableContentView> {
    return this.answers.reusableContent(present(space), id, query);
  }
}

/** Primary content as it is now. */
function present({ _id, revision }: Space): RevisionAt {
  return { space: _id, revision };
}
