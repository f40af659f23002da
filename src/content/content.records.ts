import { apart, owned, type Rule } from '../database/index.js';
import type { SearchBlock } from './search/search-segment.schema.js';

interface OfSpace {
  _id: string;
  space: string;
}

const OF_A_SPACE = { of: ['spaces'], by: 'space' } as const;
/** Their ids begin with that of the space. */
const NAMED_AFTER_IT = { ...OF_A_SPACE, fits: ({ _id, space }: OfSpace) => _id.startsWith(`${space} `) };

/** What of links, search and former addresses goes where an organization goes. */
export const CONTENT_RECORDS: readonly Rule[] = [
  owned<OfSpace>('links', NAMED_AFTER_IT),
  owned<OfSpace>('link_targets', NAMED_AFTER_IT),
  owned<OfSpace>('former_places', NAMED_AFTER_IT),
  owned<OfSpace>('search_segments', OF_A_SPACE),
  owned<SearchBlock>('search_blocks', {
    of: ['search_segments'],
    by: 'segment',
    fits: ({ _id, segment }) => _id.startsWith(`${segment}:`),
  }),
  apart('write_turns', 'they are of processes, for seconds'),
];
