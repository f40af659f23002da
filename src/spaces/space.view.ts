import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import type { Urls } from '../common/urls.js';
import type { Organization } from '../organizations/index.js';
import { SpacePermissions, spacePermissions } from './space.policy.js';
import type { Space } from './space.schema.js';

/** Addresses of a space. */
export class SpaceUrls {
  /** The space in this API. */
  location!: string;
  /** The space in the application. */
  app!: string;
}

/** A space, as the API returns it. */
export class SpaceView {
  object!: 'space';
  id!: string;
  title!: string;
  emoji!: string;
  /** Who can read it; follows from the sites that carry it and from its level. */
  visibility!: 'public' | 'unlisted' | 'share-link' | 'visitor-auth' | 'in-collection' | 'private';
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
  /** When it went to the trash; ISO 8601, UTC. */
  deletedAt?: string;
  /** `locked`: primary content changes through change requests only. */
  editMode!: 'live' | 'locked';
  urls!: SpaceUrls;
  /** Id of the organization that owns it. */
  organization!: string;
  /** Id of the collection it stands in. */
  parent?: string;
  /** Id of the revision that is its primary content. */
  revision!: string;
  /** Role of members without an entry of their own; `null`: none. */
  defaultLevel!: Role | null;
  /** Open comments on primary content. */
  comments!: number;
  changeRequests!: number;
  changeRequestsOpen!: number;
  changeRequestsDraft!: number;
  permissions!: SpacePermissions;
}

export class SpacePage extends PageOf(SpaceView) {}

/** What the shape of a space takes from elsewhere. */
export interface SpaceSurroundings {
  /** The caller's effective role. */
  role: Role | null;
  /** The organization that owns the space. */
  organization: Pick<Organization, 'defaultRole'>;
  urls: Urls;
}

/** Shapes `space` for a caller. */
export function toSpace(space: Space, { role, organization, urls }: SpaceSurroundings): SpaceView {
  return {
    object: 'space',
    id: space._id,
    title: space.title,
    emoji: space.emoji,
    visibility: space.parent !== null && space.defaultLevel === 'inherit' ? 'in-collection' : 'private',
    createdAt: space.createdAt.toISOString(),
    updatedAt: space.updatedAt.toISOString(),
    ...(space.deletedAt && { deletedAt: space.deletedAt.toISOString() }),
    editMode: space.editMode,
    urls: { location: urls.api('spaces', space._id), app: urls.app('s', space._id) },
    organization: space.organization,
    ...(space.parent !== null && { parent: space.parent }),
    revision: space.revision,
    // what it inherits is shown resolved (decision 3.26)
    defaultLevel: space.defaultLevel === 'inherit' ? organization.defaultRole : space.defaultLevel,
    comments: space.comments,
    changeRequests: space.changeRequests,
    changeRequestsOpen: space.changeRequestsOpen,
    changeRequestsDraft: space.changeRequestsDraft,
    permissions: spacePermissions(role, space),
  };
}
