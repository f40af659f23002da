import type { Scene } from './audit-scene.js';
import { IdentityProvider, requestOf } from './identity-provider.js';
import { png } from './images.js';
import { install, publish } from './integrations.js';
import { idOf } from './things.js';

/** How an operation is called with success. */
export interface Success {
  /** What stands in its path, but for the things of the scene. */
  path?: Record<string, string>;
  query?: object;
  body?: object;
  /** Of the body, where that is not JSON. */
  type?: string;
  /** Its token; the administrator's unless given, `null`: none. */
  token?: string | null;
}

type Prepare = (scene: Scene) => Promise<Success>;

const OPEN = { token: null };
const PERSON = { email: 'somebody@example.org', password: 'correct horse' };
const settled = (success: Success): Prepare => {
  return () => Promise.resolve(success);
};

/** Publishes the site of the scene; answers its address. */
async function publishedSite({ app, at, admin }: Scene): Promise<string> {
  const site = `/v1/orgs/${at.organizationId}/sites/${at.siteId}`;
  const { body } = await app.as(admin).post(`${site}/publish`).expect(200);
  return (body as { urls: { published: string } }).urls.published;
}

/** A token of the person who sends it. */
async function ownToken({ app, stranger }: Scene): Promise<{ id: string; token: string }> {
  const { body } = await app.as(stranger).post('/v1/user/tokens').send({ label: 'Own' }).expect(201);
  return body as { id: string; token: string };
}

/** The last two parts of an address. */
const lastOf = (address: string, count: number): string[] => new URL(address).pathname.split('/').slice(-count);

/** A sign-in through an identity provider, with what the browser brings back. */
async function signIn({ app, at, admin }: Scene): Promise<{ provider: string; form: object }> {
  const idp = IdentityProvider.make();
  const sent = { label: 'Idp', ssoURL: 'https://idp.test/sso', entityID: idp.entityID, certificate: idp.certificate };
  const { body } = await app.as(admin).post(`/v1/orgs/${at.organizationId}/saml`).send(sent).expect(201);
  const provider = idOf(body);
  const { headers } = await app.anonymous().get(`/saml/${provider}/login`).expect(302);
  const { id, acsURL, issuer } = requestOf(new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? '');
  const claims = { acsURL, audience: issuer, issuer: idp.entityID, request: id, email: 'sso@acme.test' };
  return { provider, form: { SAMLResponse: idp.answer(claims) } };
}

/** An integration with an image and a script, on the site of the scene. */
async function integration(scene: Scene): Promise<{ integrationName: string; file: string }> {
  const { app, at, admin } = scene;
  const owner = { ...(await app.create.organization({ admin })), _id: at.organizationId };
  const icon = png(2, 2).toString('base64');
  const body = { icon, visibility: 'public', scopes: ['site:script:inject'] };
  const { name, urls } = await publish(app, owner, body);
  const path = await install(app, owner, name);
  await app.as(admin).post(`${path}/sites`).send({ siteId: at.siteId }).expect(201);
  await publishedSite(scene);
  return { integrationName: name, file: lastOf(urls.icon ?? '', 1)[0] ?? '' };
}

