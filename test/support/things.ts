import type { OpenAPIObject } from '@nestjs/swagger';
import { ContentWriter } from '../../src/content/content.writer.js';
import { newId } from '../../src/common/ids.js';
import { DocumentsService, RevisionsService } from '../../src/revisions/index.js';
import { SitesService } from '../../src/sites/index.js';
import { siteSpacesOf } from '../../src/sites/structure/structure.js';
import type { Target } from './access-table.js';
import type { TestApp } from './app.js';
import { petstore, SpecClient } from './openapi.js';

/**
 * What the paths of operations lead to, all of one organization. The comments are those on the space; those on the change
 * request stand beside them.
 */
export type Things = Record<Target, string> & {
  onChangeRequest: Pick<Record<Target, string>, 'commentId' | 'commentReplyId'>;
  /** Id of the description `specSlug`, which no path names. */
  specId: string;
};

/** What is made together, as it hangs together; of the things `at`, those of earlier parts are there. */
interface Part {
  targets: readonly Target[];
  make: (app: TestApp, organization: Owner, at: Things) => Promise<Partial<Things>>;
}

type Owner = Awaited<ReturnType<TestApp['create']['organization']>>;
type Discussion = Pick<Things, 'changeRequestId' | 'commentId' | 'commentReplyId' | 'onChangeRequest'>;

/** An operation as the description of the API names it. */
export interface Operation {
  name: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** Whether it can be called without a token. */
  open: boolean;
}

/** Every operation that the service describes. */
export async function operationsOf(app: TestApp): Promise<Operation[]> {
  const document = (await app.anonymous().get('/openapi.json').expect(200)).body as OpenAPIObject;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Operation => {
      const { operationId, security } = operation as { operationId: string; security?: unknown[] };
      return { name: operationId, method: method as Operation['method'], path, open: security?.length === 0 };
    }),
  );
}

/** The path of `operation` on the things `at`. */
export function pathOf(operation: Operation, at: Things): string {
  const own = operation.path.includes('{changeRequestId}') ? { ...at, ...at.onChangeRequest } : at;
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => own[name as Target]);
}

/** The id of what was answered. */
export const idOf = (body: unknown): string => (body as { id: string }).id;

/** What the path of `operation` names. */
export const targetsOf = ({ path }: Operation): Target[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, target]) => target as Target);

const SITE: readonly Target[] = [
  'siteId',
  'siteSectionId',
  'siteSectionGroupId',
  'siteSpaceId',
  'shareLinkId',
  'siteRedirectId',
];

/** In the order in which they are made. The titles and paths of a site are those of the space: both are new. */
const PARTS: readonly Part[] = [
  { targets: ['organizationId'], make: (_, { _id }) => Promise.resolve({ organizationId: _id }) },
  { targets: ['spaceId', ...SITE], make: spaceOf },
  { targets: ['collectionId'], make: collectionOf },
  { targets: ['pageId', 'pagePath', 'fileId', 'documentId', 'revisionId', 'reusableContentId'], make: contentOf },
  { targets: ['userId', 'teamId'], make: peopleOf },
  { targets: ['changeRequestId', 'commentId', 'commentReplyId'], make: discussionOf },
  { targets: ['inviteId'], make: inviteOf },
  { targets: ['samlProviderId'], make: providerOf },
  { targets: SITE, make: siteOf },
  { targets: ['webhookId', 'deliveryId'], make: webhookOf },
  // what an integration is on is there before it
  { targets: ['integrationName', 'installationId'], make: integrationOf },
  { targets: ['specSlug', 'versionId'], make: specOf },
  { targets: ['translationSettingsId'], make: translationsOf },
];

/** Makes one of everything in `organization`. */
export async function makeThings(app: TestApp, organization: Owner): Promise<Things> {
  return make(app, organization, PARTS, {} as Things);
}

/**
 * Makes anew what `targets` stand for, each with what hangs together with it; the others are those of `things`. A scene for
 * an operation that takes away what its path names need not be larger.
 */
export async function remake(app: TestApp, organization: Owner, things: Things, targets: Target[]): Promise<Things> {
  const parts = PARTS.filter((part) => part.targets.some((target) => targets.includes(target)));
  return make(app, organization, parts, things);
}

async function make(app: TestApp, organization: Owner, parts: readonly Part[], present: Things): Promise<Things> {
  let at = present;
  for (const part of parts) at = { ...at, ...(await part.make(app, organization, at)) };
  return at;
}

async function spaceOf(app: TestApp, organization: Owner): Promise<Pick<Things, 'spaceId'>> {
  return { spaceId: (await app.create.space({ organization }))._id };
}

async function collectionOf(app: TestApp, { _id, admin }: Owner): Promise<Pick<Things, 'collectionId'>> {
  const { body } = await app.as(admin).post(`/v1/orgs/${_id}/collections`).send({}).expect(201);
  return { collectionId: idOf(body) };
}

async function inviteOf(app: TestApp, { _id, admin }: Owner): Promise<Pick<Things, 'inviteId'>> {
  const { body } = await app.as(admin).post(`/v1/orgs/${_id}/link-invites`).send({ role: null }).expect(201);
  return { inviteId: idOf(body) };
}

