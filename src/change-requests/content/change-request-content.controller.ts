import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/index.js';
import {
  AnswersPage,
  ChangesQuery,
  ContentAnswers,
  ContentQuery,
  FilePage,
  FilesQuery,
  FileView,
  joinedPath,
  PageContentQuery,
  PagesView,
  type PageView,
  PathParam,
  ReusableContentView,
  type RevisionAt,
  RevisionView,
  SemanticChangesView,
} from '../../content/index.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from '../change-request.guard.js';
import { baseOf } from '../change-request.schema.js';

/** Reads what a change request holds. */
@ApiTags('change-requests')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId')
export class ChangeRequestContentController {
  constructor(private readonly answers: ContentAnswers) {}

  /** Read the revision of a change request, with all pages and files. */
  @Get('content')
  @RequireChangeRequest('access')
  async getRevisionOfChangeRequestById(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: ContentQuery,
  ): Promise<RevisionView> {
    return this.answers.revision(tipOf(access), query, { space: access.space, user });
  }

  /** List what a change request changes of what it has taken over from the space. */
  @Get('changes')
  @RequireChangeRequest('access')
  async getChangeRequestChanges(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Query() query: ChangesQuery,
  ): Promise<SemanticChangesView> {
    return this.answers.changesSince(baseOf(access.changeRequest), tipOf(access), query);
  }

  /** List the pages of a change request, nested, in reading order. */
  @Get('content/pages')
  @RequireChangeRequest('access')
  async listPagesInChangeRequest(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Query() query: ContentQuery,
  ): Promise<PagesView> {
    return this.answers.pages(tipOf(access), query);
  }

  /** List the files of a change request by name. */
  @Get('content/files')
  @RequireChangeRequest('access')
  async listFilesInChangeRequestById(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Query() query: FilesQuery,
  ): Promise<FilePage> {
    return this.answers.files(tipOf(access), query);
  }

  /** Read a file's name, size and address, in a change request. */
  @Get('content/files/:fileId')
  @RequireChangeRequest('access')
  async getFileInChangeRequestById(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('fileId') fileId: string,
    @Query() query: ContentQuery,
  ): Promise<FileView> {
    return this.answers.file(tipOf(access), fileId, query);
  }

  /** Read a page with its text, in a change request. */
  @Get('content/page/:pageId')
  @AnswersPage()
  @RequireChangeRequest('access')
  async getPageInChangeRequestById(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('pageId') pageId: string,
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.page(tipOf(access), pageId, query);
  }

  /** Read the page at a path, with its text, in a change request. */
  @Get('content/path/*pagePath')
  @PathParam()
  @AnswersPage()
  @RequireChangeRequest('access')
  async getPageInChangeRequestByPath(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('pagePath') path: string[],
    @Query() query: PageContentQuery,
  ): Promise<PageView> {
    return this.answers.pageByPath(tipOf(access), joinedPath(path), query);
  }

  /** Read the title of a reusable content, and the id of its text, in a change request. */
  @Get('content/reusable-contents/:reusableContentId')
  @RequireChangeRequest('access')
  async getReusableContentInChangeRequestById(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('reusableContentId') id: string,
    @Query() query: ContentQuery,
  ): Promise<ReusableContentView> {
    return this.answers.reusableContent(tipOf(access), id, query);
  }
}

/** The content that a change request holds now. */
function tipOf({ space, changeRequest }: ChangeRequestAccess): RevisionAt {
  return { space: space._id, organization: space.organization, revision: changeRequest.revision };
}
