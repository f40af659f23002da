import { Injectable } from '@nestjs/common';
import { mapPage, type Page } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { PeopleService } from '../organizations/index.js';
import { CommentBodies } from './comment-bodies.js';
import { CommentTargets } from './comment-targets.js';
import type { Comment } from './comment.schema.js';
import {
  type CommentBodyView,
  type CommentContext,
  type CommentReplyView,
  type CommentView,
  toComment,
  toCommentReply,
} from './comment.view.js';
import type { Discussion } from './place.js';
import { ReactionsService } from './reactions.service.js';
import type { CommentReply } from './reply.schema.js';

/** In which form texts are wanted; Markdown unless it is named (decision 1.9). */
export type Format = 'document' | 'markdown';

/** Shapes comments and replies; what they refer to is read for all of them at once. */
@Injectable()
export class CommentShapes {
  constructor(
    private readonly bodies: CommentBodies,
    private readonly targets: CommentTargets,
    private readonly reactions: ReactionsService,
    private readonly people: PeopleService,
    private readonly urls: Urls,
  ) {}

  /** `page` as the viewer of `discussion` sees it. */
  async comments(page: Page<Comment>, discussion: Discussion, format?: Format): Promise<Page<CommentView>> {
    const pages = await this.targets.pagesOf(page.items, discussion);
    const { bodies, context } = await this.read(page.items, discussion, format);
    return mapPage(page, (comment) => {
      const [body, about] = [bodies.get(comment._id) ?? {}, pages.get(comment._id)];
      return toComment(comment, { body, ...(about && { page: about }) }, context);
    });
  }

  /** One comment as the viewer of `discussion` sees it. */
  async comment(comment: Comment, discussion: Discussion, format?: Format): Promise<CommentView> {
    const pages = await this.targets.pagesOf([comment], discussion);
    const { bodies, context } = await this.read([comment], discussion, format);
    const about = pages.get(comment._id);
    return toComment(comment, { body: bodies.get(comment._id) ?? {}, ...(about && { page: about }) }, context);
  }

  /** `page`, replies to one comment, as the viewer of `discussion` sees it. */
  async replies(page: Page<CommentReply>, discussion: Discussion, format?: Format): Promise<Page<CommentReplyView>> {
    const { bodies, context } = await this.read(page.items, discussion, format);
    return mapPage(page, (reply) => toCommentReply(reply, bodies.get(reply._id) ?? {}, context));
  }

  /** One reply as the viewer of `discussion` sees it. */
  async reply(reply: CommentReply, discussion: Discussion, format?: Format): Promise<CommentReplyView> {
    const { bodies, context } = await this.read([reply], discussion, format);
    return toCommentReply(reply, bodies.get(reply._id) ?? {}, context);
  }

  /** The texts of `posted` by id, and what else their shapes take. */
  private async read(
    posted: readonly (Comment | CommentReply)[],
    { viewer, ...place }: Discussion,
    format?: Format,
  ): Promise<{ bodies: Map<string, CommentBodyView>; context: CommentContext }> {
    const own = await this.reactions.ownOf(viewer.user, posted);
    const ids = posted.flatMap((one) => [
      one.postedBy,
      ...('resolvedBy' in one && one.resolvedBy !== null ? [one.resolvedBy] : []),
      ...one.reactions.flatMap(({ users }) => users.map(({ user }) => user)),
    ]);
    const people = await this.people.seenBy(viewer.user, [...ids, ...(own.size > 0 ? [viewer.user] : [])]);
    const bodies = await this.bodies.read(posted, format);
    return { bodies, context: { place, viewer, urls: this.urls, people, own } };
  }
}
