import type { OpenAPIObject } from '@nestjs/swagger';
import { ROLES, type Role } from '../src/common/roles.js';
import { ContentWriter } from '../src/content/content.writer.js';
import { DocumentsService, RevisionsService } from '../src/revisions/index.js';
import { ACCESS, type AccessRow, type Target } from './support/access-table.js';
import { startApp, type TestApp } from './support/app.js';
import { petstore, SpecClient } from './support/openapi.js';
import type { TestUser } from './support/factories.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The comments are those on the space; those on the change request stand beside them. */
type Things = Record<Target, string> & {
  onChangeRequest: Pick<Record<Target, string>, 'commentId' | 'commentReplyId'>;
};
type Caller = Role | 'guest' | 'stranger';

const CALLERS: readonly Caller[] = ['stranger', 'guest', ...ROLES];
const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaa';

interface Operation {
  name: string;
  method: Method;
  path: string;
}

/** Operations that are not about the content of an organization: other tests see to them. */
const OTHERS = [
  ...['getApiInformation', 'getLiveness', 'getReadiness', 'getMetrics', 'register', 'login', 'logout', 'downloadFile'],
  'downloadPdf',
  ...['getAuthenticatedUser', 'listApiTokens', 'createApiToken', 'deleteApiToken', 'getUserById', 'updateUserById'],
  ...['listOrganizationsForAuthenticatedUser', 'createOrganization', 'getOrganizationById', 'updateOrganizationById'],
  'getOrganizationsForEmailDomain',
  // makes strangers members
  'joinOrganizationWithInvite',
];

let app: TestApp;
let operations: Operation[];
let users: Record<Caller, TestUser>;
let things: Things;
let fresh: () => Promise<Things>;
let specsMade = 0;

beforeAll(async () => {
  app = await startApp();
  const document = (await app.anonymous().get('/openapi.json').expect(200)).body as OpenAPIObject;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Operation => {
      const { operationId } = operation as { operationId: string };
      return { name: operationId, method: method as Method, path };
    }),
  );
  const organization = await app.create.organization();
  const members = await Promise.all(
    ROLES.map(async (role) => [role, await app.create.user({ in: organization, role })] as const),
  );
  users = {
    stranger: await app.create.user(),
    guest: await app.create.user({ in: organization, role: null }),
    ...(Object.fromEntries(members) as Record<Role, TestUser>),
  };
  fresh = async () => {
    const space = await app.create.space({ organization });
    const made = await app.as(organization.admin).post(`/v1/orgs/${organization._id}/collections`).send({}).expect(201);
    const at = { organizationId: organization._id, collectionId: idOf(made.body), ...(await contentOf(space)) };
    const link = await app
      .as(organization.admin)
      .post(`/v1/orgs/${organization._id}/link-invites`)
      .send({ role: null })
      .expect(201);
    const people = await peopleOf(organization, at);
    return {
      ...at,
      ...people,
      ...(await settingsOf(organization)),
      ...(await discussionOf(at.spaceId, organization.admin, people.userId)),
      inviteId: idOf(link.body),
    };
  };
  things = await fresh();
});
afterAll(() => app.close());

const idOf = (body: unknown): string => (body as { id: string }).id;

/** A member and a team, with entries in the space and the collection of `at`. */
async function peopleOf(
  organization: Awaited<ReturnType<TestApp['create']['organization']>>,
  at: Pick<Things, 'organizationId' | 'spaceId' | 'collectionId'>,
): Promise<Pick<Things, 'userId' | 'teamId'>> {
  const admin = app.as(organization.admin);
  const { _id: userId } = await app.create.user({ in: organization, role: 'review' });
  const team = { title: 'Team', members: [userId] };
  const teamId = idOf((await admin.put(`/v1/orgs/${at.organizationId}/teams`).send(team).expect(201)).body);
  for (const place of [`spaces/${at.spaceId}`, `collections/${at.collectionId}`]) {
    const entries = { users: [userId], teams: [teamId], role: 'review' };
    await admin.post(`/v1/${place}/permissions`).send(entries).expect(204);
  }
  return { userId, teamId };
}

/** A description of an API, with one version, and translation settings. */
async function settingsOf({ _id, admin }: Awaited<ReturnType<TestApp['create']['organization']>>): Promise<Settings> {
  const specs = new SpecClient(app, _id, admin);
  specsMade += 1;
  const { slug: specSlug, lastVersion: versionId = '' } = await specs.putText(`pets-${specsMade}`, petstore());
  const made = await app.as(admin).post(`/v1/orgs/${_id}/translations`).send({ title: 'All' }).expect(201);
  return { specSlug, versionId, translationSettingsId: idOf(made.body) };
}

type Settings = Pick<Things, 'specSlug' | 'versionId' | 'translationSettingsId'>;

/** A space with one of everything. */
async function contentOf({
  _id: space,
  organization,
  admin,
}: {
  _id: string;
  organization: string;
  admin: TestUser;
}): Promise<
  Omit<Things, 'organizationId' | 'inviteId' | 'collectionId' | 'userId' | 'teamId' | keyof Discussion | keyof Settings>
