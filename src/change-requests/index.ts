export { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from './change-request.guard.js';
export { mayReview } from './change-request.policy.js';
export type { ChangeRequest } from './change-request.schema.js';
export { ChangeRequestsModule } from './change-requests.module.js';
export { ChangeRequestsService } from './change-requests.service.js';
export { MergeRulesService } from './merge-rules.service.js';
export { type Review, REVIEW_STATUSES, type ReviewStatus } from './review.schema.js';
export { ReviewsService } from './reviews.service.js';
