import { type Model, Schema } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { type ImmutableRecord, writerOf } from './immutable.js';

let test: TestDatabase;
let records: Model<ImmutableRecord>;
let write: (written: ImmutableRecord[]) => Promise<void>;

beforeAll(async () => {
  test = await startTestDatabase();
  const connection = await test.connect('immutable');
  records = connection.model<ImmutableRecord>('Record', new Schema<ImmutableRecord>({ _id: String, touchedAt: Date }));
  await records.createCollection();
  write = writerOf(records);
});
afterAll(() => test.stop());
afterEach(() => test.fail('off'));

async function inserts(): Promise<number> {
  const { metrics } = await test.engine.client.db('admin').command({ serverStatus: 1 });
  return (metrics as { commands: { insert: { total: number } } }).commands.insert.total;
}

const record = (_id: string): ImmutableRecord => ({ _id, touchedAt: new Date() });
const stored = async (): Promise<string[]> => (await records.find().sort({ _id: 1 }).lean()).map(({ _id }) => _id);

describe('records that are never changed', () => {
  it('are written once, whoever writes them again', async () => {
    await write([record('a'), record('b')]);
    await write([record('b'), record('c')]);
    expect(await stored()).toEqual(['a', 'b', 'c']);
  });

  it('are written once where two write the same at the same moment, in one command with theirs', async () => {
    const before = await inserts();
    await Promise.all([write([record('one'), record('both')]), write([record('both'), record('other')])]);
    expect(await inserts()).toBe(before + 1);
    expect(await stored()).toEqual(expect.arrayContaining(['both', 'one', 'other']));
  });

  it('are not taken for written where the connection is lost', async () => {
    await test.fail('alwaysOn', { failCommands: ['insert'], closeConnection: true });
    await expect(write([record('d')])).rejects.toThrow(/connection/);
    await test.fail('off');
    expect(await stored()).not.toContain('d');
  });
});