> {
  const root = `/v1/spaces/${space}/content`;
  const page = { operation: 'insert_page', title: 'A page', document: { markdown: 'One word\n' } };
  const file = { name: 'a.txt', base64: Buffer.from('Bytes').toString('base64'), contentType: 'text/plain' };
  const changes = [page, { operation: 'insert_files', files: [file] }];
  const edited = await app.as(admin).post(root).send({ changes }).expect(200);
  const { insertedFiles } = edited.body as { insertedFiles: { id: string }[] };
  const { _id: document } = await app.nest.get(DocumentsService, { strict: false }).put(organization, 'Twice\n');
  const writer = app.nest.get(ContentWriter, { strict: false });
  const { revision } = await writer.write(space, null, (editor) => {
    editor.putReusableContent({ id: 'reusable1', title: 'Twice', document });
    return Promise.resolve();
  });
  const { pages } = await app.nest.get(RevisionsService, { strict: false }).tree(revision).tree();
  const pageId = pages[0]?.node.id ?? '';
  const read = (await app.as(admin).get(`${root}/page/${pageId}`).expect(200)).body as { documentId: string };
  return {
    spaceId: space,
    pageId,
    pagePath: 'a-page',
    fileId: insertedFiles[0]?.id ?? '',
    documentId: read.documentId,
    revisionId: revision._id,
    reusableContentId: 'reusable1',
  };
}

type Discussion = Pick<Things, 'changeRequestId' | 'commentId' | 'commentReplyId' | 'onChangeRequest'>;

/** A change request with a reviewer who is asked, and a comment with a reply on it and on the space. */
async function discussionOf(space: string, author: TestUser, reviewer: string): Promise<Discussion> {
  const post = async (below: string, body: object): Promise<string> =>
    idOf((await app.as(author).post(`/v1/spaces/${space}${below}`).send(body)).body);
  const comment = async (on: string): Promise<Discussion['onChangeRequest']> => {
    const commentId = await post(`${on}/comments`, { body: { markdown: 'Why?' } });
    const commentReplyId = await post(`${on}/comments/${commentId}/replies`, { body: { markdown: 'So.' } });
    return { commentId, commentReplyId };
  };
  const changeRequestId = await post('/change-requests', {});
  const on = `/change-requests/${changeRequestId}`;
  await post(`${on}/requested-reviewers`, { users: [reviewer] });
  return { changeRequestId, ...(await comment('')), onChangeRequest: await comment(on) };
}

const found = (name: string): Operation => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`There is no operation ${name}`);
  return operation;
};
const isOnChangeRequest = ({ path }: Operation): boolean => path.includes('{changeRequestId}');
const pathOf = (operation: Operation, at: Things): string => {
  const own = isOnChangeRequest(operation) ? { ...at, ...at.onChangeRequest } : at;
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => own[name as Target]);
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
  return body === undefined ? sent : sent.set('Content-Type', type).send(body as object);
}

const viewers = (row: AccessRow): Caller[] => (row.least === 'guest' ? ['guest', ...ROLES] : [...ROLES]);
/** Who sees the thing above what the path names. */
const isOfOrganization = (name: string): boolean => found(name).path.startsWith('/v1/orgs/');

function expected(name: string, row: AccessRow, caller: Caller): number {
  if (row.least === 'stranger') return row.allowed;
  if (caller === 'stranger') return 404;
  if (caller === 'guest' && row.least !== 'guest') return isOfOrganization(name) && !row.hidden ? 403 : 404;
  if (!viewers(row).includes(caller)) return 404;
  const rank = row.least === 'guest' ? -1 : ROLES.indexOf(row.least);
  return caller === 'guest' || ROLES.indexOf(caller) >= rank ? row.allowed : 403;
}

describe('operations on the content of organizations', () => {
  it('stand in the table, all of them', () => {
    const named = operations.map(({ name }) => name).filter((name) => !OTHERS.includes(name));
    expect(named.sort()).toEqual(Object.keys(ACCESS).sort());
  });

  describe.each(Object.entries(ACCESS))('%s', (name, row) => {
    it('answers each role as it may', async () => {
      const answers: [Caller, number][] = [];
      for (const caller of CALLERS) {
        // who is refused takes nothing away
        const own = row.destroys === true && expected(name, row, caller) === row.allowed;
        const { status } = await call(name, users[caller], own ? await fresh() : things, row);
        answers.push([caller, status]);
      }
      expect(answers).toEqual(CALLERS.map((caller) => [caller, expected(name, row, caller)]));
    });

    it('refuses who sends no token', async () => {
      const { status, body } = await call(name, null, things, row);
      expect([status, body]).toEqual([401, { error: { code: 401, message: expect.any(String) as string } }]);
    });

    it('refuses what is malformed, and knows no other things', async () => {
      if (row.malformed) {
        const { status, body } = await call(name, users.admin, things, { ...row, ...row.malformed });
        expect([status, body]).toEqual([400, { error: { code: 400, message: expect.any(String) as string } }]);
      }
      const targets = [...found(name).path.matchAll(/\{(\w+)\}/g)].map(([, target]) => target as Target);
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
