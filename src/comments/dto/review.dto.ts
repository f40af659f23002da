import { IntersectionType } from '@nestjs/swagger';
import { REVIEW_STATUSES, type ReviewStatus } from '../../change-requests/index.js';
import { PageQuery } from '../../common/page.dto.js';
import { OneOf, Optional } from '../../common/validation.js';
import type { GivenBody } from '../comment-body.js';
import { CommentBody } from './comment-fields.dto.js';
import { FormatQuery } from './comments-query.dto.js';

/** Body of a review. */
export class SubmitReviewDto {
  @OneOf(REVIEW_STATUSES)
  status!: ReviewStatus;

  /** Text of a comment that comes with it. */
  @Optional()
  @CommentBody()
  comment?: GivenBody;
}

/** Which part of the reviews is wanted, and how their comments. */
export class ReviewsQuery extends IntersectionType(PageQuery, FormatQuery) {}