/** An identity provider of `organization`. */
async function providerOf(app: TestApp, { _id, admin }: Owner): Promise<Pick<Things, 'samlProviderId'>> {
  const { body } = await app.as(admin).post(`/v1/orgs/${_id}/saml`).send({ label: 'Acme' }).expect(201);
  return { samlProviderId: idOf(body) };
}

/** A site with two sections, of a space of its own and of the space; the second one stands in a group. */
async function siteOf(app: TestApp, organization: Owner, { spaceId }: Things): Promise<Partial<Things>> {
  const { _id: own } = await app.create.space({ organization });
  const root = `/v1/orgs/${organization._id}/sites`;
  const post = async (path: string, body: object): Promise<string> =>
    idOf((await app.as(organization.admin).post(path).send(body).expect(201)).body);
  const siteId = await post(root, { spaces: [own] });
  const siteSectionId = await post(`${root}/${siteId}/sections`, { spaceId });
  const group = { title: 'Group', sections: [siteSectionId] };
  const siteSectionGroupId = await post(`${root}/${siteId}/section-groups`, group);
  const shareLinkId = await post(`${root}/${siteId}/share-links`, { name: 'Friends' });
  const destination = { kind: 'site-section', siteSectionId };
  const siteRedirectId = await post(`${root}/${siteId}/redirects`, { source: '/old', destination });
  const site = await app.nest.get(SitesService, { strict: false }).findById(siteId);
  const placed = site ? siteSpacesOf(site.structure).find(({ section }) => section?.id === siteSectionId) : undefined;
  return {
    siteId,
    siteSectionId,
    siteSectionGroupId,
    shareLinkId,
    siteRedirectId,
    siteSpaceId: placed?.siteSpace.id ?? '',
  };
}

/** A description of an API, with one version. */
async function specOf(app: TestApp, { _id, admin }: Owner): Promise<Partial<Things>> {
  const slug = `pets-${newId().toLowerCase()}`;
  const { id: specId, lastVersion: versionId = '' } = await new SpecClient(app, _id, admin).putText(slug, petstore());
  return { specSlug: slug, specId, versionId };
}

async function translationsOf(app: TestApp, { _id, admin }: Owner): Promise<Pick<Things, 'translationSettingsId'>> {
  const { body } = await app.as(admin).post(`/v1/orgs/${_id}/translations`).send({ title: 'All' }).expect(201);
  return { translationSettingsId: idOf(body) };
}

/** A webhook of `organization` with an address that nobody has, with a delivery that was given up. */
async function webhookOf(app: TestApp, { _id, admin }: Owner): Promise<Pick<Things, 'webhookId' | 'deliveryId'>> {
  const sent = { url: 'https://hooks.invalid/', events: ['spec.processed'] };
  const webhookId = idOf((await app.as(admin).post(`/v1/orgs/${_id}/webhooks`).send(sent).expect(201)).body);
  const deliveryId = newId();
  const resource = { object: 'openapi-spec', id: newId() };
  const lane = `${webhookId}:${resource.object}:${resource.id}`;
  const expiresAt = new Date(Date.now() + 60 * 60_000);
  const over = { status: 'failed', attempts: 10, attemptedAt: new Date(), retryAt: null, answer: null, error: 'Down' };
  await app.connection.collection<{ _id: string }>('webhook_deliveries').insertOne({
    ...{ _id: deliveryId, webhook: webhookId, lane, sequence: 1, event: 'spec.processed', at: new Date(), resource },
    ...{ data: { organization: _id, spec: resource.id, version: newId() }, ...over, expiresAt },
  });
  return { webhookId, deliveryId };
}

/** A private integration of `organization`, installed there, and on the space and the site of `at`. */
async function integrationOf(
  app: TestApp,
  { _id: organization, admin }: Owner,
  { spaceId: space, siteId }: Things,
): Promise<Pick<Things, 'integrationName' | 'installationId'>> {
  const integrationName = `test.${newId()}`;
  const root = `/v1/integrations/${integrationName}`;
  const body = { title: 'Test', description: 'For tests', script: 'export {};', organization };
  await app.as(admin).post(root).send(body).expect(200);
  const installed = await app.as(admin).post(`${root}/installations`).send({ organization }).expect(201);
  const installationId = idOf(installed.body);
  await app.as(admin).post(`${root}/installations/${installationId}/spaces`).send({ space }).expect(201);
  await app.as(admin).post(`${root}/installations/${installationId}/sites`).send({ siteId }).expect(201);
  return { integrationName, installationId };
}

/** A member and a team, with entries in the space and the collection of `at`. */
async function peopleOf(app: TestApp, organization: Owner, at: Things): Promise<Pick<Things, 'userId' | 'teamId'>> {
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

/** One of everything in the space. */
async function contentOf(
  app: TestApp,
  { _id: organization, admin }: Owner,
  { spaceId: space }: Things,
): Promise<Partial<Things>> {
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
    pageId,
    pagePath: 'a-page',
    fileId: insertedFiles[0]?.id ?? '',
    documentId: read.documentId,
    revisionId: revision._id,
    reusableContentId: 'reusable1',
  };
}

/** A change request with a reviewer who is asked, and a comment with a reply on it and on the space. */
async function discussionOf(
  app: TestApp,
  { admin }: Owner,
  { spaceId, userId: reviewer }: Things,
): Promise<Discussion> {
  const post = async (below: string, body: object): Promise<string> =>
    idOf((await app.as(admin).post(`/v1/spaces/${spaceId}${below}`).send(body)).body);
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
