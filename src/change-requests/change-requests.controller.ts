import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { listScope, pageOfDated } from '../common/pagination.js';
import { ChangeRequestView, PdfLinks, PdfQueryDto, PdfView } from '../content/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { ChangeRequestAnswers } from './change-request.answers.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from './change-request.guard.js';
import { requireManagement } from './change-request.policy.js';
import { ChangeRequestPage, ContributorPage } from './change-request.view.js';
import { ChangeRequestsService } from './change-requests.service.js';
import { CreateChangeRequestDto } from './dto/create-change-request.dto.js';
import { ListChangeRequestsQuery } from './dto/list-change-requests.dto.js';
import { UpdateChangeRequestDto } from './dto/update-change-request.dto.js';

@ApiTags('change-requests')
@Controller('v1/spaces/:spaceId/change-requests')
export class ChangeRequestsController {
  constructor(
    private readonly changeRequests: ChangeRequestsService,
    private readonly answers: ChangeRequestAnswers,
    private readonly pdfs: PdfLinks,
  ) {}

  /** List the change requests of a space with one status, newest first. */
  @Get()
  @RequireSpace('access')
  async listChangeRequestsForSpace(
    @CurrentSpace() { space }: SpaceAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: ListChangeRequestsQuery,
  ): Promise<ChangeRequestPage> {
    return this.answers.page(await this.changeRequests.list(space._id, query), { space, user });
  }

  /** Make a change request: a draft that holds what the space holds now. */
  @Post()
  @ApiBody({ type: CreateChangeRequestDto, required: false })
  @RequireSpace('edit')
  async createChangeRequest(
    @CurrentSpace() { space }: SpaceAccess,
    @CurrentActor() { user }: Actor,
    @Body() body: CreateChangeRequestDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ChangeRequestView> {
    const answer = await this.answers.ahead({ createdBy: user }, user);
    const made = await this.changeRequests.create(space._id, user, body.subject);
    // what it starts from is the primary content of the moment in which it was made
    const view = answer(made, { ...space, revision: made.revision });
    response.location(view.urls.location);
    return view;
  }

  /** Read a change request, by its id or number. */
  @Get(':changeRequestId')
  @RequireChangeRequest('access')
  async getChangeRequestById(
    @CurrentChangeRequest() { space, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
  ): Promise<ChangeRequestView> {
    return this.answers.one(changeRequest, { space, user });
  }

  /** Change the subject or the state of a change request; yours, or any when you may review. */
  @Patch(':changeRequestId')
  @RequireChangeRequest('edit')
  @Fails(409)
  async updateChangeRequestById(
    @CurrentChangeRequest() { space, role, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Body() body: UpdateChangeRequestDto,
  ): Promise<ChangeRequestView> {
    requireManagement(changeRequest, space, { user, role });
    const answer = await this.answers.ahead(changeRequest, user);
    return answer(await this.changeRequests.update(changeRequest, body), space);
  }

  /** Get the address of a PDF of a change request's content as it is now, or of a part of it; it works for an hour. */
  @Get(':changeRequestId/pdf')
  @RequireChangeRequest('access')
  @Fails(413)
  async getChangeRequestPDF(
    @CurrentChangeRequest() { space, changeRequest }: ChangeRequestAccess,
    @Query() query: PdfQueryDto,
  ): Promise<PdfView> {
    return this.pdfs.address({ space: space._id, revision: changeRequest.revision }, query);
  }

  /** List who made a change request, or revisions of it, the latest first. */
  @Get(':changeRequestId/contributors')
  @RequireChangeRequest('access')
  async getContributorsByChangeRequestId(
    @CurrentChangeRequest() { space, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: PageQuery,
  ): Promise<ContributorPage> {
    const scope = listScope('contributors', changeRequest._id);
    const page = pageOfDated(
      changeRequest.contributors,
      (one) => ({ at: one.updatedAt.getTime(), id: one.user }),
      scope,
      query,
    );
    return this.answers.contributors(page, { space, user });
  }
}
