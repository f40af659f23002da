import { ConflictException, Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { type Connection, type Model, Schema } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Database } from './database.js';

interface Counter {
  _id: string;
  value: number;
}

let test: TestDatabase;
let connection: Connection;
let database: Database;
let counters: Model<Counter>;
let names = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  connection = await test.connect('transactions');
  counters = connection.model<Counter>('Counter', new Schema<Counter>({ _id: String, value: Number }));
  await counters.createCollection();
  database = await databaseOn(connection);
});

afterAll(() => test.stop());
afterEach(() => test.fail('off'));

async function databaseOn(on: Connection): Promise<Database> {
  const made = new Database(on);
  await made.onModuleInit();
  return made;
}

/** A counter that nobody else has. */
async function newCounter(value = 0): Promise<string> {
  const _id = `c${++names}`;
  await counters.insertMany([{ _id, value }]);
  return _id;
}

const valueOf = async (_id: string): Promise<number | undefined> => (await counters.findById(_id).lean())?.value;

/** Adds one in two steps, so that two who do it at once meet. */
async function increment(_id: string): Promise<void> {
  const value = (await valueOf(_id)) ?? 0;
  await counters.updateOne({ _id }, { $set: { value: value + 1 } });
}

const add = (_id: string): Promise<unknown> => counters.create([{ _id, value: 1 }]);

