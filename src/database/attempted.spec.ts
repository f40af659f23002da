import { ConflictException } from '@nestjs/common';
import { type Connection, type Model, Schema } from 'mongoose';
import { onMovedClock } from '../../test/support/clock.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { attempted, PAUSES } from './attempted.js';

interface Thing {
  _id: string;
}

const BROKEN_OFF = { errorCode: 24, errorLabels: ['TransientTransactionError'] };
const UNKNOWN = { errorCode: 64, errorLabels: ['UnknownTransactionCommitResult'] };
const LOST = { closeConnection: true };
const UNCONFIRMED = { writeConcernError: { code: 100, errmsg: 'Not enough data-bearing nodes' } };

let test: TestDatabase;
let connection: Connection;
let things: Model<Thing>;
/** How the service waits; here hardly at all, as the driver does where its dice show nothing. */
const pauses = { ...PAUSES };
let dice: jest.SpyInstance;

beforeAll(async () => {
  Object.assign(PAUSES, { first: 1, longest: 5 });
  dice = jest.spyOn(Math, 'random').mockReturnValue(0);
  test = await startTestDatabase();
  connection = await test.connect('attempted', { minHeartbeatFrequencyMS: 10 });
  things = connection.model<Thing>('Thing', new Schema<Thing>({ _id: String }));
  await things.createCollection();
});
afterAll(async () => {
  await test.stop();
  dice.mockRestore();
  Object.assign(PAUSES, pauses);
});
afterEach(() => test.fail('off'));

const failing = (mode: 'alwaysOn' | { times: number }, command: string, data: object): Promise<void> =>
  test.fail(mode, { failCommands: [command], ...data });
const isThere = async (_id: string): Promise<boolean> => (await things.findById(_id).lean()) !== null;

/** Adds a thing; `then` is done within the transaction as well. Answers how often that ran, and what was thrown. */
async function adding(_id: string, then = (): void => undefined): Promise<{ runs: number; error?: unknown }> {
  let runs = 0;
  const work = attempted(connection, async () => {
    runs += 1;
    await things.create([{ _id }]);
    then();
  });
  return work.then(
    () => ({ runs }),
    (error: unknown) => ({ runs, error }),
  );
}

describe('a transaction that meets trouble', () => {
  it('is done again when it lost a race, and is written once', async () => {
    await failing({ times: 3 }, 'insert', { errorCode: 112 });
    expect(await adding('raced')).toEqual({ runs: 4 });
    expect(await isThere('raced')).toBe(true);
  });

  it('is done again when it lost the race at its end', async () => {
    await failing({ times: 2 }, 'commitTransaction', { ...BROKEN_OFF, errorCode: 112 });
    expect(await adding('raced at the end')).toEqual({ runs: 3 });
    expect(await isThere('raced at the end')).toBe(true);
  });

  it('is written once when the answer to its end is lost', async () => {
    await failing({ times: 1 }, 'commitTransaction', LOST);
    expect(await adding('unanswered')).toEqual({ runs: 1 });
    expect(await isThere('unanswered')).toBe(true);
  });

  it('gives up when others keep winning, and says what to do', async () => {
    await failing('alwaysOn', 'insert', { errorCode: 112 });
    const { runs, error } = await adding('never');
    expect(error).toBeInstanceOf(ConflictException);
    expect(error).toHaveProperty('message', 'Others kept writing to the same place at the same moment; try again');
    expect(runs).toBe(24);
    await test.fail('off');
    expect(await isThere('never')).toBe(false);
    expect(await adding('never')).toEqual({ runs: 1 });
  });

  it('tells of a connection that broke before others kept winning: what it left behind may be in the way', async () => {
    await failing({ times: 1 }, 'insert', LOST);
    connection.getClient().once('connectionPoolCleared', () => void failing('alwaysOn', 'insert', { errorCode: 112 }));
    const { runs, error } = await adding('in the way');
    expect(error).toMatchObject({ name: 'MongoNetworkError' });
    expect(runs).toBe(24);
  });

  it('is done again when the server breaks it off, and is written once', async () => {
    await failing({ times: 3 }, 'insert', BROKEN_OFF);
    expect(await adding('broken off')).toEqual({ runs: 4 });
    expect(await isThere('broken off')).toBe(true);
  });

  it.each([
    ['breaking it off', BROKEN_OFF, { code: 24 }],
    ['losing its connection', LOST, { name: 'MongoNetworkError' }],
  ])('gives up on a server that keeps %s, throws what that says, and can be tried again', async (how, data, thrown) => {
    await failing('alwaysOn', 'insert', data);
    const { runs, error } = await adding(how);
    expect(error).toMatchObject(thrown);
    expect(runs).toBe(24);
    await test.fail('off');
    expect(await isThere(how)).toBe(false);
    expect(await adding(how)).toEqual({ runs: 1 });
  });

  it('is not done again for a mistake', async () => {
    await failing('alwaysOn', 'insert', { errorCode: 2 });
    expect(await adding('mistaken')).toMatchObject({ runs: 1, error: { code: 2 } });
  });
});

