import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { Fails } from '../common/fails.js';
import { CommentReplyPage, CommentReplyView } from './comment.view.js';
import { discussionIn } from './discussions.js';
import { PostCommentReplyDto, UpdateCommentReplyDto } from './dto/comment.dto.js';
import { CommentRepliesQuery, FormatQuery } from './dto/comments-query.dto.js';
import { ReplyAnswers } from './reply.answers.js';

/** Replies to comments on the primary content of a space. */
@ApiTags('comments')
@Controller('v1/spaces/:spaceId/comments/:commentId/replies')
export class SpaceRepliesController {
  constructor(private readonly answers: ReplyAnswers) {}

  /** List the replies to a comment, oldest first. */
  @Get()
  @RequireSpace('comment')
  async listCommentRepliesInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Query() query: CommentRepliesQuery,
  ): Promise<CommentReplyPage> {
    return this.answers.list(discussionIn(access, user), commentId, query);
  }

  /** Reply to a comment. */
  @Post()
  @HttpCode(200)
  @RequireSpace('comment')
  async postCommentReplyInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Body() body: PostCommentReplyDto,
  ): Promise<CommentReplyView> {
    return this.answers.post(discussionIn(access, user), commentId, body);
  }

  /** Read a reply. */
  @Get(':commentReplyId')
  @RequireSpace('comment')
  async getCommentReplyInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
    @Query() { format }: FormatQuery,
  ): Promise<CommentReplyView> {
    return this.answers.get(discussionIn(access, user), { commentId, commentReplyId }, format);
  }

  /** Change the text of a reply, react to it. */
  @Put(':commentReplyId')
  @RequireSpace('comment')
  @Fails(409)
  async updateCommentReplyInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
    @Body() body: UpdateCommentReplyDto,
  ): Promise<CommentReplyView> {
    return this.answers.update(discussionIn(access, user), { commentId, commentReplyId }, body);
  }

  /** Delete a reply. */
  @Delete(':commentReplyId')
  @HttpCode(205)
  @RequireSpace('comment')
  async deleteCommentReplyInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Param('commentReplyId') commentReplyId: string,
  ): Promise<void> {
    await this.answers.remove(discussionIn(access, user), { commentId, commentReplyId });
  }
}
