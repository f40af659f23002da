import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { namesOfMembers } from './0003-names-of-members.js';

describe('0003-names-of-members', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await startTestDatabase();
  });
  afterAll(() => test.stop());

  it('gives members the names of their people, and twice does no harm', async () => {
    const { db } = await test.connect('old');
    if (!db) throw new Error('it is not connected');
    const collection = (name: string) => db.collection<{ _id: string; [field: string]: unknown }>(name);
    const people = Array.from({ length: 600 }, (_, n) => ({
      _id: `u${n}`,
      displayName: `Straße ${n}`,
      email: `u${n}@example.org`,
    }));
    await collection('users').insertMany(people);
    await collection('members').insertMany([
      ...people.map(({ _id }) => ({ _id: `o:${_id}`, user: _id })),
      { _id: 'o:gone', user: 'gone' },
    ]);
    await collection('organizations').insertOne({ _id: 'o' });

    await namesOfMembers.up(db);
    await collection('organizations').updateOne({ _id: 'o' }, { $set: { administratorChanges: 7 } });
    await collection('members').updateOne({ _id: 'o:u1' }, { $set: { holds: 3 } });
    await namesOfMembers.up(db);

    const member = { holds: 0, name: 'strasse 599', email: 'u599@example.org' };
    expect(await collection('members').findOne({ _id: 'o:u599' })).toEqual({ _id: 'o:u599', user: 'u599', ...member });
    expect(await collection('members').findOne({ _id: 'o:gone' })).toMatchObject({ name: '', email: '', holds: 0 });
    expect(await collection('members').findOne({ _id: 'o:u1' })).toMatchObject({ holds: 3 });
    expect(await collection('members').countDocuments({ name: { $exists: false } })).toBe(0);
    expect(await collection('users').findOne({ _id: 'u0' })).toMatchObject({ placeholder: false, joins: 0 });
    expect(await collection('organizations').findOne({ _id: 'o' })).toEqual({ _id: 'o', administratorChanges: 7 });
  });
});
