import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import {
  ANSWER_HEADERS,
  dependsOnTag,
  describeIdempotency,
  describeTags,
  HEADER_PARAMETERS,
} from './api-docs-headers.js';
import { buildInfo } from './common/build-info.js';
import { Config } from './config/index.js';

type Status = keyof typeof ERRORS;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  'x-open'?: boolean;
  'x-fails'?: Status[];
  'x-needs'?: string;
  'x-reads'?: boolean;
};

/** What the tags of the description are about, in the order in which they are shown. */
const TAGS = {
  accounts: 'People, sign-in and API tokens.',
  organizations: 'Organizations and who belongs to them.',
  'single-sign-on': 'Identity providers of organizations, and signing in by them with SAML 2.0.',
  webhooks: 'Addresses that are told of what happens in an organization, and what was delivered to them.',
  teams: 'Some members of an organization under a name.',
  spaces: 'Containers of documentation.',
  collections: 'Spaces in an order, with rights that come down to them.',
  permissions: 'Entries of people and teams in spaces and collections.',
  content: 'Pages, files and revisions of a space; editing and search.',
  'change-requests': 'Changes to content that are reviewed and merged together.',
  comments: 'What people say about content: comments, replies, reactions.',
  sites: 'Published sites: settings, sections, spaces on them, share links.',
  integrations: 'What extends the service: published by organizations, installed in them, on spaces and sites.',
  openapi: 'Descriptions of APIs, by their address or their text, with their versions.',
  translations: 'Settings of translations.',
  service: 'Health, metrics and version of the service itself.',
};

const ERRORS = {
  400: 'The request is malformed; the message names what is wrong.',
  401: 'No valid token came with the request.',
  403: 'You may see this, but you may not do that with it.',
  404: 'There is no such thing, or you may not see it.',
  409: 'Its present state forbids it, or the value is taken, or somebody else wrote first.',
  412: 'What must hold for this does not.',
  413: 'The body is larger than the service accepts.',
  415: 'The body is not application/json.',
  422: 'The Idempotency-Key was sent with another request before.',
  429: 'Too many requests; try again after the seconds in Retry-After.',
  503: 'The database is away or the service is shutting down; try again after the seconds in Retry-After.',
};

/** What a caller may be told, for each status. */
const EXAMPLES: Record<Status, string> = {
  400: 'title must be 1 to 50 characters long',
  401: 'The token is unknown, revoked or expired',
  403: 'You may see this space, but you lack the permission "edit" on it',
  404: 'Space not found',
  409: 'The space is locked: its content changes through change requests only',
  412: 'A rule of the space holds this back, or If-Match does not name the present entity tag',
  413: 'The body must be at most 10485760 bytes',
  415: 'Send the body as Content-Type: application/json, not text/plain',
  422: 'The Idempotency-Key was sent with another request before; send a key of its own with each',
  429: 'Too many requests; try again in 20 seconds',
  503: 'The database cannot be reached just now; try again in a moment',
};

/** What the parts of paths are that no guard tells of. */
const PATH_PARTS: Record<string, string> = {
  commentId: 'Id of the comment.',
  commentReplyId: 'Id of the reply.',
  deliveryId: 'Id of the delivery.',
  documentId: 'Id of the text, as a page or a reusable content names it.',
  emailDomain: 'Domain name, such as example.org.',
  file: 'Name of the image.',
  fileId: 'Id of the file.',
  inviteId: 'Id of the invitation link.',
  organizationId: 'Id of the organization.',
  pageId: 'Id of the page.',
  reusableContentId: 'Id of the reusable content.',
  revisionId: 'Id of the revision.',
  samlProviderId: 'Id of the identity provider.',
  shareLinkId: 'Id of the share link.',
  signature: 'What the address of the file was signed with.',
  siteId: 'Id of the site.',
  siteRedirectId: 'Id of the redirect.',
  siteSectionGroupId: 'Id of the section group.',
  siteSectionId: 'Id of the section.',
  siteSpaceId: 'Id of the site-space.',
  spaceId: 'Id of the space.',
  subdomain: 'Hostname of an organization, the present one or a former one.',
  specSlug: 'Slug of the OpenAPI specification.',
  teamId: 'Id of the team.',
  token: 'What the PDF is made of, signed; its address has it.',
  tokenId: 'Id of the token.',
  translationSettingsId: 'Id of the translation settings.',
  userId: 'Id of the person.',
  webhookId: 'Id of the webhook.',
  versionId: 'Id of the version, or `latest`.',
};

