/**
 * What is recorded: each action with the kind of thing that it is done to, as that thing's `object` says it in answers.
 * docs/house-style.md tells when each is written. Names are kept for ever: records hold them.
 */
export const AUDITED = {
  'organization.create': 'organization',
  'organization.update': 'organization',
  'organization.set-merge-rules': 'organization',
  'member.add': 'member',
  'member.invite': 'member',
  'member.join': 'member',
  'member.update': 'member',
  'member.remove': 'member',
  'invite.create': 'invite',
  'invite.update': 'invite',
  'invite.delete': 'invite',
  'team.create': 'team',
  'team.update': 'team',
  'team.update-members': 'team',
  'team.delete': 'team',
  'collection.create': 'collection',
  'collection.update': 'collection',
  'collection.move': 'collection',
  'collection.grant': 'collection',
  'collection.delete': 'collection',
  'space.create': 'space',
  'space.duplicate': 'space',
  'space.update': 'space',
  'space.move': 'space',
  'space.transfer': 'space',
  'space.grant': 'space',
  'space.set-merge-rules': 'space',
  'space.delete': 'space',
  'space.restore': 'space',
  'space.purge': 'space',
  'content.edit': 'space',
  'content.import': 'space',
  'change-request.create': 'change-request',
  'change-request.update': 'change-request',
  'change-request.edit': 'change-request',
  'change-request.pull': 'change-request',
  'change-request.request-reviews': 'change-request',
  'change-request.withdraw-request': 'change-request',
  'change-request.review': 'change-request',
  'change-request.merge': 'change-request',
  'comment.create': 'comment',
  'comment.update': 'comment',
  'comment.resolve': 'comment',
  'comment.reopen': 'comment',
  'comment.delete': 'comment',
  'comment-reply.create': 'comment-reply',
  'comment-reply.update': 'comment-reply',
  'comment-reply.delete': 'comment-reply',
} as const;

export type AuditAction = keyof typeof AUDITED;

/** Every action, in the order of the table. */
export const AUDIT_ACTIONS = Object.keys(AUDITED) as AuditAction[];
