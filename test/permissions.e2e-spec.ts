import { TokensService } from '../src/auth/index.js';
import { ROLES, type Role } from '../src/common/roles.js';
import { memberId } from '../src/organizations/member.schema.js';
import { ACCESS, type AccessRow, type Target } from './support/access-table.js';
import { startApp, type TestApp } from './support/app.js';
import type { Description } from './support/described-answers.js';
import type { TestUser } from './support/factories.js';
import { makeThings, type Operation, operationsOf, pathOf, remake, targetsOf, type Things } from './support/things.js';

/** Who does not belong to the organization: nobody, the administrator of another one, and who is disabled here. */
const OUTSIDERS = ['stranger', 'neighbour', 'disabled'] as const;
type Caller = Role | 'guest' | (typeof OUTSIDERS)[number];
/** Administrators of the organization whose tokens are no good. */
type Refused = 'revoked' | 'expired';

const CALLERS: readonly Caller[] = [...OUTSIDERS, 'guest', ...ROLES];
const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaa';

/** Operations that are not about the content of an organization: other tests see to them. */
const OTHERS = [
  ...['getApiInformation', 'getLiveness', 'getReadiness', 'getMetrics', 'register', 'login', 'logout', 'downloadFile'],
  'downloadPdf',
  ...['getAuthenticatedUser', 'listApiTokens', 'createApiToken', 'deleteApiToken', 'getUserById', 'updateUserById'],
  ...['listOrganizationsForAuthenticatedUser', 'createOrganization', 'getOrganizationById', 'updateOrganizationById'],
  'getOrganizationsForEmailDomain',
  // what addresses lead to
  ...['resolvePublishedContentByUrl', 'getPublishedContentByUrl', 'getContentByUrl', 'getSubdomain'],
  // how people sign in
  ...['startSamlSignIn', 'finishSamlSignIn', 'getSamlMetadata'],
  // of everybody, or open to everybody; and those whose body says in which organization
  ...['listIntegrations', 'publishIntegration', 'installIntegration', 'getIntegrationScript', 'getIntegrationAsset'],
  // makes strangers members
  'joinOrganizationWithInvite',
];

let app: TestApp;
let operations: Operation[];
let users: Record<Caller, TestUser>;
let refused: Record<Refused, TestUser>;
let things: Things;
/** Things of its own for an operation that takes away what its path names. */
let fresh: (operation: Operation) => Promise<Things>;

beforeAll(async () => {
  app = await startApp();
  operations = await operationsOf(app);
  const organization = await app.create.organization();
  const members = await Promise.all(
    ROLES.map(async (role) => [role, await app.create.user({ in: organization, role })] as const),
  );
  const { admin: neighbour } = await app.create.organization();
  users = {
    stranger: await app.create.user(),
    neighbour,
    disabled: await app.create.user({ in: organization, role: 'admin' }),
    guest: await app.create.user({ in: organization, role: null }),
    ...(Object.fromEntries(members) as Record<Role, TestUser>),
  };
  await disable(organization._id, users.disabled._id);
  refused = await withoutGoodTokens(users.admin);
  things = await makeThings(app, organization);
  fresh = (operation) => remake(app, organization, things, targetsOf(operation));
});
afterAll(() => app.close());

/** Disables a member: nothing does so through HTTP yet. */
async function disable(organization: string, user: string): Promise<void> {
  const members = app.connection.collection<{ _id: string }>('members');
  await members.updateOne({ _id: memberId(organization, user) }, { $set: { disabled: true } });
}

/** The same person with tokens that worked once. */
async function withoutGoodTokens(user: TestUser): Promise<Record<Refused, TestUser>> {
  const tokens = app.nest.get(TokensService, { strict: false });
  const made = await tokens.issue({ user: user._id, kind: 'api' });
  await tokens.revoke(user._id, made.record._id);
  const old = await tokens.issue({ user: user._id, kind: 'api', expiresAt: new Date(Date.now() - 1) });
  return { revoked: { ...user, token: made.token }, expired: { ...user, token: old.token } };
}

const found = (name: string): Operation => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  return operation;
};
/** The same things, but for one that nobody knows. */
const without = (at: Things, target: Target): Things => ({
  ...at,
  [target]: UNKNOWN,
  onChangeRequest: { ...at.onChangeRequest, [target]: UNKNOWN },
});

