import type { Migration } from './migration.js';

interface SpaceRecord {
  indexedRevision: string | null;
  indexTarget: string | null;
  indexing: boolean;
}

/** What search and the lists of links are made of. */
const INDEXES = ['search_segments', 'search_blocks', 'links', 'link_targets'];

/**
 * Has search and links of every space made anew, in the background once the service runs: earlier versions knew neither
 * links nor the addresses in HTML. What is known about texts is brought up to date when it is read.
 */
export const indexesAnew: Migration = {
  name: '0002-indexes-anew',
  async up(db) {
    const behind = { indexedRevision: null, indexTarget: null, indexing: true };
    await db.collection<SpaceRecord>('spaces').updateMany({ purging: { $ne: true } }, { $set: behind });
    for (const name of INDEXES) await db.collection(name).deleteMany({});
  },
};