describe('a transaction', () => {
  it('answers what its work does, when all of it is written', async () => {
    const [a, b] = [await newCounter(), await newCounter()];
    const answer = await database.transaction(async () => {
      await increment(a);
      await increment(b);
      return 'done';
    });
    expect([answer, await valueOf(a), await valueOf(b)]).toEqual(['done', 1, 1]);
  });

  it('sees its own writes, and nobody else does before its end', async () => {
    const _id = await newCounter();
    const other = await test.connect('transactions');
    await database.transaction(async () => {
      await increment(_id);
      expect(await valueOf(_id)).toBe(1);
      expect(await other.collection<Counter>('counters').findOne({ _id })).toMatchObject({ value: 0 });
    });
    expect(await other.collection<Counter>('counters').findOne({ _id })).toMatchObject({ value: 1 });
  });

  it('writes nothing when its work throws, and throws the same', async () => {
    const _id = await newCounter();
    const failure = new Error('no');
    let runs = 0;
    const work = database.transaction(async () => {
      runs += 1;
      await increment(_id);
      await add(`${_id} new`);
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect([runs, await valueOf(_id), await valueOf(`${_id} new`)]).toEqual([1, 0, undefined]);
  });

  it('writes nothing when a key is taken, and says so', async () => {
    const _id = await newCounter();
    const work = database.transaction(async () => {
      await add(`${_id} new`);
      await add(_id);
    });
    await expect(work).rejects.toMatchObject({ code: 11000 });
    expect(await valueOf(`${_id} new`)).toBeUndefined();
  });

  it('ends with its work: what comes after it is no part of it', async () => {
    const _id = await newCounter();
    await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await increment(_id);
    expect(await valueOf(_id)).toBe(1);
  });
});

describe('what is to be done after a transaction', () => {
  it('is done once it has happened, in order, and once alone where the work ran several times', async () => {
    const _id = await newCounter();
    const seen: string[] = [];
    let runs = 0;
    await test.fail({ times: 2 }, { failCommands: ['update'], errorCode: 112 });
    await database.transaction(async () => {
      runs += 1;
      database.afterCommit(() => seen.push('first'));
      await database.transaction(async () => {
        await increment(_id);
        database.afterCommit(() => seen.push('second'));
      });
      expect(seen).toEqual([]);
    });
    expect([runs, seen, await valueOf(_id)]).toEqual([3, ['first', 'second'], 1]);
  });

  it('is not done where the transaction fails, and cannot be wished for outside of one', async () => {
    let done = false;
    const work = database.transaction(() => {
      database.afterCommit(() => (done = true));
      return Promise.reject(new Error('no'));
    });
    await expect(work).rejects.toThrow('no');
    expect(done).toBe(false);
    expect(() => {
      database.afterCommit(() => undefined);
    }).toThrow('There is no transaction');
  });
});

describe('a transaction within one', () => {
  it('joins it', async () => {
    const [a, b] = [await newCounter(), await newCounter()];
    const work = database.transaction(async () => {
      await database.transaction(() => increment(a));
      await database.transaction(() => database.transaction(() => increment(b)));
      expect([await valueOf(a), await valueOf(b)]).toEqual([1, 1]);
      throw new Error('after all');
    });
    await expect(work).rejects.toThrow('after all');
    expect([await valueOf(a), await valueOf(b)]).toEqual([0, 0]);
  });

  it('takes the outer one with it when it throws', async () => {
    const [a, b] = [await newCounter(), await newCounter()];
    const work = database.transaction(async () => {
      await increment(a);
      await database.transaction(async () => {
        await increment(b);
        throw new Error('inner');
      });
    });
    await expect(work).rejects.toThrow('inner');
    expect([await valueOf(a), await valueOf(b)]).toEqual([0, 0]);
  });
});

describe('transactions at once', () => {
  it('lose no increment, and do nothing twice that lasts', async () => {
    const other = await databaseOn(connection);
    const _id = await newCounter();
    let runs = 0;
    const one = async (worker: number, turn: number): Promise<void> => {
      await (worker % 2 ? other : database).transaction(async () => {
        runs += 1;
        await increment(_id);
        await wait(1);
        await add(`${_id} ${worker} ${turn}`);
      });
    };
    const worker = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 5; turn++) await one(number, turn);
    };
    await Promise.all(Array.from({ length: 6 }, (_, number) => worker(number)));
    expect(await valueOf(_id)).toBe(30);
    expect(await counters.countDocuments({ _id: new RegExp(`^${_id} `) })).toBe(30);
    // otherwise nothing of this was tried
    expect(runs).toBeGreaterThan(30);
  });

  it('are apart: one that fails leaves the other alone', async () => {
    const [a, b] = [await newCounter(), await newCounter()];
    const ends = await Promise.allSettled([
      database.transaction(async () => {
        await increment(a);
        await wait(5);
        throw new Error('no');
      }),
      database.transaction(async () => {
        await increment(b);
        await wait(10);
      }),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([await valueOf(a), await valueOf(b)]).toEqual([0, 1]);
  });
});

describe('a transaction that meets trouble', () => {
  /** Runs a transaction of one insertion; answers how often its work ran. */
  async function runsOf(_id: string): Promise<number> {
    let runs = 0;
    await database.transaction(async () => {
      runs += 1;
      await add(_id);
    });
    return runs;
  }

  it('is done again when it lost a race, and is written once', async () => {
    await test.fail({ times: 3 }, { failCommands: ['insert'], errorCode: 112 });
    expect(await runsOf('raced')).toBe(4);
    expect(await valueOf('raced')).toBe(1);
  });

  it('is done again when it lost the race at its end', async () => {
    const errorLabels = ['TransientTransactionError'];
    await test.fail({ times: 2 }, { failCommands: ['commitTransaction'], errorCode: 112, errorLabels });
    expect(await runsOf('raced at the end')).toBe(3);
    expect(await valueOf('raced at the end')).toBe(1);
  });

  it('is written once when the answer to its end is lost', async () => {
    await test.fail({ times: 1 }, { failCommands: ['commitTransaction'], closeConnection: true });
    expect(await runsOf('unanswered')).toBe(1);
    expect(await valueOf('unanswered')).toBe(1);
  });

  it('gives up when others keep winning, and says what to do', async () => {
    await test.fail('alwaysOn', { failCommands: ['insert'], errorCode: 112 });
    let runs = 0;
    const work = database.transaction(async () => {
      runs += 1;
      await add('never');
    });
    const error: unknown = await work.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConflictException);
    expect(error).toHaveProperty('message', 'Others kept writing to the same place at the same moment; try again');
    expect(runs).toBe(24);
    await test.fail('off');
    expect(await valueOf('never')).toBeUndefined();
    expect(await runsOf('afterwards')).toBe(1);
  });

  it('is done again when the server breaks it off, and is written once', async () => {
    const errorLabels = ['TransientTransactionError'];
    await test.fail({ times: 3 }, { failCommands: ['insert'], errorCode: 24, errorLabels });
    expect(await runsOf('broken off')).toBe(4);
    expect(await valueOf('broken off')).toBe(1);
  });

  it('gives up on a server that keeps breaking it off, and throws what that says', async () => {
    const errorLabels = ['TransientTransactionError'];
    await test.fail('alwaysOn', { failCommands: ['insert'], errorCode: 24, errorLabels });
    let runs = 0;
    const work = database.transaction(async () => {
      runs += 1;
      await add('always broken off');
    });
    await expect(work).rejects.toMatchObject({ code: 24 });
    expect(runs).toBeLessThanOrEqual(24);
    await test.fail('off');
    expect(await valueOf('always broken off')).toBeUndefined();
  });

  it('asks for its end again, and not for the rest, while nobody says whether it has happened', async () => {
    const errorLabels = ['UnknownTransactionCommitResult'];
    await test.fail({ times: 3 }, { failCommands: ['commitTransaction'], errorCode: 64, errorLabels });
    expect(await runsOf('unknown for long')).toBe(1);
    expect(await valueOf('unknown for long')).toBe(1);
  });

  it.each([
    ['says that it does not know', { errorCode: 64, errorLabels: ['UnknownTransactionCommitResult'] }],
    ['says nothing', { closeConnection: true }],
  ])('is not done a second time where the server never says whether it has happened: it %s', async (_, data) => {
    await test.fail('alwaysOn', { failCommands: ['commitTransaction'], ...data });
    let runs = 0;
    const work = database.transaction(async () => {
      runs += 1;
      await add(`unknown for ever ${runs}`);
    });
    await expect(work).rejects.toThrow(/failpoint|closed/);
    expect(runs).toBe(1);
    await test.fail('off');
    expect(await valueOf('unknown for ever 1')).toBeUndefined();
  });

  it('is not done a second time where a server that was asked before knows nothing of it', async () => {
    const errorLabels = ['TransientTransactionError'];
    const end = (): Promise<void> =>
      test.fail({ times: 1 }, { failCommands: ['commitTransaction'], errorCode: 251, errorLabels });
    await test.fail({ times: 1 }, { failCommands: ['commitTransaction'], closeConnection: true });
    let runs = 0;
    // the driver tells of the connection that was broken, a moment before the end is asked for again
    connection.getClient().once('connectionPoolCleared', () => void end());
    const work = database.transaction(async () => {
      runs += 1;
      await increment(await newCounter());
    });
    await expect(work).rejects.toThrow('closed');
    expect(runs).toBe(1);
  });

  it('is not done again for a mistake', async () => {
    await test.fail('alwaysOn', { failCommands: ['insert'], errorCode: 2 });
    let runs = 0;
    const work = database.transaction(async () => {
      runs += 1;
      await add('mistaken');
    });
    await expect(work).rejects.toMatchObject({ code: 2 });
    expect(runs).toBe(1);
  });
});

describe('a standalone server', () => {
  /** `connection` to a server that introduces itself as one without transactions. */
  function standalone(): Connection {
    const db = {
      command: async (command: Record<string, unknown>): Promise<unknown> => {
        const { setName: _setName, ...answer } = (await connection.db?.command(command)) ?? {};
        return answer;
      },
    };
    return Object.create(connection, { db: { value: db } }) as Connection;
  }

  it('runs the work once, without a transaction', async () => {
    const warnings: unknown[] = [];
    const ignore = (): void => undefined;
    Logger.overrideLogger({ log: ignore, error: ignore, warn: (message: unknown) => warnings.push(message) });
    const alone = await databaseOn(standalone());
    Logger.overrideLogger(false);
    expect(warnings).toEqual([expect.stringContaining('Use a replica set')]);
    const _id = await newCounter();
    const work = alone.transaction(async () => {
      await increment(_id);
      await alone.transaction(() => increment(_id));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await valueOf(_id)).toBe(2);
    expect(await alone.transaction(() => Promise.resolve('done'))).toBe('done');
  });
});

describe('the database', () => {
  it('answers a ping, and says how it stands', async () => {
    await expect(database.ping(1000)).resolves.toBeUndefined();
    expect(database.state).toBe(1);
  });

  it('says when it does not answer', async () => {
    await test.fail('alwaysOn', { failCommands: ['ping'], errorCode: 11600 });
    await expect(database.ping(1000)).rejects.toMatchObject({ code: 11600 });
  });

  it('is not there before it is connected, and after', async () => {
    const closed = await test.connect('closed');
    const gone = await databaseOn(closed);
    await closed.close();
    expect(gone.state).toBe(0);
    await expect(gone.ping(1000)).rejects.toThrow();
  });
});

describe('what the first transaction of some work begins with', () => {
  /** Work that counts on one counter what each transaction begins with, and on another what it does. */
  const counting = async () => {
    const [first, own] = [await newCounter(), await newCounter()];
    const values = async () => [await valueOf(first), await valueOf(own)];
    return { begin: () => increment(first), act: () => database.transaction(() => increment(own)), values };
  };

  it('is done once, with the first that happens', async () => {
    const { begin, act, values } = await counting();
    await database.beginWith(begin, async () => {
      expect(await values()).toEqual([0, 0]);
      await act();
      expect(await values()).toEqual([1, 1]);
      await act();
    });
    expect(await values()).toEqual([1, 2]);
    await act();
    expect(await values()).toEqual([1, 3]);
  });

  it('is not done by work without a transaction', async () => {
    const { begin, values } = await counting();
    expect(await database.beginWith(begin, () => Promise.resolve('done'))).toBe('done');
    expect(await values()).toEqual([0, 0]);
  });

  it('is undone with a transaction that does not happen, and done by the next', async () => {
    const { begin, act, values } = await counting();
    await database.beginWith(begin, async () => {
      const fails = database.transaction(() => Promise.reject(new Error('no')));
      await expect(fails).rejects.toThrow('no');
      expect(await values()).toEqual([0, 0]);
      await act();
    });
    expect(await values()).toEqual([1, 1]);
  });

  it('is done anew with each attempt', async () => {
    const { begin, act, values } = await counting();
    await test.fail({ times: 2 }, { failCommands: ['update'], errorCode: 112 });
    await database.beginWith(begin, act);
    expect(await values()).toEqual([1, 1]);
  });

  it('keeps the transaction from happening where it throws', async () => {
    const { act, values } = await counting();
    const refusal = new ConflictException('no');
    await expect(database.beginWith(() => Promise.reject(refusal), act)).rejects.toBe(refusal);
    expect(await values()).toEqual([0, 0]);
  });

  it('lets two happen side by side', async () => {
    const [mark, ...both] = [await newCounter(), await newCounter(), await newCounter()];
    const begin = async (): Promise<void> => {
      await counters.updateOne({ _id: mark }, { $set: { value: 7 } });
    };
    await database.beginWith(begin, () => Promise.all(both.map((one) => database.transaction(() => increment(one)))));
    expect(await Promise.all([mark, ...both].map(valueOf))).toEqual([7, 1, 1]);
  });

  it('is no part of what goes on after the work', async () => {
    const { begin, act, values } = await counting();
    let goOn = (): void => undefined;
    const signal = new Promise<void>((resolve) => (goOn = resolve));
    let later: Promise<unknown> = Promise.resolve();
    await database.beginWith(begin, () => {
      later = signal.then(act);
      return Promise.resolve();
    });
    goOn();
    await later;
    expect(await values()).toEqual([0, 1]);
  });
});
