import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { BlobsModule } from '../blobs/index.js';
import { keeps } from '../database/index.js';
import { JobsModule } from '../jobs/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { TeamsModule } from '../teams/index.js';
import { Collection, CollectionSchema, Structure, StructureSchema } from './collection.schema.js';
import { CollectionPermissionsController } from './collection-permissions.controller.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { GrantViews } from './grant-views.service.js';
import { GrantsInvariants } from './grants.invariants.js';
import { GrantsService } from './grants.service.js';
import { InvitedSpacesService } from './invited-spaces.service.js';
import { MemberSpacesController } from './member-spaces.controller.js';
import { PlacesService } from './places.service.js';
import { SpaceCounts } from './space-counts.service.js';
import { SpaceJobs } from './space-jobs.js';
import { SpaceLifeController } from './space-life.controller.js';
import { SpaceLifeService } from './space-life.service.js';
import { SpacePublications } from './space-publications.js';
import { SpacePermissionsController } from './space-permissions.controller.js';
import { SpacePurge } from './space-purge.js';
import { SPACE_RECORDS } from './space.records.js';
import { Space, SpaceSchema } from './space.schema.js';
import { SpacesController } from './spaces.controller.js';
import { SpacesService } from './spaces.service.js';

/** Spaces and collections: settings, access, places, and the pointer to the primary content. */
@Module({
  imports: [
    AuditModule,
    BlobsModule,
    JobsModule,
    OrganizationsModule,
    RevisionsModule,
    TeamsModule,
    MongooseModule.forFeature([
      { name: Space.name, schema: SpaceSchema },
      { name: Collection.name, schema: CollectionSchema },
      { name: Structure.name, schema: StructureSchema },
    ]),
  ],
  controllers: [
    SpacesController,
    SpaceLifeController,
    SpacePermissionsController,
    CollectionsController,
    CollectionPermissionsController,
    MemberSpacesController,
  ],
  providers: [
    keeps(SPACE_RECORDS),
    SpacesService,
    SpaceLifeService,
    SpacePurge,
    SpacePublications,
    SpaceJobs,
    SpaceCounts,
    InvitedSpacesService,
    CollectionsService,
    GrantsService,
    GrantViews,
    GrantsInvariants,
    PlacesService,
  ],
  exports: [SpacesService, SpaceLifeService, SpacePurge, SpacePublications, CollectionsService, GrantsService],
})
export class SpacesModule {}
