import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { keeps } from '../database/index.js';
import { ContentSweep } from './content-sweep.js';
import { ChunkRecord, ChunkSchema } from './chunk.schema.js';
import { ChunksService } from './chunks.service.js';
import { DocumentSchema, StoredDocument } from './document.schema.js';
import { DocumentsService } from './documents.service.js';
import { Marks } from './marks.service.js';
import { REVISION_RECORDS } from './revision.records.js';
import { Revision, RevisionSchema } from './revision.schema.js';
import { RevisionsService } from './revisions.service.js';
import { SweepMark, SweepMarkSchema, SweepState, SweepStateSchema } from './sweep.schema.js';

/** The versioned store: texts, revisions and what they hold. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: ChunkRecord.name, schema: ChunkSchema },
      { name: StoredDocument.name, schema: DocumentSchema },
      { name: Revision.name, schema: RevisionSchema },
      { name: SweepState.name, schema: SweepStateSchema },
      { name: SweepMark.name, schema: SweepMarkSchema },
    ]),
  ],
  providers: [keeps(REVISION_RECORDS), ContentSweep, Marks, ChunksService, DocumentsService, RevisionsService],
  exports: [ContentSweep, DocumentsService, RevisionsService],
})
export class RevisionsModule {}
