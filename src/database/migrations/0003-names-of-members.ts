import { fold } from '../../common/folding.js';
import type { Migration } from './migration.js';

interface MemberRecord {
  _id: string;
  user: string;
}

interface UserRecord {
  _id: string;
  displayName: string;
  email: string;
}

const BATCH = 500;

/**
 * Writes the names and addresses of people into the records of members, which are searched by them, and gives people,
 * members and organizations the fields that invitations and administrators need.
 */
export const namesOfMembers: Migration = {
  name: '0003-names-of-members',
  async up(db) {
    await db.collection('users').updateMany({ joins: { $exists: false } }, { $set: { placeholder: false, joins: 0 } });
    const organizations = db.collection('organizations');
    await organizations.updateMany({ administratorChanges: { $exists: false } }, { $set: { administratorChanges: 0 } });
    const members = db.collection<MemberRecord>('members');
    await members.updateMany({ holds: { $exists: false } }, { $set: { holds: 0 } });
    for (let after = ''; ;) {
      const batch = await members
        .find({ _id: { $gt: after } }, { projection: { user: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = batch.at(-1);
      if (!last) return;
      const found = db.collection<UserRecord>('users').find({ _id: { $in: batch.map(({ user }) => user) } });
      const users = new Map((await found.toArray()).map((user) => [user._id, user]));
      await members.bulkWrite(
        batch.map(({ _id, user }) => {
          const { displayName = '', email = '' } = users.get(user) ?? {};
          return { updateOne: { filter: { _id }, update: { $set: { name: fold(displayName), email: fold(email) } } } };
        }),
      );
      after = last._id;
    }
  },
};
