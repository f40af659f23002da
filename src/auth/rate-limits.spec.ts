import { HttpException } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { Response } from 'express';
import type { Connection, mongo } from 'mongoose';
import { startMinute } from '../../test/support/clock.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.js';
import { loadConfig } from '../config/index.js';
import { RateCount, RateCountSchema } from './rate-count.schema.js';
import { RateCounts } from './rate-counts.service.js';
import { RateLimits } from './rate-limits.js';

const LIMITS = { RATE_LIMIT: '1000', SIGN_IN_RATE_LIMIT: '20' };
const SHARED = { MONGODB_URI: 'mongodb://elsewhere/', SECRET_KEY: 'a key that is made of 32 characters' };

let test: TestDatabase;
let counts: RateCounts;
let connection: Connection;
let putBack: () => void;
const made: RateLimits[] = [];

beforeAll(async () => {
  test = await startTestDatabase();
  const feature = MongooseModule.forFeature([{ name: RateCount.name, schema: RateCountSchema }]);
  const app = await test.boot({
    module: class Counts {},
    imports: [feature],
    providers: [RateCounts],
    exports: [RateCounts],
  });
  counts = app.get(RateCounts, { strict: false });
  connection = app.get(getConnectionToken());
});
beforeEach(async () => {
  putBack = startMinute();
  await connection.collection('rate_counts').deleteMany({});
});
afterEach(() => {
  for (const limits of made.splice(0)) limits.onModuleDestroy();
  putBack();
});
afterAll(() => test.stop());

/** The limits of a process. */
function limitsOf(environment: Record<string, string> = SHARED): RateLimits {
  const limits = new RateLimits(loadConfig({ ...LIMITS, ...environment }), counts);
  made.push(limits);
  return limits;
}

/** Sends a request with the token `key`; answers what is left for it, or the status of its refusal. */
function send(limits: RateLimits, key: string): number {
  const headers = new Map<string, unknown>();
  const response = { setHeader: (name: string, value: unknown) => headers.set(name, value) };
  try {
    limits.spend(key, response as unknown as Response);
  } catch (error) {
    if (error instanceof HttpException) return -error.getStatus();
    throw error;
  }
  return Number(headers.get('X-RateLimit-Remaining'));
}

const stored = async (): Promise<unknown[]> =>
  (await connection.collection('rate_counts').find().toArray()).map(({ count }) => count as unknown);

describe('the counts of one process', () => {
  it('are added to those of the others with one write and one read, however many requests and callers there were', async () => {
    const commands: string[] = [];
    const listen = ({ commandName }: mongo.CommandStartedEvent): number => commands.push(commandName);
    connection.getClient().on('commandStarted', listen);
    const limits = limitsOf();
    for (let n = 0; n < 5000; n += 1) send(limits, `token ${n % 50}`);
    await until('they are written', () => commands.includes('find'));
    connection.getClient().off('commandStarted', listen);
    expect(commands).toEqual(['update', 'find']);
    expect(await stored()).toEqual(Array(50).fill(100));
  });

  it('stay in it where it has the embedded database, which nobody else serves', () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      const limits = limitsOf({});
      expect(send(limits, 'alone')).toBe(999);
      expect(timers).not.toHaveBeenCalled();
      expect(send(limitsOf(), 'shared')).toBe(999);
      expect(timers).toHaveBeenCalledTimes(1);
    } finally {
      timers.mockRestore();
    }
  });

  it('go on while the database is away, and are added up when it is back', async () => {
    const [one, other] = [limitsOf(), limitsOf()];
    let failures = 0;
    const listen = (): number => (failures += 1);
    connection.getClient().on('commandFailed', listen);
    await test.fail('alwaysOn', { failCommands: ['update'], errorCode: 11600 });
    for (let left = 999; left > 899; left -= 1) expect(send(one, 'away')).toBe(left);
    for (let left = 999; left > 989; left -= 1) expect(send(other, 'away')).toBe(left);
    await until('writing has failed', () => failures >= 2);
    expect(await stored()).toEqual([]);
    expect([send(one, 'away'), send(other, 'away')]).toEqual([899, 989]);
    connection.getClient().off('commandFailed', listen);
    await test.fail('off');
    await until('all is added up', async () => (await stored())[0] === 112);
    await until('the other knows', () => send(other, 'away') < 890);
  });

  it('let nobody sign in who has had as many attempts elsewhere, and cost no write any more then', async () => {
    const response = { setHeader: () => undefined } as unknown as Response;
    const [one, other] = [limitsOf(), limitsOf()];
    for (let n = 0; n < 10; n += 1) {
      await one.spendSignIn('address', response);
      await other.spendSignIn('address', response);
    }
    await expect(one.spendSignIn('address', response)).rejects.toMatchObject({ status: 429 });
    expect(await stored()).toEqual([21]);
    await expect(one.spendSignIn('address', response)).rejects.toMatchObject({ status: 429 });
    expect(await stored()).toEqual([21]);
    await one.spendSignIn('another', response);
  });
});
