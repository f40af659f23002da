import { atLeast, type Role } from '../common/roles.js';

/** What the caller may do in a collection. */
export class CollectionPermissions {
  /** See it. */
  view!: boolean;
  /** Change its settings, move and delete it. */
  admin!: boolean;
  viewInviteLinks!: boolean;
  /** Make spaces and collections in it, and move others into it. */
  create!: boolean;
}

/** What a caller holding `role` (`null`: none) may do in a collection. */
export function collectionPermissions(role: Role | null): CollectionPermissions {
  return {
    view: role !== null,
    admin: atLeast(role, 'admin'),
    viewInviteLinks: atLeast(role, 'admin'),
    create: atLeast(role, 'create'),
  };
}
