import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../../auth/index.js';
import { LinkAnswers, LinkPage, LinksQueryDto } from '../../content/index.js';
import { ChangeRequestAnswers } from '../change-request.answers.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from '../change-request.guard.js';

@ApiTags('change-requests')
@Controller('v1/spaces/:spaceId/change-requests/:changeRequestId/links')
export class ChangeRequestLinksController {
  constructor(
    private readonly links: LinkAnswers,
    private readonly answers: ChangeRequestAnswers,
  ) {}

  /** List what the pages of a change request lead to, with all places at which they do. */
  @Get()
  @RequireChangeRequest('access')
  async listChangeRequestLinks(
    @CurrentChangeRequest() access: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
    @Query() query: LinksQueryDto,
  ): Promise<LinkPage> {
    const { changeRequest, space } = access;
    return this.links.ofChangeRequest(access, await this.answers.one(changeRequest, { space, user }), user, query);
  }
}
