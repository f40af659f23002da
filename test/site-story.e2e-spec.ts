import { startApp, type TestApp } from './support/app.js';
import { zip } from './support/importing.js';
import { type PublicClient, publicClient, refusalOf } from './support/public-client.js';

type Lookup = Awaited<ReturnType<PublicClient['urls']['resolvePublishedContentByUrl']>>['data'];
type Content = Extract<Lookup, { apiToken: string }>;

const BOOK: Record<string, string> = {
  'README.md': '# Welcome\n\nHere is the quokka.\n',
  'install.md': '# Install\n\nBring a [quokka](care/food.md).\n',
  'care/README.md': '# Care\n',
  'care/food.md': '# Food\n\nLeaves, mostly.\n',
  'SUMMARY.md':
    '# Summary\n\n* [Welcome](README.md)\n* [Install](install.md)\n* [Care](care/README.md)\n  * [Food](care/food.md)\n',
};

describe('the life of a site, told through the published client', () => {
  let app: TestApp;
  let client: PublicClient;
  let organization: { _id: string; hostname: string };
  let admin: { token: string };

  beforeAll(async () => {
    app = await startApp();
    const made = await app.create.organization({ title: 'Acme' });
    ({ admin } = made);
    organization = made;
    client = publicClient(app.url, made.admin.token);
  });
  afterAll(() => app.close());

  it('is imported, built, published, resolved, read, unpublished', async () => {
    const { _id: org, hostname } = organization;
    const [guides, v1, v2] = [
      await space('Guides', BOOK),
      await space('V1', { 'README.md': '# Call\n\nOnce.\n' }),
      await space('V2', { 'README.md': '# Call\n\nTwice.\n' }),
    ];

    // two sections, the second one with a variant
    const { data: site, status } = await client.orgs.createSite(org, { title: 'Handbook', spaces: [guides] });
    expect([status, site.published, site.siteSpaces]).toEqual([201, false, 1]);
    const { data: api } = await client.orgs.addSectionToSite(org, site.id, { spaceId: v1, title: 'Reference' });
    await client.orgs.addSpaceToSite(org, site.id, { spaceId: v2, sectionId: api.id });
    const base = `http://docs.test/published/${hostname}/handbook`;
    expect(await refusalOf(resolve(base))).toMatchObject({ code: 404 });
    const { data: published } = await client.orgs.publishSite(org, site.id);
    expect(published).toMatchObject({ published: true, urls: { published: base } });

    // six addresses
    const addresses = [
      ['', guides, '', false],
      ['/install', guides, 'install', true],
      ['/care/food', guides, 'care/food', true],
      ['/reference', v1, '', false],
      ['/reference/call', v1, 'call', true],
      ['/reference/v2/call', v2, 'call', true],
    ] as const;
    for (const [path, space, pathname, complete] of addresses) {
      const found = await content(base + path);
      expect([path, found.space, found.pathname, found.complete]).toEqual([path, space, pathname, complete]);
      expect(found.canonicalUrl).toBe(base + path);
    }

    // read by the token, as whoever renders it does
    const found = await content(`${base}/care/food`);
    const visitor = publicClient(app.url, found.apiToken);
    const { data: whole } = await visitor.orgs.getPublishedContentSite(found.organization, found.site, {});
    expect(whole.structure.type).toBe('sections');
    expect(whole.site).toMatchObject({ id: site.id, title: 'Handbook' });
    const { data: read } = await visitor.spaces.getSpaceById(found.space, {});
    const { data: revision } = await visitor.spaces.getRevisionById(found.space, read.revision, { metadata: true });
    expect(revision.pages.map(({ title }) => title)).toEqual(['Welcome', 'Install', 'Care']);
    const { data: page } = await visitor.spaces.getPageInRevisionByPath(found.space, read.revision, 'care%2Ffood');
    expect(page).toMatchObject({ title: 'Food', path: 'care/food' });
    const at = [found.space, read.revision, page.id] as const;
    const { data: document } = await visitor.spaces.getPageDocumentInRevisionById(...at, { evaluated: true });
    expect(JSON.stringify(document)).toContain('Leaves, mostly.');
    const { data: markdown } = await visitor.spaces.getPageInRevisionById(...at, { format: 'markdown' });
    expect(markdown).toMatchObject({ markdown: '# Food\n\nLeaves, mostly.\n' });
    const search = { query: 'quokka', mode: 'all' as const };
    const { data: results } = await visitor.orgs.searchSiteContent(found.organization, found.site, search);
    expect(results.items.map(({ id, pages }) => [id, pages.map(({ path }) => path)])).toEqual([
      [guides, expect.arrayContaining(['welcome', 'install'])],
    ]);

    // it reads and does nothing else
    expect(await refusalOf(visitor.spaces.updateSpaceById(found.space, { title: 'Mine' }))).toMatchObject({
      code: 403,
    });
    expect(await refusalOf(visitor.orgs.getSiteById(found.organization, found.site, {}))).toMatchObject({ code: 403 });
    expect(await refusalOf(visitor.user.getAuthenticatedUser())).toMatchObject({ code: 403 });

    // unpublished, it is gone at once
    await client.orgs.unpublishSite(org, site.id);
    expect(await refusalOf(visitor.spaces.getSpaceById(found.space, {}))).toMatchObject({ code: 401 });
    expect(await refusalOf(resolve(`${base}/care/food`))).toMatchObject({ code: 404 });
    await client.orgs.publishSite(org, site.id);
    await visitor.spaces.getSpaceById(found.space, {});
  });

  /** A new space with the pages of a book. */
  async function space(title: string, files: Record<string, string>): Promise<string> {
    const { data } = await client.orgs.createSpace(organization._id, { title });
    const archive = await zip(files);
    const sent = app
      .anonymous()
      .put(`/v1/spaces/${data.id}/content/archive`)
      .set('Authorization', `Bearer ${admin.token}`);
    await sent.set('Content-Type', 'application/zip').send(archive).expect(201);
    return data.id;
  }

  const resolve = (url: string) => publicClient(app.url).urls.resolvePublishedContentByUrl({ url });

  async function content(url: string): Promise<Content> {
    const { data } = await resolve(url);
    if (!('apiToken' in data)) throw new Error(`${url} leads to ${data.redirect}`);
    return data;
  }
});
