import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Database, inBatches, Invariants, type Problem } from '../database/index.js';
import { Comment, type ReactionGroup } from './comment.schema.js';
import { Reaction } from './reaction.schema.js';
import { type ReactionSubject, ReactionsService } from './reactions.service.js';
import { CommentReply } from './reply.schema.js';

/** What was reacted to, with what it knows of that. */
interface Reacted {
  subject: ReactionSubject;
  reactions: ReactionGroup[];
}

/** Tells `doctor` that what comments and replies know of reactions must be what their records say. */
@Injectable()
export class ReactionsInvariants implements OnModuleInit {
  constructor(
    @InjectModel(Comment.name) private readonly comments: Model<Comment>,
    @InjectModel(CommentReply.name) private readonly replies: Model<CommentReply>,
    @InjectModel(Reaction.name) private readonly reactions: Model<Reaction>,
    private readonly service: ReactionsService,
    private readonly invariants: Invariants,
    private readonly database: Database,
  ) {}

  /** Adds the invariant. */
  onModuleInit(): void {
    this.invariants.add('every comment and reply knows who reacted to it', () => this.miscounted());
  }

  private async *miscounted(): AsyncGenerator<Problem> {
    for await (const batch of inBatches(this.comments, ['space', 'reactions'])) {
      yield* this.problemsOf(
        batch.map(({ _id, space, reactions }) => ({ subject: { space, comment: _id, reply: null }, reactions })),
      );
    }
    for await (const batch of inBatches(this.replies, ['space', 'comment', 'reactions'])) {
      yield* this.problemsOf(
        batch.map(({ _id, space, comment, reactions }) => ({ subject: { space, comment, reply: _id }, reactions })),
      );
    }
  }

  private async *problemsOf(reacted: Reacted[]): AsyncGenerator<Problem> {
    const replies = reacted.flatMap(({ subject }) => subject.reply ?? []);
    const counts = await this.reactions.aggregate<{
      _id: { comment: string; reply: string | null; key: string };
      count: number;
    }>([
      {
        $match: {
          comment: { $in: [...new Set(reacted.map(({ subject }) => subject.comment))] },
          reply: replies.length === 0 ? null : { $in: replies },
        },
      },
      { $group: { _id: { comment: '$comment', reply: '$reply', key: '$key' }, count: { $sum: 1 } } },
    ]);
    const known = new Map<string, string[]>();
    for (const { _id, count } of counts) {
      const id = _id.reply ?? _id.comment;
      known.set(id, [...(known.get(id) ?? []), `${_id.key} ${count}`]);
    }
    for (const { subject, reactions } of reacted) {
      const id = subject.reply ?? subject.comment;
      const [there, counted] = [known.get(id) ?? [], reactions.map(({ key, count }) => `${key} ${count}`)];
      if (there.sort().join() === counted.sort().join()) continue;
      yield {
        where: `${subject.reply === null ? 'comment' : 'reply'} ${id}`,
        what: `it counts the reactions ${counted.join(', ') || 'none'}, and there are ${there.join(', ') || 'none'}`,
        repair: () => this.repair(subject, reactions),
      };
    }
  }

  private repair(subject: ReactionSubject, groups: ReactionGroup[]): Promise<void> {
    return this.database.transaction(async () => {
      const reactions = await this.service.recount(subject, groups);
      if (subject.reply === null) await this.comments.updateOne({ _id: subject.comment }, { $set: { reactions } });
      else await this.replies.updateOne({ _id: subject.reply }, { $set: { reactions } });
    });
  }
}
