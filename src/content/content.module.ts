import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { OrganizationsModule } from '../organizations/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { SpacesModule } from '../spaces/index.js';
import { ContentController } from './content.controller.js';
import { ContentInvariants } from './content.invariants.js';
import { ContentWriter } from './content.writer.js';
import { EditService } from './edit.service.js';
import { FileLinks } from './file-links.js';
import { FindingService } from './finding.service.js';
import { BookImporter } from './import/book.importer.js';
import { IndexSweep } from './index-sweep.js';
import { Indexer } from './indexer.js';
import { ReadingService } from './reading.service.js';
import { SearchController } from './search.controller.js';
import { searchModels, searchProviders, SectionSource } from './search/index.js';
import { DocumentSections } from './document-sections.js';

/** Pages and files of spaces: reading, editing, importing, searching. */
@Module({
  imports: [OrganizationsModule, RevisionsModule, SpacesModule, MongooseModule.forFeature(searchModels)],
  controllers: [ContentController, SearchController],
  providers: [
    ...searchProviders,
    { provide: SectionSource, useClass: DocumentSections },
    ReadingService,
    ContentWriter,
    EditService,
    Indexer,
    IndexSweep,
    FileLinks,
    FindingService,
    BookImporter,
    ContentInvariants,
  ],
  exports: [BookImporter, EditService, IndexSweep],
})
export class ContentModule {}
