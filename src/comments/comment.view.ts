import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import type { JSONDocumentView } from '../content/index.js';
import { UserView } from '../users/index.js';
import type { Comment, ReactionGroup } from './comment.schema.js';
import { type CommentActor, CommentPermissions, commentPermissions } from './comment.policy.js';
import { CommentPageView } from './comment-page.view.js';
import type { Place } from './place.js';
import type { CommentReply } from './reply.schema.js';

/** A text in the form that was asked for; nothing in it for a comment without a text (decision 3.54). */
export type CommentBodyView = { markdown: string } | { document: JSONDocumentView } | Record<string, never>;

/** The description of the text of a comment. */
export const COMMENT_BODY: ApiPropertyOptions = {
  oneOf: [
    {
      type: 'object',
      required: ['markdown'],
      properties: { markdown: { type: 'string', maxLength: 100_000 } },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['document'],
      properties: {
        document: {
          type: 'object',
          required: ['object', 'data', 'nodes'],
          properties: {
            object: { type: 'string', enum: ['document'] },
            data: { type: 'object', properties: { schemaVersion: { type: 'integer' } }, additionalProperties: true },
            nodes: { type: 'array', items: { type: 'object' } },
          },
        },
      },
      additionalProperties: false,
    },
    { type: 'object', additionalProperties: false },
  ],
  example: { markdown: 'Which version is *that*?' },
};

/** That somebody reacted. */
export class ReactorView {
  user!: UserView;
  /** ISO 8601, UTC. */
  reactedAt!: string;
}

/** The reactions with one emoji. */
export class ReactionView {
  emoji!: string;
  /** How many people reacted with it. */
  count!: number;
  /** The first fifty of them in the order in which they did, and the caller. */
  users!: ReactorView[];
}

/** Addresses of a comment or a reply. */
export class CommentUrls {
  /** It in this API. */
  location!: string;
}

/** The block that a comment is about. */
export class CommentNodeView {
  id!: string;
  /** How the text of the block began when the comment was written, 140 characters at the most. */
  preview?: string;
}

/** What a comment is about. */
export class CommentTargetView {
  node?: CommentNodeView;
  /** Id of the change request. */
  changeRequest?: string;
  /** Id of the review that it came with. */
  review?: string;
  page?: CommentPageView;
  /** Id of the space. */
  space!: string;
  /** Id of the revision in which all of this can be found. */
  revision!: string;
}

/** What a reply and a comment have in common. */
export class PostedView {
  id!: string;
  /** Who wrote it; absent when the account is gone. */
  postedBy?: UserView;
  /** ISO 8601, UTC. */
  postedAt!: string;
  /** When the text was last changed; ISO 8601, UTC. */
  editedAt?: string;
  reactions!: ReactionView[];
  @ApiProperty(COMMENT_BODY)
  body!: CommentBodyView;
  urls!: CommentUrls;
  permissions!: CommentPermissions;
}

/** A comment, as the API returns it. */
export class CommentView extends PostedView {
  object!: 'comment';
  /** How many replies it has. */
  replies!: number;
  target!: CommentTargetView;
  status!: 'open' | 'resolved';
  /** Only while it is resolved; ISO 8601, UTC. */
  resolvedAt?: string;
  /** Only while it is resolved. */
  resolvedBy?: UserView;
}

/** A reply, as the API returns it. */
export class CommentReplyView extends PostedView {
  object!: 'comment-reply';
}

export class CommentPage extends PageOf(CommentView) {}
export class CommentReplyPage extends PageOf(CommentReplyView) {}

/** What the shape of comments takes from elsewhere. */
export interface CommentContext {
  place: Place;
  viewer: CommentActor;
  urls: Urls;
  /** People by their ids; without those whose accounts are gone. */
  people: ReadonlyMap<string, UserView>;
  /** When the viewer reacted where that may not be among the first; by {@link reactionId}. */
  own: ReadonlyMap<string, Date>;
}

/** What of a comment is worked out when it is read. */
export interface ReadParts {
  body: CommentBodyView;
  page?: CommentPageView | undefined;
}

/** What tells a reaction of one person from their others: what they reacted to, and how. */
export const reactionId = (subject: string, key: string): string => `${subject} ${key}`;

/** Shapes `comment`. */
export function toComment(comment: Comment, { body, page }: ReadParts, context: CommentContext): CommentView {
  const { resolvedAt, resolvedBy } = comment;
  const resolver = resolvedBy === null ? undefined : context.people.get(resolvedBy);
  return {
    object: 'comment',
    ...toPosted(comment, body, context),
    replies: comment.replies,
    target: toTarget(comment, page),
    urls: { location: context.urls.api(...placePath(context.place), comment._id) },
    status: comment.status,
    ...(resolvedAt && { resolvedAt: resolvedAt.toISOString() }),
    ...(resolver && { resolvedBy: resolver }),
  };
}

/** Shapes `reply`. */
export function toCommentReply(reply: CommentReply, body: CommentBodyView, context: CommentContext): CommentReplyView {
  return {
    object: 'comment-reply',
    ...toPosted(reply, body, context),
    urls: { location: context.urls.api(...placePath(context.place), reply.comment, 'replies', reply._id) },
  };
}

function placePath({ space, changeRequest }: Place): string[] {
  const inside = changeRequest === null ? [] : ['change-requests', changeRequest];
  return ['spaces', space, ...inside, 'comments'];
}

function toPosted(
  { _id, postedBy, postedAt, editedAt, reactions }: Comment | CommentReply,
  body: CommentBodyView,
  context: CommentContext,
): Omit<PostedView, 'urls'> {
  const author = context.people.get(postedBy);
  return {
    id: _id,
    ...(author && { postedBy: author }),
    postedAt: postedAt.toISOString(),
    ...(editedAt && { editedAt: editedAt.toISOString() }),
    reactions: reactions.map((group) => toReaction(_id, group, context)),
    body,
    permissions: commentPermissions({ postedBy }, context.viewer),
  };
}

function toReaction(
  subject: string,
  { key, emoji, count, users }: ReactionGroup,
  { viewer, people, own }: CommentContext,
): ReactionView {
  const mine = own.get(reactionId(subject, key));
  const isMissing = mine && !users.some(({ user }) => user === viewer.user);
  const shown = isMissing ? [...users, { user: viewer.user, reactedAt: mine }] : users;
  return {
    emoji,
    count,
    users: shown.flatMap(({ user, reactedAt }) => {
      const person = people.get(user);
      return person ? [{ user: person, reactedAt: reactedAt.toISOString() }] : [];
    }),
  };
}

function toTarget(
  { node, changeRequest, review, space, revision }: Comment,
  page: CommentPageView | undefined,
): CommentTargetView {
  return {
    ...(node && { node: { id: node.id, ...(node.preview !== null && { preview: node.preview }) } }),
    ...(changeRequest !== null && { changeRequest }),
    ...(review !== null && { review }),
    ...(page && { page }),
    space,
    revision,
  };
}
