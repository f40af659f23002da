import { Injectable } from '@nestjs/common';
import { requirePermission } from '../common/permissions.js';
import { CommentBodies } from './comment-bodies.js';
import { CommentShapes, type Format } from './comment-shapes.js';
import { commentPermissions } from './comment.policy.js';
import type { CommentReplyPage, CommentReplyView } from './comment.view.js';
import { CommentsService } from './comments.service.js';
import type { PostCommentReplyDto, UpdateCommentReplyDto } from './dto/comment.dto.js';
import type { CommentRepliesQuery } from './dto/comments-query.dto.js';
import type { Discussion } from './place.js';
import { askedReactions } from './reactions.js';
import { RepliesService } from './replies.service.js';

/** Which reply, and to which comment. */
export interface ReplyIds {
  commentId: string;
  commentReplyId: string;
}

/**
 * What the operations on replies answer, on primary content and in change requests alike. That the viewer may comment
 * there is for the caller to have seen; who else a reply takes is looked at here.
 */
@Injectable()
export class ReplyAnswers {
  constructor(
    private readonly comments: CommentsService,
    private readonly replies: RepliesService,
    private readonly bodies: CommentBodies,
    private readonly shapes: CommentShapes,
  ) {}

  /** One page of the replies to a comment, oldest first. */
  async list(
    discussion: Discussion,
    commentId: string,
    { format, ...query }: CommentRepliesQuery,
  ): Promise<CommentReplyPage> {
    const comment = await this.comments.get(discussion, commentId);
    return this.shapes.replies(await this.replies.list(comment, query), discussion, format);
  }

  /** One reply. */
  async get(
    discussion: Discussion,
    { commentId, commentReplyId }: ReplyIds,
    format?: Format,
  ): Promise<CommentReplyView> {
    const comment = await this.comments.get(discussion, commentId);
    return this.shapes.reply(await this.replies.get(comment, commentReplyId), discussion, format);
  }

  /** Replies to a comment, which stays resolved if it is. */
  async post(
    discussion: Discussion,
    commentId: string,
    { body }: PostCommentReplyDto,
    format?: Format,
  ): Promise<CommentReplyView> {
    const kept = this.bodies.keep(body);
    const comment = await this.comments.get(discussion, commentId);
    return this.replies.inTurn(comment, async () =>
      this.shapes.reply(await this.replies.create(comment, discussion.viewer.user, kept), discussion, format),
    );
  }

  /** Changes a reply: its text, the viewer's reactions. */
  async update(
    discussion: Discussion,
    { commentId, commentReplyId }: ReplyIds,
    { body, ...rest }: UpdateCommentReplyDto,
  ): Promise<CommentReplyView> {
    const kept = body && this.bodies.keep(body);
    const comment = await this.comments.get(discussion, commentId);
    const reply = await this.replies.get(comment, commentReplyId);
    const { viewer } = discussion;
    if (body) requirePermission(commentPermissions(reply, viewer), 'edit', 'Comment reply');
    const changes = { ...(kept && { body: kept }), reactions: askedReactions(rest) };
    return this.replies.inTurn(comment, async () =>
      this.shapes.reply(await this.replies.update(comment, commentReplyId, changes, viewer.user), discussion),
    );
  }

  /** Removes a reply. */
  async remove(discussion: Discussion, { commentId, commentReplyId }: ReplyIds): Promise<void> {
    const comment = await this.comments.get(discussion, commentId);
    const reply = await this.replies.get(comment, commentReplyId);
    requirePermission(commentPermissions(reply, discussion.viewer), 'delete', 'Comment reply');
    await this.replies.remove(comment, commentReplyId);
  }
}
