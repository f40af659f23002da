import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Audit, madeWith } from '../audit/index.js';
import type { Page } from '../common/page.dto.js';
import { findPage, type ListQuery } from '../common/pagination.js';
import { Database } from '../database/index.js';
import { SpacesService } from '../spaces/index.js';
import type { ChangeRequest } from './change-request.schema.js';
import { ChangeRequestsService } from './change-requests.service.js';
import { Review, type ReviewStatus } from './review.schema.js';

/** What a new review is made of. */
export interface NewReview {
  reviewer: string;
  status: ReviewStatus;
  /** Id of the comment that comes with it. */
  comment?: string;
}

/** Reviews of change requests. */
@Injectable()
export class ReviewsService {
  constructor(
    @InjectModel(Review.name) private readonly reviews: Model<Review>,
    private readonly database: Database,
    private readonly changeRequests: ChangeRequestsService,
    private readonly spaces: SpacesService,
    private readonly audit: Audit,
  ) {}

  /**
   * Makes a review of what the change request holds now; a request for it is done with (decision 5.41). Joins a
   * surrounding transaction. @throws ConflictException when the change request is archived (decision 4.A).
   */
  async create(changeRequest: Pick<ChangeRequest, '_id'>, given: NewReview): Promise<Review> {
    return this.database.transaction(async () => {
      const { _id, space, revision, requestedReviewers } = await this.changeRequests.recordReview(
        changeRequest,
        given.reviewer,
      );
      const request = requestedReviewers.find(({ user }) => user === given.reviewer);
      const [made] = await this.reviews.create([
        { ...given, space, changeRequest: _id, revision, requestedBy: request?.requestedBy ?? null },
      ]);
      if (!made) throw new Error('The review was not made');
      const organization = await this.spaces.organizationOf(space);
      const changes = madeWith({ review: made._id, status: given.status, revision });
      await this.audit.record({ organization, action: 'change-request.review', id: _id, changes });
      return made.toObject<Review>();
    });
  }

  /** One page of the reviews of a change request, newest first. */
  list({ _id }: Pick<ChangeRequest, '_id'>, query: ListQuery): Promise<Page<Review>> {
    return findPage(this.reviews, { changeRequest: _id }, query);
  }

  /** What each reviewer of a change request said last, by their id (decision B.13). */
  async verdicts({ _id }: Pick<ChangeRequest, '_id'>): Promise<Map<string, ReviewStatus>> {
    const last = await this.reviews.aggregate<{ _id: string; status: ReviewStatus }>([
      { $match: { changeRequest: _id } },
      { $sort: { reviewer: 1, createdAt: 1, _id: 1 } },
      { $group: { _id: '$reviewer', status: { $last: '$status' } } },
    ]);
    return new Map(last.map(({ _id: reviewer, status }) => [reviewer, status]));
  }

  /** Removes up to `limit` reviews in a space that is purged; answers how many there were. */
  async removeOf(space: string, limit: number): Promise<number> {
    const found = await this.reviews.find({ space }, { _id: 1 }).limit(limit).lean<{ _id: string }[]>();
    await this.reviews.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    return found.length;
  }
}
