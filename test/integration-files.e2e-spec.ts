import { Blobs } from '../src/blobs/index.js';
import { startApp, type TestApp } from './support/app.js';
import { jpeg, png, webp } from './support/images.js';
import { base64, install, least, type Owner, publish, refusal, SVG } from './support/integrations.js';

const SCRIPT = '/* für alle */ console.log("ran");\n';
const SCOPES = ['site:script:inject'];
const NO_SCRIPT = refusal(404, 'There is no such script, or its integration is on no published site');

interface Script {
  script: string;
  contentSecurityPolicy?: string;
  cookies: boolean;
}

let app: TestApp;
let owner: Owner;
let acme: Owner;
let site: string;

beforeAll(async () => {
  app = await startApp();
  owner = await app.create.organization();
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = await app.create.organization();
  site = (await app.create.site({ organization: acme, published: true }))._id;
});

/** Publishes an integration with a script for everybody. */
const published = async (body: object = {}): Promise<string> =>
  (await publish(app, owner, { visibility: 'public', script: SCRIPT, scopes: SCOPES, ...body })).name;
/** What is listed for the site. */
const listed = async (of: string = site): Promise<Script[]> => {
  const { body } = await app.as(acme.admin).get(`/v1/orgs/${acme._id}/sites/${of}/published`).expect(200);
  return (body as { scripts: Script[] }).scripts;
};
const put = (at: string, siteId: string = site) => app.as(acme.admin).post(`${at}/sites`).send({ siteId }).expect(201);
const change = (path: string, body: object) => app.as(acme.admin).patch(path).send(body).expect(200);
/** Whoever comes by gets `address`. */
const fetched = (address = '') => {
  const { pathname, search } = new URL(address);
  return app.anonymous().get(pathname + search);
};

