import { startApp, type TestApp } from './support/app.js';
import { cases } from './support/cases.js';
import { ID } from './support/editing.js';
import { claimsIn, type PartAnswer, refusal, type SiteAnswer, Sites } from './support/sites.js';

const URL_OF_SITES = '/v1/urls/published';

let app: TestApp;
let sites: Sites;
/** One space, `Guides`. */
let plain: SiteAnswer;
/** Three sections: `Guides` (the default), `Api` with the variants `v1` and `v2`, `Extra`. */
let whole: SiteAnswer;
let parts: Record<'guides' | 'api' | 'extra', PartAnswer>;
let second: PartAnswer;

beforeAll(async () => {
  app = await startApp();
  sites = await Sites.start(app);
  const guides = await sites.space('Guides', 'Second', 'Third');
  plain = await sites.site({ title: 'Plain', spaces: [guides.space] });
  whole = await sites.site({ title: 'Whole', spaces: [guides.space] });
  const [first, other, more] = [
    await sites.space('One', 'Alpha'),
    await sites.space('V2', 'Beta'),
    await sites.space('Extra'),
  ];
  const api = await sites.section(whole, first, 'Api');
  second = await sites.siteSpace(whole, other, api.id);
  const extra = await sites.section(whole, more, 'Extra');
  const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(whole, '/sections'));
  parts = { guides: items[0] ?? api, api, extra };
});
afterAll(() => app.close());

