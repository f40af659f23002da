import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { Space, SpaceSchema } from './space.schema.js';
import { SpacesController } from './spaces.controller.js';
import { SpacesService } from './spaces.service.js';

/** Spaces: settings, access, and the pointer to the primary content. */
@Module({
  imports: [
    OrganizationsModule,
    RevisionsModule,
    MongooseModule.forFeature([{ name: Space.name, schema: SpaceSchema }]),
  ],
  controllers: [SpacesController],
  providers: [SpacesService],
  exports: [SpacesService],
})
export class SpacesModule {}
