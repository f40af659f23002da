import type { ChangeRequestAccess } from '../change-requests/index.js';
import type { SpaceAccess } from '../spaces/index.js';
import type { Discussion } from './place.js';

/** The comments on primary content, for `user`, who came to the space as `access` says. */
export function discussionIn({ space, role }: SpaceAccess, user: string): Discussion {
  const { revision } = space;
  return {
    space: space._id,
    changeRequest: null,
    revision,
    primary: revision,
    known: revision,
    viewer: { user, role },
  };
}

/** The comments of a change request, for `user`, who came to it as `access` says. @throws NotFoundException when there is none. */
export function discussionOn(access: ChangeRequestAccess, user: string): Discussion {
  const { space, role, changeRequest } = access;
  const { revision, revisionMerged, revisionMergedAncestor, revisionInitial } = changeRequest;
  return {
    space: space._id,
    changeRequest: changeRequest._id,
    revision,
    primary: space.revision,
    known: revisionMerged ?? revisionMergedAncestor ?? revisionInitial,
    viewer: { user, role },
  };
}
