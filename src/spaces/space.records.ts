import { owned, type Rule } from '../database/index.js';
import type { Collection } from './collection.schema.js';
import type { Grant } from './grant.schema.js';
import type { Space } from './space.schema.js';

const subjects = (grants: readonly Grant[]): string[] => grants.map(({ subject }) => subject);

/** What of spaces and collections goes where an organization goes. */
export const SPACE_RECORDS: readonly Rule[] = [
  owned<Space>('spaces', {
    // jobs index it and purge it, whosever it is
    atOnce: true,
    needs: {
      revisions: ({ revision, indexedRevision, indexTarget }) => [revision, indexedRevision, indexTarget],
      teams: ({ teams }) => subjects(teams),
    },
    people: ({ users }) => subjects(users),
  }),
  owned<Collection>('collections', {
    needs: { collections: ({ parent, path }) => [parent, ...path], teams: ({ teams }) => subjects(teams) },
    people: ({ users }) => subjects(users),
  }),
  owned('structures', { by: '_id' }),
];
