import { Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, Model } from 'mongoose';
import { type Counter, databaseOn, givenCounters } from '../../test/support/counters.js';
import type { TestDatabase } from '../../test/support/database.js';
import type { Database } from './database.js';

let test: TestDatabase;
let connection: Connection;
let database: Database;
let counters: Model<Counter>;

const { newCounter, valueOf, increment } = givenCounters((given) => {
  ({ test, connection, database, counters } = given);
});

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

/**
 * Runs `inside` within a transaction that fails; `others`, which it calls, has `outside` begin without one, in that very turn of the
 * event loop. Answers what `outside` does.
 */
async function besideOneThatFails<T>(
  inside: (others: () => Promise<void>) => Promise<void>,
  outside: () => Promise<T>,
): Promise<T> {
  let begin = (): void => undefined;
  const asked = new Promise<void>((resolve) => (begin = resolve));
  // begun here, it has nothing of the transaction
  const begun = asked.then(() => ({ answer: outside() }));
  const work = database.transaction(async () => {
    await inside(async () => {
      begin();
      await begun;
    });
    throw new Error('after all');
  });
  await expect(work).rejects.toThrow('after all');
  return (await begun).answer;
}

describe('an inserter', () => {
  let insert: (record: Counter) => Promise<void>;
  let inserts: jest.SpyInstance<Promise<void>, [Model<Counter>, readonly Counter[]]>;
  /** Which records each command had. */
  const commands = (): string[][] => inserts.mock.calls.map(([, records]) => records.map(({ _id }) => _id));

  beforeEach(() => {
    insert = database.inserter(counters);
    inserts = jest.spyOn(database, 'insert') as unknown as typeof inserts;
  });
  afterEach(() => {
    inserts.mockRestore();
  });

  it('writes with one command what is inserted at the same moment, as it is', async () => {
    const records = ['a', 'b', 'c'].map((letter, value) => ({ _id: `at once ${letter}`, value }));
    await Promise.all(records.map(insert));
    expect(commands()).toEqual([['at once a', 'at once b', 'at once c']]);
    expect(await counters.find({ _id: /^at once/ }).lean()).toEqual(records);
  });

  it('is a part of the transaction that it is used in, and is undone with that', async () => {
    const work = database.transaction(async () => {
      await insert({ _id: 'undone', value: 1 });
      expect(await valueOf('undone')).toBe(1);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await valueOf('undone')).toBeUndefined();
    await database.transaction(() => insert({ _id: 'undone', value: 2 }));
    expect(await valueOf('undone')).toBe(2);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('does not mix that with what others insert a moment %s it', async (when, othersFirst) => {
    const [own, theirs] = [`of a transaction, ${when}`, `of others, ${when}`];
    await besideOneThatFails(
      async (others) => {
        if (othersFirst) await others();
        const inserted = insert({ _id: own, value: 1 });
        if (!othersFirst) await others();
        await inserted;
      },
      () => insert({ _id: theirs, value: 1 }),
    );
    expect(commands().sort()).toEqual([[own], [theirs]]);
    expect([await valueOf(own), await valueOf(theirs)]).toEqual([undefined, 1]);
  });
});

describe('a shared read', () => {
  /** A shared read of the value of a counter, and how often it was made. */
  const reading = () => {
    const made: string[] = [];
    const read = database.shared(async (_id: string) => {
      made.push(_id);
      return { value: await valueOf(_id) };
    });
    return { made, read };
  };

  it('is made once for all who ask at the same moment, and its answer is frozen', async () => {
    const { made, read } = reading();
    const _id = await newCounter(5);
    const [one, other] = await Promise.all([read(_id), read(_id)]);
    expect(one).toEqual({ value: 5 });
    expect(other).toBe(one);
    expect(Object.isFrozen(one)).toBe(true);
    expect(made).toEqual([_id]);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'is made alone within a transaction, sees what that has written, and shows it to nobody who asks %s',
    async (_, othersFirst) => {
      const { made, read } = reading();
      const counter = await newCounter();
      const inside: unknown[] = [];
      const outside = await besideOneThatFails(
        async (others) => {
          await increment(counter);
          if (othersFirst) await others();
          const asked = read(counter);
          if (!othersFirst) await others();
          inside.push(await asked);
        },
        () => read(counter),
      );
      expect([inside, outside]).toEqual([[{ value: 1 }], { value: 0 }]);
      expect(made).toEqual([counter, counter]);
    },
  );
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
