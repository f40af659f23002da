import { PageOf } from '../common/page.dto.js';
import type { Review } from '../change-requests/index.js';
import { UserView } from '../users/index.js';
import { CommentView } from './comment.view.js';

/** What somebody found of a change request. */
export class ReviewView {
  object!: 'change-request-review';
  id!: string;
  /** Id of the revision of the change request that it is about. */
  revision!: string;
  /** Who gave it; absent when the account is gone. */
  reviewer?: UserView;
  /** Who had asked for it. */
  requestedBy?: UserView;
  status!: 'changes-requested' | 'approved';
  /** What came with it; it is listed among the comments too. */
  comment?: CommentView;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
}

export class ReviewPage extends PageOf(ReviewView) {}

/** What the shape of reviews takes from elsewhere. */
export interface ReviewContext {
  /** People by their ids; without those whose accounts are gone. */
  people: ReadonlyMap<string, UserView>;
  /** Comments by their ids; without those that were deleted. */
  comments: ReadonlyMap<string, CommentView>;
}

/** Shapes `review`. */
export function toReview(review: Review, { people, comments }: ReviewContext): ReviewView {
  const reviewer = people.get(review.reviewer);
  const requestedBy = review.requestedBy === null ? undefined : people.get(review.requestedBy);
  const comment = review.comment === null ? undefined : comments.get(review.comment);
  return {
    object: 'change-request-review',
    id: review._id,
    revision: review.revision,
    ...(reviewer && { reviewer }),
    ...(requestedBy && { requestedBy }),
    status: review.status,
    ...(comment && { comment }),
    createdAt: review.createdAt.toISOString(),
    updatedAt: review.updatedAt.toISOString(),
  };
}
