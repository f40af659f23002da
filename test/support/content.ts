import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ConfigModule, loadConfig } from '../../src/config/index.js';
import { ArchiveExporter, ArchiveImporter, ContentModule, EditService, IndexSweep } from '../../src/content/index.js';
import { Branches } from '../../src/content/branches/branches.service.js';
import { Batches } from '../../src/content/changes/batches.service.js';
import { ContentWriter } from '../../src/content/content.writer.js';
import { Indexer } from '../../src/content/indexer.js';
import { ReadingService } from '../../src/content/reading.service.js';
import { BranchLinkReader } from '../../src/content/links/branch-links.js';
import { LinkIndex } from '../../src/content/links/index.js';
import { FilesService } from '../../src/content/files/index.js';
import { PageTexts } from '../../src/content/page-texts.js';
import { SearchIndex, SearchService } from '../../src/content/search/index.js';
import { DocumentsService, type PageDraft, type PageTree, RevisionsService } from '../../src/revisions/index.js';
import { SpacesService } from '../../src/spaces/index.js';
import type { TestDatabase } from './database.js';

/** What reads and writes content, as one process runs it: with a memory of its own. */
export interface ContentProcess {
  writer: ContentWriter;
  editing: EditService;
  batches: Batches;
  branches: Branches;
  branchLinks: BranchLinkReader;
  reading: ReadingService;
  indexer: Indexer;
  sweep: IndexSweep;
  spaces: SpacesService;
  revisions: RevisionsService;
  documents: DocumentsService;
  search: SearchService;
  index: SearchIndex;
  links: LinkIndex;
  texts: PageTexts;
  files: FilesService;
  archives: ArchiveImporter;
  exporter: ArchiveExporter;
  connection: Connection;
  /** All pages of a space as they are now. */
  pages(space: string): Promise<PageTree>;
  /** A document page with a text of its own. */
  draft(title: string, markdown?: string, more?: Partial<PageDraft>): Promise<PageDraft>;
}

/** Starts another process on the database of `test`; it ends with the database. */
export async function startContent(test: TestDatabase): Promise<ContentProcess> {
  const config = loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' });
  const app = await test.boot(ConfigModule.of(config), ContentModule);
  const one: Omit<ContentProcess, 'pages' | 'draft'> = {
    writer: app.get(ContentWriter, { strict: false }),
    editing: app.get(EditService, { strict: false }),
    batches: app.get(Batches, { strict: false }),
    branches: app.get(Branches, { strict: false }),
    branchLinks: app.get(BranchLinkReader, { strict: false }),
    reading: app.get(ReadingService, { strict: false }),
    indexer: app.get(Indexer, { strict: false }),
    sweep: app.get(IndexSweep, { strict: false }),
    spaces: app.get(SpacesService, { strict: false }),
    revisions: app.get(RevisionsService, { strict: false }),
    documents: app.get(DocumentsService, { strict: false }),
    search: app.get(SearchService, { strict: false }),
    index: app.get(SearchIndex, { strict: false }),
    links: app.get(LinkIndex, { strict: false }),
    texts: app.get(PageTexts, { strict: false }),
    files: app.get(FilesService, { strict: false }),
    archives: app.get(ArchiveImporter, { strict: false }),
    exporter: app.get(ArchiveExporter, { strict: false }),
    connection: app.get<Connection>(getConnectionToken()),
  };
  return {
    ...one,
    pages: async (space) => one.reading.pages((await one.spaces.get(space)).revision),
    async draft(title, markdown = `Text of ${title}\n`, more = {}) {
      const { _id: document } = await one.documents.put('org', markdown);
      return { kind: 'document', title, document, ...more };
    },
  };
}
