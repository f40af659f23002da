import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { SignInRules } from '../auth/index.js';
import { Answers } from '../common/answers.js';
import type { Role } from '../common/roles.js';
import { ConfigModule, loadConfig } from '../config/index.js';
import { UsersModule, UsersService } from '../users/index.js';
import { ActiveProviders, MembersService, OrganizationsModule, OrganizationsService } from './index.js';

const config = ConfigModule.of(loadConfig({ SECRET_KEY: 'a key that is made of 32 characters' }));

let test: TestDatabase;
let users: UsersService;
let organizations: OrganizationsService;
let members: MembersService;
let rules: () => SignInRules;
let people = 0;
/** Organizations with an active identity provider. */
const active = new Set<string>();

beforeAll(async () => {
  test = await startTestDatabase();
  const app = await test.boot(config, UsersModule, OrganizationsModule);
  users = app.get(UsersService, { strict: false });
  organizations = app.get(OrganizationsService, { strict: false });
  members = app.get(MembersService, { strict: false });
  const answers = app.get(Answers, { strict: false });
  rules = answers.ask(SignInRules);
  answers.give(ActiveProviders, { among: (ids) => Promise.resolve(new Set(ids.filter((id) => active.has(id)))) });
});

afterAll(() => test.stop());

const newUser = async (): Promise<string> =>
  (await users.create({ email: `p${++people}@example.org`, displayName: 'Somebody' }))._id;

/** An organization with somebody who has `role` in it. */
async function organizationWith(
  role: Role | null,
  { sso, provider }: { sso: boolean; provider: boolean },
): Promise<{ user: string; title: string }> {
  const made = await organizations.create(await newUser(), { title: `Organization ${people}` });
  await organizations.update(made, { sso });
  if (provider) active.add(made._id);
  const user = await newUser();
  await members.add(made._id, user, role);
  return { user, title: made.title };
}

describe('an organization that demands single sign-on', () => {
  it.each<Role | null>(['read', 'create', null])('refuses passwords of members with the role %s', async (role) => {
    const { user, title } = await organizationWith(role, { sso: true, provider: true });
    expect(await rules().enforcedOn(user)).toBe(title);
  });

  it('lets administrators in, and everybody while it has no active provider', async () => {
    const [ofAdmin, without] = [
      await organizationWith('admin', { sso: true, provider: true }),
      await organizationWith('read', { sso: true, provider: false }),
    ];
    expect(await rules().enforcedOn(ofAdmin.user)).toBeNull();
    expect(await rules().enforcedOn(without.user)).toBeNull();
  });

  it('does so for whoever is an administrator elsewhere', async () => {
    const { user, title } = await organizationWith('edit', { sso: true, provider: true });
    await organizations.create(user, { title: 'Own one' });
    expect(await rules().enforcedOn(user)).toBe(title);
  });

  it('is the only one that does', async () => {
    const { user } = await organizationWith('read', { sso: false, provider: true });
    expect(await rules().enforcedOn(user)).toBeNull();
    expect(await rules().enforcedOn(await newUser())).toBeNull();
  });
});