/** The operations that neither the permissions nor the audit trail call with success. */
export const SUCCESSES: Record<string, Prepare> = {
  // the service
  getApiInformation: settled(OPEN),
  getLiveness: settled(OPEN),
  getReadiness: settled(OPEN),
  getMetrics: settled({}),
  // people
  login: async ({ app }) => {
    await app.create.user(PERSON);
    return { ...OPEN, body: PERSON };
  },
  logout: async (scene) => ({ token: (await ownToken(scene)).token }),
  getAuthenticatedUser: settled({}),
  getUserById: settled({}),
  updateUserById: ({ stranger }) =>
    Promise.resolve({ path: { userId: stranger._id }, token: stranger.token, body: { displayName: 'Other' } }),
  listApiTokens: async (scene) => {
    await ownToken(scene);
    return { token: scene.stranger.token };
  },
  createApiToken: settled({ body: { label: 'Mine', expiresAt: '2100-01-01T00:00:00Z' } }),
  deleteApiToken: async (scene) => ({ path: { tokenId: (await ownToken(scene)).id }, token: scene.stranger.token }),
  // how they sign in
  startSamlSignIn: async (scene) => ({ ...OPEN, path: { samlProviderId: (await signIn(scene)).provider } }),
  finishSamlSignIn: async (scene) => {
    const { provider, form } = await signIn(scene);
    return { ...OPEN, path: { samlProviderId: provider }, body: form, type: 'application/x-www-form-urlencoded' };
  },
  getSamlMetadata: settled(OPEN),
  // organizations
  listOrganizationsForAuthenticatedUser: settled({}),
  getOrganizationById: settled({}),
  getOrganizationsForEmailDomain: async ({ app, admin }) => {
    await app.create.organization({ admin, emailDomains: ['successes.example'] });
    return { path: { emailDomain: 'successes.example' } };
  },
  getSubdomain: async ({ app, admin, at }) => {
    const { body } = await app.as(admin).get(`/v1/orgs/${at.organizationId}`).expect(200);
    return { path: { subdomain: (body as { hostname: string }).hostname } };
  },
  // content
  downloadFile: async ({ app, admin, at }) => {
    const { body } = await app.as(admin).get(`/v1/spaces/${at.spaceId}/content/files/${at.fileId}`).expect(200);
    const { downloadURL } = body as { downloadURL: string };
    const query = Object.fromEntries(new URL(downloadURL).searchParams);
    return { ...OPEN, path: { signature: lastOf(downloadURL, 1)[0] ?? '' }, query };
  },
  downloadPdf: async ({ app, admin, at }) => {
    const { body } = await app.as(admin).get(`/v1/spaces/${at.spaceId}/pdf`).expect(200);
    return { ...OPEN, path: { token: lastOf((body as { url: string }).url, 1)[0] ?? '' } };
  },
  getContentByUrl: ({ at }) => Promise.resolve({ query: { url: `http://docs.test/s/${at.spaceId}` } }),
  // what is published
  resolvePublishedContentByUrl: async (scene) => ({ ...OPEN, body: { url: await publishedSite(scene) } }),
  getPublishedContentByUrl: async (scene) => ({ ...OPEN, query: { url: await publishedSite(scene) } }),
  getSiteRedirectBySource: async ({ app, at, admin }) => {
    const sites = `/v1/orgs/${at.organizationId}/sites`;
    const siteId = idOf((await app.as(admin).post(sites).send({ spaces: 'sample' }).expect(201)).body);
    const { body } = await app.as(admin).get(`${sites}/${siteId}/site-spaces`).expect(200);
    const destination = { kind: 'site-space', siteSpaceId: idOf((body as { items: unknown[] }).items[0]) };
    await app.as(admin).post(`${sites}/${siteId}/redirects`).send({ source: '/away', destination }).expect(201);
    await app.as(admin).post(`${sites}/${siteId}/publish`).expect(200);
    return { path: { siteId }, query: { source: '/away' } };
  },
  getSiteAdaptiveSchema: async ({ app, at, admin }) => {
    const body = { jsonSchema: { type: 'object', properties: {} } };
    const site = `/v1/orgs/${at.organizationId}/sites/${at.siteId}`;
    await app.as(admin).put(`${site}/adaptive-schema`).send(body).expect(200);
    return {};
  },
  deleteSiteSpaceCustomizationById: settled({}),
  // integrations
  listIntegrations: settled({}),
  getIntegrationScript: async (scene) => ({ ...OPEN, path: await integration(scene) }),
  getIntegrationAsset: async (scene) => ({ ...OPEN, path: await integration(scene) }),
};
