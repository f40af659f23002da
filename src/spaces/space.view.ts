import { PageOf } from '../common/page.dto.js';
import type { Role } from '../common/roles.js';
import type { Urls } from '../common/urls.js';
import type { Organization } from '../organizations/index.js';
import type { DefaultLevel } from './grant.schema.js';
import type { Publication } from './questions.js';
import { SpacePermissions, spacePermissions } from './space.policy.js';
import type { Space } from './space.schema.js';

/** Addresses of a space. */
export class SpaceUrls {
  /** The space in this API. */
  location!: string;
  /** The space in the application. */
  app!: string;
  /** Where the first published site shows it; of one that takes a share key, only to who sends the key. */
  published?: string;
  /** The same, when everybody can read it there. */
  public?: string;
}

/** A repository that a space is kept in step with; there is none here. */
export class GitSyncView {
  repoName!: string;
  installationProvider!: 'github' | 'gitlab' | 'github-legacy';
  integration!: string;
  url!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
}

/** How visitors of a published site sign in. */
export class VisitorAuthView {
  backend!: 'custom' | 'integration';
  /** Name of the integration. */
  integration?: string;
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
  gitSync?: GitSyncView;
  /** While a published site that asks visitors to sign in carries it. */
  visitorAuth?: VisitorAuthView;
  /** Id of the revision that is its primary content. */
  revision!: string;
  /** Role of members without an entry of their own; `null`: none. */
  defaultLevel!: Role | null;
  /** Open comments on primary content; 0, as the numbers below, to who reads it without a role. */
  comments!: number;
  changeRequests!: number;
  changeRequestsOpen!: number;
  changeRequestsDraft!: number;
  permissions!: SpacePermissions;
}

export class SpacePage extends PageOf(SpaceView) {}

/** What the shape of a space or a collection takes from elsewhere. */
export interface Surroundings {
  /** The caller's effective role. */
  role: Role | null;
  /** The explicit level of the nearest collection above, or `inherit` when none has one. */
  level: DefaultLevel;
  /** The organization that owns it. */
  organization: Pick<Organization, 'defaultRole'>;
  urls: Urls;
  /** How published sites show it; absent: none does. */
  publication?: Publication;
  /** Whether a published site lets the caller read it. */
  admitted?: boolean;
}

/** The level that is shown: what is inherited is resolved (decision 3.26). */
export function effectiveLevel(
  own: DefaultLevel,
  above: DefaultLevel,
  { defaultRole }: Pick<Organization, 'defaultRole'>,
): Role | null {
  if (own !== 'inherit') return own;
  return above === 'inherit' ? defaultRole : above;
}

/** What is counted in a space; who has no role in it is told of nothing that was not published. */
function countersFor(
  role: Role | null,
  space: Space,
): Pick<SpaceView, 'comments' | 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft'> {
  const counted = (count: number): number => (role === null ? 0 : count);
  return {
    comments: counted(space.comments),
    changeRequests: counted(space.changeRequests),
    changeRequestsOpen: counted(space.changeRequestsOpen),
    changeRequestsDraft: counted(space.changeRequestsDraft),
  };
}

/** Shapes `space` for a caller. */
export function toSpace(
  space: Space,
  { role, level, organization, urls, publication, admitted }: Surroundings,
): SpaceView {
  const own = space.parent !== null && space.defaultLevel === 'inherit' ? 'in-collection' : 'private';
  return {
    object: 'space',
    id: space._id,
    title: space.title,
    emoji: space.emoji,
    visibility: publication?.visibility ?? own,
    createdAt: space.createdAt.toISOString(),
    updatedAt: space.updatedAt.toISOString(),
    ...(space.deletedAt && { deletedAt: space.deletedAt.toISOString() }),
    editMode: space.editMode,
    urls: {
      location: urls.api('spaces', space._id),
      app: urls.app('s', space._id),
      ...(publication?.published !== undefined && { published: publication.published }),
      ...(publication?.public !== undefined && { public: publication.public }),
    },
    organization: space.organization,
    ...(space.parent !== null && { parent: space.parent }),
    ...(publication?.visitorAuth && { visitorAuth: publication.visitorAuth }),
    revision: space.revision,
    defaultLevel: effectiveLevel(space.defaultLevel, level, organization),
    ...countersFor(role, space),
    permissions: spacePermissions(role, space, admitted),
  };
}
