import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrderedPageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import {
  CurrentOrganization,
  MembersService,
  type OrganizationAccess,
  RequireOrganizationOrSelf,
} from '../organizations/index.js';
import { SpacePublications } from './space-publications.js';
import { MemberSpacePage } from './member-space.view.js';
import { toSpace } from './space.view.js';
import { SpacesService } from './spaces.service.js';

@ApiTags('organizations')
@Controller('v1/orgs/:organizationId/members/:userId/spaces')
export class MemberSpacesController {
  constructor(
    private readonly spaces: SpacesService,
    private readonly members: MembersService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
  ) {}

  /** List the spaces in which a member has an effective role, with that role. */
  @Get()
  @RequireOrganizationOrSelf('admin')
  async listSpacesForOrganizationMember(
    @CurrentOrganization() { organization, member: caller }: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: OrderedPageQuery,
  ): Promise<MemberSpacePage> {
    const member = await this.members.get(organization._id, userId);
    const page = await this.spaces.list(organization._id, member, query);
    const published = await this.publications.of(page.items.map(({ space }) => space));
    const items = page.items.flatMap(({ space, role, level }) => {
      // whoever asks for somebody else is an administrator, everywhere
      const own = userId === caller.user ? role : 'admin';
      const publication = published.get(space._id);
      const view = toSpace(space, { role: own, level, organization, urls: this.urls, publication });
      return role === null ? [] : [{ permission: role, space: view }];
    });
    return { ...page, items };
  }
}
