import { ForbiddenException, Injectable } from '@nestjs/common';
import { requirePermission } from '../common/permissions.js';
import { CommentBodies } from './comment-bodies.js';
import { CommentShapes, type Format } from './comment-shapes.js';
import { CommentTargets } from './comment-targets.js';
import { commentPermissions, mayResolve } from './comment.policy.js';
import type { CommentPage, CommentView } from './comment.view.js';
import { CommentsService } from './comments.service.js';
import type { PostCommentDto, UpdateCommentDto } from './dto/comment.dto.js';
import type { CommentsQuery } from './dto/comments-query.dto.js';
import type { Discussion } from './place.js';
import { askedReactions } from './reactions.js';

/**
 * What the operations on comments answer, on primary content and in change requests alike. That the viewer may comment
 * there is for the caller to have seen; who else a comment takes is looked at here.
 */
@Injectable()
export class CommentAnswers {
  constructor(
    private readonly comments: CommentsService,
    private readonly bodies: CommentBodies,
    private readonly targets: CommentTargets,
    private readonly shapes: CommentShapes,
  ) {}

  /** One page of the comments. */
  async list(discussion: Discussion, { format, ...query }: CommentsQuery): Promise<CommentPage> {
    return this.shapes.comments(await this.comments.list(discussion, query), discussion, format);
  }

  /** One comment. */
  async get(discussion: Discussion, id: string, format?: Format): Promise<CommentView> {
    return this.shapes.comment(await this.comments.get(discussion, id), discussion, format);
  }

  /** Writes a comment on the newest content of the place. */
  async post(discussion: Discussion, { body, page, node }: PostCommentDto): Promise<CommentView> {
    const kept = this.bodies.keep(body);
    const about = await this.targets.find(discussion.revision, {
      ...(page !== undefined && { page }),
      ...(node !== undefined && { node }),
    });
    const { revision, viewer } = discussion;
    const given = { ...about, body: kept, revision, postedBy: viewer.user };
    return this.comments.inTurn(discussion, async () =>
      this.shapes.comment(await this.comments.create(discussion, given), discussion),
    );
  }

  /** Changes a comment: its text, whether it is resolved, the viewer's reactions. */
  async update(
    discussion: Discussion,
    id: string,
    { body, resolved, ...rest }: UpdateCommentDto,
  ): Promise<CommentView> {
    const kept = body && this.bodies.keep(body);
    const comment = await this.comments.get(discussion, id);
    const { viewer } = discussion;
    if (body) requirePermission(commentPermissions(comment, viewer), 'edit', 'Comment');
    if (resolved !== undefined && !mayResolve(comment, viewer)) {
      throw new ForbiddenException('resolved is for the author of the comment, and for those who may edit the space');
    }
    const changes = {
      ...(kept && { body: kept }),
      ...(resolved !== undefined && { resolved }),
      reactions: askedReactions(rest),
    };
    return this.comments.inTurn(discussion, async () =>
      this.shapes.comment(await this.comments.update(discussion, id, changes, viewer.user), discussion),
    );
  }

  /** Removes a comment with its replies. */
  async remove(discussion: Discussion, id: string): Promise<void> {
    const comment = await this.comments.get(discussion, id);
    requirePermission(commentPermissions(comment, discussion.viewer), 'delete', 'Comment');
    await this.comments.remove(discussion, id);
  }
}
