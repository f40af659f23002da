import { randomUUID } from 'node:crypto';
import { ConflictException } from '@nestjs/common';
import type { Response } from 'supertest';
import { Idempotency } from '../src/idempotency/idempotency.service.js';
import { TeamsService } from '../src/teams/index.js';
import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import type { TestUser } from './support/factories.js';

const refusal = (code: number, message: unknown): object => ({ error: { code, message } });
const OTHER_REQUEST = refusal(
  422,
  'The Idempotency-Key was sent with another request before; send a key of its own with each',
);
const UNDER_WAY = refusal(409, 'The first request with this Idempotency-Key is still under way; ask again in a moment');
const LOST = refusal(
  409,
  'The first request with this Idempotency-Key was carried out, but its answer is not kept; read what it changed',
);
/** How often many send the same. */
const ROUNDS = cases(1, 10);

describe('an Idempotency-Key', () => {
  let app: TestApp;
  let other: TestApp;
  let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  let admin: TestUser;

  beforeAll(async () => {
    app = await startApp();
    other = await startApp({}, app.connection.name);
    organization = await app.create.organization();
    ({ admin } = organization);
  });
  afterAll(async () => {
    await other.nest.close();
    await app.close();
  });

  const spaces = () => `/v1/orgs/${organization._id}/spaces`;
  const send = (key: string, title: unknown, { by = admin, at = app, path = spaces() } = {}) =>
    at.as(by).post(path).set('Idempotency-Key', key).send({ title });
  const made = (title: string): Promise<number> => app.connection.collection('spaces').countDocuments({ title });
  const keys = () => app.connection.collection<{ _id: string }>('idempotency_keys');
  /** Gives the last record that was made what it has at another moment. */
  const set = async (fields: object): Promise<void> => {
    const newest = await keys().findOne({}, { sort: { expiresAt: -1 } });
    await keys().updateOne({ _id: newest?._id ?? '' }, { $set: fields });
  };
  const told = ({ status, text, headers, body: _body }: Response): object => ({
    status,
    text,
    type: headers['content-type'],
    location: headers.location,
  });

  it('has a request that is sent again answered as before, byte for byte', async () => {
    const key = randomUUID();
    const first = await send(key, 'Once').expect(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    for (const at of [app, other]) {
      const again = await send(key, 'Once', { at }).expect(201);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(told(again)).toEqual(told(first));
    }
    expect(first.headers.location).toMatch(/^http/);
    expect(await made('Once')).toBe(1);
    // without a key, or with another one, it is another request
    await app.as(admin).post(spaces()).send({ title: 'Once' }).expect(201);
    await send(randomUUID(), 'Once').expect(201);
    expect(await made('Once')).toBe(3);
  });

  it('answers again where there is no body, and what has nothing to write', async () => {
    const { _id } = await app.create.space({ organization });
    const body = { users: [admin._id], role: 'edit' };
    const grant = () =>
      app.as(admin).post(`/v1/spaces/${_id}/permissions`).set('Idempotency-Key', 'grant').send(body).expect(204);
    const [first, again] = [await grant(), await grant()];
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([first.text, again.text]).toEqual(['', '']);
    const site = await app.create.site({ organization, published: true });
    const publish = () =>
      app.as(admin).post(`/v1/orgs/${organization._id}/sites/${site._id}/publish`).set('Idempotency-Key', 'publish');
    const one = await publish().expect(200);
    const two = await publish().expect(200);
    expect(told(two)).toEqual(told(one));
    expect(two.headers['idempotent-replayed']).toBe('true');
  });

  it('stands for one request: method, address, query and body', async () => {
    const key = randomUUID();
    await send(key, 'First').expect(201);
    expect((await send(key, 'Second').expect(422)).body).toEqual(OTHER_REQUEST);
    const path = `/v1/orgs/${organization._id}/collections`;
    expect((await send(key, 'First', { path }).expect(422)).body).toEqual(OTHER_REQUEST);
    expect((await send(key, 'First', { path: `${spaces()}?x=1` }).expect(422)).body).toEqual(OTHER_REQUEST);
    expect((await app.as(admin).post(spaces()).set('Idempotency-Key', key).expect(422)).body).toEqual(OTHER_REQUEST);
    expect(await made('Second')).toBe(0);
  });

  it('belongs to a person, whatever token they come with', async () => {
    const key = randomUUID();
    const bob = await app.create.user({ in: organization, role: 'admin' });
    const one = await send(key, 'Mine').expect(201);
    const two = await send(key, 'Mine', { by: bob }).expect(201);
    expect((one.body as { id: string }).id).not.toBe((two.body as { id: string }).id);
    const session = await app.as(admin).post('/v1/user/tokens').send({ label: 'Another' }).expect(201);
    const again = await send(key, 'Mine', { by: { ...admin, token: (session.body as { token: string }).token } });
    expect(told(again)).toEqual(told(one));
  });

  it.each(['', 'x'.repeat(256), 'ü', 'a\tb'])('is refused as %j', async (key) => {
    const { body } = await send(key, 'Never').expect(400);
    expect(body).toEqual(
      refusal(400, 'Idempotency-Key must be 1 to 255 printable characters of ASCII, such as a UUID'),
    );
    expect(await made('Never')).toBe(0);
  });

  it('is free again after a refusal, for a corrected request too', async () => {
    const key = randomUUID();
    await send(key, '').expect(400);
    await send(key, 5).expect(400);
    expect(await keys().countDocuments({ state: 'started' })).toBe(0);
    await send(key, 'Corrected').expect(201);
    const path = `/v1/orgs/${organization._id}/teams/nothing/members`;
    await app.as(admin).post(path).set('Idempotency-Key', key).expect(404);
  });

  it('gives nothing to who may not do it, or no longer', async () => {
    const key = randomUUID();
    const bob = await app.create.user({ in: organization, role: 'admin' });
    await send(key, 'His', { by: bob }).expect(201);
    await app.anonymous().post(spaces()).set('Idempotency-Key', key).send({ title: 'His' }).expect(401);
    await app.as(admin).delete(`/v1/orgs/${organization._id}/members/${bob._id}`).expect(204);
    await send(key, 'His', { by: bob }).expect(404);
  });

  it('says nothing where nobody is known, where something is only read, and beside POST', async () => {
    const [email, password] = ['twice@example.org', 'correct horse'];
    const user = await app.create.user({ email, password });
    const login = () => app.anonymous().post('/v1/auth/login').set('Idempotency-Key', 'k').send({ email, password });
    const [one, two] = [await login().expect(200), await login().expect(200)];
    expect((one.body as { token: string }).token).not.toBe((two.body as { token: string }).token);
    const site = await app.create.site({ organization, published: true });
    const before = await keys().countDocuments();
    const search = `/v1/orgs/${organization._id}/sites/${site._id}/search`;
    await app.as(admin).post(search).set('Idempotency-Key', '').send({ query: 'x', mode: 'all' }).expect(200);
    await app
      .as(user)
      .patch(`/v1/users/${user._id}`)
      .set('Idempotency-Key', 'k')
      .send({ displayName: 'T' })
      .expect(200);
    expect(await keys().countDocuments()).toBe(before);
  });

  it('refuses while the first request is under way, and says when to ask again', async () => {
    const key = randomUUID();
    await send(key, 'Under way').expect(201);
    const leaseUntil = new Date(Date.now() + 30_000);
    for (const state of ['started', 'committed']) {
      await set({ state, answer: null, leaseUntil });
      const { body, headers } = await send(key, 'Under way').expect(409);
      expect([body, headers['retry-after']]).toEqual([UNDER_WAY, '1']);
    }
    expect((await send(key, 'Another').expect(422)).body).toEqual(OTHER_REQUEST);
  });

  it('has a request carried out again that died before it wrote, and not one that died after that', async () => {
    const key = randomUUID();
    await send(key, 'Died').expect(201);
    await set({ state: 'committed', answer: null, leaseUntil: new Date() });
    expect((await send(key, 'Died').expect(409)).body).toEqual(LOST);
    expect(await made('Died')).toBe(1);
    await set({ state: 'started', answer: null, leaseUntil: new Date() });
    const again = await send(key, 'Died').expect(201);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(await made('Died')).toBe(2);
  });

  it('is forgotten after a day', async () => {
    const key = randomUUID();
    await send(key, 'Old').expect(201);
    const record = await keys().findOne({}, { sort: { expiresAt: -1 } });
    const { expiresAt } = record as unknown as { expiresAt: Date };
    expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(24 * 60);
    await set({ expiresAt: new Date() });
    await send(key, 'Anything else').expect(201);
    const indexes = await keys().indexes();
    expect(indexes.find(({ name }) => name === 'expiresAt_1')).toMatchObject({ expireAfterSeconds: 0 });
  });

  it('keeps answers sealed: secrets of theirs are nowhere in the database', async () => {
    const make = () =>
      app.as(admin).post('/v1/user/tokens').set('Idempotency-Key', 'a token').send({ label: 'Shown once' });
    const first = await make().expect(201);
    const { token } = first.body as { token: string };
    expect(told(await make().expect(201))).toEqual(told(first));
    expect(await app.connection.collection('tokens').countDocuments({ label: 'Shown once' })).toBe(1);
    const collections = (await app.connection.db?.collections()) ?? [];
    const all = await Promise.all(collections.map((collection) => collection.find().toArray()));
    const text = JSON.stringify(all);
    expect(text).toContain('Shown once');
    for (const secret of [token, token.replace('colophon_', ''), 'a token']) expect(text).not.toContain(secret);
  });

  it.each(['one process', 'two processes'])('has a hundred that send the same make one thing, in %s', async (where) => {
    const apps = where === 'one process' ? [app] : [app, other];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [key, title] = [randomUUID(), `${where} ${round}`];
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => send(key, title, { at: apps[n % apps.length] ?? app })),
      );
      expect(await made(title)).toBe(1);
      const done = answers.filter(({ status }) => status === 201);
      const replayed = done.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
      expect(done.length - replayed.length).toBe(1);
      expect(new Set(done.map(({ text }) => text)).size).toBe(1);
      for (const { status, body } of answers) if (status !== 201) expect(body).toEqual(UNDER_WAY);
      expect((await send(key, title).expect(201)).text).toBe(done[0]?.text);
    }
  });

  describe('that somebody else has taken over', () => {
    const keyed = () => ({ id: randomUUID(), request: 'the same' });
    const answerOf = () => ({ status: 200, headers: {} });
    const make = (at: TestApp, title: string): Promise<unknown> =>
      at.nest.get(TeamsService, { strict: false }).create(organization._id, { title, members: [] });
    const count = (title: string) => app.connection.collection('teams').countDocuments({ title });

    it('lets whoever had it before write nothing', async () => {
      const [one, two] = [app, other].map((at) => at.nest.get(Idempotency, { strict: false }));
      const key = keyed();
      const slow = one?.once(
        key,
        async () => {
          await keys().updateOne({ _id: key.id }, { $set: { leaseUntil: new Date() } });
          await two?.once(key, () => make(other, 'Taken over'), answerOf);
          return make(app, 'Taken over');
        },
        answerOf,
      );
      await expect(slow).rejects.toThrow(ConflictException);
      expect(await count('Taken over')).toBe(1);
      expect(await keys().findOne({ _id: key.id })).toMatchObject({ state: 'answered' });
    });

    it('is not free again after a failure once something is written', async () => {
      const key = keyed();
      const idempotency = app.nest.get(Idempotency, { strict: false });
      const attempt = (): Promise<unknown> =>
        idempotency.once(
          key,
          async () => {
            await make(app, 'Half');
            throw new Error('and then it broke');
          },
          answerOf,
        );
      await expect(attempt()).rejects.toThrow('and then it broke');
      await expect(attempt()).rejects.toMatchObject({ response: expect.objectContaining(LOST_MESSAGE) as unknown });
      expect(await count('Half')).toBe(1);
    });
  });
});

const LOST_MESSAGE = { message: (LOST as { error: { message: string } }).error.message };