describe('an address of a published site', () => {
  it('leads to the site-space, and says where the page begins', async () => {
    const base = sites.base(plain);
    const root = new URL(base).pathname;
    const answer = await sites.resolved(`${base}/guides/second?x=1#y`);
    const own = await sites.send<{ items: PartAnswer[] }>('get', sites.path(plain, '/site-spaces'));
    expect(answer).toEqual({
      organization: sites.organization,
      site: plain.id,
      siteSpace: own.items[0]?.id,
      space: own.items[0]?.space.id,
      pathname: 'guides/second',
      basePath: root,
      siteBasePath: root,
      apiToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      complete: true,
      canonicalUrl: `${base}/guides/second`,
    });
    const { exp, state, ...claims } = claimsIn(answer);
    expect(claims).toEqual({
      kind: 'site',
      organization: sites.organization,
      site: plain.id,
      siteSpace: answer.siteSpace,
      space: answer.space,
      spaces: [answer.space],
      claims: { unsigned: {} },
    });
    expect(Number(exp) - Date.now() / 1000).toBeGreaterThan(3600);
    expect(state).toEqual(expect.any(String));
  });

  it.each([
    ['', 'guides', '', '', false],
    ['/', 'guides', '', '', false],
    ['/second', 'guides', '', 'second', true],
    ['/api', 'api', '/api', '', false],
    ['/API/', 'api', '/api', '', false],
    ['/api/v2', 'v2', '/api/v2', '', true],
    ['/api/v2/beta', 'v2', '/api/v2', 'beta', true],
    ['/api/guides/second', 'api', '/api', 'guides/second', true],
    ['/extra', 'extra', '/extra', '', true],
    ['/~gitbook/pdf', 'guides', '', '~gitbook/pdf', true],
  ] as const)('%j below a site with sections leads to %s', async (path, part, below, pathname, complete) => {
    const root = new URL(sites.base(whole)).pathname;
    const answer = await sites.resolved(sites.base(whole) + path);
    const section = part === 'v2' ? parts.api : parts[part];
    const siteSpace = part === 'v2' ? second : section.siteSpaces[0];
    expect(answer).toMatchObject({
      siteSection: section.id,
      siteSpace: siteSpace?.id,
      space: siteSpace?.space.id,
      siteBasePath: root,
      basePath: root + below,
      pathname,
      complete,
    });
  });

  it('goes on where it should be: from the old form, a former name', async () => {
    const base = sites.base(whole);
    const from = async (url: string) => (await sites.resolve(url).expect(200)).body as unknown;
    const to = (path: string) => ({ target: 'content', redirect: base + path });
    expect(await from(`${base}/api/v/v2/beta`)).toEqual(to('/api/v2/beta'));
    // what names a default by its path may be a page: whoever finds none asks for a redirect
    const target = async (source: string) =>
      (await sites.send<{ target: string }>('get', `${sites.path(whole, '/redirect')}?source=${source}`)).target;
    expect(await target('/guides/second')).toBe(`${base}/second`);
    expect(await target(`/api/${parts.api.siteSpaces[0]?.path ?? ''}`)).toBe(`${base}/api`);
    const own = await Sites.start(app);
    const site = await own.site({ spaces: 'sample' });
    const before = own.base(site);
    await own.send('patch', `/v1/orgs/${own.organization}`, { hostname: `now-${own.hostname}`.slice(0, 32) });
    const now = before.replace(own.hostname, `now-${own.hostname}`.slice(0, 32));
    expect(await from(`${before}/page`)).toEqual({ target: 'content', redirect: `${now}/page` });
    expect(await own.resolved(now)).toMatchObject({ site: site.id });
    const { canonicalUrl } = await own.resolved(before.replace(own.hostname, own.organization));
    expect(canonicalUrl).toBe(now);
  });

  it('of a redirect leads to its destination, unless there is a page', async () => {
    const site = await sites.site({ title: 'Moved', spaces: [(await sites.space('Home', 'Here')).space] });
    const base = sites.base(site);
    const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(site, '/site-spaces'));
    const space = items[0]?.space.id ?? '';
    const { pages } = await sites.send<{ pages: { id: string }[] }>('get', `/v1/spaces/${space}/content/pages`);
    const destination = { kind: 'site-page', siteSpaceId: items[0]?.id, pageId: pages[0]?.id };
    for (const source of ['/gone/away', '/here/below'])
      await sites.send('post', sites.path(site, '/redirects'), { source, destination });
    expect((await sites.resolve(`${base}/gone/away`)).body).toEqual({ target: 'content', redirect: `${base}/here` });
    expect(await sites.resolved(`${base}/here`)).toMatchObject({ pathname: 'here' });
    const found = await sites.send<{ target: string }>('get', `${sites.path(site, '/redirect')}?source=/gone/away`);
    expect(found).toEqual({
      redirect: { object: 'site-redirect', id: ID, source: '/gone/away', destination },
      target: `${base}/here`,
    });
    const visitor = sites.visitor(await sites.resolved(base));
    expect((await visitor.get(sites.path(site, '/redirect')).query({ source: '/gone/away' })).body).toEqual(found);
    await visitor.get(sites.path(site, '/redirect')).query({ source: '/nowhere' }).expect(404);
    for (const source of ['gone', '/gone/', '/a b', undefined])
      await visitor.get(sites.path(site, '/redirect')).query({ source }).expect(400);
    await visitor.get(sites.path(site, '/redirect')).query({ source: '/%ff' }).expect(404);
  });

  it('of a revision leads to that revision, where it was published', async () => {
    const space = await sites.space('Old');
    const { revision } = await space.edit({ operation: 'insert_page', title: 'First', document: {} });
    const draft = await sites.send<{ id: string; number: number }>(
      'post',
      `/v1/spaces/${space.space}/change-requests`,
      {},
    );
    const changes = [{ operation: 'insert_page', title: 'Draft', document: {} }];
    await sites.send('post', `/v1/spaces/${space.space}/change-requests/${draft.id}/content`, { changes });
    const changed = await sites.send<{ revision: string }>(
      'get',
      `/v1/spaces/${space.space}/change-requests/${draft.id}`,
    );
    await space.add('Second');
    const base = sites.base(await sites.site({ title: 'Old', spaces: [space.space] }));
    expect(await sites.resolved(`${base}/~/revisions/${revision}/first`)).toMatchObject({
      revision,
      pathname: 'first',
      complete: true,
    });
    for (const path of [`~/revisions/${changed.revision}`, '~/revisions/nothing', '~/revisions', '~/changes/1/draft'])
      await sites.resolve(`${base}/${path}`).expect(404);
  });

  it('behind a proxy is that of the proxy, the longest first', async () => {
    const [one, other] = [
      await sites.site({ title: 'One', spaces: 'empty' }),
      await sites.site({ title: 'Two', spaces: 'empty' }),
    ];
    await sites.send('patch', sites.path(one), { proxy: 'Www.Example.org/docs' });
    await sites.send('patch', sites.path(other), { proxy: 'www.example.org/docs/two' });
    expect(await sites.resolved('https://www.example.org/docs/page')).toMatchObject({
      site: one.id,
      siteBasePath: '/docs',
      basePath: '/docs',
      pathname: 'page',
    });
    expect(await sites.resolved('https://WWW.example.org/docs/two/page')).toMatchObject({
      site: other.id,
      siteBasePath: '/docs/two',
      pathname: 'page',
      canonicalUrl: 'https://www.example.org/docs/two/page',
    });
    // nobody gets the address of another site by naming it as a proxy
    const thief = await Sites.start(app);
    const theirs = await thief.site({ title: 'Theirs', spaces: 'empty' });
    await thief.send('patch', thief.path(theirs), { proxy: sites.base(plain).replace('http://', '') });
    expect(await sites.resolved(sites.base(plain))).toMatchObject({ site: plain.id });
    // the site itself links to where it is shown
    expect(await sites.resolved(sites.base(other))).toMatchObject({ site: other.id, siteBasePath: '/docs/two' });
  });

  it('that leads nowhere is 404', async () => {
    const hidden = await sites.site({ spaces: 'empty' }, false);
    const places = [
      sites.base(hidden),
      `http://docs.test/published/${sites.hostname}`,
      `http://docs.test/published/${sites.hostname}/nothing`,
      `http://docs.test/published/nobody/${plain.basename}`,
      `http://other.test/published/${sites.hostname}/${plain.basename}`,
      `${sites.base(plain)}/%ff`,
      'http://docs.test/',
    ];
    for (const place of places) {
      const { status, body } = await sites.resolve(place);
      expect([place, status, body]).toEqual([place, 404, refusal(404, 'No published content is at this address')]);
    }
  });

  it('that is none is 400, naming what to send', async () => {
    const bad = [
      {},
      { url: 'nothing' },
      { url: 'ftp://x.test/' },
      { url: 5 },
      { url: sites.base(plain), redirectOnError: 'yes' },
    ];
    const visitors = [{ jwtToken: 5 }, { unsignedClaims: 'none' }, 'me', { jwtToken: 'x'.repeat(20_000) }];
    for (const body of [...bad, ...visitors.map((visitor) => ({ url: sites.base(plain), visitor }))]) {
      const answer = await app.anonymous().post(URL_OF_SITES).send(body);
      expect([body, answer.status, answer.body]).toEqual([body, 400, refusal(400)]);
    }
    await app.anonymous().get(URL_OF_SITES).expect(400);
  });

  it('can be asked for by GET too', async () => {
    const url = `${sites.base(plain)}/second`;
    const { body } = await app.anonymous().get(URL_OF_SITES).query({ url, redirectOnError: 'false' }).expect(200);
    expect(body).toEqual(await sites.resolved(url));
  });
});

