import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Fails } from '../common/fails.js';
import { mapPage, PageQuery } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
import {
  CurrentOrganization,
  type Member,
  type OrganizationAccess,
  OrganizationsService,
  RequireOrganization,
} from '../organizations/index.js';
import { SpacePublications } from './space-publications.js';
import { type CollectionAccess, CurrentCollection, RequireCollection } from './collection.guard.js';
import type { Collection } from './collection.schema.js';
import { CollectionPage, CollectionView, toCollection } from './collection.view.js';
import { CollectionsService } from './collections.service.js';
import { CreateCollectionDto } from './dto/create-collection.dto.js';
import { ListCollectionsQuery } from './dto/list-collections.dto.js';
import { MoveDto, toPosition } from './dto/move.dto.js';
import { UpdateCollectionDto } from './dto/update-collection.dto.js';
import type { Inheritance } from './space-role.js';
import { SpacePage, toSpace } from './space.view.js';
import { SpacesService } from './spaces.service.js';
import { PlacesService } from './places.service.js';

@ApiTags('collections')
@Controller('v1')
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly places: PlacesService,
    private readonly spaces: SpacesService,
    private readonly organizations: OrganizationsService,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
  ) {}

  /** List the collections of an organization that you can see. */
  @Get('orgs/:organizationId/collections')
  @RequireOrganization('view')
  async listCollectionsInOrganizationById(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Query() query: ListCollectionsQuery,
  ): Promise<CollectionPage> {
    const inheritance = await this.collections.inheritance(organization._id, member);
    const page = await this.collections.list(member, inheritance, query);
    return mapPage(page, (collection) => this.shape(collection, inheritance, organization));
  }

  /** Make a collection; you become its administrator. */
  @Post('orgs/:organizationId/collections')
  @ApiBody({ type: CreateCollectionDto, required: false })
  @RequireOrganization('createContent')
  @Fails(409)
  async createCollection(
    @CurrentOrganization() { organization, member }: OrganizationAccess,
    @Body() body: CreateCollectionDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollectionView> {
    if (body.parent !== undefined) await this.collections.requireParent(body.parent, member);
    const view = await this.places.change([organization._id], async () =>
      this.view(await this.collections.create(organization._id, member.user, body), member),
    );
    response.location(view.urls.location);
    return view;
  }

  /** Read a collection. */
  @Get('collections/:collectionId')
  @RequireCollection('view')
  async getCollectionById(@CurrentCollection() { collection, inheritance }: CollectionAccess): Promise<CollectionView> {
    return this.shape(collection, inheritance, await this.organizations.settings(collection.organization));
  }

  /** Update a collection. */
  @Patch('collections/:collectionId')
  @RequireCollection('admin')
  async updateCollectionById(
    @CurrentCollection() { collection, member }: CollectionAccess,
    @Body() body: UpdateCollectionDto,
  ): Promise<CollectionView> {
    return this.view(await this.collections.update(collection, body), member);
  }

  /** Delete a collection for good; what stands in it takes its place. */
  @Delete('collections/:collectionId')
  @HttpCode(205)
  @RequireCollection('admin')
  async deleteCollectionById(@CurrentCollection() { collection }: CollectionAccess): Promise<void> {
    await this.collections.remove(collection);
  }

  /** List the spaces in a collection that you can see, in their order. */
  @Get('collections/:collectionId/spaces')
  @RequireCollection('view')
  async listSpacesInCollectionById(
    @CurrentCollection() { collection, member, inheritance }: CollectionAccess,
    @Query() query: PageQuery,
  ): Promise<SpacePage> {
    const organization = await this.organizations.settings(collection.organization);
    const page = await this.spaces.listIn(collection, { member, inheritance }, query);
    const published = await this.publications.of(page.items.map(({ space }) => space));
    return mapPage(page, ({ space, ...listed }) =>
      toSpace(space, { ...listed, organization, urls: this.urls, publication: published.get(space._id) }),
    );
  }

  /** Move a collection with all in it: into another, out of it, or to another place. */
  @Post('collections/:collectionId/move')
  @HttpCode(200)
  @RequireCollection('admin')
  async moveCollection(
    @CurrentCollection() { collection, member }: CollectionAccess,
    @Body() { parent, position }: MoveDto,
  ): Promise<CollectionView> {
    if (parent !== undefined && parent !== null && parent !== collection.parent)
      await this.collections.requireParent(parent, member);
    return this.places.change([collection.organization], async () =>
      this.view(await this.collections.move(collection, member, { parent, position: toPosition(position) }), member),
    );
  }

  /** The collection as `member` sees it where it is now. */
  private async view(collection: Collection, member: Member): Promise<CollectionView> {
    const inheritance = await this.collections.inheritanceFrom(collection, member);
    return this.shape(collection, inheritance, await this.organizations.settings(collection.organization));
  }

  private shape(
    collection: Collection,
    inheritance: Inheritance,
    organization: OrganizationAccess['organization'],
  ): CollectionView {
    const { role } = inheritance.of(collection._id);
    const { level } = inheritance.of(collection.parent);
    return toCollection(collection, { role, level, organization, urls: this.urls });
  }
}
