import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ChangeRequestsService } from '../change-requests/index.js';
import { Database, inBatches, Invariants, type Problem } from '../database/index.js';
import { SpacesService } from '../spaces/index.js';
import { Comment } from './comment.schema.js';
import type { Place } from './place.js';
import { Reaction } from './reaction.schema.js';
import { CommentReply } from './reply.schema.js';

/** Tells `doctor` what must hold between spaces, change requests, comments, replies and reactions. */
@Injectable()
export class CommentsInvariants implements OnModuleInit {
  constructor(
    @InjectModel(Comment.name) private readonly comments: Model<Comment>,
    @InjectModel(CommentReply.name) private readonly replies: Model<CommentReply>,
    @InjectModel(Reaction.name) private readonly reactions: Model<Reaction>,
    private readonly invariants: Invariants,
    private readonly database: Database,
    private readonly spaces: SpacesService,
    private readonly changeRequests: ChangeRequestsService,
  ) {}

  /** Adds the invariants. */
  onModuleInit(): void {
    this.invariants.add('every comment, reply and reaction has what it belongs to', () => this.orphans());
    this.invariants.add('every space and change request knows how many comments are open', () => this.miscounted());
    this.invariants.add('every comment knows how many replies it has', () => this.misreplied());
  }

  private async *orphans(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.comments, ['space', 'changeRequest'])) {
      const spaces = await this.spaces.existing(batch.map(({ space }) => space));
      const requests = await this.changeRequests.findMany(batch.flatMap(({ changeRequest }) => changeRequest ?? []));
      for (const { _id, space, changeRequest } of batch) {
        const belongs = changeRequest === null || requests.get(changeRequest)?.space === space;
        if (!spaces.has(space) || !belongs) yield orphan(this.comments, 'comment', _id);
      }
    }
    for await (const batch of inBatches(this.replies, ['comment'])) {
      const there = await existing(
        this.comments,
        batch.map(({ comment }) => comment),
      );
      for (const { _id, comment } of batch) if (!there.has(comment)) yield orphan(this.replies, 'reply', _id);
    }
    for await (const batch of inBatches(this.reactions, ['comment', 'reply'])) {
      const comments = await existing(
        this.comments,
        batch.map(({ comment }) => comment),
      );
      const replies = await existing(
        this.replies,
        batch.flatMap(({ reply }) => reply ?? []),
      );
      for (const { _id, comment, reply } of batch) {
        const belongs = comments.has(comment) && (reply === null || replies.has(reply));
        if (!belongs) yield orphan(this.reactions, 'reaction', _id);
      }
    }
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const { _id: space, comments } of this.spaces.all()) {
      const place = { space, changeRequest: null };
      const problem = await this.problemOf(place, `space ${space}`, comments, (count) =>
        this.spaces.setCounters(space, { comments: count }),
      );
      if (problem) yield problem;
    }
    for await (const { _id, space, comments } of this.changeRequests.all()) {
      const place = { space, changeRequest: _id };
      const problem = await this.problemOf(place, `change request ${_id}`, comments, (count) =>
        this.changeRequests.setComments({ _id }, count),
      );
      if (problem) yield problem;
    }
  }

  /** What is wrong with `counted`, the open comments that a place counts; `set` puts it right. */
  private async problemOf(
    place: Place,
    where: string,
    counted: number,
    set: (count: number) => Promise<void>,
  ): Promise<Problem | undefined> {
    const open = () => this.comments.countDocuments({ ...place, status: 'open' });
    const count = await open();
    if (count === counted) return undefined;
    const what = `it counts ${counted} open comments, and there are ${count}`;
    return { where, what, repair: () => this.database.transaction(async () => set(await open())) };
  }

  private async *misreplied(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.comments, ['replies'])) {
      const counts = await this.replies.aggregate<{ _id: string; count: number }>([
        { $match: { comment: { $in: batch.map(({ _id }) => _id) } } },
        { $group: { _id: '$comment', count: { $sum: 1 } } },
      ]);
      const byComment = new Map(counts.map(({ _id, count }) => [_id, count]));
      for (const { _id, replies } of batch) {
        const count = byComment.get(_id) ?? 0;
        if (count === replies) continue;
        const what = `it counts ${replies} replies, and there are ${count}`;
        yield { where: `comment ${_id}`, what, repair: () => this.recount(_id) };
      }
    }
  }

  private recount(_id: string): Promise<void> {
    return this.database.transaction(async () => {
      const replies = await this.replies.countDocuments({ comment: _id });
      await this.comments.updateOne({ _id }, { $set: { replies } });
    });
  }
}

async function existing<T extends { _id: string }>(model: Model<T>, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await model.find({ _id: { $in: [...new Set(ids)] } }, { _id: 1 }).lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}

function orphan<T extends { _id: string }>(model: Model<T>, name: string, _id: string): Problem {
  return {
    where: `${name} ${_id}`,
    what: 'what it belongs to is gone',
    repair: async () => {
      await model.deleteOne({ _id });
    },
  };
}
