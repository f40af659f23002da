import { BadRequestException, ConflictException, ForbiddenException, UnauthorizedException } from '@nestjs/common';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { Answers } from '../common/answers.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { UsersModule, UsersService } from '../users/index.js';
import { AuthModule, Invitations, SignInRules, TokensService } from './index.js';
import { AuthService } from './auth.service.js';

const KEY = 'a key that is made of 32 characters';
const ANN = { email: 'Ann@example.org', displayName: 'Ann', password: 'correct horse' };

let test: TestDatabase;

beforeAll(async () => {
  test = await startTestDatabase();
});

afterAll(() => test.stop());

/** Ids of people whose organization demands single sign-on. */
const bound = new Set<string>();
/** Whether those of everybody do. */
let boundAll = false;

/** The services of a process that registers people as `registration` says. */
async function serviceWith(
  registration: string,
): Promise<{ auth: AuthService; tokens: TokensService; users: UsersService }> {
  const config = ConfigModule.of(loadConfig({ REGISTRATION: registration, SECRET_KEY: KEY }));
  const app = await test.boot(config, UsersModule, AuthModule);
  const answers = app.get(Answers);
  answers.give(Invitations, { find: () => Promise.resolve(null), isForgotten: () => Promise.resolve(false) });
  answers.give(SignInRules, { enforcedOn: (user) => Promise.resolve(boundAll || bound.has(user) ? 'Acme' : null) });
  const [auth, tokens] = [app.get(AuthService, { strict: false }), app.get(TokensService, { strict: false })];
  return { auth, tokens, users: app.get(UsersService, { strict: false }) };
}

describe('registration', () => {
  it.each([
    ['closed', 'Registration is closed on this service'],
    ['invited', 'Registration needs a valid invitation'],
  ])('is refused where it is %s', async (registration, message) => {
    const { auth } = await serviceWith(registration);
    const refused = auth.register({ ...ANN, email: 'other@example.org' });
    await expect(refused).rejects.toBeInstanceOf(ForbiddenException);
    await expect(refused).rejects.toThrow(message);
  });

  it('makes an account and signs it in where it is open', async () => {
    const { auth, tokens } = await serviceWith('open');
    const { user, token } = await auth.register(ANN);
    expect(user.email).toBe('ann@example.org');
    expect(await tokens.authenticate(token)).toMatchObject({ user: user._id });
    await expect(auth.register(ANN)).rejects.toBeInstanceOf(ConflictException);
  });
});

describe('signing in', () => {
  it('gives a token to whoever has the password, and tells the others nothing', async () => {
    const { auth, tokens } = await serviceWith('open');
    const email = 'login@example.org';
    const { user } = await auth.register({ ...ANN, email });
    const { token } = await auth.login({ email, password: ANN.password }, '192.0.2.1');
    expect(await tokens.authenticate(token)).toMatchObject({ user: user._id });
    for (const wrong of [
      { email, password: 'wrong' },
      { email: 'nobody@example.org', password: ANN.password },
    ]) {
      const refused = auth.login(wrong, '192.0.2.1');
      await expect(refused).rejects.toBeInstanceOf(UnauthorizedException);
      await expect(refused).rejects.toThrow('The e-mail address or the password is wrong');
    }
  });
});

describe('a password that changes while somebody signs in with it', () => {
  it('lets nobody in who has not been let in before', async () => {
    const { auth, tokens, users } = await serviceWith('open');
    const email = 'changed@example.org';
    const { user } = await auth.register({ ...ANN, email });
    const passwordHash = await users.hash('another horse');
    const verify = users.verify.bind(users);
    const change = async (): Promise<void> => {
      await users.setPassword(user._id, passwordHash);
      await tokens.endAll(user._id, 'session');
    };
    jest.spyOn(users, 'verify').mockImplementationOnce(async (...given) => {
      const verified = await verify(...given);
      await change();
      return verified;
    });
    const refused = auth.login({ email, password: ANN.password }, '192.0.2.3');
    await expect(refused).rejects.toBeInstanceOf(UnauthorizedException);
    await expect(refused).rejects.toThrow('The e-mail address or the password is wrong');
    expect(await tokens.endAll(user._id, 'session')).toBe(0);
    const { token } = await auth.login({ email, password: 'another horse' }, '192.0.2.3');
    expect(await tokens.authenticate(token)).toMatchObject({ user: user._id });
  });
});

describe('an organization that demands single sign-on', () => {
  it('is named to those of its people who know their password, and to nobody else', async () => {
    const { auth } = await serviceWith('open');
    const email = 'bound@example.org';
    bound.add((await auth.register({ ...ANN, email })).user._id);
    const refused = auth.login({ email, password: ANN.password }, '192.0.2.2');
    await expect(refused).rejects.toBeInstanceOf(ForbiddenException);
    await expect(refused).rejects.toThrow('Your organization "Acme" asks you to use its single sign-on');
    await expect(auth.login({ email, password: 'wrong' }, '192.0.2.2')).rejects.toBeInstanceOf(UnauthorizedException);
  });

  it('is not come into by registration either, which leaves nothing behind', async () => {
    const { auth } = await serviceWith('open');
    const person = { ...ANN, email: 'invited@example.org' };
    boundAll = true;
    await expect(auth.register(person)).rejects.toThrow('Your organization "Acme" asks you to use its single sign-on');
    boundAll = false;
    expect((await auth.register(person)).user.email).toBe(person.email);
  });
});

describe('an API token', () => {
  it('expires when it should, which lies ahead', async () => {
    const { auth } = await serviceWith('open');
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect((await auth.createToken('u', { label: 'x', expiresAt })).record.expiresAt).toEqual(new Date(expiresAt));
    expect((await auth.createToken('u', { label: 'x' })).record).toMatchObject({ kind: 'api', expiresAt: null });
    for (const past of [new Date().toISOString(), '1999-01-01T00:00:00Z', '2999-W01', 'never']) {
      await expect(auth.createToken('u', { label: 'x', expiresAt: past })).rejects.toBeInstanceOf(BadRequestException);
    }
  });
});
