import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, type Changes, madeWith, removedWith } from '../audit/index.js';
import { isId } from '../common/ids.js';
import { KeyedLock } from '../common/keyed-lock.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { SpacesService } from '../spaces/index.js';
import type { KeptBody } from './comment-body.js';
import { Comment } from './comment.schema.js';
import type { AskedReactions } from './reactions.js';
import { ReactionsService } from './reactions.service.js';
import { CommentReply } from './reply.schema.js';
import { BATCH, changedBody, LIST_WEIGHT } from './written.js';

/** What a change of a reply asks for; what is absent stays. */
export interface ReplyChanges {
  body?: KeptBody;
  reactions: AskedReactions;
}

/** Replies to comments, which comments count. */
@Injectable()
export class RepliesService {
  private readonly lock = new KeyedLock();

  constructor(
    @InjectModel(CommentReply.name) private readonly replies: Model<CommentReply>,
    @InjectModel(Comment.name) private readonly comments: Model<Comment>,
    private readonly database: Database,
    private readonly reactions: ReactionsService,
    private readonly spaces: SpacesService,
    private readonly audit: Audit,
  ) {}

  /** One page of the replies to `comment`, oldest first. */
  list({ _id: comment }: Pick<Comment, '_id'>, query: ListQuery): Promise<Page<CommentReply>> {
    const options = { sort: 'postedAt', weight: LIST_WEIGHT } as const;
    return findPage(this.replies, { comment }, { ...query, order: 'asc' }, options);
  }

  /** The reply `id` to `comment`. @throws NotFoundException when there is none. */
  async get({ _id: comment }: Pick<Comment, '_id'>, id: string): Promise<CommentReply> {
    const reply = isId(id) ? await this.replies.findOne({ _id: id, comment }).lean<CommentReply>() : null;
    if (!reply) throw notFound();
    return reply;
  }

  /** Writes a reply to `comment`, whatever its status. @throws NotFoundException when the comment is gone. */
  create(comment: Pick<Comment, '_id' | 'space'>, postedBy: string, body: KeptBody): Promise<CommentReply> {
    return this.inTurn(comment, async () => {
      await this.count(comment, 1);
      const record = { space: comment.space, comment: comment._id, postedBy, postedAt: new Date(), body };
      const [made] = await this.replies.create([{ ...record, size: body.text.length }]);
      if (!made) throw new Error('The reply was not made');
      await this.record(record, 'comment-reply.create', made._id, madeWith({ comment: comment._id }));
      return made.toObject<CommentReply>();
    });
  }

  /**
   * Changes what `changes` names and is not so already, as `actor`.
   * @throws NotFoundException when it is gone, ConflictException for too many different emoji.
   */
  update(
    comment: Pick<Comment, '_id'>,
    id: string,
    { body, reactions }: ReplyChanges,
    actor: string,
  ): Promise<CommentReply> {
    return this.inTurn(comment, async () => {
      const reply = await this.get(comment, id);
      const subject = { space: reply.space, comment: comment._id, reply: id };
      const reacted = await this.reactions.change(subject, actor, reactions, reply.reactions);
      const changes = { ...(body && changedBody(reply, body)), ...(reacted && { reactions: reacted }) };
      if (Object.keys(changes).length === 0) return reply;
      const updated = await this.replies
        .findOneAndUpdate({ _id: id }, { $set: changes, $inc: { version: 1 } }, { returnDocument: 'after' })
        .lean<CommentReply>();
      if (!updated) throw notFound();
      const size = { before: reply.size, after: updated.size };
      // reactions alone are not recorded
      if ('body' in changes) await this.record(reply, 'comment-reply.update', id, { size });
      return updated;
    });
  }

  /** Removes a reply with all reactions. @throws NotFoundException when it is gone. */
  async remove(comment: Pick<Comment, '_id'>, id: string): Promise<void> {
    const under = { comment: comment._id, reply: id };
    let isLeft = await this.inTurn(comment, async () => {
      const gone = await this.replies.findOneAndDelete({ _id: id, comment: comment._id }).lean<CommentReply>();
      if (!gone) throw notFound();
      await this.count(comment, -1);
      const removed = await this.reactions.removeUnder(under, BATCH);
      await this.record(gone, 'comment-reply.delete', id, removedWith({ comment: comment._id }));
      return removed >= BATCH;
    });
    while (isLeft) isLeft = (await this.reactions.removeUnder(under, BATCH)) >= BATCH;
  }

  /** Removes up to `limit` replies to a comment that is removed; answers how many there were. */
  removeUnder(comment: string, limit: number): Promise<number> {
    return this.removeSome({ comment }, limit);
  }

  /** Removes up to `limit` replies of a space that is purged; answers how many there were. */
  removeOf(space: string, limit: number): Promise<number> {
    return this.removeSome({ space }, limit);
  }

  private async removeSome(filter: Record<string, string>, limit: number): Promise<number> {
    const found = await this.replies.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    if (found.length > 0) await this.replies.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  /** Runs `work` in a transaction, after all other work on the replies to that comment in this process; joins such work. */
  async inTurn<T>({ _id }: Pick<Comment, '_id'>, work: () => Promise<T>): Promise<T> {
    if (this.database.inTransaction) return work();
    return this.lock.run(_id, () => this.database.transaction(work));
  }

  private async record(
    { space }: Pick<CommentReply, 'space'>,
    action: AuditAction,
    id: string,
    changes: Changes,
  ): Promise<void> {
    await this.audit.record({ organization: await this.spaces.organizationOf(space), action, id, changes });
  }

  /** Adds `by` to the replies of `comment`. */
  private async count({ _id }: Pick<Comment, '_id'>, by: number): Promise<void> {
    const { matchedCount } = await this.comments.updateOne({ _id }, { $inc: { replies: by } });
    if (matchedCount === 0) throw new NotFoundException('Comment not found');
  }
}

const notFound = (): NotFoundException => new NotFoundException('Comment reply not found');
