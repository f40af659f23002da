import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { listScope, pageOfDated } from '../common/pagination.js';
import { ChangeRequestAnswers } from './change-request.answers.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from './change-request.guard.js';
import { requireManagement } from './change-request.policy.js';
import { RequestedReviewerPage, RequestedReviewersView } from './change-request.view.js';
import { RequestReviewersDto } from './dto/request-reviewers.dto.js';
import { RequestedReviewersService } from './requested-reviewers.service.js';
import { AllOrNothing } from '../database/index.js';

@ApiTags('change-requests')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers')
export class RequestedReviewersController {
  constructor(
    private readonly reviewers: RequestedReviewersService,
    private readonly answers: ChangeRequestAnswers,
  ) {}

  /** List who is asked to review a change request, the latest first. */
  @Get()
  @RequireChangeRequest('access')
  async getRequestedReviewersByChangeRequestId(
    @CurrentChangeRequest() { space, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: PageQuery,
  ): Promise<RequestedReviewerPage> {
    const scope = listScope('requested-reviewers', changeRequest._id);
    const page = pageOfDated(
      changeRequest.requestedReviewers,
      (one) => ({ at: one.createdAt.getTime(), id: one.user }),
      scope,
      query,
    );
    return { ...page, items: await this.answers.requests(page.items, { space, user }) };
  }

  /** Ask people to review a change request; a draft becomes open. */
  @Post()
  @HttpCode(200)
  @RequireChangeRequest('edit')
  @Fails(409)
  @AllOrNothing()
  async requestReviewersForChangeRequest(
    @CurrentChangeRequest() { space, role, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Body() body: RequestReviewersDto,
  ): Promise<RequestedReviewersView> {
    requireManagement(changeRequest, space, { user, role });
    const requests = await this.reviewers.ask(changeRequest, space, { ...body, requestedBy: user });
    return { users: await this.answers.requests(requests, { space, user }) };
  }

  /** Take back the request for somebody's review; the person asked may do so too. */
  @Delete(':userId')
  @HttpCode(205)
  @RequireChangeRequest('access')
  @Fails(409)
  async removeRequestedReviewerFromChangeRequest(
    @CurrentChangeRequest() { space, role, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Param('userId') userId: string,
  ): Promise<void> {
    if (userId !== user) requireManagement(changeRequest, space, { user, role });
    await this.reviewers.remove(changeRequest, userId);
  }
}
