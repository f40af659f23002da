import { Body, Controller, Delete, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Actor, CurrentActor } from '../auth/index.js';
import { Fails } from '../common/fails.js';
import { Urls } from '../common/urls.js';
import { MembersService, OrganizationsService } from '../organizations/index.js';
import { SpacePublications } from './space-publications.js';
import { CollectionsService } from './collections.service.js';
import { MoveDto, toPosition } from './dto/move.dto.js';
import { TransferSpaceDto } from './dto/transfer-space.dto.js';
import { SpaceLifeService } from './space-life.service.js';
import { effectiveRole } from './space-role.js';
import { CurrentSpace, RequireSpace, type SpaceAccess } from './space.guard.js';
import type { Space } from './space.schema.js';
import { SpaceView, toSpace } from './space.view.js';
import { PlacesService } from './places.service.js';

@ApiTags('spaces')
@Controller('v1/spaces/:spaceId')
export class SpaceLifeController {
  constructor(
    private readonly life: SpaceLifeService,
    private readonly places: PlacesService,
    private readonly collections: CollectionsService,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
  ) {}

  /** Delete a space; it can be restored for 7 days. */
  @Delete()
  @HttpCode(205)
  @RequireSpace('admin')
  async deleteSpaceById(@CurrentSpace() { space }: SpaceAccess): Promise<void> {
    await this.life.remove(space);
  }

  /** Restore a deleted space. */
  @Post('restore')
  @HttpCode(200)
  @RequireSpace('admin', { trash: true })
  @Fails(409)
  async restoreSpace(@CurrentActor() actor: Actor, @CurrentSpace() { space }: SpaceAccess): Promise<SpaceView> {
    return this.places.change([space.organization], async () => this.view(await this.life.restore(space), actor));
  }

  /** Duplicate a space: its content as it is now, without history, change requests, comments and permissions. */
  @Post('duplicate')
  @RequireSpace('access', { organization: 'createContent' })
  async duplicateSpace(
    @CurrentActor() actor: Actor,
    @CurrentSpace() { space, ...access }: SpaceAccess,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SpaceView> {
    const view = await this.places.change([space.organization], async () =>
      this.view(await this.life.duplicate(space, actor.user, access), actor),
    );
    response.location(view.urls.location);
    return view;
  }

  /** Move a space within its organization: into a collection, out of it, or to another place. */
  @Post('move')
  @HttpCode(200)
  @RequireSpace('admin')
  async moveSpace(
    @CurrentActor() actor: Actor,
    @CurrentSpace() { space, member }: SpaceAccess,
    @Body() { parent, position }: MoveDto,
  ): Promise<SpaceView> {
    return this.places.change([space.organization], async () =>
      this.view(await this.life.move(space, member, { parent, position: toPosition(position) }), actor),
    );
  }

  /** Transfer a space to another organization. */
  @Post('transfer')
  @HttpCode(200)
  @RequireSpace('admin', { organization: 'createContent' })
  @Fails(409, 412)
  async transferSpace(
    @CurrentActor() actor: Actor,
    @CurrentSpace() { space, member }: SpaceAccess,
    @Body() body: TransferSpaceDto,
  ): Promise<SpaceView> {
    return this.life.transfer(space, member, { to: body.organization, answer: (given) => this.view(given, actor) });
  }

  /** The space as `actor` sees it where it is now. */
  private async view(space: Space, { user }: Actor): Promise<SpaceView> {
    const member = await this.members.find(space.organization, user);
    const { role: above, level } = await this.collections.inherited(space.parent, member);
    const role = effectiveRole(space, member, above);
    const organization = await this.organizations.settings(space.organization);
    const publication = (await this.publications.of([space])).get(space._id);
    return toSpace(space, { role, level, organization, urls: this.urls, publication });
  }
}
