import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor } from '../auth/index.js';
import { CurrentOrganization, type OrganizationAccess, RequireOrganization } from '../organizations/index.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from '../spaces/index.js';
import { type ChangeRequestAccess, CurrentChangeRequest, RequireChangeRequest } from './change-request.guard.js';
import { OrganizationMergeRulesDto, SpaceMergeRulesDto } from './dto/merge-rules.dto.js';
import { MergeRulesService } from './merge-rules.service.js';
import {
  MergeabilityView,
  OrganizationMergeRulesView,
  SpaceMergeRulesView,
  toMergeability,
  toOrganizationMergeRules,
  toSpaceMergeRules,
} from './merge-rules.view.js';
import { MergeabilityService } from './mergeability.service.js';

@ApiTags('change-requests')
@Controller('v1')
export class MergeRulesController {
  constructor(
    private readonly rules: MergeRulesService,
    private readonly mergeability: MergeabilityService,
  ) {}

  /** Read what must hold before a change request of the organization is merged. */
  @Get('orgs/:organizationId/merge-rules')
  @RequireOrganization('admin')
  async getOrganizationMergeRules(
    @CurrentOrganization() { organization }: OrganizationAccess,
  ): Promise<OrganizationMergeRulesView> {
    return toOrganizationMergeRules(await this.rules.get(organization._id));
  }

  /** Set what must hold before a change request of the organization is merged, in place of the former rules. */
  @Put('orgs/:organizationId/merge-rules')
  @RequireOrganization('admin')
  async setOrganizationMergeRules(
    @CurrentOrganization() { organization: { _id: id } }: OrganizationAccess,
    @Body() body: OrganizationMergeRulesDto,
  ): Promise<OrganizationMergeRulesView> {
    return toOrganizationMergeRules(await this.rules.put({ of: 'organization', id, organization: id }, body));
  }

  /** Read what must hold before a change request of the space is merged, beside what the organization asks. */
  @Get('spaces/:spaceId/merge-rules')
  @RequireSpace('admin')
  async getSpaceMergeRules(@CurrentSpace() { space }: SpaceAccess): Promise<SpaceMergeRulesView> {
    return toSpaceMergeRules(await this.rules.get(space._id));
  }

  /** Set what must hold before a change request of the space is merged, in place of its former rules. */
  @Put('spaces/:spaceId/merge-rules')
  @RequireSpace('admin')
  async setSpaceMergeRules(
    @CurrentSpace() { space: { _id: id, organization } }: SpaceAccess,
    @Body() body: SpaceMergeRulesDto,
  ): Promise<SpaceMergeRulesView> {
    return toSpaceMergeRules(await this.rules.put({ of: 'space', id, organization }, body));
  }

  /** Find out whether you could merge a change request now, and what holds it back. */
  @Get('spaces/:spaceId/change-requests/:changeRequestId/mergeability')
  @RequireChangeRequest('access')
  async getChangeRequestMergeability(
    @CurrentChangeRequest() { space, changeRequest }: ChangeRequestAccess,
    @CurrentActor() { user }: Actor,
  ): Promise<MergeabilityView> {
    return toMergeability(await this.mergeability.of(changeRequest, space, user));
  }
}
