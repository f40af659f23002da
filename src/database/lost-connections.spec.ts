import { type Model, Schema } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Database } from './database.js';

interface Thing {
  _id: string;
}

let test: TestDatabase;
let database: Database;
let things: Model<Thing>;

beforeAll(async () => {
  test = await startTestDatabase();
  const connection = await test.connect('lost');
  things = connection.model<Thing>('Thing', new Schema<Thing>({ _id: String }));
  await things.createCollection();
  database = new Database(connection);
  await database.onModuleInit();
});
afterAll(() => test.stop());
afterEach(() => test.fail('off'));

/** Adds a thing in a transaction while each of `commands` loses its connection; answers what came of it, and how often it ran. */
async function addWithout(commands: string[], _id: string): Promise<{ error: unknown; runs: number }> {
  await test.fail('alwaysOn', { failCommands: commands, closeConnection: true });
  let runs = 0;
  const error: unknown = await database
    .transaction(async () => {
      runs += 1;
      await things.create([{ _id }]);
    })
    .catch((reason: unknown) => reason);
  await test.fail('off');
  return { error, runs };
}

describe('a transaction whose connection is lost again and again', () => {
  it('is given up in the end, and can be tried again', async () => {
    const { error, runs } = await addWithout(['insert'], 'lost');
    expect(error).toMatchObject({ name: 'MongoNetworkError' });
    expect(runs).toBeGreaterThan(1);
    expect(runs).toBeLessThanOrEqual(24);
    expect(await things.countDocuments({ _id: 'lost' })).toBe(0);
    expect(await addWithout([], 'lost')).toEqual({ error: undefined, runs: 1 });
  });

  it('is given up as well where it is lost at the end', async () => {
    const { error, runs } = await addWithout(['commitTransaction'], 'unknown');
    expect(error).toMatchObject({ name: 'MongoNetworkError' });
    expect(runs).toBe(1);
    expect(await addWithout([], 'other')).toEqual({ error: undefined, runs: 1 });
  });
});
