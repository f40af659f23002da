import { ConflictException } from '@nestjs/common';
import type { Model } from 'mongoose';
import { type Counter, givenCounters } from '../../test/support/counters.js';
import type { TestDatabase } from '../../test/support/database.js';
import type { Database } from './database.js';

let test: TestDatabase;
let database: Database;
let counters: Model<Counter>;

const { newCounter, valueOf, increment } = givenCounters((given) => {
  ({ test, database, counters } = given);
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
