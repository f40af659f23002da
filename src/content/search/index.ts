import { SegmentMerger } from './merger.js';
import { SearchIndex } from './search-index.js';
import { SearchBlock, SearchBlockSchema, SearchSegment, SearchSegmentSchema } from './search-segment.schema.js';
import { SearchService } from './search.service.js';
import { Segments } from './segments.js';

export type { SearchEntry } from './analysis.js';
export type { FoundSection } from './excerpt.js';
export { type MemoryPages, memoryPages } from './memory-pages.js';
export { SearchIndex, type SearchPlace } from './search-index.js';
export { type FoundPage, type FoundSpace, type SearchQuery, SearchService } from './search.service.js';
export { type Section, SectionSource } from './section-source.js';

/** The models of search, for `MongooseModule.forFeature`. */
export const searchModels = [
  { name: SearchSegment.name, schema: SearchSegmentSchema },
  { name: SearchBlock.name, schema: SearchBlockSchema },
];

/** What searches and indexes; {@link SectionSource} must be provided beside it. */
export const searchProviders = [Segments, SegmentMerger, SearchIndex, SearchService];
