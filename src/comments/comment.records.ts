import { owned, type Rule } from '../database/index.js';
import type { Comment, ReactionGroup } from './comment.schema.js';
import type { Reaction } from './reaction.schema.js';
import type { CommentReply } from './reply.schema.js';

const reactors = (groups: readonly ReactionGroup[]): string[] =>
  groups.flatMap(({ users }) => users.map(({ user }) => user));

/** What people have said goes where an organization goes. */
export const COMMENT_RECORDS: readonly Rule[] = [
  owned<Comment>('comments', {
    of: ['spaces'],
    by: 'space',
    needs: { change_requests: ({ changeRequest }) => [changeRequest], revisions: ({ revision }) => [revision] },
    people: ({ postedBy, resolvedBy, reactions }) => [postedBy, resolvedBy, ...reactors(reactions)],
  }),
  owned<CommentReply>('comment_replies', {
    of: ['spaces'],
    by: 'space',
    needs: { comments: ({ comment }) => [comment] },
    people: ({ postedBy, reactions }) => [postedBy, ...reactors(reactions)],
  }),
  owned<Reaction>('comment_reactions', {
    of: ['spaces'],
    by: 'space',
    needs: { comments: ({ comment }) => [comment], comment_replies: ({ reply }) => [reply] },
    people: ({ user }) => [user],
  }),
];
