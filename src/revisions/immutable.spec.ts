import { type Model, Schema } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type ImmutableRecord, writeImmutable } from './immutable.js';

let test: TestDatabase;
let records: Model<ImmutableRecord>;

beforeAll(async () => {
  test = await startTestDatabase();
  const connection = await test.connect('immutable');
  records = connection.model<ImmutableRecord>('Record', new Schema<ImmutableRecord>({ _id: String, touchedAt: Date }));
  await records.createCollection();
});
afterAll(() => test.stop());
afterEach(() => test.fail('off'));

const record = (_id: string): ImmutableRecord => ({ _id, touchedAt: new Date() });
const stored = async (): Promise<string[]> => (await records.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);

describe('records that are never changed', () => {
  it('are written once, whoever writes them again', async () => {
    await writeImmutable(records, [record('a'), record('b')]);
    await writeImmutable(records, [record('b'), record('c')]);
    expect(await stored()).toEqual(['a', 'b', 'c']);
  });

  it('are not taken for written where the connection is lost', async () => {
    await test.fail('alwaysOn', { failCommands: ['insert'], closeConnection: true });
    await expect(writeImmutable(records, [record('d')])).rejects.toThrow(/connection/);
    await test.fail('off');
    expect(await stored()).not.toContain('d');
  });
});
