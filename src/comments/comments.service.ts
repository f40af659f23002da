import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, type AuditAction, type Changes, changesBetween, madeWith, removedWith } from '../audit/index.js';
import { ChangeRequestsService } from '../change-requests/index.js';
import { DomainEvents } from '../common/domain-events.js';
import { isId, newId } from '../common/ids.js';
import { KeyedLock } from '../common/keyed-lock.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { SpacesService } from '../spaces/index.js';
import type { KeptBody } from './comment-body.js';
import { Comment, type CommentStatus } from './comment.schema.js';
import { ofPlace, type Place } from './place.js';
import { type AskedReactions } from './reactions.js';
import { ReactionsService } from './reactions.service.js';
import { RepliesService } from './replies.service.js';
import { BATCH, changedBody, LIST_WEIGHT } from './written.js';

/** Which comments a list holds. */
export interface CommentsFilter extends ListQuery {
  status?: 'all' | CommentStatus;
  /** Id of the page that they are about. */
  targetPage?: string;
  /** Ids of people of whom one wrote them. */
  authors?: string[];
}

/** What a comment is made of. */
export interface NewComment extends Pick<Comment, 'page' | 'node' | 'revision' | 'postedBy'> {
  /** A new id unless given. */
  _id?: string;
  body: KeptBody;
  /** Id of the review that it comes with. */
  review?: string | null;
}

/** What a change of a comment asks for; what is absent stays. */
export interface CommentChanges {
  resolved?: boolean;
  body?: KeptBody;
  reactions: AskedReactions;
}

/** What a comment is before anybody has done anything with it. */
const UNTOUCHED = {
  editedAt: null,
  status: 'open',
  resolvedAt: null,
  resolvedBy: null,
  reactions: [],
  replies: 0,
  version: 1,
} satisfies Partial<Comment>;

/** Comments, and how many of them are open. */
@Injectable()
export class CommentsService {
  private readonly lock = new KeyedLock();

  constructor(
    @InjectModel(Comment.name) private readonly comments: Model<Comment>,
    private readonly database: Database,
    private readonly spaces: SpacesService,
    private readonly changeRequests: ChangeRequestsService,
    private readonly replies: RepliesService,
    private readonly reactions: ReactionsService,
    private readonly audit: Audit,
    private readonly events: DomainEvents,
  ) {}

  /** One page of the comments of `place`, newest first unless `query` says otherwise (decisions 5.43, 5.44). */
  list(place: Place, { status = 'all', targetPage, authors, ...query }: CommentsFilter): Promise<Page<Comment>> {
    const filter = {
      ...ofPlace(place),
      ...(status !== 'all' && { status }),
      ...(targetPage !== undefined && { 'page.id': targetPage }),
      ...(authors && { postedBy: authors.length === 1 ? authors[0] : { $in: authors } }),
    };
    return findPage(this.comments, filter, query, { sort: 'postedAt', weight: LIST_WEIGHT });
  }

  /** The comment `id` of `place`. @throws NotFoundException when there is none. */
  async get(place: Place, id: string): Promise<Comment> {
    const comment = isId(id) ? await this.comments.findOne({ _id: id, ...ofPlace(place) }).lean<Comment>() : null;
    if (!comment) throw notFound();
    return comment;
  }

  /** Those of the comments `ids` of `place` that are there, by id. */
  async getMany(place: Place, ids: readonly string[]): Promise<Map<string, Comment>> {
    if (ids.length === 0) return new Map();
    const found = await this.comments.find({ _id: { $in: [...ids] }, ...ofPlace(place) }).lean<Comment[]>();
    return new Map(found.map((comment) => [comment._id, comment]));
  }

  /** How heavy those of the comments `ids` of `place` that are there are in a list, by id. */
  async sizesOf(place: Place, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const filter = { _id: { $in: [...ids] }, ...ofPlace(place) };
    const found = await this.comments.find(filter, { size: 1 }).lean<Pick<Comment, '_id' | 'size'>[]>();
    return new Map(found.map(({ _id, size }) => [_id, size]));
  }

  /** Writes a comment of `place`. @throws NotFoundException when the place is gone. */
  create(place: Place, given: NewComment): Promise<Comment> {
    return this.inTurn(place, () => this.insert(place, given));
  }

  /** Writes a comment of `place` within the transaction of {@link inTurn}. */
  async insert(place: Place, { _id = newId(), body, review = null, ...given }: NewComment): Promise<Comment> {
    const organization = await this.count(place, 1);
    const made: Comment = {
      ...UNTOUCHED,
      ...given,
      _id,
      ...ofPlace(place),
      review,
      postedAt: new Date(),
      body,
      size: body.text.length,
    };
    await this.database.insert(this.comments, [made]);
    await this.audit.record({ organization, action: 'comment.create', id: _id, changes: madeWith(whereOf(place)) });
    const told = { organization, ...ofPlace(place), comment: _id, author: given.postedBy };
    await this.events.emit('comment.added', told);
    return made;
  }

