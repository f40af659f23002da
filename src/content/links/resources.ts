import type { Role } from '../../common/roles.js';
import type { OpenApiSpec } from '../../openapi/index.js';
import type { Member, Organization } from '../../organizations/index.js';
import type { FileEntry, ReusableContent, Revision, TreePage } from '../../revisions/index.js';
import type { ChangeRequestView } from '../change-request.view.js';
import type { Collection, DefaultLevel, Publication, Space } from '../../spaces/index.js';
import type { User } from '../../users/index.js';
import type { LinkStatus } from './link.schema.js';

/** A space with what is shown of it: for whom, and at which revision. */
export interface SpaceContext {
  readonly space: Space;
  /** The caller's effective role. */
  readonly role: Role | null;
  /** The explicit level of the nearest collection above, or `inherit`. */
  readonly level: DefaultLevel;
  readonly organization: Organization;
  /** The caller's membership; `null`: none. */
  readonly member: Member | null;
  readonly revision: Revision;
  /** How published sites show the space; absent: none does. */
  readonly publication?: Publication;
  /** Where the revision is that of a change request: the change request. */
  readonly changeRequest?: ChangeRequestView;
}

/** Something that links lead to, or stand in, loaded (decision 3.72). */
export type LinkedResource =
  | { readonly kind: 'page'; readonly context: SpaceContext; readonly page: TreePage; readonly anchor?: string }
  | { readonly kind: 'file'; readonly context: SpaceContext; readonly file: FileEntry }
  | { readonly kind: 'reusable-content'; readonly context: SpaceContext; readonly content: ReusableContent }
  | { readonly kind: 'space'; readonly context: SpaceContext }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'user'; readonly user: User; readonly showEmail: boolean }
  | ({ readonly kind: 'openapi'; readonly spec: OpenApiSpec } & Pick<SpaceContext, 'organization' | 'member'>)
  | ({ readonly kind: 'collection'; readonly collection: Collection } & Omit<
      SpaceContext,
      'space' | 'revision' | 'publication'
    >);

/** A target with all places that lead to it. */
export interface LinkItem {
  readonly status: LinkStatus;
  /** Whether some page needs it (decision 3.74). */
  readonly needed: boolean;
  /** Absent when it is broken. */
  readonly target?: LinkedResource;
  readonly locations: readonly LinkedResource[];
}
