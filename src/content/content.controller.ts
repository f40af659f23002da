import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, ForVisitors } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { ContentAnswers, type RevisionAt } from './content.answers.js';
import { ChangeContentDto } from './dto/change-content.dto.js';
import { ContentQuery, FilesQuery, PageContentQuery } from './dto/content-query.dto.js';
import { EditService } from './edit.service.js';
import { ChangedPageView, EditResultView, toChangesView } from './edit.view.js';
import { FileLinks } from './files/file-links.js';
import { FilePage, FileView } from './files/file.view.js';
import { joinedPath, PathParam } from './page-path.js';
import { AnswersPage, PagesView, type PageView } from './page.view.js';
import { claimsOf, readerKind, readerOf } from './reader.js';
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
  @ForVisitors()
  @RequireSpace('view')
  async getCurrentRevision(@CurrentSpace() access: SpaceAccess, @Query() query: ContentQuery): Promise<RevisionView> {
    return this.answers.revision(present(access), query, readerOf(access));
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
  @ForVisitors()
  @RequireSpace('view')
  async listPages(@CurrentSpace() access: SpaceAccess, @Query() query: ContentQuery): Promise<PagesView> {
    return this.answers.pages(present(access), query);
  }

  /** List the files of a space by name. */
  @Get('files')
  @ForVisitors()
  @RequireSpace('view')
  async listFiles(@CurrentSpace() access: SpaceAccess, @Query() query: FilesQuery): Promise<FilePage> {
    return this.answers.files(present(access), query);
  }

  /** Read a file's name, size and address. */
  @Get('files/:fileId')
  @ForVisitors()
  @RequireSpace('view')
  async getFileById(
    @CurrentSpace() access: SpaceAccess,
    @Param('fileId') fileId: string,
    @Query() query: ContentQuery,
  ): Promise<FileView> {
    return this.answers.file(present(access), fileId, query);
  }

  /** Read a page with its text. */
  @Get('page/:pageId')
  @AnswersPage()
  @ForVisitors()
  @RequireSpace('view')
  async getPageById(
    @CurrentSpace() access: SpaceAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.page(present(access), pageId, query);
  }

  /** Read the page at a path, with its text. */
  @Get('path/*pagePath')
  @PathParam()
  @AnswersPage()
  @ForVisitors()
  @RequireSpace('view')
  async getPageByPath(
    @CurrentSpace() access: SpaceAccess,
    @Param('pagePath') path: string[],
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.pageByPath(present(access), joinedPath(path), query);
  }

  /** Read the title of a reusable content, and the id of its text. */
  @Get('reusable-contents/:reusableContentId')
  @ForVisitors()
  @RequireSpace('view')
  async getReusableContentById(
    @CurrentSpace() access: SpaceAccess,
    @Param('reusableContentId') id: string,
    @Query() query: ContentQuery,
  ): Promise<ReusableContentView> {
    return this.answers.reusableContent(present(access), id, query);
  }
}

/** Primary content as it is now. */
function present(access: SpaceAccess): RevisionAt {
  const { _id, organization, revision } = access.space;
  return { space: _id, organization, revision, reader: readerKind(access), claims: claimsOf(access) };
}
