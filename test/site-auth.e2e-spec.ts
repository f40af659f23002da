import { SignJWT } from 'jose';
import { VisitorAuthService } from '../src/sites/visitor-auth/visitor-auth.service.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const KEY = expect.stringMatching(/^[A-Za-z0-9]{43}$/) as string;
const NOWHERE = 'AAAAAAAAAAAAAAAAAAAA';
const refusal = (code: number, message: unknown): object => ({ error: { code, message } });

interface AuthBody {
  privateKey: string;
  fallbackURL?: string;
}

let app: TestApp;
let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
let admin: TestUser;
let site: Awaited<ReturnType<TestApp['create']['site']>>;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await app.create.organization();
  admin = organization.admin;
  site = await app.create.site({ organization });
});

const path = (below = '', id = site._id) => `/v1/orgs/${organization._id}/sites/${id}${below}`;
const version = async (): Promise<number> => {
  const record = await app.connection.collection<{ _id: string; version: number }>('sites').findOne({ _id: site._id });
  return record?.version ?? 0;
};

describe('how visitors of a site sign in', () => {
  const auth = () => path('/publishing/auth');
  const read = async (): Promise<AuthBody> => (await app.as(admin).get(auth()).expect(200)).body as AuthBody;
  const update = (body: object, user = admin) => app.as(user).patch(auth()).send(body);
  const signed = (key: string, claims: object = {}): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key));
  const verify = (jwt: string) => app.nest.get(VisitorAuthService, { strict: false }).verify(site, jwt);

  it('has a key from the first reading on, the same for all who read it first', async () => {
    expect(await verify(await signed('anything'))).toMatchObject({ valid: false, reason: 'signature' });
    const before = await version();
    const answers = await Promise.all([1, 2, 3, 4].map(() => app.as(admin).get(auth()).expect(200)));
    const [{ body } = { body: {} }] = answers;
    expect(body).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey: KEY });
    expect(answers.map((answer) => answer.body as unknown)).toEqual(Array(4).fill(body));
    expect(await read()).toEqual(body);
    expect(await version()).toBe(before);
  });

  it('accepts what its key has signed, until there is another key', async () => {
    const first = await read();
    const token = await signed(first.privateKey, { plan: 'gold' });
    expect(await verify(token)).toMatchObject({ valid: true, claims: { plan: 'gold' }, expiresAt: null });
    const before = await version();
    const { body } = await app.as(admin).post(`${auth()}/regenerate`).expect(200);
    const second = body as AuthBody;
    expect(second).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey: KEY });
    expect([second.privateKey === first.privateKey, await version()]).toEqual([false, before + 1]);
    expect(await verify(token)).toMatchObject({ valid: false, reason: 'signature' });
    expect(await verify(await signed(second.privateKey))).toMatchObject({ valid: true });
    expect(await read()).toEqual(second);
  });

  it('is changed in parts; its key stays', async () => {
    const { privateKey } = await read();
    const is = { object: 'publishing-auth', backend: 'custom', privateKey };
    const fallbackURL = 'https://example.org/login?from=docs';
    expect((await update({ fallbackURL }).expect(200)).body).toEqual({ ...is, fallbackURL });
    expect((await update({ backend: 'integration', privateKey: 'mine' }).expect(200)).body).toEqual({
      ...is,
      backend: 'integration',
      fallbackURL,
    });
    const before = await version();
    expect((await update({}).expect(200)).body).toMatchObject({ backend: 'integration', fallbackURL });
    expect(await version()).toBe(before);
    expect((await update({ backend: 'custom', fallbackURL: null }).expect(200)).body).toEqual(is);
    expect([await read(), await version()]).toEqual([is, before + 1]);
  });

  it('refuses addresses that nobody can be sent to, and backends that there are not', async () => {
    const { privateKey } = await read();
    for (const [given, message] of [
      [{ backend: 'saml' }, 'backend must be one of: custom, integration'],
      [{ backend: null }, 'backend must be one of: custom, integration'],
      [{ fallbackURL: 'javascript:alert(1)' }, /^fallbackURL must be an absolute http or https address/],
      [{ fallbackURL: `https://example.org/${'x'.repeat(2048)}` }, /^fallbackURL must be an absolute http or https/],
      [{ fallbackURL: 5 }, /^fallbackURL must be an absolute http or https/],
      [{ fallbackURL: 'https://example.org/login?location=x' }, /^fallbackURL must have no parameter location/],
    ] as const) {
      const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
      const { body } = await update(given).expect(400);
      expect([given, body]).toEqual([given, refusal(400, text)]);
    }
    expect(await read()).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey });
  });

  it('is for those who manage sites', async () => {
    const reader = await app.create.user({ in: organization });
    const creator = await app.create.user({ in: organization, role: 'create' });
    await app.as(reader).get(auth()).expect(403);
    await update({ backend: 'saml' }, reader).expect(403);
    await app.as(reader).post(`${auth()}/regenerate`).expect(403);
    await app
      .as(await app.create.user())
      .get(auth())
      .expect(404);
    await app.anonymous().post(`${auth()}/regenerate`).expect(401);
    await app.as(creator).get(auth()).expect(200);
    for (const method of ['get', 'patch'] as const) {
      const { body } = await app.as(admin)[method](path('/publishing/auth', NOWHERE)).send({}).expect(404);
      expect(body).toEqual(refusal(404, 'Site not found'));
    }
  });

  it('keeps its key to itself: encrypted in the database, and in no other answer', async () => {
    const { privateKey } = await read();
    const found = await app.connection.collection<{ _id: string }>('site_visitor_auth').findOne({ _id: site._id });
    expect(found).toMatchObject({ backend: 'custom', fallbackURL: null });
    expect(JSON.stringify(found)).not.toContain(privateKey);
    for (const below of ['', '/customization', '/structure', '/redirects', '/share-links']) {
      const { text } = await app.as(admin).get(path(below)).expect(200);
      expect([below, text.includes(privateKey)]).toEqual([below, false]);
    }
    await app.as(admin).delete(path()).expect(205);
    expect(await app.connection.collection('site_visitor_auth').countDocuments({ _id: found?._id as never })).toBe(0);
  });
});