/** Calls the operation; `as` names who does. */
async function call(
  name: string,
  as: TestUser | null,
  at: Things,
  { query = {}, body, type = 'application/json' }: Pick<AccessRow, 'query' | 'body' | 'type'>,
): Promise<{ status: number; body: unknown }> {
  const operation = found(name);
  const client = as ? app.as(as) : app.anonymous();
  const sent = client[operation.method](pathOf(operation, at)).query(query);
  if (body === undefined) return sent;
  return sent.set('Content-Type', type).send(typeof body === 'function' ? body(at) : body);
}

const viewers = (row: AccessRow): Caller[] => (row.least === 'guest' ? ['guest', ...ROLES] : [...ROLES]);
const isOutsider = (caller: Caller): caller is (typeof OUTSIDERS)[number] => OUTSIDERS.some((one) => one === caller);
/** Whether every member sees the thing above what the path names: an organization, or its private integration. */
const isOfOrganization = (name: string): boolean => /^\/v1\/(orgs|integrations)\//.test(found(name).path);

function expected(name: string, row: AccessRow, caller: Caller): number {
  if (row.least === 'stranger') return row.allowed;
  if (isOutsider(caller)) return 404;
  if (caller === 'guest' && row.least !== 'guest') return isOfOrganization(name) && !row.hidden ? 403 : 404;
  if (!viewers(row).includes(caller)) return 404;
  const rank = row.least === 'guest' ? -1 : ROLES.indexOf(row.least);
  return caller === 'guest' || ROLES.indexOf(caller) >= rank ? row.allowed : 403;
}

it('what is about no content takes a token that is good, too', async () => {
  for (const name of OTHERS.filter((one) => !found(one).open)) {
    for (const caller of [null, refused.revoked, refused.expired]) {
      expect([name, (await call(name, caller, things, {})).status]).toEqual([name, 401]);
    }
  }
});

describe('operations on the content of organizations', () => {
  it('stand in the table, all of them', () => {
    const named = operations.map(({ name }) => name).filter((name) => !OTHERS.includes(name));
    expect(named.sort()).toEqual(Object.keys(ACCESS).sort());
  });

  it('say in the description that they refuse those who see the thing, and may do less with it', async () => {
    const { paths } = (await app.anonymous().get('/openapi.json').expect(200)).body as Description;
    for (const [name, row] of Object.entries(ACCESS)) {
      const { path, method } = found(name);
      const refuses = CALLERS.some((caller) => expected(name, row, caller) === 403);
      const told = Object.hasOwn(paths[path]?.[method]?.responses ?? {}, '403');
      if (refuses) expect([name, told]).toEqual([name, true]);
    }
  });

  describe.each(Object.entries(ACCESS))('%s', (name, row) => {
    it('answers each role as it may', async () => {
      const answers: [Caller, number][] = [];
      for (const caller of CALLERS) {
        // who is refused takes nothing away
        const own = row.destroys === true && expected(name, row, caller) === row.allowed;
        const { status } = await call(name, users[caller], own ? await fresh(found(name)) : things, row);
        answers.push([caller, status]);
      }
      expect(answers).toEqual(CALLERS.map((caller) => [caller, expected(name, row, caller)]));
    });

    it('refuses who sends no token, or one that is no good any more', async () => {
      for (const caller of [null, refused.revoked, refused.expired]) {
        const { status, body } = await call(name, caller, things, row);
        expect([status, body]).toEqual([401, { error: { code: 401, message: expect.any(String) as string } }]);
      }
    });

    it('refuses what is malformed, and knows no other things', async () => {
      if (row.malformed) {
        const { status, body } = await call(name, users.admin, things, { ...row, ...row.malformed });
        expect([status, body]).toEqual([400, { error: { code: 400, message: expect.any(String) as string } }]);
      }
      const targets = targetsOf(found(name));
      expect(targets).not.toHaveLength(0);
      for (const target of targets.filter((one) => one !== row.makes)) {
        const { status, body } = await call(name, users.admin, without(things, target), row);
        expect([target, status, body]).toEqual([
          target,
          404,
          { error: { code: 404, message: expect.any(String) as string } },
        ]);
      }
    });
  });
});
