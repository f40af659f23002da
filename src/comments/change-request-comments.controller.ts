import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from '../change-requests/index.js';
import { Fails } from '../common/fails.js';
import { CommentAnswers } from './comment.answers.js';
import { CommentPage, CommentView } from './comment.view.js';
import { discussionOn } from './discussions.js';
import { PostCommentDto, UpdateCommentDto } from './dto/comment.dto.js';
import { CommentsQuery, FormatQuery } from './dto/comments-query.dto.js';

/** Comments of a change request. */
@ApiTags('comments')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId/comments')
export class ChangeRequestCommentsController {
  constructor(private readonly answers: CommentAnswers) {}

  /** List the comments of a change request, newest first. */
  @Get()
  @RequireChangeRequest('comment')
  async listCommentsInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Query() query: CommentsQuery,
  ): Promise<CommentPage> {
    return this.answers.list(discussionOn(access, user), query);
  }

  /** Comment on a change request, or on a page or a block in it. */
  @Post()
  @HttpCode(200)
  @RequireChangeRequest('comment')
  async postCommentInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Body() body: PostCommentDto,
  ): Promise<CommentView> {
    return this.answers.post(discussionOn(access, user), body);
  }

  /** Read a comment. */
  @Get(':commentId')
  @RequireChangeRequest('comment')
  async getCommentInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
  ): Promise<CommentView> {
    return this.answers.get(discussionOn(access, user), commentId, format);
  }

  /** Change the text of a comment, resolve it or open it again, react to it. */
  @Put(':commentId')
  @RequireChangeRequest('comment')
  @Fails(409)
  async updateCommentInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Body() body: UpdateCommentDto,
  ): Promise<CommentView> {
    return this.answers.update(discussionOn(access, user), commentId, body);
  }

  /** Delete a comment with its replies. */
  @Delete(':commentId')
  @HttpCode(205)
  @RequireChangeRequest('comment')
  async deleteCommentInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
  ): Promise<void> {
    await this.answers.remove(discussionOn(access, user), commentId);
  }
}
