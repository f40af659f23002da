import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForVisitors } from '../auth/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { ContentAnswers, type RevisionAt } from './content.answers.js';
import { JSONDocumentView } from './document.view.js';
import { ChangesQuery, ContentQuery, DocumentQuery, FilesQuery, PageContentQuery } from './dto/content-query.dto.js';
import { FilePage, FileView } from './files/file.view.js';
import { joinedPath, PathParam } from './page-path.js';
import { AnswersPage, PagesView, type PageView } from './page.view.js';
import { claimsOf, readerKind, readerOf } from './reader.js';
import { ReadingService } from './reading.service.js';
import { ReusableContentView, RevisionView } from './revision.view.js';
import { SemanticChangesView } from './semantic-changes.view.js';

/**
 * Reads any revision of a space: a former one of primary content, or one of a change request. Who is let in by a published
 * site alone knows no change requests.
 */
@ApiTags('content')
@Controller('v1/spaces/:spaceId/revisions/:revisionId')
export class RevisionsController {
  constructor(
    private readonly answers: ContentAnswers,
    private readonly reading: ReadingService,
  ) {}

  /** Read a revision of a space, with all pages and files. */
  @Get()
  @ForVisitors()
  @RequireSpace('view')
  async getRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Query() query: ContentQuery,
  ): Promise<RevisionView> {
    return this.answers.revision(await this.at(access, revisionId), query, readerOf(access));
  }

  /** List what happened between a revision and the one that it was made from. */
  @Get('changes')
  @RequireSpace('view')
  async getRevisionSemanticChanges(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Query() query: ChangesQuery,
  ): Promise<SemanticChangesView> {
    return this.answers.changes(await this.at(access, revisionId), query, readerOf(access));
  }

  /** List the pages of a revision, nested, in reading order. */
  @Get('pages')
  @ForVisitors()
  @RequireSpace('view')
  async listPagesInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Query() query: ContentQuery,
  ): Promise<PagesView> {
    return this.answers.pages(await this.at(access, revisionId), query);
  }

  /** List the files of a revision by name. */
  @Get('files')
  @ForVisitors()
  @RequireSpace('view')
  async listFilesInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Query() query: FilesQuery,
  ): Promise<FilePage> {
    return this.answers.files(await this.at(access, revisionId), query);
  }

  /** Read a file's name, size and address, in a revision. */
  @Get('files/:fileId')
  @ForVisitors()
  @RequireSpace('view')
  async getFileInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('fileId') fileId: string,
    @Query() query: ContentQuery,
  ): Promise<FileView> {
    return this.answers.file(await this.at(access, revisionId), fileId, query);
  }

  /** Read a page with its text, in a revision. */
  @Get('page/:pageId')
  @AnswersPage()
  @ForVisitors()
  @RequireSpace('view')
  async getPageInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('pageId') pageId: string,
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.page(await this.at(access, revisionId), pageId, query);
  }

  /** Read the text of a page in a revision, as a tree of nodes. */
  @Get('page/:pageId/document')
  @ForVisitors()
  @RequireSpace('view')
  async getPageDocumentInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('pageId') pageId: string,
    @Query() _query: DocumentQuery,
  ): Promise<JSONDocumentView> {
    return this.answers.pageDocument(await this.at(access, revisionId), pageId);
  }

  /** Read the page at a path, with its text, in a revision. */
  @Get('path/*pagePath')
  @PathParam()
  @AnswersPage()
  @ForVisitors()
  @RequireSpace('view')
  async getPageInRevisionByPath(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('pagePath') path: string[],
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.pageByPath(await this.at(access, revisionId), joinedPath(path), query);
  }

  /** Read the title of a reusable content, and the id of its text, in a revision. */
  @Get('reusable-contents/:reusableContentId')
  @ForVisitors()
  @RequireSpace('view')
  async getReusableContentInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('reusableContentId') id: string,
    @Query() query: ContentQuery,
  ): Promise<ReusableContentView> {
    return this.answers.reusableContent(await this.at(access, revisionId), id, query);
  }

  /** Read the text of a reusable content in a revision, as a tree of nodes. */
  @Get('reusable-contents/:reusableContentId/document')
  @ForVisitors()
  @RequireSpace('view')
  async getReusableContentDocumentInRevisionById(
    @CurrentSpace() access: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('reusableContentId') id: string,
    @Query() _query: DocumentQuery,
  ): Promise<JSONDocumentView> {
    return this.answers.reusableContentDocument(await this.at(access, revisionId), id);
  }

  private async at(access: SpaceAccess, revision: string): Promise<RevisionAt> {
    const { _id: space, organization } = access.space;
    await this.reading.checkRevision(space, revision, access.admitted);
    return { space, organization, revision, reader: readerKind(access), claims: claimsOf(access) };
  }
}