const UI_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** Makes the description of every operation. */
function describe(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Colophon')
    .setDescription(
      'Documentation publishing: organizations, spaces of versioned pages, search. ' +
        'Press **Authorize** and paste your token. Every failure answers `{"error": {"code", "message"}}`; ' +
        'lists answer `{"next", "count", "items"}`, and `next.page` given as `page` reads on.',
    )
    .setVersion(buildInfo().version)
    // Swagger UI calls the address it was loaded from, whatever name the service was reached by
    .addServer('/', 'This service')
    .addServer(app.get(Config).PUBLIC_URL, 'The public address')
    .addBearerAuth({ type: 'http', description: 'An API token, or the token of a sign-in.' })
    .addSecurityRequirements('bearer');
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  addErrors(document);
  for (const schema of Object.values(document.components?.schemas ?? {})) tidy(schema as Schema);
  return document;
}

/** The parts of a schema that are mended. */
interface Schema {
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
}

/** Says of each property what its name or its being nullable means: dates by name, `null` among the values. */
function tidy(schema: Schema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    // a list of its own: other properties, which cannot be `null`, may share this one
    if (property.nullable === true && property.enum && !property.enum.includes(null)) {
      property.enum = [...property.enum, null];
    }
    if (property.type === 'string' && /^at$|[a-z](At|Date|Since)$/.test(name)) property.format ??= 'date-time';
    tidy(property);
  }
}

/** Adds to each operation the failures it can answer, and takes the token off the open ones. */
function addErrors(document: OpenAPIObject): void {
  const schemas = { ...document.components?.schemas, Error: ERROR_SCHEMA };
  document.components = { ...document.components, schemas, parameters: HEADER_PARAMETERS, headers: ANSWER_HEADERS };
  for (const [path, item] of Object.entries(document.paths)) {
    describeTags(path, item, schemas);
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation: Operation | undefined = item[method];
      if (!operation) continue;
      describePathParts(operation);
      const open = operation['x-open'] === true;
      if (open) operation.security = [];
      const keyed = method === 'post' && !open && operation['x-reads'] !== true;
      const own = operation['x-fails'] ?? [];
      const needs = operation['x-needs'];
      delete operation['x-open'];
      delete operation['x-fails'];
      delete operation['x-needs'];
      delete operation['x-reads'];
      const failures = failuresOf(path, operation, { open, needs, keyed });
      if (keyed) describeIdempotency(operation);
      for (const code of [...failures, ...own]) {
        operation.responses[code] ??= {
          description: ERRORS[code],
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(code) } },
        };
      }
    }
  }
}

function describePathParts({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('in' in parameter && parameter.in === 'path') parameter.description ??= PATH_PARTS[parameter.name];
  }
}

function failuresOf(
  path: string,
  operation: Operation,
  { open, needs, keyed }: { open: boolean; needs: string | undefined; keyed: boolean },
): Status[] {
  const inPath = path.includes('{');
  const hasInput =
    operation.requestBody !== undefined || operation.parameters?.some((p) => 'in' in p && p.in === 'query');
  return [
    ...(hasInput ? ([400] as const) : []),
    ...(open ? [] : ([401] as const)),
    ...(needs === undefined || needs === 'view' ? [] : ([403] as const)),
    ...(inPath ? ([404] as const) : []),
    ...(operation.requestBody === undefined ? [] : ([413, 415] as const)),
    ...(keyed ? ([400, 409, 422] as const) : []),
    ...(dependsOnTag(operation) ? ([400, 412] as const) : []),
    429,
    503,
  ];
}

const exampleOf = (code: Status) => ({ error: { code, message: EXAMPLES[code] } });

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.', example: 404 },
        message: {
          type: 'string',
          description: 'What went wrong and what to do about it.',
          example: 'Space not found',
        },
      },
    },
  },
};

/** Loads what the build read out of the classes' types and docstrings. */
async function loadMetadata(): Promise<void> {
  // a name that the type checker does not follow: the file is written by the build
  const file: string = './metadata.js';
  const { default: metadata } = (await import(file)) as { default: () => Promise<Record<string, unknown>> };
  await SwaggerModule.loadPluginMetadata(metadata);
}

/** Serves Swagger UI at /docs and the description at /openapi.json: both are made when first asked for, and then kept. */
export function serveApiDocs(app: INestApplication): void {
  let loading: Promise<void> | undefined;
  app.use(['/docs', '/openapi.json'], (_request: Request, _response: Response, next: NextFunction) => {
    loading ??= loadMetadata();
    loading.then(() => {
      next();
    }, next);
  });
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', UI_POLICY);
    next();
  });
  SwaggerModule.setup('docs', app, () => describe(app), {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Colophon API',
    swaggerOptions: {
      docExpansion: 'list',
      filter: true,
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      // shows the limits of parameters
      showCommonExtensions: true,
    },
  });
}
