import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import { ChangeRequestView } from '../content/index.js';
import type { Space } from '../spaces/index.js';
import { UserView } from '../users/index.js';
import { type ChangeRequest, type Contributor, isOutdated, type RequestedReviewer } from './change-request.schema.js';

export class ChangeRequestPage extends PageOf(ChangeRequestView) {}

/** Who made a change request, or revisions of it. */
export class ContributorView {
  /** Left out when the account is gone. */
  user?: UserView;
  /** Revisions that they made; 0 for who made the change request and nothing in it. */
  count!: number;
  /** When they made the last one; ISO 8601, UTC. */
  updatedAt!: string;
}

export class ContributorPage extends PageOf(ContributorView) {}

/** A team, by its id. */
export class TeamReference {
  object!: 'team';
  id!: string;
}

/** Who is asked to review a change request. */
export class RequestedReviewerView {
  object!: 'change-request-requested-reviewer';
  /** Id of the revision of the change request when they were asked. */
  revision!: string;
  /** Who asked; left out when the account is gone. */
  requestedBy?: UserView;
  /** When they were asked; ISO 8601, UTC. */
  createdAt!: string;
  /** Only people are asked here. */
  kind!: 'user' | 'team';
  /** With `user`; left out when the account is gone. */
  user?: UserView;
  /** With `team`. */
  team?: TeamReference;
}

export class RequestedReviewerPage extends PageOf(RequestedReviewerView) {}

/** Who was asked by one request. */
export class RequestedReviewersView {
  users!: RequestedReviewerView[];
}

/** People who are named, as the caller sees them, by id. */
export type People = ReadonlyMap<string, UserView>;

/** Shapes `changeRequest`, which belongs to `space`. */
export function toChangeRequest(
  changeRequest: ChangeRequest,
  { space, people, urls }: { space: Pick<Space, '_id' | 'revision'>; people: People; urls: Urls },
): ChangeRequestView {
  const { _id, number, revisionMergedAncestor, revisionMerged } = changeRequest;
  const createdBy = people.get(changeRequest.createdBy);
  return {
    object: 'change-request',
    id: _id,
    number,
    status: changeRequest.status,
    subject: changeRequest.subject,
    ...(createdBy && { createdBy }),
    createdAt: changeRequest.createdAt.toISOString(),
    updatedAt: changeRequest.updatedAt.toISOString(),
    revision: changeRequest.revision,
    revisionInitial: changeRequest.revisionInitial,
    ...(revisionMergedAncestor !== null && { revisionMergedAncestor }),
    ...(revisionMerged !== null && { revisionMerged }),
    comments: changeRequest.comments,
    outdated: isOutdated(changeRequest, space),
    urls: {
      location: urls.api('spaces', space._id, 'change-requests', _id),
      app: urls.app('s', space._id, '~', 'changes', String(number)),
    },
  };
}

/** Shapes a contributor. */
export function toContributor({ user: id, count, updatedAt }: Contributor, people: People): ContributorView {
  const user = people.get(id);
  return { ...(user && { user }), count, updatedAt: updatedAt.toISOString() };
}

/** Shapes the request for a review. */
export function toRequestedReviewer(request: RequestedReviewer, people: People): RequestedReviewerView {
  const [requestedBy, user] = [people.get(request.requestedBy), people.get(request.user)];
  return {
    object: 'change-request-requested-reviewer',
    revision: request.revision,
    ...(requestedBy && { requestedBy }),
    createdAt: request.createdAt.toISOString(),
    kind: 'user',
    ...(user && { user }),
  };
}
