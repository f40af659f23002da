import { startApp, type TestApp } from './support/app.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const NO_MOMENT = 'expiresAt must be a date and time in ISO 8601 with a time zone, such as 2030-01-31T12:00:00Z';
const TOKEN = expect.stringMatching(/^colophon_[\w-]{43}$/) as string;

describe('accounts', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ REGISTRATION: 'open' });
  });
  afterAll(() => app.close());

  const register = (fields: Record<string, unknown>) => app.anonymous().post('/v1/auth/register').send(fields);
  const valid = (email: string) => ({ email, displayName: 'Ann Author', password: 'correct horse' });

  describe('POST /v1/auth/register', () => {
    it('makes an account and signs it in', async () => {
      const { body, headers } = await register(valid('Ann@Example.org')).expect(201);
      expect(body).toEqual({
        user: {
          object: 'user',
          id: ID,
          displayName: 'Ann Author',
          email: 'ann@example.org',
          urls: { location: expect.stringMatching(/^http:\/\/docs\.test\/v1\/users\/\w+$/) as string },
        },
        token: TOKEN,
      });
      const { user, token } = body as { user: { urls: { location: string } }; token: string };
      expect(headers.location).toBe(user.urls.location);
      const me = await app.anonymous().get('/v1/user').set('Authorization', `bearer ${token}`).expect(200);
      expect(me.body).toEqual(user);
    });

    it('refuses an address that has an account, in any case', async () => {
      await register(valid('twice@example.org')).expect(201);
      const { body } = await register(valid('TWICE@example.org')).expect(409);
      expect(body).toEqual({
        error: { code: 409, message: 'email is taken: there is already an account for twice@example.org' },
      });
    });

    it.each([
      ['email', 'no address', 'email must be an e-mail address'],
      ['displayName', '', 'displayName must be 1 to 64 characters long'],
      ['displayName', 'x'.repeat(65), 'displayName must be 1 to 64 characters long'],
      ['password', 'short', 'password must be 8 to 128 characters long'],
      ['password', 'x'.repeat(129), 'password must be 8 to 128 characters long'],
    ])('refuses %s = %j', async (name, value, message) => {
      const { body } = await register({ ...valid('a@example.org'), [name]: value }).expect(400);
      expect(body).toEqual({ error: { code: 400, message } });
    });

    it('counts characters as people do', async () => {
      await register({ ...valid('crab@example.org'), displayName: '🦀'.repeat(64) }).expect(201);
    });

    it('stores no password and no token that could be read back', async () => {
      const { body } = await register(valid('secret@example.org')).expect(201);
      const { token } = body as { token: string };
      const dump = JSON.stringify([
        await app.connection.collection('users').find({}).toArray(),
        await app.connection.collection('tokens').find({}).toArray(),
      ]);
      expect(dump).not.toContain('correct horse');
      expect(dump).not.toContain(token);
      expect(dump).not.toContain(token.replace('colophon_', ''));
    });
  });

  describe('POST /v1/auth/login', () => {
    it('signs in with the right password and with no other', async () => {
      await app.create.user({ email: 'lena@example.org', password: 'correct horse' });
      const login = (password: unknown, email = 'Lena@example.org') =>
        app.anonymous().post('/v1/auth/login').send({ email, password });
      const { body } = await login('correct horse').expect(200);
      expect(body).toEqual({ user: expect.objectContaining({ email: 'lena@example.org' }) as unknown, token: TOKEN });
      const wrong = { error: { code: 401, message: 'The e-mail address or the password is wrong' } };
      expect((await login('wrong horse').expect(401)).body).toEqual(wrong);
      expect((await login('correct horse', 'nobody@example.org').expect(401)).body).toEqual(wrong);
      await login({ $gt: '' }).expect(400);
    });

    it('does not let somebody without a password in', async () => {
      await app.create.user({ email: 'nopass@example.org' });
      for (const password of ['null', 'undefined', ' ']) {
        await app.anonymous().post('/v1/auth/login').send({ email: 'nopass@example.org', password }).expect(401);
      }
    });
  });

  it('POST /v1/auth/logout ends the token at once, and no other', async () => {
    const user = await app.create.user();
    const { body } = await app.as(user).post('/v1/user/tokens').send({ label: 'other' }).expect(201);
    await app.as(user).post('/v1/auth/logout').expect(204, '');
    await app.as(user).get('/v1/user').expect(401);
    await app
      .as({ ...user, token: (body as { token: string }).token })
      .get('/v1/user')
      .expect(200);
  });

  describe('API tokens', () => {
    it('are made, listed without the token, used and revoked', async () => {
      const user = await app.create.user();
      const expiresAt = '2100-01-02T03:04:05+02:00';
      const { body, headers } = await app.as(user).post('/v1/user/tokens').send({ label: 'CI', expiresAt }).expect(201);
      expect(body).toEqual({
        id: ID,
        label: 'CI',
        createdAt: ISO,
        expiresAt: '2100-01-02T01:04:05.000Z',
        token: TOKEN,
      });
      const { token, ...shown } = body as { id: string; token: string };
      expect(headers.location).toBe(`http://docs.test/v1/user/tokens/${shown.id}`);
      const list = await app
        .as({ ...user, token })
        .get('/v1/user/tokens')
        .expect(200);
      expect(list.body).toEqual({ count: 2, items: [shown, expect.objectContaining({ label: 'test' })] });
      await app.as(user).delete(`/v1/user/tokens/${shown.id}`).expect(205, '');
      await app
        .as({ ...user, token })
        .get('/v1/user')
        .expect(401);
      await app.as(user).delete(`/v1/user/tokens/${shown.id}`).expect(404);
    });

    it('are walked page by page, each once, also while more are made', async () => {
      const user = await app.create.user();
      for (let n = 0; n < 6; n += 1)
        await app
          .as(user)
          .post('/v1/user/tokens')
          .send({ label: `t${n}` })
          .expect(201);
      const seen: string[] = [];
      let page: string | undefined;
      do {
        const { body } = await app
          .as(user)
          .get('/v1/user/tokens')
          .query({ limit: 2, ...(page && { page }) })
          .expect(200);
        const answer = body as { items: { label: string }[]; count: number; next?: { page: string } };
        seen.push(...answer.items.map(({ label }) => label));
        page = answer.next?.page;
        if (seen.length === 2) await app.as(user).post('/v1/user/tokens').send({ label: 'late' }).expect(201);
      } while (page);
      expect(seen).toEqual(['t5', 't4', 't3', 't2', 't1', 't0', 'test']);
      const none = await app.as(user).get('/v1/user/tokens').query({ limit: 0 }).expect(200);
      expect(none.body).toEqual({ count: 8, items: [] });
    });

    it('have a page of their own: a cursor of another person is refused', async () => {
      const [one, other] = [await app.create.user(), await app.create.user()];
      await app.as(one).post('/v1/user/tokens').send({ label: 'second' }).expect(201);
      const { body } = await app.as(one).get('/v1/user/tokens').query({ limit: 1 }).expect(200);
      const { next } = body as { next: { page: string } };
      await app.as(other).get('/v1/user/tokens').query({ page: next.page }).expect(400);
    });

    it.each([
      [{}, 'label must be a string'],
      [{ label: 'x'.repeat(51) }, 'label must be 1 to 50 characters long'],
      [{ label: 'a', expiresAt: 'tomorrow' }, NO_MOMENT],
      [{ label: 'a', expiresAt: '2030-01-01T00:00:00' }, NO_MOMENT],
      [{ label: 'a', expiresAt: '2030-001' }, NO_MOMENT],
      [{ label: 'a', expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt must lie in the future'],
    ])('are refused for %j', async (fields, message) => {
      const { body } = await app
        .as(await app.create.user())
        .post('/v1/user/tokens')
        .send(fields)
        .expect(400);
      expect(body).toEqual({ error: { code: 400, message } });
    });

    it('belong to their person alone', async () => {
      const [one, other] = [await app.create.user(), await app.create.user()];
      const { body } = await app.as(one).post('/v1/user/tokens').send({ label: 'mine' }).expect(201);
      await app
        .as(other)
        .delete(`/v1/user/tokens/${(body as { id: string }).id}`)
        .expect(404);
    });
  });

  describe('/v1/users/:userId', () => {
    it('shows the e-mail address to oneself and to fellow members only', async () => {
      const organization = await app.create.organization();
      const user = await app.create.user({ in: organization, email: 'known@example.org' });
      const read = async (as: typeof user) =>
        (await app.as(as).get(`/v1/users/${user._id}`).expect(200)).body as { email?: string };
      expect((await read(user)).email).toBe('known@example.org');
      expect((await read(organization.admin)).email).toBe('known@example.org');
      expect((await read(await app.create.user())).email).toBeUndefined();
      expect((await read(await app.create.user({ in: organization, role: null }))).email).toBeUndefined();
    });

    it('is changed by oneself only', async () => {
      const user = await app.create.user();
      const path = `/v1/users/${user._id}`;
      const photoURL = 'https://example.org/me.png';
      const { body } = await app.as(user).patch(path).send({ displayName: 'New Name', photoURL }).expect(200);
      expect(body).toMatchObject({ displayName: 'New Name', photoURL });
      const cleared = await app.as(user).patch(path).send({ photoURL: null }).expect(200);
      expect((cleared.body as { photoURL?: string }).photoURL).toBeUndefined();
      await app.as(user).patch(path).send({}).expect(200);
      await app.as(user).patch(path).send({ photoURL: 'javascript:alert(1)' }).expect(400);
      await app
        .as(await app.create.user())
        .patch(path)
        .send({ displayName: 5 })
        .expect(403);
      await app.as(user).get('/v1/users/nobody').expect(404);
    });
  });
});

describe('registration', () => {
  it.each(['closed', 'invited'])('is refused without an invitation where it is %s', async (REGISTRATION) => {
    const app = await startApp({ REGISTRATION });
    const fields = { email: 'a@example.org', displayName: 'A', password: 'correct horse' };
    const { body } = await app.anonymous().post('/v1/auth/register').send(fields).expect(403);
    expect((body as { error: { code: number } }).error.code).toBe(403);
    await app.close();
  });
});
