import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from '../change-requests/index.js';
import { Fails } from '../common/fails.js';
import { CommentReplyPage, CommentReplyView } from './comment.view.js';
import { discussionOn } from './discussions.js';
import { PostCommentReplyDto, UpdateCommentReplyDto } from './dto/comment.dto.js';
import { CommentRepliesQuery, FormatQuery } from './dto/comments-query.dto.js';
import { ReplyAnswers } from './reply.answers.js';

/** Replies to comments of a change request. */
@ApiTags('comments')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies')
export class ChangeRequestRepliesController {
  constructor(private readonly answers: ReplyAnswers) {}

  /** List the replies to a comment, oldest first. */
  @Get()
  @RequireChangeRequest('comment')
  async listCommentRepliesInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Query() query: CommentRepliesQuery,
  ): Promise<CommentReplyPage> {
    return this.answers.list(discussionOn(access, user), commentId, query);
  }

  /** Reply to a comment. */
  @Post()
  @HttpCode(200)
  @RequireChangeRequest('comment')
  async postCommentReplyInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Body() body: PostCommentReplyDto,
    @Query() { format }: FormatQuery,
  ): Promise<CommentReplyView> {
    return this.answers.post(discussionOn(access, user), commentId, body, format);
  }

  /** Read a reply. */
  @Get(':commentReplyId')
  @RequireChangeRequest('comment')
  async getCommentReplyInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
    @Query() { format }: FormatQuery,
  ): Promise<CommentReplyView> {
    return this.answers.get(discussionOn(access, user), { commentId, commentReplyId }, format);
  }

  /** Change the text of a reply, react to it. */
  @Put(':commentReplyId')
  @RequireChangeRequest('comment')
  @Fails(409)
  async updateCommentReplyInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
    @Body() body: UpdateCommentReplyDto,
  ): Promise<CommentReplyView> {
    return this.answers.update(discussionOn(access, user), { commentId, commentReplyId }, body);
  }

  /** Delete a reply. */
  @Delete(':commentReplyId')
  @HttpCode(205)
  @RequireChangeRequest('comment')
  async deleteCommentReplyInChangeRequest(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
  ): Promise<void> {
    await this.answers.remove(discussionOn(access, user), { commentId, commentReplyId });
  }
}
