import type { OpenAPIObject } from '@nestjs/swagger';
import { startApp, type TestApp } from './support/app.js';

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, { schema?: Record<string, unknown> }> }>;
}

/** Names that the public client has for what exists so far, with the status of success. */
const OPERATIONS: Record<string, [string, number]> = {
  'GET /v1': ['getApiInformation', 200],
  'GET /health/live': ['getLiveness', 200],
  'GET /health/ready': ['getReadiness', 200],
  'GET /metrics': ['getMetrics', 200],
  'POST /v1/auth/register': ['register', 201],
  'POST /v1/auth/login': ['login', 200],
  'POST /v1/auth/logout': ['logout', 204],
  'GET /v1/user': ['getAuthenticatedUser', 200],
  'GET /v1/user/tokens': ['listApiTokens', 200],
  'POST /v1/user/tokens': ['createApiToken', 201],
  'DELETE /v1/user/tokens/{tokenId}': ['deleteApiToken', 205],
  'GET /v1/users/{userId}': ['getUserById', 200],
  'PATCH /v1/users/{userId}': ['updateUserById', 200],
  'GET /v1/orgs': ['listOrganizationsForAuthenticatedUser', 200],
  'POST /v1/orgs': ['createOrganization', 201],
  'GET /v1/orgs/{organizationId}': ['getOrganizationById', 200],
  'PATCH /v1/orgs/{organizationId}': ['updateOrganizationById', 200],
  'GET /v1/orgs/{organizationId}/members': ['listMembersInOrganizationById', 200],
  'GET /v1/orgs/{organizationId}/members/{userId}': ['getMemberInOrganizationById', 200],
  'PATCH /v1/orgs/{organizationId}/members/{userId}': ['updateMemberInOrganizationById', 200],
  'DELETE /v1/orgs/{organizationId}/members/{userId}': ['removeMemberFromOrganizationById', 204],
  'POST /v1/orgs/{organizationId}/members/{userId}/sso': ['setUserAsSSOMemberForOrganization', 200],
  'POST /v1/orgs/{organizationId}/ping': ['updateOrganizationMemberLastSeenAt', 200],
  'GET /v1/orgs/{organizationId}/link-invites': ['listOrganizationInviteLinks', 200],
  'POST /v1/orgs/{organizationId}/link-invites': ['createOrganizationInvite', 201],
  'GET /v1/orgs/{organizationId}/link-invites/{inviteId}': ['getOrganizationInviteLink', 200],
  'PATCH /v1/orgs/{organizationId}/link-invites/{inviteId}': ['updateOrganizationInviteById', 200],
  'DELETE /v1/orgs/{organizationId}/link-invites/{inviteId}': ['deleteOrganizationInviteById', 205],
  'POST /v1/orgs/{organizationId}/invites': ['inviteUsersToOrganization', 200],
  'POST /v1/orgs/{organizationId}/invites/{inviteId}': ['joinOrganizationWithInvite', 200],
  'GET /v1/email-domains/{emailDomain}/orgs': ['getOrganizationsForEmailDomain', 200],
  'GET /v1/orgs/{organizationId}/spaces': ['listSpacesInOrganizationById', 200],
  'POST /v1/orgs/{organizationId}/spaces': ['createSpace', 201],
  'GET /v1/orgs/{organizationId}/search': ['searchOrganizationContent', 200],
  'GET /v1/spaces/{spaceId}': ['getSpaceById', 200],
  'PATCH /v1/spaces/{spaceId}': ['updateSpaceById', 200],
  'DELETE /v1/spaces/{spaceId}': ['deleteSpaceById', 205],
  'POST /v1/spaces/{spaceId}/restore': ['restoreSpace', 200],
  'POST /v1/spaces/{spaceId}/duplicate': ['duplicateSpace', 201],
  'POST /v1/spaces/{spaceId}/move': ['moveSpace', 200],
  'POST /v1/spaces/{spaceId}/transfer': ['transferSpace', 200],
  'GET /v1/spaces/{spaceId}/links': ['listSpaceLinks', 200],
  'GET /v1/orgs/{organizationId}/collections': ['listCollectionsInOrganizationById', 200],
  'POST /v1/orgs/{organizationId}/collections': ['createCollection', 201],
  'GET /v1/collections/{collectionId}': ['getCollectionById', 200],
  'PATCH /v1/collections/{collectionId}': ['updateCollectionById', 200],
  'DELETE /v1/collections/{collectionId}': ['deleteCollectionById', 205],
  'GET /v1/collections/{collectionId}/spaces': ['listSpacesInCollectionById', 200],
  'POST /v1/collections/{collectionId}/move': ['moveCollection', 200],
  'GET /v1/orgs/{organizationId}/teams': ['listTeamsInOrganizationById', 200],
  'PUT /v1/orgs/{organizationId}/teams': ['createOrganizationTeam', 201],
  'GET /v1/orgs/{organizationId}/teams/{teamId}': ['getTeamInOrganizationById', 200],
  'PATCH /v1/orgs/{organizationId}/teams/{teamId}': ['updateTeamInOrganizationById', 200],
  'DELETE /v1/orgs/{organizationId}/teams/{teamId}': ['removeTeamFromOrganizationById', 204],
  'GET /v1/orgs/{organizationId}/teams/{teamId}/members': ['listTeamMembersInOrganizationById', 200],
  'PUT /v1/orgs/{organizationId}/teams/{teamId}/members': ['updateMembersInOrganizationTeam', 204],
  'PUT /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}': ['addMemberToOrganizationTeamById', 204],
  'DELETE /v1/orgs/{organizationId}/teams/{teamId}/members/{userId}': ['deleteMemberFromOrganizationTeamById', 204],
  'GET /v1/orgs/{organizationId}/members/{userId}/teams': ['listTeamsForOrganizationMember', 200],
  'GET /v1/orgs/{organizationId}/members/{userId}/spaces': ['listSpacesForOrganizationMember', 200],
  'POST /v1/spaces/{spaceId}/permissions': ['inviteToSpace', 204],
  'GET /v1/spaces/{spaceId}/permissions/users': ['listUserPermissionsInSpace', 200],
  'GET /v1/spaces/{spaceId}/permissions/teams': ['listTeamPermissionsInSpace', 200],
  'GET /v1/spaces/{spaceId}/permissions/aggregate': ['listPermissionsAggregateInSpace', 200],
  'PATCH /v1/spaces/{spaceId}/permissions/users/{userId}': ['updateUserPermissionInSpace', 204],
  'PATCH /v1/spaces/{spaceId}/permissions/teams/{teamId}': ['updateTeamPermissionInSpace', 204],
  'DELETE /v1/spaces/{spaceId}/permissions/users/{userId}': ['removeUserFromSpace', 205],
  'DELETE /v1/spaces/{spaceId}/permissions/teams/{teamId}': ['removeTeamFromSpace', 205],
  'POST /v1/collections/{collectionId}/permissions': ['inviteToCollection', 204],
  'GET /v1/collections/{collectionId}/permissions/users': ['listUserPermissionsInCollection', 200],
  'GET /v1/collections/{collectionId}/permissions/teams': ['listTeamPermissionsInCollection', 200],
  'GET /v1/collections/{collectionId}/permissions/aggregate': ['listPermissionsAggregateInCollection', 200],
  'PATCH /v1/collections/{collectionId}/permissions/users/{userId}': ['updateUserPermissionInCollection', 204],
  'PATCH /v1/collections/{collectionId}/permissions/teams/{teamId}': ['updateTeamPermissionInCollection', 204],
  'DELETE /v1/collections/{collectionId}/permissions/users/{userId}': ['removeUserFromCollection', 205],
  'DELETE /v1/collections/{collectionId}/permissions/teams/{teamId}': ['removeTeamFromCollection', 205],
  'POST /v1/spaces/{spaceId}/content/import': ['importContent', 201],
  'GET /v1/spaces/{spaceId}/content/archive': ['getContentArchive', 200],
  'PUT /v1/spaces/{spaceId}/content/archive': ['putContentArchive', 201],
  'GET /v1/spaces/{spaceId}/content/files/{fileId}/backlinks': ['listSpaceFileBacklinks', 200],
  'GET /v1/spaces/{spaceId}/content/page/{pageId}/links': ['listPageLinksInSpace', 200],
  'GET /v1/spaces/{spaceId}/content/page/{pageId}/backlinks': ['listSpacePageBacklinks', 200],
  'GET /v1/spaces/{spaceId}/search': ['searchSpaceContent', 200],
  'GET /v1/spaces/{spaceId}/content': ['getCurrentRevision', 200],
  'POST /v1/spaces/{spaceId}/content': ['editContent', 200],
  'GET /v1/spaces/{spaceId}/content/pages': ['listPages', 200],
  'GET /v1/spaces/{spaceId}/content/files': ['listFiles', 200],
  'GET /v1/spaces/{spaceId}/content/files/{fileId}': ['getFileById', 200],
  'GET /v1/files/{spaceId}/{fileId}/{signature}': ['downloadFile', 200],
  'GET /v1/spaces/{spaceId}/content/page/{pageId}': ['getPageById', 200],
  'GET /v1/spaces/{spaceId}/content/path/{pagePath}': ['getPageByPath', 200],
  'GET /v1/spaces/{spaceId}/content/reusable-contents/{reusableContentId}': ['getReusableContentById', 200],
  'GET /v1/spaces/{spaceId}/documents/{documentId}': ['getDocumentById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}': ['getRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/changes': ['getRevisionSemanticChanges', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/pages': ['listPagesInRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/files': ['listFilesInRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/files/{fileId}': ['getFileInRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}': ['getPageInRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/document': ['getPageDocumentInRevisionById', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/path/{pagePath}': ['getPageInRevisionByPath', 200],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}': [
    'getReusableContentInRevisionById',
    200,
  ],
  'GET /v1/spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}/document': [
    'getReusableContentDocumentInRevisionById',
    200,
  ],
};
const VIEWED = [
  'getOrganizationById',
  'getSpaceById',
  'getCurrentRevision',
  'getPageById',
  'getRevisionById',
  'getUserById',
];
const CHANGED = ['updateOrganizationById', 'createSpace', 'updateSpaceById', 'editContent', 'updateUserById'];
const OPEN = ['getApiInformation', 'getLiveness', 'getReadiness', 'register', 'login', 'downloadFile'];