describe('a transaction of which nobody says whether it has happened', () => {
  it('is asked for its end again, and not for the rest', async () => {
    await failing({ times: 3 }, 'commitTransaction', UNKNOWN);
    expect(await adding('unknown for long')).toEqual({ runs: 1 });
    expect(await isThere('unknown for long')).toBe(true);
  });

  it.each([
    ['says that it does not know', UNKNOWN, { code: 64 }],
    ['says nothing', LOST, { name: 'MongoNetworkError' }],
  ])('is not done a second time where the server never does: it %s', async (how, data, thrown) => {
    await failing('alwaysOn', 'commitTransaction', data);
    const { runs, error } = await adding(how);
    expect(error).toMatchObject(thrown);
    expect(runs).toBe(1);
    await test.fail('off');
    expect(await isThere(how)).toBe(false);
    expect(await adding(`${how}, and is asked again`)).toEqual({ runs: 1 });
  });

  it('is not done a second time where the other servers never confirm it', async () => {
    await failing('alwaysOn', 'commitTransaction', UNCONFIRMED);
    const { runs, error } = await adding('unconfirmed');
    expect(error).toMatchObject({ name: 'MongoWriteConcernError', code: 100 });
    expect(runs).toBe(1);
    expect(await isThere('unconfirmed')).toBe(true);
  });

  it('is done once where the other servers confirm it late', async () => {
    await failing({ times: 2 }, 'commitTransaction', UNCONFIRMED);
    expect(await adding('confirmed late')).toEqual({ runs: 1 });
    expect(await isThere('confirmed late')).toBe(true);
  });

  it('is not done a second time where a server that was asked before knows nothing of it', async () => {
    await failing({ times: 1 }, 'commitTransaction', LOST);
    // the driver tells of the connection that was broken, a moment before the end is asked for again
    const gone = { errorCode: 251, errorLabels: ['TransientTransactionError'] };
    connection.getClient().once('connectionPoolCleared', () => void failing({ times: 1 }, 'commitTransaction', gone));
    const { runs, error } = await adding('forgotten');
    expect(error).toMatchObject({ name: 'MongoNetworkError' });
    expect(runs).toBe(1);
  });
});

describe('after ten seconds, a transaction', () => {
  it('is not tried again', async () => {
    await failing('alwaysOn', 'insert', BROKEN_OFF);
    let runs = 0;
    await onMovedClock(async (moveOn) => {
      const work = attempted(connection, async () => {
        runs += 1;
        moveOn(4000);
        await things.create([{ _id: 'slow' }]);
      });
      await expect(work).rejects.toMatchObject({ code: 24 });
    });
    expect(runs).toBe(3);
  });

  it('happens nevertheless where nothing goes wrong', async () => {
    await onMovedClock(async (moveOn) => {
      const added = adding('slow, but good');
      // before its work begins
      moveOn(20_000);
      expect(await added).toEqual({ runs: 1 });
    });
    expect(await isThere('slow, but good')).toBe(true);
  });

  it('is not asked for its end once more', async () => {
    await failing({ times: 1 }, 'commitTransaction', UNKNOWN);
    await onMovedClock(async (moveOn) => {
      const late = (): void => {
        moveOn(10_000);
      };
      expect(await adding('slow, and unknown', late)).toMatchObject({ runs: 1, error: { code: 64 } });
    });
  });
});