  /**
   * Changes what `changes` names and is not so already, as `actor`; `editedAt` moves with the text alone (decision 4.6).
   * @throws NotFoundException when it is gone, ConflictException for too many different emoji.
   */
  update(place: Place, id: string, { resolved, body, reactions }: CommentChanges, actor: string): Promise<Comment> {
    return this.inTurn(place, async () => {
      const comment = await this.get(place, id);
      const subject = { space: comment.space, comment: id, reply: null };
      const reacted = await this.reactions.change(subject, actor, reactions, comment.reactions);
      const changes: Partial<Comment> = {
        ...(body && changedBody(comment, body)),
        ...(resolved !== undefined && resolution(comment, resolved, actor)),
        ...(reacted && { reactions: reacted }),
      };
      if (Object.keys(changes).length === 0) return comment;
      const updated = await this.comments
        .findOneAndUpdate({ _id: id }, { $set: changes, $inc: { version: 1 } }, { returnDocument: 'after' })
        .lean<Comment>();
      if (!updated) throw notFound();
      if (changes.status !== undefined) await this.count(place, changes.status === 'open' ? 1 : -1);
      const action = actionOf(changes);
      if (action) await this.record(place, action, id, changesBetween(comment, updated, ['size', 'status']));
      return updated;
    });
  }

  /**
   * Removes a comment with its replies and all reactions. Those beyond {@link BATCH} go after it: without it nobody can
   * come to them. @throws NotFoundException when it is gone.
   */
  async remove(place: Place, id: string): Promise<void> {
    const left = await this.inTurn(place, async () => {
      const removed = await this.comments.findOneAndDelete({ _id: id, ...ofPlace(place) }).lean<Comment>();
      if (!removed) throw notFound();
      if (removed.status === 'open') await this.count(place, -1);
      const replies = await this.replies.removeUnder(id, BATCH);
      const reactions = await this.reactions.removeUnder({ comment: id }, BATCH);
      await this.record(place, 'comment.delete', id, removedWith(whereOf(place)));
      return { replies: replies >= BATCH, reactions: reactions >= BATCH };
    });
    while (left.replies) left.replies = (await this.replies.removeUnder(id, BATCH)) >= BATCH;
    while (left.reactions) left.reactions = (await this.reactions.removeUnder({ comment: id }, BATCH)) >= BATCH;
  }

  /**
   * Runs `work` in a transaction, after all other work on the comments of that space in this process: each counts in the
   * same record, so that they would only have to be done again. Within such work it joins that.
   */
  async inTurn<T>({ space }: Place, work: () => Promise<T>): Promise<T> {
    if (this.database.inTransaction) return work();
    return this.lock.run(space, () => this.database.transaction(work));
  }

  /** Removes up to `limit` comments of a space that is purged; answers how many there were. */
  async removeOf(space: string, limit: number): Promise<number> {
    const found = await this.comments.find({ space }, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    await this.comments.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  private async record({ space }: Place, action: AuditAction, id: string, changes: Changes): Promise<void> {
    await this.audit.record({ organization: await this.spaces.organizationOf(space), action, id, changes });
  }

  /** Adds `by` to the open comments of `place`; answers the organization that has it. */
  private async count({ space, changeRequest }: Place, by: number): Promise<string> {
    if (changeRequest === null) return (await this.spaces.adjustCounters(space, { comments: by })).organization;
    await this.changeRequests.adjustComments({ _id: changeRequest }, by);
    return this.spaces.organizationOf(space);
  }
}

/** What a change of a comment is recorded as; reactions alone are not. */
function actionOf({ body, status }: Partial<Comment>): AuditAction | undefined {
  if (body) return 'comment.update';
  if (status === undefined) return undefined;
  return status === 'resolved' ? 'comment.resolve' : 'comment.reopen';
}

/** Where a comment stands, as it is recorded. */
function whereOf({ space, changeRequest }: Place): Record<string, string> {
  return { space, ...(changeRequest !== null && { changeRequest }) };
}

/** What it takes to resolve `comment`, or to open it again; nothing when it is so already. */
function resolution({ status }: Comment, resolved: boolean, actor: string): Partial<Comment> {
  if (resolved === (status === 'resolved')) return {};
  return resolved
    ? { status: 'resolved', resolvedAt: new Date(), resolvedBy: actor }
    : { status: 'open', resolvedAt: null, resolvedBy: null };
}

const notFound = (): NotFoundException => new NotFoundException('Comment not found');
