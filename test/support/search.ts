import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import type { SearchEntry } from '../../src/content/search/analysis.js';
import { SegmentMerger } from '../../src/content/search/merger.js';
import { SearchIndex } from '../../src/content/search/search-index.js';
import {
  SearchBlock,
  SearchBlockSchema,
  SearchSegment,
  SearchSegmentSchema,
} from '../../src/content/search/search-segment.schema.js';
import { SearchService } from '../../src/content/search/search.service.js';
import { type Section, SectionSource } from '../../src/content/search/section-source.js';
import { Segments } from '../../src/content/search/segments.js';
import { Database, openEngine } from '../../src/database/index.js';

/** The texts that are searched, in memory. */
class Documents extends SectionSource {
  readonly all = new Map<string, Section[]>();
  /** How often sections were asked for. */
  asked = 0;

  override sections(documents: string[]): Promise<Map<string, Section[]>> {
    this.asked += 1;
    return Promise.resolve(new Map(documents.map((key) => [key, this.all.get(key) ?? []])));
  }

  override cut(): Promise<Map<string, Section[]>> {
    return Promise.resolve(new Map<string, Section[]>());
  }
}

/** What a page is made of. */
export interface Words {
  title?: string;
  description?: string;
  text?: string;
  sections?: [title: string, text: string][];
}

/** Search on a database of its own, without the content around it. */
export interface TestSearch {
  connection: Connection;
  database: Database;
  documents: Documents;
  segments: Segments;
  merger: SegmentMerger;
  index: SearchIndex;
  service: SearchService;
  /** Without anything in memory yet. */
  newSegments(): Segments;
  /** A page as the index takes it; its text is known from then on. */
  entry(page: string, words: Words): SearchEntry;
  /** Makes a space with these pages; answers its id. */
  spaceOf(pages: Record<string, Words>): Promise<string>;
  stop(): Promise<void>;
}

/** Starts search on an engine of its own. */
export async function startSearch(): Promise<TestSearch> {
  const folder = await mkdtemp(join(tmpdir(), 'search-'));
  const engine = await openEngine(folder);
  const connection = await mongoose.createConnection(engine.uri, { dbName: 'search', autoIndex: false }).asPromise();
  const segmentModel = connection.model<SearchSegment>(SearchSegment.name, SearchSegmentSchema);
  const blockModel = connection.model<SearchBlock>(SearchBlock.name, SearchBlockSchema);
  await segmentModel.createIndexes();
  await blockModel.createIndexes();
  const database = new Database(connection);
  await database.onModuleInit();
  const newSegments = (): Segments => new Segments(segmentModel, blockModel, database);
  const documents = new Documents();
  const segments = newSegments();
  const merger = new SegmentMerger(segments, database);
  const index = new SearchIndex(segments, merger);
  const entry = (page: string, words: Words): SearchEntry => entryOf(documents, page, words);
  let spaces = 0;
  return {
    connection,
    database,
    documents,
    segments,
    merger,
    index,
    service: new SearchService(segments, documents),
    newSegments,
    entry,
    async spaceOf(pages) {
      const space = `space${++spaces}`;
      await index.put(
        space,
        Object.entries(pages).map(([page, words]) => entry(page, words)),
      );
      return space;
    },
    async stop() {
      await merger.onModuleDestroy();
      await connection.close();
      await engine.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function entryOf(
  documents: Documents,
  page: string,
  { title = 'Untitled', description, text = '', sections = [] }: Words,
): SearchEntry {
  const all = [['', text] as const, ...sections].map(([heading, body]) => ({
    anchor: heading.toLowerCase().replaceAll(' ', '-'),
    title: heading,
    depth: heading ? 2 : 0,
    text: body,
  }));
  const document = `${page}:${JSON.stringify(all)}`;
  documents.all.set(document, all);
  return { page, document, title, sections: all, ...(description !== undefined && { description }) };
}
