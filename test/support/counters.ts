import { type Connection, type Model, Schema } from 'mongoose';
import { Database } from '../../src/database/database.js';
import { startTestDatabase, type TestDatabase } from './database.js';

/** What transactions are tried on. */
export interface Counter {
  _id: string;
  value: number;
}

/** What tests of transactions have, the same for all of a file. */
export interface GivenCounters {
  test: TestDatabase;
  connection: Connection;
  /** On that connection. */
  database: Database;
  counters: Model<Counter>;
}

/** What is done with counters; within a transaction, where it is done there. */
export interface Counting {
  /** Makes a counter that nobody else has; answers its id. */
  newCounter: (value?: number) => Promise<string>;
  valueOf: (_id: string) => Promise<number | undefined>;
  /** Adds one in two steps, so that two who do it at once meet. */
  increment: (_id: string) => Promise<void>;
}

/** A database as a process of its own has it. */
export async function databaseOn(connection: Connection): Promise<Database> {
  const made = new Database(connection);
  await made.onModuleInit();
  return made;
}

/** Starts an engine for the tests around and hands it to `use`; after each of them, no commands fail any more. */
export function givenCounters(use: (given: GivenCounters) => void): Counting {
  let test: TestDatabase;
  let counters: Model<Counter>;
  let names = 0;

  beforeAll(async () => {
    test = await startTestDatabase();
    const connection = await test.connect('transactions');
    counters = connection.model<Counter>('Counter', new Schema<Counter>({ _id: String, value: Number }));
    await counters.createCollection();
    use({ test, connection, counters, database: await databaseOn(connection) });
  });
  afterAll(() => test.stop());
  afterEach(() => test.fail('off'));

  const valueOf = async (_id: string): Promise<number | undefined> => (await counters.findById(_id).lean())?.value;
  return {
    newCounter: async (value = 0) => {
      const _id = `c${++names}`;
      await counters.insertMany([{ _id, value }]);
      return _id;
    },
    valueOf,
    increment: async (_id) => {
      const value = (await valueOf(_id)) ?? 0;
      await counters.updateOne({ _id }, { $set: { value: value + 1 } });
    },
  };
}
