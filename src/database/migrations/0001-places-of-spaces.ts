import { orderKeysBetween } from '../../common/order-keys.js';
import type { Migration } from './migration.js';

interface SpaceRecord {
  _id: string;
  organization: string;
  order?: string;
}

/** Gives spaces that have no place yet one: those of an organization in the order in which they were made. */
export const placesOfSpaces: Migration = {
  name: '0001-places-of-spaces',
  async up(db) {
    const spaces = db.collection<SpaceRecord>('spaces');
    await spaces.updateMany({ purging: { $exists: false } }, { $set: { purging: false } });
    let last: { organization: string; order: string } | undefined;
    const found = spaces
      .find({}, { projection: { organization: 1, order: 1 } })
      .sort({ organization: 1, createdAt: 1 });
    for await (const { _id, organization, order: present } of found) {
      const before = last?.organization === organization ? last.order : null;
      // done twice, it leaves what it did
      const order = present ?? orderKeysBetween(before, null, 1)[0] ?? '';
      if (present === undefined) await spaces.updateOne({ _id }, { $set: { order } });
      last = { organization, order };
    }
  },
};
