import { NotFoundException } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Token, TokenSchema } from './token.schema.js';
import { TokensService } from './tokens.service.js';

const HOUR = 60 * 60 * 1000;
const MONTH = 30 * 24 * HOUR;

let test: TestDatabase;
let connection: Connection;
let tokens: TokensService;
let people = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  const feature = MongooseModule.forFeature([{ name: Token.name, schema: TokenSchema }]);
  const app = await test.boot({
    module: class Tokens {},
    imports: [feature],
    providers: [TokensService],
    exports: [TokensService],
  });
  tokens = app.get(TokensService, { strict: false });
  connection = app.get(getConnectionToken());
});

afterAll(() => test.stop());

const newUser = (): string => `u${++people}`;
const later = (ms: number): Date => new Date(Date.now() + ms);

describe('a token', () => {
  it('says who acts with it, and is stored as its hash only', async () => {
    const user = newUser();
    const { token, record } = await tokens.issue({ user, kind: 'api', label: 'for a script' });
    expect(token).toMatch(/^colophon_[A-Za-z0-9_-]{43}$/);
    expect(await tokens.authenticate(token)).toEqual({ user, token: record._id });
    expect(record).toMatchObject({ user, kind: 'api', label: 'for a script', expiresAt: null });
    const stored = JSON.stringify(await connection.collection('tokens').find({}).toArray());
    expect(stored).not.toContain(token.slice('colophon_'.length));
    expect(record.hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('may be one that is given', async () => {
    const user = newUser();
    const secret = 'x'.repeat(40);
    const { token, record } = await tokens.issue({ user, kind: 'api', secret });
    expect(token).toBe(secret);
    expect(await tokens.authenticate(secret)).toEqual({ user, token: record._id });
    await expect(tokens.issue({ user: newUser(), kind: 'api', secret })).rejects.toMatchObject({ code: 11000 });
  });

  it('is refused when it is not known, in whatever way it differs', async () => {
    const { token, record } = await tokens.issue({ user: newUser(), kind: 'api' });
    const others = ['', 'colophon_', token.toUpperCase(), `${token} `, token.slice(0, -1), record.hash, record._id];
    for (const other of others) expect(await tokens.authenticate(other)).toBeNull();
  });

  it('is good until its time, and not from then on, though its record is still there', async () => {
    const user = newUser();
    const [ahead, now, past] = [
      await tokens.issue({ user, kind: 'api', expiresAt: later(HOUR) }),
      await tokens.issue({ user, kind: 'api', expiresAt: later(0) }),
      await tokens.issue({ user, kind: 'api', expiresAt: later(-HOUR) }),
    ];
    expect(await tokens.authenticate(ahead.token)).toMatchObject({ user });
    expect(await tokens.authenticate(now.token)).toBeNull();
    expect(await tokens.authenticate(past.token)).toBeNull();
  });

  it('of a sign-in is good for 30 days', async () => {
    const user = newUser();
    const token = await tokens.issueSession(user);
    const id = (await tokens.authenticate(token))?.token;
    const record = await connection.collection<Token>('tokens').findOne({ _id: id });
    expect(record?.kind).toBe('session');
    expect(Math.abs((record?.expiresAt?.getTime() ?? 0) - Date.now() - MONTH)).toBeLessThan(60_000);
  });

  it('is removed by the database some time after it has expired', async () => {
    const indexes = await connection.collection('tokens').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });
});

describe('revoking', () => {
  it('ends a token at once, and only that', async () => {
    const user = newUser();
    const [gone, kept] = [await tokens.issue({ user, kind: 'api' }), await tokens.issue({ user, kind: 'api' })];
    await tokens.revoke(user, gone.record._id);
    expect(await tokens.authenticate(gone.token)).toBeNull();
    expect(await tokens.authenticate(kept.token)).not.toBeNull();
    await expect(tokens.revoke(user, gone.record._id)).rejects.toBeInstanceOf(NotFoundException);
  });

  it('is for one’s own API tokens', async () => {
    const user = newUser();
    const { token, record } = await tokens.issue({ user, kind: 'api' });
    await expect(tokens.revoke(newUser(), record._id)).rejects.toThrow('Token not found');
    expect(await tokens.authenticate(token)).not.toBeNull();
    const session = await tokens.authenticate(await tokens.issueSession(user));
    await expect(tokens.revoke(user, session?.token ?? '')).rejects.toThrow('Token not found');
    await expect(tokens.revoke(user, 'nothing')).rejects.toThrow('Token not found');
  });

  it('is what signing out does to the token that it came with', async () => {
    const user = newUser();
    const [one, other] = [await tokens.issueSession(user), await tokens.issueSession(user)];
    const actor = await tokens.authenticate(one);
    if (!actor) throw new Error('the token is not good');
    await tokens.end(actor);
    expect(await tokens.authenticate(one)).toBeNull();
    expect(await tokens.authenticate(other)).not.toBeNull();
    // signing out twice is no failure
    await tokens.end(actor);
  });
});

describe('the list of tokens', () => {
  it('holds one’s own API tokens, newest first', async () => {
    const [user, other] = [newUser(), newUser()];
    const labels: string[] = [];
    for (let index = 0; index < 5; index++) {
      await tokens.issue({ user, kind: 'api', label: `t${index}` });
      await tokens.issue({ user: other, kind: 'api', label: 'other' });
      await tokens.issueSession(user);
    }
    for (let page: string | undefined, more = true; more;) {
      const part = await tokens.list(user, { page, limit: 2 });
      expect(part.count).toBe(5);
      labels.push(...part.items.map(({ label }) => label));
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(labels.sort()).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });
});