describe('the token of an address', () => {
  it('stays the same until something published changes', async () => {
    const space = await sites.space('Token', 'One');
    const site = await sites.site({ title: 'Token', spaces: [space.space] });
    const token = async () => (await sites.resolved(sites.base(site))).apiToken;
    const seen = [await token()];
    expect(await token()).toBe(seen[0]);
    await space.add('Two');
    seen.push(await token());
    await sites.send('put', sites.path(site, '/customization'), { title: 'Other' });
    seen.push(await token());
    await sites.siteSpace(site, await sites.space('More'));
    seen.push(await token());
    expect(new Set(seen).size).toBe(4);
    expect(await token()).toBe(seen[3]);
  });
});

describe('a published site', () => {
  it('is read as a whole', async () => {
    const { body } = await app.as(sites.admin).get(sites.path(whole, '/published')).expect(200);
    const site = await sites.send('get', sites.path(whole));
    const structure = await sites.send('get', sites.path(whole, '/structure'));
    const settings = await sites.send('get', sites.path(whole, '/customization'));
    expect(body).toEqual({
      object: 'published-content-site',
      site,
      structure,
      customizations: { site: settings, siteSpaces: {} },
      scripts: [],
    });
    const visitor = sites.visitor(await sites.resolved(sites.base(whole)));
    const read = (await visitor.get(sites.path(whole, '/published')).expect(200)).body as {
      structure: { structure: PartAnswer[] };
    };
    expect(read).toMatchObject({
      object: 'published-content-site',
      site,
      scripts: [],
      customizations: { site: settings },
    });
    expect(read.structure.structure.map((part) => part.urls.published)).toEqual(
      ['', '/api', '/extra'].map((path) => sites.base(whole) + path),
    );
  });

  it('has the settings of site-spaces that have some', async () => {
    const site = await sites.site({ title: 'Painted', spaces: 'empty' });
    const { items } = await sites.send<{ items: PartAnswer[] }>('get', sites.path(site, '/site-spaces'));
    const id = items[0]?.id ?? '';
    const own = { styling: { theme: 'bold' } };
    await sites.send('patch', sites.path(site, `/site-spaces/${id}/customization`), own);
    const { body } = await app.as(sites.admin).get(sites.path(site, '/published')).expect(200);
    const { customizations } = body as { customizations: { siteSpaces: Record<string, object>; site: object } };
    expect(Object.keys(customizations.siteSpaces)).toEqual([id]);
    expect(customizations.siteSpaces[id]).toMatchObject(own);
    expect(customizations.site).toMatchObject({ styling: { theme: 'clean' } });
  });

  it('is searched in parts', async () => {
    const visitor = sites.visitor(await sites.resolved(sites.base(whole)));
    const search = async (body: object, query: object = {}) =>
      visitor
        .post(sites.path(whole, '/search'))
        .query(query)
        .send({ query: 'about', ...body });
    const ids = async (body: object) =>
      ((await search(body)).body as { items: { id: string }[] }).items.map(({ id }) => id).sort();
    const [guides, one, two] = [parts.guides.siteSpaces[0], parts.api.siteSpaces[0], second].map(
      (part) => part?.space.id ?? '',
    );
    const sorted = (...list: (string | undefined)[]) => list.map(String).sort();
    expect(await ids({ mode: 'all' })).toEqual(sorted(guides, one, two));
    expect(await ids({ scope: { mode: 'all' } })).toEqual(sorted(guides, one, two));
    expect(await ids({ mode: 'current', siteSpaceId: second.id })).toEqual(sorted(guides, one, two));
    expect(await ids({ scope: { mode: 'default' } })).toEqual(sorted(guides, one));
    expect(await ids({ scope: { mode: 'default', includedSiteSpaces: [second.id] } })).toEqual(
      sorted(guides, one, two),
    );
    expect(await ids({ mode: 'specific', siteSpaceIds: [second.id] })).toEqual(sorted(two));
    expect(await ids({ siteSpaceIds: [second.id] })).toEqual(sorted(two));
    const { body } = await search({ siteSpaceIds: [second.id] });
    const section = {
      id: ID,
      title: '',
      path: 'beta',
      body: 'About Beta.',
      urls: { app: expect.any(String) as string },
    };
    const page = {
      id: ID,
      title: 'Beta',
      path: 'beta',
      sections: [section],
      urls: { app: expect.any(String) as string },
    };
    expect(body).toEqual({ count: 1, items: [{ id: two, title: 'V2', pages: [page] }] });
    const first = (await search({ mode: 'all' }, { limit: 1 })).body as { next: { page: string }; items: unknown[] };
    expect(first).toMatchObject({ count: 3, items: [expect.anything()] });
    expect((await search({ mode: 'all' }, { limit: 5, page: first.next.page })).body).toMatchObject({ count: 3 });
    const wrong = [
      {},
      { mode: 'some' },
      { mode: 'current' },
      { mode: 'current', siteSpaceId: 'nobody' },
      { siteSpaceIds: [] },
      { siteSpaceIds: ['nobody'] },
      { scope: { mode: 'specific' } },
      { scope: { mode: 'default', includedSiteSpaces: ['nobody'] } },
      { mode: 'all', query: ' ' },
    ];
    for (const body of wrong) expect([body, (await search(body)).status]).toEqual([body, 400]);
    expect((await search({ mode: 'all' }, { limit: 1001 })).status).toBe(400);
  });

  it('is searched by members in what they may read alone', async () => {
    const [open, closed] = [await sites.space('Open', 'Heron'), await sites.space('Closed', 'Bittern')];
    await sites.send('patch', `/v1/spaces/${closed.space}`, { defaultLevel: null });
    const site = await sites.site({ spaces: [open.space, closed.space] }, false);
    const member = app.as(await app.create.user({ in: { _id: sites.organization } as never, role: 'read' }));
    const found = async (query: string) =>
      (await member.post(sites.path(site, '/search')).send({ query, mode: 'all' }).expect(200)).body as unknown;
    expect(await found('heron')).toMatchObject({ count: 1, items: [{ id: open.space }] });
    expect(await found('bittern')).toEqual({ count: 0, items: [] });
    await member.get(`/v1/spaces/${closed.space}`).expect(404);
    await sites.send('post', sites.path(site, '/publish'));
    expect(await found('bittern')).toMatchObject({ count: 1, items: [{ id: closed.space }] });
    await member.get(`/v1/spaces/${closed.space}`).expect(200);
    // of whom nothing is known, in a space that the site alone lets them read
    await closed.edit({
      operation: 'insert_page',
      title: 'Marsh',
      document: { markdown: 'Reeds.\n\n{% if condition="visitor.claims.unsigned.beta" %}\nSnipe.\n{% endif %}\n' },
    });
    expect(await found('snipe')).toEqual({ count: 0, items: [] });
  });

  it('takes the same number of queries whatever is on it', async () => {
    const wide = await sites.site({ title: 'Wide', spaces: [(await sites.space('First')).space] });
    const [sections, variants] = cases(3, 10) === 10 ? [10, 5] : [4, 3];
    for (let at = 0; at < sections; at += 1) {
      const { id } = await sites.section(wide, await sites.space(`Part ${String(at)}`), `Section ${String(at)}`);
      for (let variant = 1; variant < variants; variant += 1)
        await sites.siteSpace(wide, await sites.space(`Variant ${String(at)} ${String(variant)}`), id);
    }
    const counted = async (site: SiteAnswer) => {
      const visitor = sites.visitor(await sites.resolved(`${sites.base(site)}/page/below`));
      const read = await app.commandsOf(() => visitor.get(sites.path(site, '/published')).expect(200));
      const resolved = await app.commandsOf(() => sites.resolved(`${sites.base(site)}/page/below`));
      return [read.length, resolved.length];
    };
    const [many, few] = [await counted(wide), await counted(plain)];
    // settings of an organization are read anew after a second
    for (const [at, count] of many.entries()) expect(Math.abs(count - (few[at] ?? 0))).toBeLessThanOrEqual(1);
    expect(Math.max(...many)).toBeLessThanOrEqual(10);
  });
});
