import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import { CreateInviteDto, NEW_INVITE } from './dto/create-invite.dto.js';
import { InvitedPersonDto, InvitePeopleDto } from './dto/invite-people.dto.js';
import { UpdateInviteDto } from './dto/update-invite.dto.js';
import { InvitationsService } from './invitations.service.js';
import { InviteAnswers } from './invite.answers.js';
import { InvitationsView, InvitePage, InviteView, JoinedView } from './invite.view.js';
import { LinkInvitesService } from './link-invites.service.js';
import { MembersService } from './members.service.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from './organization.guard.js';

@ApiTags('organizations')
@Controller('v1/orgs/:organizationId')
export class InvitesController {
  constructor(
    private readonly links: LinkInvitesService,
    private readonly invitations: InvitationsService,
    private readonly members: MembersService,
    private readonly answers: InviteAnswers,
    private readonly urls: Urls,
  ) {}

  /** List the invitation links of an organization. */
  @Get('link-invites')
  @RequireOrganization('admin')
  async listOrganizationInviteLinks(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: PageQuery,
  ): Promise<InvitePage> {
    return this.answers.page(organization._id, await this.links.list(organization._id, query), member);
  }

  /** Make an invitation link, to the organization or to one of its spaces. */
  @Post('link-invites')
  @RequireOrganization('admin')
  @ApiBody({ schema: NEW_INVITE })
  async createOrganizationInvite(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: CreateInviteDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InviteView> {
    const link = await this.links.create(organization._id, body, member);
    response.location(this.urls.api('orgs', organization._id, 'link-invites', link._id));
    return this.answers.one(link, member);
  }

  /** Read an invitation link; whoever knows its id may. */
  @Get('link-invites/:inviteId')
  async getOrganizationInviteLink(
    @CurrentActor() actor: Actor,
    @Param('organizationId') organizationId: string,
    @Param('inviteId') inviteId: string,
  ): Promise<InviteView> {
    const link = await this.links.get(organizationId, inviteId);
    return this.answers.one(link, await this.members.find(organizationId, actor.user));
  }

  /** Change what an invitation link gives. */
  @Patch('link-invites/:inviteId')
  @RequireOrganization('admin')
  async updateOrganizationInviteById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Param('inviteId') inviteId: string,
    @Body() body: UpdateInviteDto,
  ): Promise<InviteView> {
    return this.answers.one(await this.links.update(organization._id, inviteId, body), member);
  }

  /** Take an invitation link away. */
  @Delete('link-invites/:inviteId')
  @HttpCode(205)
  @RequireOrganization('admin')
  async deleteOrganizationInviteById(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('inviteId') inviteId: string,
  ): Promise<void> {
    await this.links.remove(organization._id, inviteId);
  }

  /** Invite people by their e-mail addresses; no mail is sent. */
  @Post('invites')
  @HttpCode(200)
  @ApiExtraModels(InvitedPersonDto)
  @RequireOrganization('admin')
  inviteUsersToOrganization(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Body() body: InvitePeopleDto,
  ): Promise<InvitationsView> {
    return this.invitations.invite(organization, body);
  }

  /** Join by an invitation link. */
  @Post('invites/:inviteId')
  @Fails(403, 409)
  @HttpCode(200)
  async joinOrganizationWithInvite(
    @CurrentActor() actor: Actor,
    @Param('organizationId') organizationId: string,
    @Param('inviteId') inviteId: string,
  ): Promise<JoinedView> {
    await this.links.join(organizationId, inviteId, actor.user);
    return {};
  }
}
