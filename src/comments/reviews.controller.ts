import { Body, Controller, ForbiddenException, Get, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import {
  type ChangeRequestAccess,
  CurrentChangeRequest,
  mayReview,
  RequireChangeRequest,
} from '../change-requests/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { discussionOn } from './discussions.js';
import { ReviewsQuery, SubmitReviewDto } from './dto/review.dto.js';
import { ReviewAnswers } from './review.answers.js';
import { ReviewPage, ReviewView } from './review.view.js';

/** Reviews of change requests. */
@ApiTags('change-requests')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId/reviews')
export class ReviewsController {
  constructor(
    private readonly answers: ReviewAnswers,
    private readonly urls: Urls,
  ) {}

  /** List the reviews of a change request, newest first. */
  @Get()
  @RequireChangeRequest('access')
  async getReviewsByChangeRequestId(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Query() query: ReviewsQuery,
  ): Promise<ReviewPage> {
    return this.answers.list(discussionOn(access, user), access.changeRequest, query);
  }

  /** Review a change request that somebody else made. */
  @Post()
  @RequireChangeRequest('review')
  @Fails(409)
  async submitChangeRequestReview(
    @CurrentActor() { user }: Actor,
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @Body() body: SubmitReviewDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReviewView> {
    const { space, role, changeRequest } = access;
    if (!mayReview(changeRequest, space, { user, role })) {
      throw new ForbiddenException('You made this change request: somebody else has to review it');
    }
    const view = await this.answers.submit(discussionOn(access, user), changeRequest, body);
    // a review has no address of its own
    response.location(this.urls.api('spaces', space._id, 'change-requests', changeRequest._id, 'reviews'));
    return view;
  }
}
