import { createHmac } from 'node:crypto';
import { SecretKey } from '../src/config/index.js';
import { issueSiteToken } from '../src/sites/visitor-tokens/index.js';
import { startApp, type TestApp } from './support/app.js';
import type { Editing } from './support/editing.js';
import { OPERATIONS } from './support/operations.js';
import { claimsIn, type PartAnswer, refusal, type SiteAnswer, Sites } from './support/sites.js';

let app: TestApp;
let sites: Sites;
let space: Editing;

beforeAll(async () => {
  app = await startApp();
  sites = await Sites.start(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  space = await sites.space('Content', 'Page');
});

/** A token that the application of `site` signs for a visitor. */
async function signed(site: SiteAnswer, claims: object = {}): Promise<string> {
  const { privateKey } = await sites.send<{ privateKey: string }>('get', sites.path(site, '/publishing/auth'));
  const [header, payload] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = `${header ?? ''}.${payload ?? ''}`;
  return `${text}.${createHmac('sha256', privateKey).update(text).digest('base64url')}`;
}

const shareLink = async (site: SiteAnswer) => {
  const link = await sites.send<{ id: string; urls: { published: string } }>('post', sites.path(site, '/share-links'), {
    name: 'Friends',
  });
  return { ...link, key: link.urls.published.split('/').at(-1) ?? '' };
};

/** What each caller gets who reads the space: anybody without a token, a stranger, a member, a member without a role in it. */
async function readers(query: object = {}): Promise<number[]> {
  const organization = { _id: sites.organization } as Parameters<TestApp['create']['team']>[0]['organization'];
  const path = `/v1/spaces/${space.space}`;
  await sites.send('patch', path, { defaultLevel: null });
  const stranger = await app.create.user();
  const member = await app.create.user({ in: organization as never, role: 'read' });
  const guest = await app.create.user({ in: organization as never, role: null });
  const [anybody, ...others] = [app.anonymous(), app.as(stranger), app.as(guest), app.as(member), app.as(sites.admin)];
  const statuses: number[] = [];
  for (const client of [anybody, ...others]) statuses.push((await client.get(path).query(query)).status);
  return statuses;
}

describe('who reads a space that a site carries', () => {
  it.each([
    ['public', [401, 200, 200, 200, 200]],
    ['unlisted', [401, 200, 200, 200, 200]],
    // who reads the whole organization sees the site, and what is on it
    ['share-link', [401, 404, 404, 200, 200]],
    ['visitor-auth', [401, 404, 404, 200, 200]],
  ])('%s: anybody, a stranger, a guest, a member, an administrator', async (visibility, expected) => {
    const site = await sites.site({ visibility, spaces: [space.space] }, false);
    const before = await readers();
    expect(before).toEqual([401, 404, 404, 404, 200]);
    await sites.send('post', sites.path(site, '/publish'));
    expect(await readers()).toEqual(expected);
    await sites.send('post', sites.path(site, '/unpublish'));
    expect(await readers()).toEqual(before);
  });

  it('share-link: whoever has an active key, and puts it into the address', async () => {
    const site = await sites.site({ visibility: 'share-link', spaces: [space.space] });
    const { id, key } = await shareLink(site);
    expect(await readers({ shareKey: key })).toEqual([401, 200, 200, 200, 200]);
    expect(await readers({ shareKey: 'wrong' })).toEqual([401, 404, 404, 200, 200]);
    const stranger = await app.create.user();
    const read = await app.as(stranger).get(`/v1/spaces/${space.space}`).query({ shareKey: key });
    expect(read.body).toMatchObject({
      visibility: 'share-link',
      urls: { published: `${sites.base(site)}/${key}` },
      permissions: { view: true, access: false, comment: false, edit: false },
    });
    expect(await sites.send(`get`, `/v1/spaces/${space.space}`)).toMatchObject({ visibility: 'share-link' });
    await sites.send('patch', sites.path(site, `/share-links/${id}`), { active: false });
    expect(await readers({ shareKey: key })).toEqual([401, 404, 404, 200, 200]);
  });

  it('sees only what is or was published, and may do nothing', async () => {
    await sites.site({ spaces: [space.space] });
    const stranger = app.as(await app.create.user());
    const root = `/v1/spaces/${space.space}`;
    const before = await space.read<{ id: string; pages: { id: string; documentId: string }[] }>('');
    const draft = await sites.send<{ id: string }>('post', `${root}/change-requests`, { subject: 'Draft' });
    const changes = [{ operation: 'update_page', page: before.pages[0]?.id, document: { markdown: 'Not yet.' } }];
    await sites.send('post', `${root}/change-requests/${draft.id}/content`, { changes });
    const { revision } = await sites.send<{ revision: string }>('get', `${root}/change-requests/${draft.id}`);
    const there = await sites.send<typeof before>('get', `${root}/revisions/${revision}`);
    const [page] = there.pages;
    for (const below of [
      '',
      '/pages',
      '/files',
      `/page/${page?.id ?? ''}`,
      `/page/${page?.id ?? ''}/document`,
      '/path/page',
      '/changes',
    ])
      expect([below, (await stranger.get(`${root}/revisions/${revision}${below}`)).status]).toEqual([below, 404]);
    // the id of a text that was not published, and of one that was, as an author is told it
    for (const id of [page?.documentId, before.pages[0]?.documentId])
      await stranger.get(`${root}/documents/${id ?? ''}`).expect(404);
    const read = (await stranger.get(`${root}/content`).expect(200)).body as typeof before;
    const shown = await stranger.get(`${root}/documents/${read.pages[0]?.documentId ?? ''}`).expect(200);
    expect(shown.body).toMatchObject({ object: 'document' });
    await app
      .as(sites.admin)
      .get(`${root}/documents/${read.pages[0]?.documentId ?? ''}`)
      .expect(200);
    await sites.send('post', `${root}/change-requests/${draft.id}/merge`);
    const merged = (await stranger.get(`${root}/content`).expect(200)).body as { type: string; parents: string[] };
    expect(merged.type).toBe('merge');
    // what was there before it was published is not led to
    expect(merged.parents).toEqual([]);
    expect((await sites.send<typeof merged>('get', `${root}/content`)).parents).toEqual([before.id, revision]);
    expect(merged).not.toHaveProperty('mergedFrom');
    await stranger.get(`${root}/revisions/${before.id}`).expect(200);
    await stranger.get(`${root}/revisions/${revision}`).expect(404);
    for (const below of ['/change-requests', `/change-requests/${draft.id}`, '/comments', '/links', '/pdf'])
      expect([below, (await stranger.get(root + below)).status]).toEqual([below, 403]);
    expect((await stranger.get(root).expect(200)).body).toMatchObject({ changeRequests: 0, changeRequestsDraft: 0 });
    await stranger.post(`${root}/content`).send({ changes }).expect(403);
    await stranger.patch(root).send({ title: 'Mine' }).expect(403);
  });
});

describe('an address', () => {
  it('share-link: takes an active key', async () => {
    const site = await sites.site({ visibility: 'share-link', spaces: [space.space] });
    const base = sites.base(site);
    const { id, key } = await shareLink(site);
    const answer = await sites.resolved(`${base}/${key}/page`);
    const root = new URL(base).pathname;
    expect(answer).toMatchObject({
      shareKey: key,
      pathname: 'page',
      siteBasePath: `${root}/${key}`,
      basePath: `${root}/${key}`,
      canonicalUrl: `${base}/${key}/page`,
    });
    for (const path of ['', '/page', `/${key}x`, '/x']) await sites.resolve(base + path).expect(404);
    const visitor = sites.visitor(answer);
    const read = await visitor.get(sites.path(site, '/published')).expect(200);
    expect(read.body).toMatchObject({ structure: { structure: [{ urls: { published: `${base}/${key}` } }] } });
    await sites.send('patch', sites.path(site, `/share-links/${id}`), { active: false });
    await sites.resolve(`${base}/${key}/page`).expect(404);
    expect((await visitor.get(sites.path(site, '/published'))).status).toBe(401);
    await sites.send('patch', sites.path(site, `/share-links/${id}`), { active: true });
    await visitor.get(`/v1/spaces/${space.space}`).expect(200);
    await app.as(sites.admin).delete(sites.path(site, `/share-links/${id}`));
    await visitor.get(`/v1/spaces/${space.space}`).expect(401);
  });

  it('visitor-auth: takes a token that the site has signed', async () => {
    const site = await sites.site({ visibility: 'visitor-auth', spaces: [space.space] });
    const base = sites.base(site);
    const jwtToken = await signed(site, { name: 'Ann' });
    const answer = await sites.resolved(`${base}/page`, { visitor: { jwtToken } });
    expect(answer).toMatchObject({ pathname: 'page' });
    await sites.visitor(answer).get(`/v1/spaces/${space.space}`).expect(200);
    const read = await app.anonymous().get('/v1/urls/published').query({ url: base, visitorAuthToken: jwtToken });
    expect(read.body).toMatchObject({ site: site.id });
    const expired = await signed(site, { exp: Math.floor(Date.now() / 1000) - 3600 });
    for (const visitor of [
      undefined,
      {},
      { jwtToken: 'nothing' },
      { jwtToken: `${jwtToken}x` },
      { jwtToken: expired },
    ]) {
      const refused = await sites.resolve(base, { visitor }).expect(401);
      expect(refused.body).toEqual(refusal(401));
      await sites.resolve(base, { visitor, redirectOnError: true }).expect(401);
    }
    const fallbackURL = 'https://login.example.org/in?app=docs';
    await sites.send('patch', sites.path(site, '/publishing/auth'), { fallbackURL });
    const sent = await sites.resolve(`${base}/guides/a%20b`, { redirectOnError: true }).expect(200);
    expect(sent.body).toEqual({ target: 'external', redirect: `${fallbackURL}&location=guides%2Fa%2520b` });
    const hostile = await sites.resolve(`${base}/%2F%2Fevil.example`, { redirectOnError: true }).expect(200);
    expect(hostile.body).toMatchObject({ redirect: `${fallbackURL}&location=%252F%252Fevil.example` });
    await sites.resolve(base).expect(401);
    await sites.send('post', sites.path(site, '/publishing/auth/regenerate'));
    await sites.resolve(base, { visitor: { jwtToken } }).expect(401);
    await sites.visitor(answer).get(`/v1/spaces/${space.space}`).expect(401);
  });

  it('that needs no token of a visitor takes none amiss', async () => {
    const site = await sites.site({ spaces: [space.space] });
    await sites.resolve(sites.base(site), { visitor: { jwtToken: 'nothing' } }).expect(200);
  });

  it('leads visitors with different claims to different tokens', async () => {
    const site = await sites.site({ spaces: [space.space] });
    const plan = { type: 'string', enum: ['free', 'gold'], description: 'Plan' };
    const jsonSchema = { type: 'object', properties: { plan }, additionalProperties: false };
    await sites.send('put', sites.path(site, '/adaptive-schema'), { jsonSchema });
    await sites.send('patch', sites.path(site), { adaptiveContent: { enabled: true } });
    const resolve = async (claims: object) =>
      sites.resolved(sites.base(site), { visitor: { jwtToken: await signed(site, claims) } });
    const [gold, other, none] = [
      await resolve({ plan: 'gold', id: 1 }),
      await resolve({ id: 2, plan: 'gold' }),
      await resolve({ plan: 5 }),
    ];
    expect([claimsIn(gold).claims, claimsIn(none).claims]).toEqual([{ plan: 'gold', unsigned: {} }, { unsigned: {} }]);
    expect([other.apiToken, other.contextId]).toEqual([gold.apiToken, gold.contextId]);
    expect(none.apiToken).not.toBe(gold.apiToken);
  });
});

describe('adaptive content', () => {
  it('shows each visitor what the conditions let them see, everywhere', async () => {
    const [open, staff] = [await sites.space('Open', 'Welcome'), await sites.space('Staff', 'Secret word')];
    const site = await sites.site({ title: 'Adaptive', spaces: [staff.space] });
    const both = await sites.section(site, open, 'Open');
    const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(site, '/sections'));
    const hidden = items[0]?.id ?? '';
    const condition = 'visitor.claims.unsigned.team === "staff"';
    await sites.send('patch', `${sites.path(site, '/sections')}/${hidden}`, { condition });
    const claim = { type: 'string', description: 'Team' };
    const unsigned = { type: 'object', description: 'Open', properties: { team: claim }, additionalProperties: false };
    await sites.send('put', sites.path(site, '/adaptive-schema'), {
      jsonSchema: { type: 'object', properties: { unsigned }, additionalProperties: false },
    });
    const base = sites.base(site);
    // not switched on: everything is shown
    expect(await sites.resolved(base)).toMatchObject({ siteSection: hidden, space: staff.space });
    await sites.send('patch', sites.path(site), { adaptiveContent: { enabled: true } });
    const anybody = await sites.resolved(base);
    expect(anybody).toMatchObject({ siteSection: both.id, space: open.space, contextId: expect.any(String) as string });
    const visitor = { unsignedClaims: { team: 'staff', other: true } };
    const member = await sites.resolved(base, { visitor });
    expect(member).toMatchObject({ siteSection: hidden, space: staff.space });
    expect(claimsIn(member)).toMatchObject({
      claims: { unsigned: { team: 'staff' } },
      spaces: [staff.space, open.space],
    });
    expect(member.contextId).not.toBe(anybody.contextId);
    const sections = async (answer: typeof member, below: string) => {
      const { body } = await sites.visitor(answer).get(sites.path(site, below)).expect(200);
      const { items, structure } = body as {
        items?: PartAnswer[];
        structure?: { structure: PartAnswer[] } | PartAnswer[];
      };
      const list = items ?? (Array.isArray(structure) ? structure : structure?.structure);
      return list?.map(({ id }) => id);
    };
    for (const below of ['/published', '/structure', '/sections']) {
      expect([below, await sections(anybody, below)]).toEqual([below, [both.id]]);
      expect([below, await sections(member, below)]).toEqual([below, [hidden, both.id]]);
    }
    await sites.visitor(anybody).get(`/v1/spaces/${staff.space}`).expect(404);
    await sites.visitor(member).get(`/v1/spaces/${staff.space}`).expect(200);
    // a stranger with an account is a visitor of whom nothing is known
    const stranger = await app.create.user();
    await app.as(stranger).get(`/v1/spaces/${staff.space}`).expect(404);
    await app.as(stranger).get(`/v1/spaces/${open.space}`).expect(200);
    const found = async (answer: typeof member) => {
      const sent = sites.visitor(answer).post(sites.path(site, '/search'));
      const { body } = await sent.send({ query: 'secret', mode: 'all' }).expect(200);
      return (body as { items: { id: string }[] }).items.map(({ id }) => id);
    };
    expect(await found(anybody)).toEqual([]);
    expect(await found(member)).toEqual([staff.space]);
    await sites.send('patch', `${sites.path(site, '/sections')}/${both.id}`, { condition });
    await sites.resolve(base).expect(404);
  });
});

