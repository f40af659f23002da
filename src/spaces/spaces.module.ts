import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BlobsModule } from '../blobs/index.js';
import { JobsModule } from '../jobs/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { Collection, CollectionSchema, Structure, StructureSchema } from './collection.schema.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { PlacesService } from './places.service.js';
import { SpaceJobs } from './space-jobs.js';
import { SpaceLifeController } from './space-life.controller.js';
import { SpaceLifeService } from './space-life.service.js';
import { SpacePurge } from './space-purge.js';
import { Space, SpaceSchema } from './space.schema.js';
import { SpacesController } from './spaces.controller.js';
import { SpacesService } from './spaces.service.js';

/** Spaces and collections: settings, access, places, and the pointer to the primary content. */
@Module({
  imports: [
    BlobsModule,
    JobsModule,
    OrganizationsModule,
    RevisionsModule,
    MongooseModule.forFeature([
      { name: Space.name, schema: SpaceSchema },
      { name: Collection.name, schema: CollectionSchema },
      { name: Structure.name, schema: StructureSchema },
    ]),
  ],
  controllers: [SpacesController, SpaceLifeController, CollectionsController],
  providers: [SpacesService, SpaceLifeService, SpacePurge, SpaceJobs, CollectionsService, PlacesService],
  exports: [SpacesService, SpaceLifeService, SpacePurge, CollectionsService],
})
export class SpacesModule {}