describe('the adaptive schema of a site', () => {
  const schema = () => path('/adaptive-schema');
  const put = (jsonSchema: unknown, user = admin) => app.as(user).put(schema()).send({ jsonSchema });
  const CLAIMS = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'visitors',
    type: 'object',
    properties: {
      'plan.name': { type: 'string', description: 'What they pay for', enum: ['free', 'gold'] },
      $staff: { type: 'boolean', description: 'Works here' },
      unsigned: {
        type: 'object',
        properties: { seats: { type: 'number', description: 'How many' } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };

  it('is not there until somebody sets it', async () => {
    expect((await app.as(admin).get(schema()).expect(404)).body).toEqual(
      refusal(404, 'The site has no adaptive schema yet'),
    );
    const before = await version();
    const { body } = await put(CLAIMS).expect(200);
    expect(body).toEqual({ object: 'site-adaptive-schema', jsonSchema: CLAIMS, updatedAt: ISO });
    expect([(await app.as(admin).get(schema()).expect(200)).body, await version()]).toEqual([body, before + 1]);
  });

  it('is replaced as a whole, with an absent additionalProperties put in', async () => {
    await put(CLAIMS).expect(200);
    const { body } = await put({ type: 'object', properties: {} }).expect(200);
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false };
    expect(body).toEqual({ object: 'site-adaptive-schema', jsonSchema, updatedAt: ISO });
    expect((await app.as(admin).get(schema()).expect(200)).body).toEqual(body);
  });

  it('refuses what is no such schema, by its place', async () => {
    await put(CLAIMS).expect(200);
    const claim = { type: 'string', description: 'x' };
    for (const [given, place] of [
      [undefined, /^jsonSchema/],
      [[], /^jsonSchema/],
      [{ type: 'array', properties: {} }, /^jsonSchema\.type must be object/],
      [{ type: 'object', properties: { plan: { type: 'string' } } }, /^jsonSchema\.properties\.plan/],
      [{ type: 'object', properties: { plan: { ...claim, pattern: 'x' } } }, /^jsonSchema\.properties\.plan/],
      [
        { type: 'object', properties: { plan: claim }, additionalProperties: true },
        /^jsonSchema\.additionalProperties/,
      ],
    ] as const) {
      const { body } = await put(given).expect(400);
      expect([given, body]).toEqual([given, refusal(400, expect.stringMatching(place))]);
    }
    expect((await app.as(admin).get(schema()).expect(200)).body).toMatchObject({ jsonSchema: CLAIMS });
  });

  it('is read by members, set by those who manage sites, and goes with the site', async () => {
    const reader = await app.create.user({ in: organization });
    await put(CLAIMS).expect(200);
    await app.as(reader).get(schema()).expect(200);
    await put({}, reader).expect(403);
    await app
      .as(await app.create.user())
      .get(schema())
      .expect(404);
    await app.anonymous().get(schema()).expect(401);
    await app.as(admin).delete(path()).expect(205);
    expect(
      await app.connection.collection<{ _id: string }>('site_adaptive_schemas').countDocuments({ _id: site._id }),
    ).toBe(0);
  });
});
