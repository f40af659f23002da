import { atLeast, type Role } from '../common/roles.js';
import type { Space } from './space.schema.js';

/** What the caller may do in a space. */
export class SpacePermissions {
  /** See the content. */
  view!: boolean;
  /** Open the space in the application. */
  access!: boolean;
  /** Change its settings, move and delete it. */
  admin!: boolean;
  viewInviteLinks!: boolean;
  /** Edit content, directly or through change requests. */
  edit!: boolean;
  /** Always false: there is no Git synchronization here. */
  triggerGitSync!: boolean;
  /** See and write comments. */
  comment!: boolean;
  /** Merge change requests. */
  merge!: boolean;
  /** Review change requests. */
  review!: boolean;
}

/**
 * What a caller holding `role` (`null`: none) may do with `space`; `admitted`: a published site or a share key lets the
 * caller read it. In the trash a space is there for its administrators alone.
 */
export function spacePermissions(
  role: Role | null,
  space: Pick<Space, 'deletedAt'>,
  admitted = false,
): SpacePermissions {
  const live = space.deletedAt === null;
  const admin = atLeast(role, 'admin');
  return {
    view: live ? role !== null || admitted : admin,
    access: live ? role !== null : admin,
    admin,
    viewInviteLinks: live && admin,
    edit: live && atLeast(role, 'edit'),
    triggerGitSync: false,
    comment: live && atLeast(role, 'comment'),
    merge: live && atLeast(role, 'review'),
    review: live && atLeast(role, 'review'),
  };
}