describe('the script of an integration', () => {
  it('is listed for the sites that it is installed on, and served there under its policy', async () => {
    const contentSecurityPolicy = "default-src 'self'; report-uri https://example.org/csp";
    const name = await published({ contentSecurityPolicy, scopes: [...SCOPES, 'site:script:cookies'] });
    const at = await install(app, acme, name);
    expect(await listed()).toEqual([]);
    await put(at);
    const script = `http://docs.test/v1/integrations/${name}/script?site=${site}&version=1`;
    expect(await listed()).toEqual([{ script, contentSecurityPolicy, cookies: true }]);
    const { headers, text } = await fetched(script).expect(200);
    expect(text).toBe(SCRIPT);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(Buffer.byteLength(SCRIPT)),
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    await fetched(script)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    const { pathname, search } = new URL(script);
    const head = await app
      .anonymous()
      .head(pathname + search)
      .expect(200);
    expect([head.text, head.headers['content-length']]).toEqual([undefined, headers['content-length']]);
    expect((await fetched(`http://docs.test/v1/integrations/${name}/script`).expect(200)).text).toBe(SCRIPT);
  });

  it('is not kept where another version than the present one is asked for', async () => {
    const name = await published({ contentSecurityPolicy: { 'script-src': "'none'", sandbox: '' } });
    await put(await install(app, acme, name));
    const [before] = await listed();
    expect(before?.contentSecurityPolicy).toBe("script-src 'none'; sandbox");
    const again = { ...least(owner), visibility: 'public', scopes: SCOPES, script: 'second();' };
    await app.as(owner.admin).post(`/v1/integrations/${name}`).send(again).expect(200);
    const stale = await fetched(before?.script).expect(200);
    expect([stale.text, stale.headers['cache-control']]).toEqual(['second();', 'no-cache']);
    const [after] = await listed();
    expect(after).toEqual({ script: before?.script.replace('version=1', 'version=2'), cookies: false });
    const present = await fetched(after?.script).expect(200);
    expect(present.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      // without one of its own, it may do nothing where somebody opens it
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  it('is gone where it is uninstalled, and where the site is not published', async () => {
    const name = await published();
    const plain = `http://docs.test/v1/integrations/${name}/script`;
    const at = await install(app, acme, name);
    await put(at);
    const [{ script } = { script: '' }] = await listed();
    const expectGone = async (): Promise<void> => {
      for (const address of [script, plain]) expect((await fetched(address).expect(404)).body).toEqual(NO_SCRIPT);
    };
    const root = `/v1/orgs/${acme._id}/sites/${site}`;
    await fetched(plain).expect(200);
    await app.as(acme.admin).post(`${root}/unpublish`).expect(200);
    await expectGone();
    await app.as(acme.admin).post(`${root}/publish`).expect(200);
    for (const address of [script, plain]) await fetched(address).expect(200);
    await app.as(acme.admin).delete(`${at}/sites/${site}`).expect(205);
    expect(await listed()).toEqual([]);
    await expectGone();
    await put(at);
    await fetched(plain).expect(200);
    await app.as(acme.admin).delete(at).expect(205);
    expect(await listed()).toEqual([]);
    await expectGone();
    await put(await install(app, acme, name));
    await app.as(acme.admin).delete(root).expect(205);
    await expectGone();
  });

  it('needs the scope, and an integration that is for sites', async () => {
    for (const body of [{ scopes: ['space:script:inject', 'site:script:cookies'] }, { target: 'space' }]) {
      const name = await published();
      await put(await install(app, acme, name));
      const all = { ...least(owner), visibility: 'public', scopes: SCOPES, ...body };
      await app.as(owner.admin).post(`/v1/integrations/${name}`).send(all).expect(200);
      expect(await listed()).toEqual([]);
      await fetched(`http://docs.test/v1/integrations/${name}/script`).expect(404);
    }
  });

  it('waits until everything is set that is required, in the organization and on the site', async () => {
    const properties = { id: { type: 'string' } };
    const required = { properties, required: ['id'] };
    const name = await published({ configurations: { account: required, site: required } });
    const at = await install(app, acme, name);
    await put(at);
    expect(await listed()).toEqual([]);
    await change(at, { configuration: { id: 'a' } });
    expect(await listed()).toEqual([]);
    await change(`${at}/sites/${site}`, { configuration: { id: 'b' } });
    expect(await listed()).toHaveLength(1);
    await change(at, { configuration: {} });
    expect(await listed()).toEqual([]);
  });

  it('is on all sites of the organization where that is chosen, and on those of no other', async () => {
    const name = await published();
    const at = await install(app, acme, name);
    await change(at, { site_selection: 'all' });
    const draft = (await app.create.site({ organization: acme }))._id;
    const [one] = await listed();
    const [other] = await listed(draft);
    await fetched(one?.script).expect(200);
    await fetched(other?.script).expect(404);
    const foreign = (await app.create.site({ organization: owner, published: true }))._id;
    await fetched(one?.script.replace(site, foreign)).expect(404);
    await fetched(one?.script.replace(site, '%24where')).expect(404);
    await change(at, { site_selection: 'selected' });
    expect(await listed()).toEqual([]);
    await fetched(one?.script).expect(404);
  });

  it('stands in the order in which the integrations were installed', async () => {
    const names = [await published(), await published(), await published()];
    const paths: string[] = [];
    for (const name of names) paths.push(await install(app, acme, name));
    for (const at of [...paths].reverse()) await put(at);
    expect((await listed()).map(({ script }) => new URL(script).pathname)).toEqual(
      names.map((name) => `/v1/integrations/${name}/script`),
    );
  });

  it('is read by whoever visits the site, with what else is published', async () => {
    const name = await published();
    await put(await install(app, acme, name));
    const stranger = await app.create.user();
    const { body } = await app.as(stranger).get(`/v1/orgs/${acme._id}/sites/${site}/published`).expect(200);
    expect((body as { scripts: Script[] }).scripts).toEqual(await listed());
  });

  it.each(['site=a&site=b', 'version=0', 'version=x'])('refuses ?%s', async (query) => {
    await app.anonymous().get(`/v1/integrations/any/script?${query}`).expect(400);
  });
});

describe('images', () => {
  /** Has published nothing yet. */
  let publisher: Owner;

  beforeEach(async () => {
    publisher = await app.create.organization();
  });

  it('are served to everybody, as what they are and as nothing else', async () => {
    const images = [png(2, 2), jpeg(1, 1), webp(1, 1)];
    const { urls, previewImages, name } = await publish(app, publisher, {
      icon: base64(SVG),
      previewImages: images.map(base64),
    });
    const expected = [
      [urls.icon ?? '', 'image/svg+xml', Buffer.from(SVG)],
      ...previewImages.map((url, at) => [url, ['image/png', 'image/jpeg', 'image/webp'][at], images[at]]),
    ] as [string, string, Buffer][];
    for (const [url, type, bytes] of expected) {
      const { headers, body } = await fetched(url).responseType('blob').expect(200);
      expect((body as Buffer).equals(bytes)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      });
      await fetched(url)
        .set('If-None-Match', headers.etag ?? '')
        .expect(304);
    }
    for (const file of ['nothing.png', '..%2fscript', (urls.icon ?? '').split('/').at(-1)?.replace('svg', 'html')]) {
      const { body } = await app
        .anonymous()
        .get(`/v1/integrations/${name}/assets/${file ?? ''}`)
        .expect(404);
      expect(body).toEqual(refusal(404, 'There is no such image'));
    }
    await publish(app, publisher, { name });
    await fetched(urls.icon ?? '').expect(404);
  });

  it('and scripts stay where bytes are swept that nobody refers to', async () => {
    const { urls, name } = await publish(app, publisher, { icon: base64(png(3, 3)) });
    const sweep = () =>
      app.nest.get(Blobs, { strict: false }).sweep(() => Promise.resolve(new Set()), new Date(Date.now() + 60_000));
    await sweep();
    await fetched(urls.icon ?? '').expect(200);
    await app.as(publisher.admin).delete(`/v1/integrations/${name}`).expect(204);
    expect(await sweep()).toBe(2);
  });
});