describe('the description of the API', () => {
  let app: TestApp;
  let document: OpenAPIObject;
  let operations: [string, Operation][];

  beforeAll(async () => {
    app = await startApp();
    document = (await app.anonymous().get('/openapi.json').expect(200)).body as OpenAPIObject;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation as unknown as Operation,
      ]),
    );
  });
  afterAll(() => app.close());

  const operation = (name: string): Operation => {
    const found = operations.find(([, { operationId }]) => operationId === name)?.[1];
    if (!found) throw new Error(`no operation ${name}`);
    return found;
  };

  it('names every operation as the public client does', () => {
    const found = operations.map(([name, { operationId, responses }]) => {
      const success = Object.keys(responses).filter((status) => status.startsWith('2'));
      return [name, [operationId, Number(success.join())]];
    });
    expect(Object.fromEntries(found)).toEqual(OPERATIONS);
  });

  it('gives each a summary, a tag that is explained, and its answer', () => {
    const tags = (document.tags ?? []).map(({ name }) => name);
    for (const [name, { summary, tags: own = [], responses }] of operations) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{5,}\.$/)]);
      expect([name, own.filter((tag) => tags.includes(tag)).length]).toEqual([name, own.length]);
      expect(own.length).toBeGreaterThan(0);
      const [status = '', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
      const schema = Object.values(success?.content ?? {})[0]?.schema;
      if (!['204', '205'].includes(status)) expect([name, schema]).toEqual([name, expect.any(Object)]);
    }
  });

  it('tells what each can refuse, and which need no token', () => {
    for (const [name, { operationId, security, responses }] of operations) {
      const open = OPEN.includes(operationId);
      expect([name, security]).toEqual([name, open ? [] : undefined]);
      expect([name, Object.hasOwn(responses, '401')]).toEqual([name, !open || operationId === 'login']);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '503']));
      if (name.includes('{')) expect([name, Object.hasOwn(responses, '404')]).toEqual([name, true]);
      // who may view a thing may read it, and others are told that there is none
      if (VIEWED.includes(operationId)) expect([name, Object.hasOwn(responses, '403')]).toEqual([name, false]);
      if (CHANGED.includes(operationId)) expect([name, Object.hasOwn(responses, '403')]).toEqual([name, true]);
    }
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document.components?.securitySchemes?.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('gives parameters with limits and defaults', () => {
    expect(operation('listOrganizationsForAuthenticatedUser').parameters).toEqual([
      expect.objectContaining({ name: 'page', in: 'query', required: false }),
      expect.objectContaining({
        name: 'limit',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ type: 'integer', minimum: 0, maximum: 1000, default: 50 }) as unknown,
      }),
    ]);
    const format = operation('getPageById').parameters?.find(({ name }) => name === 'format');
    expect(format?.schema).toMatchObject({ enum: ['document', 'markdown'], default: 'markdown' });
    const path = operation('getPageById').parameters?.filter((parameter) => parameter.in === 'path');
    expect(path?.map(({ name }) => name).sort()).toEqual(['pageId', 'spaceId']);
    for (const [name, { parameters = [] }] of operations) {
      for (const parameter of parameters.filter((one) => one.in === 'path')) {
        expect([name, parameter]).toEqual([
          name,
          expect.objectContaining({ description: expect.any(String) as unknown }),
        ]);
      }
    }
  });

  it('gives bodies with limits, enumerations and what may be null', () => {
    const schemas = document.components?.schemas as Record<
      string,
      { properties: Record<string, unknown>; required?: string[] }
    >;
    expect(schemas.UpdateSpaceDto?.properties).toMatchObject({
      title: { type: 'string', minLength: 1, maxLength: 50 },
      editMode: { type: 'string', enum: ['live', 'locked'] },
      defaultLevel: {
        type: 'string',
        nullable: true,
        enum: expect.arrayContaining(['admin', 'inherit', null]) as unknown,
      },
    });
    expect(schemas.UpdateSpaceDto?.required ?? []).toEqual([]);
    expect(schemas.CreateOrganizationDto).toMatchObject({
      required: ['title'],
      properties: { type: { enum: ['business', 'community'] }, emailDomains: { maxItems: 50 } },
    });
    expect(schemas.InsertFilesDto?.properties.files).toMatchObject({
      items: { $ref: '#/components/schemas/NewFileDto' },
      maxItems: 20,
    });
    expect(schemas.InvitePeopleDto?.properties.emails).toEqual(
      expect.objectContaining({
        type: 'array',
        items: { oneOf: [{ type: 'string', format: 'email' }, { $ref: '#/components/schemas/InvitedPersonDto' }] },
        minItems: 1,
        maxItems: 100,
      }),
    );
    expect(schemas.InviteView?.properties.space).toMatchObject({ allOf: [{ $ref: '#/components/schemas/SpaceView' }] });
    expect(schemas.NewFileDto?.required).toEqual(['name']);
    expect(schemas.SpaceView?.required).toEqual(expect.arrayContaining(['object', 'id', 'permissions']));
  });

  it('gives each type of page a shape of its own', () => {
    const schemas = document.components?.schemas as Record<
      string,
      { properties: Record<string, Record<string, unknown>>; required?: string[] }
    >;
    const shapes = ['DocumentPageView', 'GroupPageView', 'LinkPageView', 'ComputedPageView'];
    const page = {
      oneOf: shapes.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: expect.objectContaining({ propertyName: 'type' }) as unknown,
    };
    for (const name of ['getPageById', 'getPageByPath', 'getPageInRevisionById', 'getPageInRevisionByPath']) {
      expect(operation(name).responses['200']?.content?.['application/json']?.schema).toEqual(page);
    }
    for (const name of ['RevisionView', 'PagesView', 'GroupPageView']) {
      expect(schemas[name]?.properties.pages).toMatchObject({ type: 'array', items: page });
    }
    expect(schemas.DocumentPageView?.required).toEqual(expect.arrayContaining(['id', 'type', 'path', 'documentId']));
    expect(schemas.LinkPageView?.required).toEqual(expect.arrayContaining(['id', 'type', 'target']));
    expect(schemas.LinkPageView?.properties).not.toHaveProperty('slug');
    const entries = schemas.ChangeContentDto?.properties.changes as { items: { oneOf: unknown[] } };
    expect(entries.items.oneOf).toHaveLength(5);
    expect(schemas.RevertPageDto?.properties).not.toHaveProperty('block');
  });

  it('is shown by Swagger UI, which its own policy lets run', async () => {
    const { headers, text } = await app.anonymous().get('/docs').expect(200).expect('Content-Type', /html/);
    expect(headers['content-security-policy']).toMatch(/script-src 'self'/);
    expect(text).toContain('Colophon API');
    await app.anonymous().get('/docs/swagger-ui-bundle.js').expect(200);
    await app.anonymous().get('/docs/swagger-ui-init.js').expect(200);
  });
});
