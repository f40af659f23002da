import { apart, owned, type Rule } from '../database/index.js';
import type { SearchBlock } from './search/search-segment.schema.js';

const OF_A_SPACE = { of: ['spaces'], by: 'space' } as const;

/** What of links, search and former addresses goes where an organization goes. */
export const CONTENT_RECORDS: readonly Rule[] = [
  owned<{ space: string }>('links', OF_A_SPACE),
  owned<{ space: string }>('link_targets', OF_A_SPACE),
  owned<{ space: string }>('former_places', OF_A_SPACE),
  owned<{ space: string }>('search_segments', OF_A_SPACE),
  owned<SearchBlock>('search_blocks', { of: ['search_segments'], by: 'segment' }),
  apart('write_turns', 'they are of processes, for seconds'),
];
