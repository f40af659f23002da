import { atLeast, type Role } from '../common/roles.js';

/** What the caller may do with a comment or a reply. */
export class CommentPermissions {
  view!: boolean;
  /** Change its text. */
  edit!: boolean;
  /** React, and reply. */
  reply!: boolean;
  delete!: boolean;
}

/** Who asks, and with which effective role in the space. */
export interface CommentActor {
  user: string;
  role: Role | null;
}

/** What `actor` may do with a comment, or a reply, that `postedBy` wrote (decisions, section 2). */
export function commentPermissions(
  { postedBy }: { postedBy: string },
  { user, role }: CommentActor,
): CommentPermissions {
  const comment = atLeast(role, 'comment');
  const own = comment && user === postedBy;
  return { view: comment, edit: own, reply: comment, delete: own || atLeast(role, 'admin') };
}

/** Whether `actor` may resolve and reopen a comment that `postedBy` wrote: the author, or who edits the space. */
export function mayResolve({ postedBy }: { postedBy: string }, { user, role }: CommentActor): boolean {
  return atLeast(role, 'comment') && (user === postedBy || atLeast(role, 'edit'));
}
