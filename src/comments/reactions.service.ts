import { ConflictException, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { reactionId } from './comment.view.js';
import type { Comment, ReactionGroup } from './comment.schema.js';
import { Reaction } from './reaction.schema.js';
import type { CommentReply } from './reply.schema.js';
import { type AskedReactions, MAX_EMOJI, namesTooFew, SHOWN, withoutReaction, withReaction } from './reactions.js';

/** What is reacted to: a comment, or (`reply`) a reply to it. */
export interface ReactionSubject {
  space: string;
  comment: string;
  reply: string | null;
}

/** Reactions: a record each, of which comments and replies keep how many there are and who came first. */
@Injectable()
export class ReactionsService {
  constructor(@InjectModel(Reaction.name) private readonly reactions: Model<Reaction>) {}

  /**
   * Does what `user` asks for: adds, then removes; what is so already stays (decision 3.57). Joins a surrounding
   * transaction, in which the caller writes the answer into what is reacted to.
   *
   * @param groups The reactions as they are.
   * @returns The reactions as they are then; `null` when nothing changes.
   * @throws ConflictException beyond {@link MAX_EMOJI} different ones.
   */
  async change(
    subject: ReactionSubject,
    user: string,
    { add, remove }: AskedReactions,
    groups: readonly ReactionGroup[],
  ): Promise<ReactionGroup[] | null> {
    const { comment, reply } = subject;
    const present = await this.reactions.find({ comment, reply, user }, { key: 1 }).lean<Pick<Reaction, 'key'>[]>();
    const own = new Set(present.map(({ key }) => key));
    const added = [...add].filter(([key]) => !own.has(key) && !remove.has(key));
    const removed = [...remove].filter((key) => own.has(key));
    if (added.length + removed.length === 0) return null;
    const reactedAt = new Date();
    let changed = groups;
    for (const [key, emoji] of added) changed = withReaction(changed, { key, emoji, user, reactedAt });
    for (const key of removed) changed = withoutReaction(changed, key, user);
    if (added.length > 0 && changed.length > MAX_EMOJI) {
      throw new ConflictException(
        `addedReactions: there are ${MAX_EMOJI} different emoji here already, and no room for more`,
      );
    }
    if (added.length > 0) {
      await this.reactions.insertMany(added.map(([key]) => ({ ...subject, user, key, reactedAt })));
    }
    if (removed.length > 0) await this.reactions.deleteMany({ comment, reply, user, key: { $in: removed } });
    const named: ReactionGroup[] = [];
    for (const group of changed) named.push(namesTooFew(group) ? await this.renamed(subject, group) : group);
    return named;
  }

  /**
   * When `user` reacted to those of `posted`, comments or replies to one comment, that do not name everybody who did; by
   * `reactionId`. One query at the most.
   */
  async ownOf(user: string, posted: readonly (Comment | CommentReply)[]): Promise<Map<string, Date>> {
    const partly = posted.filter(({ reactions }) => reactions.some(({ count, users }) => count > users.length));
    const [first] = partly;
    if (!first) return new Map();
    const ids = partly.map(({ _id }) => _id);
    const filter =
      'comment' in first ? { comment: first.comment, reply: { $in: ids } } : { comment: { $in: ids }, reply: null };
    const own = await this.reactions.find({ ...filter, user }).lean<Reaction[]>();
    return new Map(own.map((one) => [reactionId(one.reply ?? one.comment, one.key), one.reactedAt]));
  }

  /** Removes up to `limit` reactions to a comment and its replies, or to one reply; answers how many there were. */
  removeUnder(under: { comment: string; reply?: string }, limit: number): Promise<number> {
    return this.removeSome(under, limit);
  }

  /** Removes up to `limit` reactions of a space that is purged; answers how many there were. */
  removeOf(space: string, limit: number): Promise<number> {
    return this.removeSome({ space }, limit);
  }

  private async removeSome(filter: Record<string, string>, limit: number): Promise<number> {
    const found = await this.reactions.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    if (found.length > 0) await this.reactions.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }

  /** The reactions to `subject` as their records tell them, spelled as in `groups` where an emoji is known there. */
  async recount(subject: ReactionSubject, groups: readonly ReactionGroup[]): Promise<ReactionGroup[]> {
    const { comment, reply } = subject;
    const counts = await this.reactions.aggregate<{ _id: string; count: number; first: Date }>([
      { $match: { comment, reply } },
      { $group: { _id: '$key', count: { $sum: 1 }, first: { $min: '$reactedAt' } } },
      { $sort: { first: 1, _id: 1 } },
    ]);
    const named: ReactionGroup[] = [];
    for (const { _id: key, count } of counts) {
      const emoji = groups.find((group) => group.key === key)?.emoji ?? key;
      named.push(await this.renamed(subject, { key, emoji, count, users: [] }));
    }
    return named;
  }

  /** `group` with the first people named anew. */
  private async renamed({ comment, reply }: ReactionSubject, group: ReactionGroup): Promise<ReactionGroup> {
    const first = await this.reactions
      .find({ comment, reply, key: group.key }, { user: 1, reactedAt: 1 })
      .sort({ reactedAt: 1, _id: 1 })
      .limit(SHOWN)
      .lean<Pick<Reaction, 'user' | 'reactedAt'>[]>();
    return { ...group, users: first.map(({ user, reactedAt }) => ({ user, reactedAt })) };
  }
}
