import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/index.js';
import { Fails } from '../../common/fails.js';
import { Urls } from '../../common/urls.js';
import { ChangeContentDto, ChangeRequestView, FileLinks, toChangesView } from '../../content/index.js';
import { ChangeRequestAnswers } from '../change-request.answers.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from '../change-request.guard.js';
import { ChangeRequestContentService } from './change-request-content.service.js';
import { EditedChangeRequestView, MergeResultView, UpdateResultView } from './change-request-content.view.js';
import { EditChangeRequestQuery } from './dto/edit-change-request.dto.js';
import { UpdateFromSpaceDto } from './dto/update-from-space.dto.js';

const EDITED = {
  oneOf: [ChangeRequestView, EditedChangeRequestView].map((view) => ({ $ref: getSchemaPath(view) })),
};

/** Changes what a change request holds, and brings it into its space. */
@ApiTags('change-requests')
@ApiExtraModels(ChangeRequestView, EditedChangeRequestView)
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId')
export class ChangeRequestEditController {
  constructor(
    private readonly content: ChangeRequestContentService,
    private readonly answers: ChangeRequestAnswers,
    private readonly files: FileLinks,
    private readonly urls: Urls,
  ) {}

  /** Edit pages and files of a change request: up to 50 changes, all or none, as one revision. */
  @Post('content')
  @Fails(409)
  @HttpCode(200)
  @ApiOkResponse({ schema: EDITED })
  @RequireChangeRequest('edit')
  async changeContentInChangeRequest(
    @CurrentChangeRequest() at: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Query() { compat = true }: EditChangeRequestQuery,
    @Body() body: ChangeContentDto,
  ): Promise<ChangeRequestView | EditedChangeRequestView> {
    const answer = await this.answers.ahead(at.changeRequest, user);
    const { changeRequest, space, ...result } = await this.content.edit(at, user, body.changes);
    const view = answer(changeRequest, space);
    if (compat) return view;
    const content = this.urls.api('spaces', space._id, 'change-requests', changeRequest._id, 'content');
    return { changeRequest: view, ...toChangesView(result, content, (file) => this.files.of(space._id, file)) };
  }

  /** Take over what is new in the space; conflicts are settled by the body, else they are answered. */
  @Post('update')
  @Fails(409)
  @HttpCode(200)
  @ApiBody({ type: UpdateFromSpaceDto, required: false })
  @RequireChangeRequest('edit')
  async updateChangeRequest(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Body() body: UpdateFromSpaceDto,
  ): Promise<UpdateResultView> {
    return { revision: await this.content.update(access, user, body.resolutions), result: 'update' };
  }

  /** Merge a change request into its space; conflicts are answered, and change nothing. */
  @Post('merge')
  @Fails(409, 412)
  @HttpCode(200)
  @RequireChangeRequest('merge')
  async mergeChangeRequest(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
  ): Promise<MergeResultView> {
    return { revision: await this.content.merge(access, user), result: 'merge' };
  }
}
