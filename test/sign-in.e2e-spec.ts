import { countedBy, MEMORY } from '../src/auth/lockout.js';
import type { SignInFailure } from '../src/auth/sign-in-failure.schema.js';
import { startApp, type TestApp } from './support/app.js';

const PASSWORD = 'correct horse';
const WRONG = { error: { code: 401, message: 'The e-mail address or the password is wrong' } };
const RESTING = {
  error: {
    code: 429,
    message: expect.stringMatching(/^Too many failed attempts to sign in; try again in \d+ seconds$/) as string,
  },
};
/** Failures after which a wait is long enough for a slow machine. */
const MANY = 40;

describe('signing in', () => {
  let app: TestApp;
  /** Another process on the same database. */
  let second: TestApp;
  let addresses = 0;

  beforeAll(async () => {
    app = await startApp({ TRUST_PROXY: '1' });
    second = await startApp({ TRUST_PROXY: '1' }, app.connection.name);
  });
  afterAll(async () => {
    await second.nest.close();
    await app.close();
  });

  const failures = () => app.connection.collection<SignInFailure>('sign_in_failures');
  const keyOfAccount = (email: string): string => countedBy(email, '').account.key;
  const keyOfAddress = (address: string): string => countedBy('', address).address.key;
  /** Writes as many failures as if the last wait were over. */
  const seed = (_id: string, count: number) => {
    const [until, expiresAt] = [new Date(Date.now() - 1), new Date(Date.now() + MEMORY)];
    return failures().updateOne({ _id }, { $set: { failures: count, until, expiresAt } }, { upsert: true });
  };
  /** How long the last failure makes wait, in ms. */
  const waitOf = async (_id: string): Promise<number> => {
    const found = await failures().findOne({ _id });
    return found ? found.until.getTime() - (found.expiresAt.getTime() - MEMORY) : NaN;
  };

  /** An address that nobody had before. */
  const newAddress = (): string => `192.0.2.${(addresses += 1)}`;
  const login = (email: string, password: string, { at = app, from = newAddress() } = {}) =>
    at.anonymous().post('/v1/auth/login').set('X-Forwarded-For', from).send({ email, password });
  const newUser = () => app.create.user({ password: PASSWORD });

  it.each([
    ['that somebody has', () => newUser().then(({ email }) => email)],
    ['that nobody has', () => Promise.resolve('nobody@example.org')],
  ])('makes an account %s wait from the fifth failure on, longer after each', async (_, emailOf) => {
    const email = await emailOf();
    const waits: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      expect((await login(email, 'wrong').expect(401)).body).toEqual(WRONG);
      waits.push(await waitOf(keyOfAccount(email)));
    }
    for (const count of [5, MANY]) {
      await seed(keyOfAccount(email), count);
      await login(email, 'wrong').expect(401);
      waits.push(await waitOf(keyOfAccount(email)));
    }
    expect(waits).toEqual([0, 0, 0, 0, 1000, 2000, 300_000]);
  });

  it('refuses the right password too meanwhile, in every process, and tells how long', async () => {
    const { email } = await newUser();
    await seed(keyOfAccount(email), MANY);
    await login(email, 'wrong').expect(401);
    for (const at of [app, second]) {
      const { body, headers } = await login(email.toUpperCase(), PASSWORD, { at }).expect(429);
      expect(body).toEqual(RESTING);
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(200);
      expect(seconds).toBeLessThanOrEqual(300);
    }
    await login((await newUser()).email, PASSWORD).expect(200);
  });

  it('lets in who has the password once the wait is over, and forgets the failures', async () => {
    const { email } = await newUser();
    await seed(keyOfAccount(email), 4);
    await login(email, 'wrong').expect(401);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await login(email, PASSWORD, { at: second }).expect(200);
    expect(await failures().findOne({ _id: keyOfAccount(email) })).toBeNull();
  });

  it('lets no more through when many come at the same moment', async () => {
    const { email } = await newUser();
    await seed(keyOfAccount(email), MANY);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => login(email, 'wrong', { at: n % 2 === 0 ? app : second })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([401, ...Array.from({ length: 23 }, () => 429)]);
  });

  it('makes an address wait from the twentieth failure on, and those next to it in a network', async () => {
    const from = '2001:db8::1';
    await seed(keyOfAddress(from), 18);
    await login('somebody@example.org', 'wrong', { from }).expect(401);
    expect(await waitOf(keyOfAddress(from))).toBe(0);
    await login('somebody.else@example.org', 'wrong', { from }).expect(401);
    expect(await waitOf(keyOfAddress(from))).toBe(1000);
    await seed(keyOfAddress(from), MANY);
    await login('a.third@example.org', 'wrong', { from }).expect(401);
    const { email } = await newUser();
    expect((await login(email, PASSWORD, { from }).expect(429)).body).toEqual(RESTING);
    await login(email, PASSWORD, { from: '2001:db8::2', at: second }).expect(429);
    await login(email, PASSWORD, { from: '2001:db8:0:1::1' }).expect(200);
  });

  it('does not let somebody wash an address clean by signing in to an account of their own', async () => {
    const from = newAddress();
    await seed(keyOfAddress(from), 18);
    await login((await newUser()).email, PASSWORD, { from }).expect(200);
    expect(await failures().findOne({ _id: keyOfAddress(from) })).toMatchObject({ failures: 18 });
  });

  it('does not count what it refuses', async () => {
    const { email } = await newUser();
    const from = newAddress();
    await seed(keyOfAccount(email), MANY);
    await login(email, 'wrong').expect(401);
    for (let time = 0; time < 3; time += 1) await login(email, 'wrong', { from }).expect(429);
    expect(await failures().findOne({ _id: keyOfAddress(from) })).toBeNull();
    expect(await failures().findOne({ _id: keyOfAccount(email) })).toMatchObject({ failures: MANY + 1 });
  });

  it('remembers failures for an hour, and not whose they were', async () => {
    const { email } = await newUser();
    await login(email, 'wrong').expect(401);
    expect(JSON.stringify(await failures().find({}).toArray())).not.toContain(email.split('@')[0]);
    const over = { failures: MANY, expiresAt: new Date(Date.now() - 1) };
    await failures().updateOne({ _id: keyOfAccount(email) }, { $set: over });
    await login(email, 'wrong').expect(401);
    expect(await failures().findOne({ _id: keyOfAccount(email) })).toMatchObject({ failures: 1 });
  });
});
