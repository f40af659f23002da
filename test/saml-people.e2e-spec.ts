import { UsersService } from '../src/users/index.js';
import type { TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import type { GivenOrganization } from './support/given.js';
import type { Provider } from './support/identity-provider.js';
import { givenSignOn, newEmail, refusal } from './support/single-sign-on.js';

describe('single sign-on', () => {
  let app: TestApp;
  let organization: GivenOrganization['organization'];
  let admin: TestUser;
  let provider: Provider;

  const { signIn, refuse, memberOf } = givenSignOn((given) => {
    ({ app, organization, admin, provider } = given);
  });

  const mark = (user: string) => app.as(admin).post(`/v1/orgs/${organization._id}/members/${user}/sso`).expect(200);
  const invite = async (body: object): Promise<{ users: string[] }> => {
    const answer = await app.as(admin).post(`/v1/orgs/${organization._id}/invites`).send(body).expect(200);
    return answer.body as { users: string[] };
  };

  describe('and people who are known already', () => {
    it('asks strangers with an account to be invited first', async () => {
      const known = await app.create.user({ email: newEmail() });
      await refuse(known.email, /^Use your existing way to sign in: your account does not belong to the organization/);
      await app.as(admin).get(`/v1/orgs/${organization._id}/members/${known._id}`).expect(404);
    });

    it('lets members in from when an administrator marks them, and takes their names as they are', async () => {
      const known = await app.create.user({
        email: newEmail(),
        in: organization,
        role: 'review',
        displayName: 'Known',
      });
      await refuse(known.email, new RegExp(`by POST /v1/orgs/${organization._id}/members/${known._id}/sso$`));
      await mark(known._id);
      const { user } = await signIn(known.email, { firstName: 'Other' });
      expect(user).toMatchObject({ id: known._id, displayName: 'Known' });
      expect(await memberOf(known._id)).toMatchObject({ role: 'review', sso: true });
    });

    it('does not take the word of one organization for an account that others rely on', async () => {
      const victim = await app.create.user({ email: newEmail() });
      await app.create.organization({ admin: victim });
      await invite({ emails: [victim.email] });
      await mark(victim._id);
      await refuse(victim.email, /^Use your existing way to sign in: your account belongs to other organizations too/);
      // who came in before keeps that way when others add them
      const { user } = await signIn(newEmail());
      const { _id } = await app.create.organization();
      await app.connection
        .collection<{ _id: string }>('members')
        .insertOne({ _id: `${_id}:${user.id}`, organization: _id, user: user.id } as never);
      await signIn(user.email);
    });

    it('lets people in who were invited for it, and no others', async () => {
      const [meant, otherwise, elsewhere] = [newEmail(), newEmail(), newEmail()];
      const { users } = await invite({ emails: [{ email: meant, role: 'comment' }], sso: true });
      const { user } = await signIn(meant, { firstName: 'Grace', lastName: 'Hopper' });
      expect(user).toMatchObject({ id: users[0], displayName: 'Grace Hopper' });
      expect(await memberOf(user.id)).toMatchObject({ role: 'comment', sso: true });
      const { body } = await app.as(admin).get(`/v1/orgs/${organization._id}/members?search=hopper`).expect(200);
      expect(body).toMatchObject({ count: 1 });

      const invited = await invite({ emails: [otherwise] });
      await refuse(otherwise, /^Register with the invitation that you were sent/);
      await mark(invited.users[0] ?? '');
      expect((await signIn(otherwise)).user.id).toBe(invited.users[0]);

      const others = await app.create.organization();
      await app
        .as(others.admin)
        .post(`/v1/orgs/${others._id}/invites`)
        .send({ emails: [elsewhere] })
        .expect(200);
      await refuse(elsewhere, /^Another organization has invited you: register/);
      await invite({ emails: [elsewhere], sso: true });
      await refuse(elsewhere, /^Another organization has invited you: register/);
    });

    it('lets nobody in whose membership was ended, until they are invited again', async () => {
      const email = newEmail();
      const { user } = await signIn(email);
      await app.as(admin).delete(`/v1/orgs/${organization._id}/members/${user.id}`).expect(204);
      await refuse(email, /^Use your existing way to sign in: your account does not belong to the organization/);
      await invite({ emails: [email] });
      await mark(user.id);
      expect((await signIn(email)).user.id).toBe(user.id);
    });
  });

  it('is demanded of all but administrators while there is an active identity provider', async () => {
    const password = 'correct horse battery';
    const [member, head] = [
      await app.create.user({ email: newEmail(), password, in: organization }),
      await app.create.user({ email: newEmail(), password, in: organization, role: 'admin' }),
    ];
    const login = ({ email }: TestUser, status: number) =>
      app.anonymous().post('/v1/auth/login').send({ email, password }).expect(status);
    await login(member, 200);
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    const { body } = await login(member, 403);
    expect(body).toEqual(refusal(403, 'Your organization "Acme" asks you to use its single sign-on'));
    await login(head, 200);
    await app.as(member).get('/v1/user').expect(200);
    await mark(member._id);
    await signIn(member.email);
    await app.as(admin).delete(`/v1/orgs/${organization._id}/saml/${provider.id}`).expect(204);
    await login(member, 200);
    expect(await memberOf(member._id)).toMatchObject({ sso: true });
  });

  it('is not demanded by organizations that somebody was added to unasked: nobody is locked out by others', async () => {
    const password = 'correct horse battery';
    const victim = await app.create.user({ email: newEmail(), password });
    const home = await app.create.organization({ admin: victim });
    const login = (status: number) =>
      app.anonymous().post('/v1/auth/login').send({ email: victim.email, password }).expect(status);
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    await invite({ emails: [victim.email] });
    await refuse(victim.email, /^Use your existing way to sign in/);
    await login(200);
    // who was there since is one of them
    await app.as(victim).post(`/v1/orgs/${organization._id}/ping`).expect(200);
    await login(403);
    // and so is who comes by a link
    const other = await app.create.user({ email: newEmail(), password, in: home });
    await invite({ emails: [other.email] });
    const link = await app
      .as(admin)
      .post(`/v1/orgs/${organization._id}/link-invites`)
      .send({ role: 'read' })
      .expect(201);
    const credentials = { email: other.email, password };
    await app.anonymous().post('/v1/auth/login').send(credentials).expect(200);
    const { id } = link.body as { id: string };
    await app.as(other).post(`/v1/orgs/${organization._id}/invites/${id}`).expect(200);
    await app.anonymous().post('/v1/auth/login').send(credentials).expect(403);
  });

  it('does not keep people from an organization that invited them, where another did too', async () => {
    const email = newEmail();
    const friendly = await app.create.organization();
    const { body } = await app
      .as(friendly.admin)
      .post(`/v1/orgs/${friendly._id}/invites`)
      .send({ emails: [email] })
      .expect(200);
    const [{ invite: secret } = { invite: '' }] = (body as { invitations: { invite: string }[] }).invitations;
    await app.as(admin).patch(`/v1/orgs/${organization._id}`).send({ sso: true }).expect(200);
    await invite({ emails: [email] });
    await app
      .anonymous()
      .post('/v1/auth/register')
      .send({ email, displayName: 'New Name', password: 'correct horse battery', invite: secret })
      .expect(201);
  });

  it('finds people who signed in before by their address alone', async () => {
    const email = newEmail();
    const { user } = await signIn(email.replace('person', 'PERSON'));
    expect(await app.nest.get(UsersService, { strict: false }).findByEmail(email)).toMatchObject({
      _id: user.id,
      password: null,
      emailVerified: true,
      placeholder: false,
    });
  });
});
