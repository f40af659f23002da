import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { Fails } from '../common/fails.js';
import { CommentAnswers } from './comment.answers.js';
import { CommentPage, CommentView } from './comment.view.js';
import { discussionIn } from './discussions.js';
import { PostCommentDto, UpdateCommentDto } from './dto/comment.dto.js';
import { CommentsQuery, FormatQuery } from './dto/comments-query.dto.js';

/** Comments on the primary content of a space. */
@ApiTags('comments')
@Controller('v1/spaces/:spaceId/comments')
export class SpaceCommentsController {
  constructor(private readonly answers: CommentAnswers) {}

  /** List the comments on the primary content of a space, newest first. */
  @Get()
  @RequireSpace('comment')
  async listCommentsInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Query() query: CommentsQuery,
  ): Promise<CommentPage> {
    return this.answers.list(discussionIn(access, user), query);
  }

  /** Comment on a space, or on a page or a block there. */
  @Post()
  @HttpCode(200)
  @RequireSpace('comment')
  async postCommentInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Body() body: PostCommentDto,
  ): Promise<CommentView> {
    return this.answers.post(discussionIn(access, user), body);
  }

  /** Read a comment. */
  @Get(':commentId')
  @RequireSpace('comment')
  async getCommentInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Query() { format }: FormatQuery,
  ): Promise<CommentView> {
    return this.answers.get(discussionIn(access, user), commentId, format);
  }

  /** Change the text of a comment, resolve it or open it again, react to it. */
  @Put(':commentId')
  @RequireSpace('comment')
  @Fails(409)
  async updateCommentInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
    @Body() body: UpdateCommentDto,
  ): Promise<CommentView> {
    return this.answers.update(discussionIn(access, user), commentId, body);
  }

  /** Delete a comment with its replies. */
  @Delete(':commentId')
  @HttpCode(205)
  @RequireSpace('comment')
  async deleteCommentInSpace(
    @CurrentActor() { user }: Actor,
    @CurrentSpace() access: SpaceAccess,
    @Param('commentId') commentId: string,
  ): Promise<void> {
    await this.answers.remove(discussionIn(access, user), commentId);
  }
}
