import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fails } from '../common/fails.js';
import { ListMembersDto } from './dto/list-members.dto.js';
import { UpdateMemberDto } from './dto/update-member.dto.js';
import { MemberAnswers } from './member.answers.js';
import { MemberChangesService } from './member-changes.service.js';
import { RequireOrganizationOrSelf } from './member.guard.js';
import { MemberPage, MemberView, PingView } from './member.view.js';
import { MembersService } from './members.service.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from './organization.guard.js';
import { AllOrNothing } from '../database/index.js';

@ApiTags('organizations')
@Controller('v1/orgs/:organizationId')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly changes: MemberChangesService,
    private readonly answers: MemberAnswers,
  ) {}

  /** List the members of an organization. */
  @Get('members')
  @RequireOrganization('listMembers')
  async listMembersInOrganizationById(
    @CurrentOrganization() { organization, member: viewer }: OrganizationAccess,
    @Query() query: ListMembersDto,
  ): Promise<MemberPage> {
    return this.answers.page(viewer, await this.members.list(organization._id, query));
  }

  /** Read a member; everybody may read their own membership. */
  @Get('members/:userId')
  @RequireOrganizationOrSelf('listMembers')
  async getMemberInOrganizationById(
    @CurrentOrganization() { organization, member: viewer }: OrganizationAccess,
    @Param('userId') userId: string,
  ): Promise<MemberView> {
    return this.answers.one(viewer, await this.members.get(organization._id, userId));
  }

  /** Change the role of a member; the last administrator stays one. */
  @Patch('members/:userId')
  @Fails(409)
  @RequireOrganization('admin')
  @AllOrNothing()
  async updateMemberInOrganizationById(
    @CurrentOrganization() { organization, member: viewer }: OrganizationAccess,
    @Param('userId') userId: string,
    @Body() { role }: UpdateMemberDto,
  ): Promise<MemberView> {
    const member =
      role === undefined
        ? await this.members.get(organization._id, userId)
        : await this.changes.setRole(organization._id, userId, role);
    return this.answers.one(viewer, member);
  }

  /** Remove a member, or leave. */
  @Delete('members/:userId')
  @Fails(409)
  @HttpCode(204)
  @RequireOrganizationOrSelf('admin')
  async removeMemberFromOrganizationById(
    @CurrentOrganization() { organization }: OrganizationAccess,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.changes.remove(organization._id, userId);
  }

  /** Trust the identity provider of the organization for a member. */
  @Post('members/:userId/sso')
  @HttpCode(200)
  @RequireOrganization('admin')
  @AllOrNothing()
  async setUserAsSSOMemberForOrganization(
    @CurrentOrganization() { organization, member: viewer }: OrganizationAccess,
    @Param('userId') userId: string,
  ): Promise<MemberView> {
    return this.answers.one(viewer, await this.changes.trustProvider(organization._id, userId));
  }

  /** Note that you are there. */
  @Post('ping')
  @HttpCode(200)
  @RequireOrganization('view')
  async updateOrganizationMemberLastSeenAt(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
  ): Promise<PingView> {
    await this.changes.ping(organization._id, member.user);
    return {};
  }
}
