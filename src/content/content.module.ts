import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/index.js';
import { BlobsModule } from '../blobs/index.js';
import { keeps } from '../database/index.js';
import { JobsModule } from '../jobs/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { OpenApiModule } from '../openapi/index.js';
import { OutboundModule } from '../outbound/index.js';
import { RevisionsModule } from '../revisions/index.js';
import { SpacesModule } from '../spaces/index.js';
import { UsersModule } from '../users/index.js';
import { ArchiveController } from './archive/archive.controller.js';
import { ArchiveExporter } from './archive/archive.exporter.js';
import { ArchiveImporter } from './archive/archive.importer.js';
import { Branches } from './branches/branches.service.js';
import { Batches } from './changes/batches.service.js';
import { ComputedPages } from './computed/index.js';
import { ContentAnswers } from './content.answers.js';
import { ContentController } from './content.controller.js';
import { ContentInvariants } from './content.invariants.js';
import { ContentPurge } from './content-purge.js';
import { CONTENT_RECORDS } from './content.records.js';
import { ContentWriter } from './content.writer.js';
import { Converter } from './conversion/converter.js';
import { DocumentIds } from './document-ids.js';
import { DocumentsController } from './documents.controller.js';
import { EmbedController } from './embed.controller.js';
import { EditService } from './edit.service.js';
import { FileLinks, fileProviders, FilesController } from './files/index.js';
import { FindingService } from './finding.service.js';
import { ImportController } from './import.controller.js';
import { ImportService } from './import/import.service.js';
import { IndexSweep } from './index-sweep.js';
import { Indexer } from './indexer.js';
import { LinksController } from './links.controller.js';
import { FormerPages, FormerPlaceRecord, FormerPlaceSchema } from './former-pages/index.js';
import { linkModels, linkProviders, OutsideTargets } from './links/index.js';
import { LinkAnswers } from './links/link.answers.js';
import { PageTexts } from './page-texts.js';
import { PdfController, PdfLinks, pdfProviders } from './pdf/index.js';
import { ReadingService } from './reading.service.js';
import { RevisionsController } from './revisions.controller.js';
import { SearchController } from './search.controller.js';
import { searchModels, searchProviders, SectionSource } from './search/index.js';
import { TextForms } from './text-forms.js';
import { WriteTurn, WriteTurnSchema } from './write-turn.schema.js';
import { WriteRaces } from './write-races.js';
import { WriteTurns } from './write-turns.js';
import { DocumentSections } from './document-sections.js';

/** Pages and files of spaces: reading, editing, importing, searching. */
@Module({
  imports: [
    AuditModule,
    BlobsModule,
    JobsModule,
    OpenApiModule,
    OutboundModule,
    OrganizationsModule,
    RevisionsModule,
    SpacesModule,
    UsersModule,
    MongooseModule.forFeature([
      ...searchModels,
      ...linkModels,
      { name: WriteTurn.name, schema: WriteTurnSchema },
      { name: FormerPlaceRecord.name, schema: FormerPlaceSchema },
    ]),
  ],
  controllers: [
    ContentController,
    RevisionsController,
    DocumentsController,
    EmbedController,
    FilesController,
    ImportController,
    ArchiveController,
    LinksController,
    SearchController,
    PdfController,
  ],
  providers: [
    keeps(CONTENT_RECORDS),
    ...searchProviders,
    { provide: SectionSource, useClass: DocumentSections },
    ...linkProviders,
    FormerPages,
    LinkAnswers,
    TextForms,
    PageTexts,
    ComputedPages,
    ReadingService,
    ContentAnswers,
    DocumentIds,
    Batches,
    Branches,
    ContentPurge,
    ContentWriter,
    WriteTurns,
    WriteRaces,
    EditService,
    Indexer,
    IndexSweep,
    ...fileProviders,
    ...pdfProviders,
    FindingService,
    ArchiveExporter,
    ArchiveImporter,
    Converter,
    ImportService,
    ContentInvariants,
  ],
  exports: [
    ArchiveExporter,
    ArchiveImporter,
    Batches,
    Branches,
    ContentAnswers,
    EditService,
    FileLinks,
    FindingService,
    FormerPages,
    IndexSweep,
    LinkAnswers,
    OutsideTargets,
    PageTexts,
    PdfLinks,
    TextForms,
    WriteRaces,
  ],
})
export class ContentModule {}
