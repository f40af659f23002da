import type { OpenAPIObject } from '@nestjs/swagger';
import { startApp, type TestApp } from './support/app.js';
import { OPERATIONS } from './support/operations.js';

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, { schema?: Record<string, unknown> }> }>;
}

const VIEWED = [
  'getOrganizationById',
  'getSpaceById',
  'getCurrentRevision',
  'getPageById',
  'getRevisionById',
  'getUserById',
];
const CHANGED = ['updateOrganizationById', 'createSpace', 'updateSpaceById', 'editContent', 'updateUserById'];
const OPEN = [
  ...['getApiInformation', 'getLiveness', 'getReadiness', 'register', 'login', 'downloadFile', 'downloadPdf'],
  ...['startSamlSignIn', 'finishSamlSignIn', 'getSamlMetadata'],
  ...['resolvePublishedContentByUrl', 'getPublishedContentByUrl'],
  ...['getIntegrationScript', 'getIntegrationAsset'],
];
/** Operations without a token that refuse what is sent in its place. */
const ASKING = ['login', 'resolvePublishedContentByUrl', 'getPublishedContentByUrl'];
/** Statuses of success; one operation does nothing but send browsers elsewhere. */
const isSuccess = (status: string): boolean => status.startsWith('2') || status === '302';

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
      const success = Object.keys(responses).filter(isSuccess);
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
      const [status = '', success] = Object.entries(responses).find(([code]) => isSuccess(code)) ?? [];
      const schema = Object.values(success?.content ?? {})[0]?.schema;
      if (!['204', '205', '302'].includes(status)) expect([name, schema]).toEqual([name, expect.any(Object)]);
    }
  });

  it('tells what each can refuse, and which need no token', () => {
    for (const [name, { operationId, security, responses }] of operations) {
      const open = OPEN.includes(operationId);
      expect([name, security]).toEqual([name, open ? [] : undefined]);
      expect([name, Object.hasOwn(responses, '401')]).toEqual([name, !open || ASKING.includes(operationId)]);
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
