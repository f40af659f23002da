import { Command } from 'commander';
import { addTokenCommand } from '../src/cli/commands/token.command.js';
import { loadConfig } from '../src/config/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const SECRET = expect.stringMatching(/^[\w-]{43}$/) as string;
const NO_REGISTRATION = {
  error: { code: 403, message: 'Registration needs a valid invitation; ask an administrator for one' },
};

interface Invitations {
  users: string[];
  invitations: { email: string; user: string; invite: string }[];
}

describe('invitations by e-mail address', () => {
  let app: TestApp;
  let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
  let admin: TestUser;
  let root: string;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    organization = await app.create.organization();
    admin = organization.admin;
    root = `/v1/orgs/${organization._id}`;
  });

  const roleOf = async (user: TestUser | string): Promise<unknown> => {
    const id = typeof user === 'string' ? user : user._id;
    return ((await app.as(admin).get(`${root}/members/${id}`).expect(200)).body as { role: unknown }).role;
  };
  const register = (email: string, invite?: string) =>
    app
      .anonymous()
      .post('/v1/auth/register')
      .send({ email, displayName: 'New Name', password: 'correct horse', invite });
  const invite = async (body: object, as = admin): Promise<Invitations> =>
    (await app.as(as).post(`${root}/invites`).send(body).expect(200)).body as Invitations;
  const unique = (name: string) => `${name}-${organization._id.toLowerCase()}@example.org`;

  it('add who has an account at once, and give a secret for who has none', async () => {
    const known = await app.create.user();
    const email = unique('new');
    const answer = await invite({
      emails: [known.email.toUpperCase(), { email: email.toUpperCase(), role: 'edit' }, email],
      role: null,
    });
    expect(answer).toEqual({
      users: [known._id, ID],
      invited: 2,
      invitations: [{ email, user: answer.users[1], invite: SECRET }],
    });
    const [, placeholder = ''] = answer.users;
    expect([await roleOf(known), await roleOf(placeholder)]).toEqual([null, 'edit']);
    const { items } = (await app.as(admin).get(`${root}/members`).query({ search: 'NEW-' }).expect(200)).body as {
      items: unknown[];
    };
    expect(items).toEqual([
      expect.objectContaining({
        id: placeholder,
        user: expect.objectContaining({ email, displayName: email.split('@')[0] }) as unknown,
      }),
    ]);
    const stored = JSON.stringify(await app.connection.collection('invitations').find({}).toArray());
    expect(stored).not.toContain(answer.invitations[0]?.invite);
  });

  it('take the default role of the organization where none is given', async () => {
    await app.as(admin).patch(root).send({ defaultRole: 'comment' }).expect(200);
    const { users } = await invite({ emails: [unique('a')] });
    expect(await roleOf(users[0] ?? '')).toBe('comment');
    await app.as(admin).patch(root).send({ defaultRole: null }).expect(200);
    const guests = await invite({ emails: [unique('b')] });
    expect(await roleOf(guests.users[0] ?? '')).toBeNull();
  });

  it('leave members as they are', async () => {
    const reader = await app.create.user({ in: organization });
    const answer = await invite({ emails: [reader.email, admin.email], role: 'edit' });
    expect(answer).toEqual({ users: [], invited: 0, invitations: [] });
    expect([await roleOf(reader), await roleOf(admin)]).toEqual(['read', 'admin']);
  });

  it('have the identity provider trusted for new people, and name those who have accounts', async () => {
    const known = await app.create.user();
    const marked = await app.create.user({ in: organization });
    await app.as(admin).post(`${root}/members/${marked._id}/sso`).expect(200);
    const email = unique('sso');
    const answer = await invite({ emails: [known.email, email, marked.email], sso: true });
    expect(answer).toMatchObject({ invited: 2, failedSSOEmails: [known.email] });
    const sso = async (id: string) =>
      ((await app.as(admin).get(`${root}/members/${id}`).expect(200)).body as { sso: boolean }).sso;
    expect([await sso(known._id), await sso(answer.users[1] ?? '')]).toEqual([false, true]);
    expect(await invite({ emails: [marked.email], sso: true })).not.toHaveProperty('failedSSOEmails');
  });

  it('let who has the secret, and nobody else, take the place with all that belongs to it', async () => {
    const email = unique('taken');
    const { users, invitations } = await invite({ emails: [email], role: null });
    const [id = ''] = users;
    const secret = invitations[0]?.invite ?? '';
    const space = await app.create.space({ organization });
    const grant = { users: [id], role: 'edit' };
    await app.as(admin).post(`/v1/spaces/${space._id}/permissions`).send(grant).expect(204);

    for (const wrong of [undefined, 'wrong', secret.slice(1), `${secret}x`]) {
      expect((await register(email, wrong).expect(403)).body).toEqual(NO_REGISTRATION);
    }
    expect((await register(unique('other'), secret).expect(403)).body).toEqual(NO_REGISTRATION);
    await app.anonymous().post('/v1/auth/login').send({ email, password: 'null' }).expect(401);

    const { body } = await register(email.toUpperCase(), secret).expect(201);
    const { user, token } = body as { user: { id: string; displayName: string }; token: string };
    expect(user).toMatchObject({ id, displayName: 'New Name', email });
    const seen = await app
      .anonymous()
      .get(`/v1/spaces/${space._id}`)
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect((seen.body as { permissions: { edit: boolean } }).permissions.edit).toBe(true);
    await app.anonymous().post('/v1/auth/login').send({ email, password: 'correct horse' }).expect(200);
    expect((await app.as(admin).get(`${root}/members`).query({ search: 'new name' })).body).toMatchObject({
      count: 1,
    });
    expect((await register(email, secret).expect(403)).body).toEqual(NO_REGISTRATION);
  });

  it('let one of two in who come with the secret at the same moment', async () => {
    const email = unique('race');
    const { invitations } = await invite({ emails: [email] });
    const secret = invitations[0]?.invite;
    const answers = await Promise.all([register(email, secret), register(email, secret)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect([403, 409]).toContain(Math.max(...answers.map(({ status }) => status)));
  });

  it('give a new secret in place of the old one when somebody is invited again', async () => {
    const email = unique('again');
    const first = await invite({ emails: [email] });
    const second = await invite({ emails: [email] });
    expect(second).toEqual({ users: [], invited: 0, invitations: [{ email, user: first.users[0], invite: SECRET }] });
    await register(email, first.invitations[0]?.invite).expect(403);
    await register(email, second.invitations[0]?.invite).expect(201);
  });

  it('give nobody a secret for what another organization gave', async () => {
    const email = unique('both');
    const first = await invite({ emails: [email] });
    const other = await app.create.organization();
    const answer = await app
      .as(other.admin)
      .post(`/v1/orgs/${other._id}/invites`)
      .send({ emails: [email] })
      .expect(200);
    expect(answer.body).toEqual({ users: first.users, invited: 1, invitations: [] });
    const { body } = await register(email, first.invitations[0]?.invite).expect(201);
    const orgs = await app
      .anonymous()
      .get('/v1/orgs')
      .set('Authorization', `Bearer ${(body as { token: string }).token}`)
      .expect(200);
    expect((orgs.body as { count: number }).count).toBe(2);
  });

  it('make nobody to act as on the command line, before they come', async () => {
    const email = unique('token');
    await invite({ emails: [email] });
    const program = new Command();
    const config = loadConfig({ SECRET_KEY: 'a key for tests that is long enough' });
    const nothing = (): void => undefined;
    addTokenCommand(program, { run: (work) => work(app.nest, config), say: nothing, fail: nothing });
    await expect(program.parseAsync(['token', 'create', email], { from: 'user' })).rejects.toThrow(
      `${email} was invited and has not come yet: nobody can act as them`,
    );
  });

  it('end with the membership', async () => {
    const email = unique('gone');
    const { users, invitations } = await invite({ emails: [email] });
    await app
      .as(admin)
      .delete(`${root}/members/${users[0] ?? ''}`)
      .expect(204);
    await register(email, invitations[0]?.invite).expect(403);
    const link = await app.as(admin).post(`${root}/link-invites`).send({ role: 'read' }).expect(201);
    // nobody waits for that address any more: it is free for whoever may come
    const { body } = await register(email, (link.body as { id: string }).id).expect(201);
    expect((body as { user: { id: string } }).user.id).toBe(users[0]);
    expect(await roleOf(users[0] ?? '')).toBe('read');
  });

  it('take as many queries for many as for few', async () => {
    const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => unique(`${name}${n}`));
    const few = await app.commandsOf(() => invite({ emails: many('few', 2) }));
    const more = await app.commandsOf(() => invite({ emails: many('more', 40) }));
    expect(more).toEqual(few);
  });

  it('serve two that invite the same people at the same moment', async () => {
    const emails = [unique('one'), unique('two'), unique('three')];
    const answers = await Promise.all([invite({ emails }), invite({ emails: [...emails].reverse() })]);
    expect(answers.flatMap(({ users }) => users)).toHaveLength(3);
    expect((await app.as(admin).get(`${root}/members`).query({ role: 'read' })).body).toMatchObject({ count: 3 });
  });

  it.each([
    [{}, 'emails must be an array of 1 to 100 e-mail addresses'],
    [{ emails: [[]] }, 'emails.0.email must be an e-mail address'],
    [{ emails: [['a@example.org']] }, 'emails.0.email must be an e-mail address'],
    [{ emails: [] }, 'emails must be an array of 1 to 100 e-mail addresses'],
    [{ emails: 'a@example.org' }, 'emails must be an array of 1 to 100 e-mail addresses'],
    [
      { emails: Array.from({ length: 101 }, (_, n) => `m${n}@example.org`) },
      'emails must be an array of 1 to 100 e-mail addresses',
    ],
    [{ emails: ['ok@example.org', 'nobody'] }, 'emails.1.email must be an e-mail address'],
    [{ emails: [{ email: 'a@example.org', role: 'owner' }] }, /^emails\.0\.role must be one of: read, /],
    [{ emails: [{ role: 'read' }] }, 'emails.0.email must be an e-mail address'],
    [{ emails: [5] }, /^emails/],
    [{ emails: [null] }, /^emails/],
    [{ emails: [['a@example.org']] }, /^emails/],
    [{ emails: ['a@example.org'], role: 'owner' }, /^role must be one of: read, /],
    [{ emails: ['a@example.org'], sso: 'yes' }, /^sso must be a boolean value/],
  ])('are refused for %j, and invite nobody', async (body, message) => {
    const refused = await app.as(admin).post(`${root}/invites`).send(body).expect(400);
    const told = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(refused.body).toEqual({ error: { code: 400, message: told } });
    expect((await app.as(admin).get(`${root}/members`).expect(200)).body).toMatchObject({ count: 1 });
  });
});
