import { dump } from 'js-yaml';
import { Blobs } from '../src/blobs/index.js';
import { Invariants } from '../src/database/index.js';
import { OpenApiSpecs } from '../src/openapi/index.js';
import { startApp, type TestApp } from './support/app.js';
import { petstore, SpecClient } from './support/openapi.js';

const ID = expect.stringMatching(/^[A-Za-z0-9]{20}$/) as string;
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const HOUR = 60 * 60_000;
const error = (code: number, message: RegExp) => ({
  error: { code, message: expect.stringMatching(message) as string },
});

describe('OpenAPI specifications', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  async function client(): Promise<SpecClient> {
    const organization = await app.create.organization();
    return new SpecClient(app, organization._id, organization.admin);
  }

  describe('are made, read and removed', () => {
    it('by a text: with a version as soon as it was read', async () => {
      const specs = await client();
      const text = dump(petstore());
      const made = await app
        .as(specs.user)
        .post(`/v1/orgs/${specs.organization}/openapi`)
        .send({ slug: 'pets', source: { text, other: 1 } })
        .expect(201);
      const location = `http://docs.test${specs.at('pets')}`;
      const spec = {
        object: 'openapi-spec',
        id: ID,
        createdAt: ISO,
        updatedAt: ISO,
        slug: 'pets',
        processingState: 'pending',
        permissions: { view: true, edit: true },
        urls: { location, app: `http://docs.test/o/${specs.organization}/openapi/pets` },
      };
      expect(made.body).toEqual(spec);
      expect(made.headers.location).toBe(location);

      const settled = await specs.settled('pets');
      expect(settled).toEqual({ ...spec, processingState: 'complete', lastVersion: ID, lastProcessedAt: ISO });
      const id = settled.lastVersion ?? '';
      const version = {
        object: 'openapi-spec-version',
        id,
        createdAt: ISO,
        url: `${location}/versions/${id}/content/raw`,
        urls: { location: `${location}/versions/${id}` },
      };
      const reads = app.as(specs.user);
      for (const name of ['latest', id]) {
        const at = specs.at('pets', 'versions', name);
        expect((await reads.get(at).expect(200)).body).toEqual(version);
        const content = await reads
          .get(`${at}/content`)
          .expect(200)
          .expect('Content-Type', /^application\/json/);
        expect(content.body).toEqual({ filesystem: { 'openapi.json': petstore() }, url: version.url });
        const raw = await fetch(`${app.url}${at}/content/raw`, {
          headers: { Authorization: `Bearer ${specs.user.token}` },
        });
        expect([raw.headers.get('content-type'), await raw.text()]).toEqual(['application/yaml; charset=utf-8', text]);
        const tag = content.headers.etag ?? '';
        await reads.get(`${at}/content`).set('If-None-Match', tag).expect(304);
        const head = await reads.head(`${at}/content`).expect(200);
        expect(head.headers['content-length']).toBe(content.headers['content-length']);
      }
      expect((await reads.get(specs.at('pets', 'versions')).expect(200)).body).toEqual({ count: 1, items: [version] });
    });

    it('with a version more when they say something else; versions never change, newest first', async () => {
      const specs = await client();
      const first = await specs.putText('pets', petstore());
      const same = await specs.put('pets', { text: `# the same\n${dump(petstore())}` });
      expect(same.lastVersion).toBe(first.lastVersion);
      const reordered = Object.fromEntries(Object.entries(petstore()).reverse());
      expect((await specs.putText('pets', reordered)).lastVersion).toBe(first.lastVersion);
      const ids = [first.lastVersion];
      for (const title of ['Two', 'Three', 'Pets']) {
        ids.unshift((await specs.putText('pets', petstore(['get /pets'], title))).lastVersion);
      }
      expect(new Set(ids).size).toBe(4);
      const walked: string[] = [];
      for (let page: string | undefined; ;) {
        const { body } = await app
          .as(specs.user)
          .get(specs.at('pets', 'versions'))
          .query({ limit: 3, page })
          .expect(200);
        const list = body as { count: number; items: { id: string }[]; next?: { page: string } };
        expect(list.count).toBe(4);
        walked.push(...list.items.map(({ id }) => id));
        page = list.next?.page;
        if (page === undefined) break;
      }
      expect(walked).toEqual(ids);
      const old = await app
        .as(specs.user)
        .get(specs.at('pets', 'versions', ids[3] ?? '', 'content'))
        .expect(200);
      expect(old.body).toMatchObject({ filesystem: { 'openapi.json': petstore() } });
    });

    it('and listed, newest first', async () => {
      const specs = await client();
      for (const slug of ['a', 'b', 'c']) await specs.putText(slug, petstore());
      const list = (query: object) => app.as(specs.user).get(`/v1/orgs/${specs.organization}/openapi`).query(query);
      const first = (await list({ limit: 2 }).expect(200)).body as { items: object[]; next: { page: string } };
      expect(first).toMatchObject({ count: 3, items: [{ slug: 'c' }, { slug: 'b' }] });
      expect(first.items[0]).toEqual(await specs.get('c'));
      const { body } = await list({ limit: 2, page: first.next.page }).expect(200);
      expect(body).toEqual({ count: 3, items: [await specs.get('a')] });
    });

    it('with one slug each; PUT makes what is not there', async () => {
      const specs = await client();
      const post = (body: object) => app.as(specs.user).post(`/v1/orgs/${specs.organization}/openapi`).send(body);
      const source = { text: JSON.stringify(petstore()) };
      const { id } = await specs.put('pets', source);
      expect((await post({ slug: 'pets', source }).expect(409)).body).toEqual(error(409, /slug is taken.*"pets"/));
      expect((await specs.put('pets', source)).id).toBe(id);
      const other = await client();
      expect((await other.put('pets', source)).id).not.toBe(id);
      const both = await Promise.all([1, 2, 3].map(() => app.as(specs.user).put(specs.at('new')).send({ source })));
      expect(new Set(both.map(({ status, body }) => `${status} ${(body as { id: string }).id}`)).size).toBe(1);
    });

    it('until they are deleted, with their versions and bytes', async () => {
      const specs = await client();
      const { id } = await specs.putText('pets', petstore(['get /gone']));
      const kept = await specs.putText('kept', petstore(['get /kept']));
      await app.as(specs.user).delete(specs.at('pets')).expect(205);
      for (const path of [[], ['versions'], ['versions', 'latest'], ['versions', 'latest', 'content']]) {
        const { body } = await app
          .as(specs.user)
          .get(specs.at('pets', ...path))
          .expect(404);
        expect(body).toEqual(error(404, /not found/));
      }
      await app.as(specs.user).delete(specs.at('pets')).expect(404);
      expect(await app.connection.collection('openapi_versions').countDocuments({ spec: id })).toBe(0);

      const bytes = () => app.connection.collection('blobs').countDocuments({ organization: specs.organization });
      expect(await bytes()).toBe(4);
      await app.nest.get(Blobs, { strict: false }).sweep(() => Promise.resolve(new Set()), new Date(Date.now() + HOUR));
      // a text in JSON is the document as well
      expect(await bytes()).toBe(2);
      await app
        .as(specs.user)
        .get(specs.at('kept', 'versions', 'latest', 'content'))
        .expect(200);
      for (const [name, find] of app.nest.get(Invariants, { strict: false }).entries()) {
        if (!name.includes('OpenAPI')) continue;
        for await (const problem of find()) throw new Error(`${name}: ${problem.where}: ${problem.what}`);
      }
      await app.connection.collection('openapi_versions').deleteOne({ spec: kept.id });
      const [, broken] =
        app.nest
          .get(Invariants, { strict: false })
          .entries()
          .find(([name]) => /newest/.test(name)) ?? [];
      const problems: unknown[] = [];
      for await (const problem of broken?.() ?? []) problems.push(problem);
      expect(problems).toEqual([
        { where: `OpenAPI specification ${kept.id}`, what: expect.stringContaining('is missing') as string },
      ]);
      await app.connection.collection('openapi_specs').deleteOne({ slug: 'kept' });
    });

    const URL = { url: 'https://example.org/openapi.json' };
    it.each([
      ['no slug', { source: URL }, /slug must be/],
      ['a slug with capitals', { slug: 'Pets', source: URL }, /slug must be/],
      ['a long slug', { slug: 'a'.repeat(101), source: URL }, /slug must be/],
      ['a slug with an end', { slug: 'a-', source: URL }, /slug must be/],
      ['no source', { slug: 'a' }, /source must be an object/],
      ['a source of another type', { slug: 'a', source: 'text' }, /source must be an object/],
      ['an empty source', { slug: 'a', source: {} }, /source must have either url or text/],
      ['two sources', { slug: 'a', source: { ...URL, text: 'a' } }, /source must have either url or text/],
      ['null', { slug: 'a', source: { ...URL, text: null } }, /source must have either url or text/],
      ['no text', { slug: 'a', source: { text: '' } }, /source\.text must be/],
      ['half a character', { slug: 'a', source: { text: '\ud800' } }, /source\.text must be/],
      ['another scheme', { slug: 'a', source: { url: 'file:///etc/passwd' } }, /source\.url must be/],
      ['a long address', { slug: 'a', source: { url: `https://a.org/${'a'.repeat(2048)}` } }, /source\.url must be/],
    ])('but not with %s', async (_what, body, message) => {
      const specs = await client();
      const answer = await app.as(specs.user).post(`/v1/orgs/${specs.organization}/openapi`).send(body).expect(400);
      expect(answer.body).toEqual(error(400, message));
      expect((await app.as(specs.user).get(`/v1/orgs/${specs.organization}/openapi`)).body).toEqual({
        count: 0,
        items: [],
      });
    });

    it('nor under a slug that cannot be; there is nothing latest before the first version', async () => {
      const specs = await client();
      const source = { text: '[]' };
      const refused = await app.as(specs.user).put(specs.at('No_Slug')).send({ source }).expect(400);
      expect(refused.body).toEqual(error(400, /specSlug must be/));
      for (const slug of ['No_Slug', '$ne', 'a%00b', 'none']) await app.as(specs.user).get(specs.at(slug)).expect(404);
      expect(await specs.put('bad', source)).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR' });
      for (const version of ['latest', 'aaaaaaaaaaaaaaaaaaaa', '$ne'])
        for (const below of [[], ['content'], ['content', 'raw'], ['changes']])
          await app
            .as(specs.user)
            .get(specs.at('bad', 'versions', version, ...below))
            .expect(404);
    });
  });

  it('tell what has changed between versions, and what of it breaks clients', async () => {
    const specs = await client();
    const first = await specs.putText('pets', petstore(['get /pets', 'post /pets']));
    const second = await specs.putText('pets', petstore(['get /pets', 'get /dogs']));
    await specs.putText('pets', petstore(['get /pets', 'get /dogs', 'get /cats']));
    const changes = async (version: string | undefined, query = {}): Promise<unknown> =>
      (
        await app
          .as(specs.user)
          .get(specs.at('pets', 'versions', version ?? '', 'changes'))
          .query(query)
          .expect(200)
      ).body;
    const part = (method: string, path: string) => ({ kind: 'operation', method, path });
    expect(await changes(first.lastVersion)).toEqual({
      added: [part('get', '/pets'), part('post', '/pets')],
      removed: [],
      changed: [],
      breaking: [],
    });
    const broken = {
      removed: [part('post', '/pets')],
      changed: [],
      breaking: [{ ...part('post', '/pets'), reason: 'is gone' }],
    };
    expect(await changes(second.lastVersion)).toEqual({ added: [part('get', '/dogs')], ...broken });
    const since = { from: first.lastVersion };
    expect(await changes('latest', since)).toEqual({ added: [part('get', '/dogs'), part('get', '/cats')], ...broken });
    for (const from of ['none', 'latest-of-all', '']) {
      const { body } = await app
        .as(specs.user)
        .get(specs.at('pets', 'versions', 'latest', 'changes'))
        .query({ from });
      expect(body).toEqual(error(400, /from names no version/));
    }
  });

  it('are there for pages: tags and operations of the newest version', async () => {
    const specs = await client();
    const service = app.nest.get(OpenApiSpecs, { strict: false });
    const { lastVersion } = await specs.putText('pets', petstore(['get /pets']));
    const { id: spec } = await specs.get('pets');
    const found = await service.latest(specs.organization, ['pets', 'none']);
    expect([...found.keys()]).toEqual(['pets']);
    expect(found.get('pets')).toEqual({
      id: lastVersion,
      spec,
      createdAt: expect.stringMatching(/^\d{4}-/) as string,
      outline: {
        format: '3.0.3',
        title: 'Pets',
        tags: [],
        operations: [{ method: 'get', path: '/pets', isWebhook: false, isDeprecated: false, tags: [] }],
        schemas: [],
      },
    });
    expect((await service.latest(specs.organization, ['pets'])).get('pets')).toBe(found.get('pets'));
    expect((await service.latest('elsewhere', ['pets'])).size).toBe(0);
    const version = found.get('pets');
    expect(await service.version(specs.organization, lastVersion ?? '')).toEqual({ slug: 'pets', version });
    expect(await service.version('elsewhere', lastVersion ?? '')).toBeNull();
    expect(await service.version(specs.organization, 'none')).toBeNull();
  });
});
