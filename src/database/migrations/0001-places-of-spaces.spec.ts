import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { placesOfSpaces } from './0001-places-of-spaces.js';

interface Record {
  _id: string;
  organization: string;
  createdAt: Date;
  order?: string;
  purging?: boolean;
}

describe('0001-places-of-spaces', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await startTestDatabase();
  });
  afterAll(() => test.stop());

  it('gives spaces places in the order in which they were made, and leaves those that have one', async () => {
    const { db } = await test.connect('places');
    if (!db) throw new Error('it is not connected');
    const spaces = db.collection<Record>('spaces');
    const ids = ['d', 'b', 'c', 'a', 'x'];
    await spaces.insertMany(
      ids.map((_id, index) => ({ _id, organization: index % 2 === 0 ? 'o' : 'p', createdAt: new Date(index) })),
    );
    await placesOfSpaces.up(db);
    const read = () => spaces.find().sort({ organization: 1, order: 1 }).toArray();
    const placed = await read();
    expect(placed.map(({ _id, order }) => [_id, order])).toEqual([
      ['d', 'a0'],
      ['c', 'a1'],
      ['x', 'a2'],
      ['b', 'a0'],
      ['a', 'a1'],
    ]);
    expect(placed.every(({ purging }) => purging === false)).toBe(true);
    await placesOfSpaces.up(db);
    expect(await read()).toEqual(placed);
  });
});