describe('the token of a site', () => {
  it('ends with its publication, and where the site asks for more', async () => {
    const site = await sites.site({ spaces: [space.space] });
    const visitor = sites.visitor(await sites.resolved(sites.base(site)));
    const status = async () => (await visitor.get(`/v1/spaces/${space.space}`)).status;
    expect(await status()).toBe(200);
    await sites.send('post', sites.path(site, '/unpublish'));
    expect(await status()).toBe(401);
    await sites.send('post', sites.path(site, '/publish'));
    expect(await status()).toBe(200);
    for (const visibility of ['share-link', 'visitor-auth']) {
      await sites.send('patch', sites.path(site), { visibility });
      expect([visibility, await status()]).toEqual([visibility, 401]);
    }
    await sites.send('patch', sites.path(site), { visibility: 'unlisted' });
    expect(await status()).toBe(200);
    await sites.send('delete', sites.path(site));
    expect(await status()).toBe(401);
  });

  it('is refused when it is forged, and reads nothing but its own site', async () => {
    const [one, two] = [await sites.site({ spaces: [space.space] }), await sites.site({ spaces: 'sample' })];
    const own = await sites.resolved(sites.base(one));
    const other = await sites.resolved(sites.base(two));
    const visitor = sites.visitor(own);
    for (const below of ['/published', '/structure', '/sections', '/site-spaces'])
      expect([below, (await visitor.get(sites.path(two, below))).status]).toEqual([below, 404]);
    await visitor.get(`/v1/spaces/${other.space}`).expect(404);
    await visitor.get(`/v1/spaces/${other.space}/content`).expect(404);
    for (const below of ['/published', '/structure', '/sections', '/site-spaces'])
      expect([below, (await visitor.get(sites.path(one, below))).status]).toEqual([below, 200]);
    const [header, payload, signature] = own.apiToken.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claimsIn(own), space: other.space })).toString('base64url');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    for (const parts of [
      [header, forged, signature],
      [none, payload, ''],
      [header, payload],
      [header, payload, `${signature ?? ''}x`],
    ])
      await sites
        .visitor({ apiToken: parts.join('.') })
        .get(`/v1/spaces/${own.space}`)
        .expect(401);
    const { exp: _, ...content } = claimsIn(own);
    const past = new Date(Date.now() - 3 * 60 * 60 * 1000);
    const expired = issueSiteToken(app.nest.get(SecretKey, { strict: false }), content as never, past);
    await sites.visitor({ apiToken: expired }).get(`/v1/spaces/${own.space}`).expect(401);
    // off the site, into the trash
    const { items } = await sites.send<{ items: { id: string }[] }>('get', sites.path(one, '/site-spaces'));
    const another = await sites.space('Another');
    await sites.siteSpace(one, another);
    await visitor.get(`/v1/spaces/${another.space}`).expect(200);
    await sites.send('delete', `/v1/spaces/${another.space}`);
    await visitor.get(`/v1/spaces/${another.space}`).expect(404);
    await sites.send('delete', sites.path(one, `/site-spaces/${items[0]?.id ?? ''}`));
    await visitor.get(`/v1/spaces/${space.space}`).expect(404);
  });

  it('shows the people behind the site by name only', async () => {
    const site = await sites.site({ spaces: [space.space] });
    const visitor = sites.visitor(await sites.resolved(sites.base(site)));
    const { body } = await visitor.get(`/v1/users/${sites.admin._id}`).expect(200);
    const { email, ...seen } = await sites.send<{ email: string }>('get', `/v1/users/${sites.admin._id}`);
    expect(email).toBe(sites.admin.email);
    expect(body).toEqual(seen);
    const stranger = await app.create.user();
    expect((await visitor.get(`/v1/users/${stranger._id}`)).body).toEqual(refusal(404, 'User not found'));
  });

  it('is refused by every operation that is not for visitors', async () => {
    const site = await sites.site({ spaces: [space.space] });
    const visitor = sites.visitor(await sites.resolved(sites.base(site)));
    const ids: Record<string, string> = { organizationId: sites.organization, siteId: site.id, spaceId: space.space };
    const description = (await app.anonymous().get('/openapi.json').expect(200)).body as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };
    const letIn: string[] = [];
    for (const [operation, [name]] of Object.entries(OPERATIONS)) {
      const [method = '', path = ''] = operation.split(' ');
      if (description.paths[path]?.[method.toLowerCase()]?.security) continue;
      const address = path.replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? 'nothing');
      const { status, body } = await visitor[method.toLowerCase() as 'get'](address);
      const isRefused = status === 403 && JSON.stringify(body).includes('one published site only');
      if (!isRefused) letIn.push(name);
    }
    expect(letIn.sort()).toEqual(FOR_VISITORS.toSorted());
  });
});

/** What the token of a site may be sent to. */
const FOR_VISITORS = [
  'getUserById',
  'getSpaceById',
  'getCurrentRevision',
  'listPages',
  'listFiles',
  'getFileById',
  'getPageById',
  'getPageByPath',
  'getReusableContentById',
  'getDocumentById',
  'getEmbedByUrlInSpace',
  'getRevisionById',
  'listPagesInRevisionById',
  'listFilesInRevisionById',
  'getFileInRevisionById',
  'getPageInRevisionById',
  'getPageDocumentInRevisionById',
  'getPageInRevisionByPath',
  'getReusableContentInRevisionById',
  'getReusableContentDocumentInRevisionById',
  'getPublishedContentSite',
  'getSiteRedirectBySource',
  'searchSiteContent',
  'getSiteStructure',
  'listSiteSections',
  'listSiteSpaces',
];
