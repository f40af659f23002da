import { newId } from '../src/common/ids.js';
import { startApp, type TestApp } from './support/app.js';
import type { TestUser } from './support/factories.js';
import { petstore, SpecClient } from './support/openapi.js';

interface Page {
  id: string;
  type: string;
  title: string;
  path?: string;
  documentId?: string;
  markdown?: string;
  computed?: object;
  pages?: Page[];
}

const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  tags: [{ name: 'pets', 'x-page-title': 'All pets', description: 'Animals at home' }, { name: 'about' }],
  paths: {
    '/pets/{petId}': {
      get: { summary: 'Read *one* pet', description: 'By its **id**.\n\n```\nnever closed', tags: ['pets'] },
      delete: { summary: 'Give a pet away', tags: ['pets'] },
    },
    '/ping': { post: { description: 'Answers pong' } },
  },
  components: { schemas: { Pet: {} } },
};

let app: TestApp;
let organization: Awaited<ReturnType<TestApp['create']['organization']>>;
let specs: SpecClient;

beforeAll(async () => {
  app = await startApp();
  organization = await app.create.organization();
  specs = new SpecClient(app, organization._id, organization.admin);
});
afterAll(() => app.close());

/** A space with a page, and a place-holder for the description `slug` below it. */
async function spaceOf(
  slug: string,
  props: object = { models: true },
  owner = organization,
): Promise<{ space: string; at: string }> {
  const { _id: space } = await app.create.space({ organization: owner });
  const computed = { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } } };
  const insert = async (change: object): Promise<string> => {
    const changes = [{ operation: 'insert_page', ...change }];
    const { body } = await app.as(owner.admin).post(`/v1/spaces/${space}/content`).send({ changes }).expect(200);
    return (body as { changes: { page: { id: string } }[] }).changes[0]?.page.id ?? '';
  };
  const into = await insert({ title: 'API', document: { markdown: 'About it\n' } });
  await insert({ type: 'computed', title: 'Reference', computed, into });
  return { space, at: `/v1/spaces/${space}` };
}

async function read<T>(path: string, query: object = {}, user: TestUser = organization.admin): Promise<T> {
  return (await app.as(user).get(path).query(query).expect(200)).body as T;
}

const treeOf = async (at: string, query: object = {}): Promise<Page[]> =>
  (await read<{ pages: Page[] }>(`${at}/content/pages`, query)).pages;

const pathsOf = (pages: readonly Page[]): (string | undefined)[] =>
  pages.flatMap((page) => [page.path ?? page.type, ...pathsOf(page.pages ?? [])]);

const EXPANDED = ['api', 'api/all-pets', 'api/about', 'api/post-ping', 'api/models'];

describe('computed pages of descriptions of APIs', () => {
  let at: string;
  let slug: string;
  let pages: Page[];

  beforeAll(async () => {
    slug = `pets-${newId().toLowerCase()}`;
    await specs.putText(slug, PETS);
    ({ at } = await spaceOf(slug));
    pages = (await treeOf(at))[0]?.pages ?? [];
  });

  it('stand in trees and revisions as the pages that they become', async () => {
    expect(pages[0]).toEqual({
      ...{ id: expect.stringMatching(/^\w{20}$/) as string, type: 'document', title: 'All pets', slug: 'all-pets' },
      ...{ path: 'api/all-pets', description: 'Animals at home', hidden: false, noIndex: false, noRobotsIndex: false },
      documentId: expect.stringMatching(/^~[\w-]{58}$/) as string,
      urls: { app: expect.stringMatching(/\/api\/all-pets$/) as string },
      layout: expect.objectContaining({ cover: true }) as object,
      computed: {
        type: 'builtin:openapi',
        props: { doc: 'operations', page: 'pets' },
        dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
      },
      computedSeed: expect.stringMatching(/^\w{20}$/) as string,
      ...{ createdAt: expect.any(String) as string, updatedAt: expect.any(String) as string, pages: [] },
    });
    expect(pathsOf(await treeOf(at))).toEqual(EXPANDED);
    const revision = await read<{ id: string; pages: Page[] }>(`${at}/content`);
    expect(pathsOf(revision.pages)).toEqual(EXPANDED);
    const earlier = await read<{ pages: Page[] }>(`${at}/revisions/${revision.id}/pages`);
    expect(earlier.pages).toEqual(revision.pages);
  });

  it('stay place-holders for who asks for no computed ones', async () => {
    const computed = { computed: false };
    const [page] = await treeOf(at, computed);
    expect(pathsOf([page as Page])).toEqual(['api', 'computed']);
    expect(page?.pages?.[0]).toMatchObject({ type: 'computed', title: 'Reference' });
    expect(pathsOf((await read<{ pages: Page[] }>(`${at}/content`, computed)).pages)).toEqual(['api', 'computed']);
    const one = await read<Page>(`${at}/content/page/${page?.id ?? ''}`, computed);
    expect(pathsOf([one])).toEqual(['api', 'computed']);
    const generated = pages[0]?.id ?? '';
    const admin = app.as(organization.admin);
    await admin.get(`${at}/content/page/${generated}`).query(computed).expect(404);
    await admin.get(`${at}/content/path/api%2Fall-pets`).query(computed).expect(404);
    const holder = page?.pages?.[0]?.id ?? '';
    expect(await read(`${at}/content/page/${holder}`)).toEqual(page?.pages?.[0]);
  });

  it('are read by id and by path, as Markdown and as nodes', async () => {
    const [page] = pages;
    const whole = await read<Page>(`${at}/content/page/${page?.id ?? ''}`);
    expect(whole).toEqual({ ...page, markdown: expect.any(String) as string });
    expect(whole.markdown).toBe(
      [
        '## Read \\*one\\* pet',
        '`GET /pets/{petId}`',
        'By its **id**.',
        '```\nnever closed\n```',
        `{% openapi-operation spec="${slug}" path="/pets/&#123;petId&#125;" method="get" %}`,
        '## Give a pet away',
        '`DELETE /pets/{petId}`',
        `{% openapi-operation spec="${slug}" path="/pets/&#123;petId&#125;" method="delete" %}`,
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
    expect(await read(`${at}/content/path/API%2FAll-pets`)).toEqual(whole);
    const { document } = await read<{ document: { nodes: { type: string; data: object }[] } }>(
      `${at}/content/page/${page?.id ?? ''}`,
      { format: 'document' },
    );
    expect(document.nodes.map(({ type }) => type)).toEqual([
      ...['heading-2', 'paragraph', 'paragraph', 'code', 'openapi-operation'],
      ...['heading-2', 'paragraph', 'openapi-operation'],
    ]);
    const ref = { kind: 'openapi', spec: slug };
    expect(document.nodes[4]?.data).toEqual({ ref, path: '/pets/{petId}', method: 'get' });
    expect(await read(`${at}/documents/${page?.documentId ?? ''}`)).toEqual({ ...document, object: 'document' });
    const [, about, ping, models] = pages;
    expect((await read<Page>(`${at}/content/page/${about?.id ?? ''}`)).markdown?.trim()).toBe('');
    expect((await read<Page>(`${at}/content/page/${ping?.id ?? ''}`)).markdown).toMatch(
      /^`POST \/ping`\n\nAnswers pong\n/,
    );
    expect((await read<Page>(`${at}/content/page/${models?.id ?? ''}`)).markdown).toContain('schemas="Pet"');
    const parent = await read<Page>(`${at}/content/path/api`);
    expect(pathsOf([parent])).toEqual(EXPANDED);
  });

  it('are for who may read the space, and no texts are for another space', async () => {
    const path = `${at}/content/page/${pages[0]?.id ?? ''}`;
    await app.anonymous().get(path).expect(401);
    await app
      .as(await app.create.user())
      .get(path)
      .expect(404);
    const guest = await app.create.user({ in: organization, role: null });
    await app.as(guest).get(path).expect(404);
    const reader = await app.create.user({ in: organization, role: 'read' });
    expect(await read(path, {}, reader)).toEqual(await read(path));
    const other = await app.create.space({ organization });
    const admin = app.as(organization.admin);
    await admin.get(`/v1/spaces/${other._id}/documents/${pages[0]?.documentId ?? ''}`).expect(404);
    await admin.get(`/v1/spaces/${other._id}/content/page/${pages[0]?.id ?? ''}`).expect(404);
    await admin.get(`${at}/content/path/api%2Fnothing`).expect(404);
  });

  it('cost one read more where there are some, and none where there are none', async () => {
    const { _id: plain } = await app.create.space({ organization });
    const commands = async (space: string): Promise<number> => {
      await treeOf(space);
      const sent = await app.commandsOf(() => treeOf(space));
      return sent.length;
    };
    const [without, withSome] = [await commands(`/v1/spaces/${plain}`), await commands(at)];
    expect(withSome - without).toBe(1);
  });
});

describe('what becomes of computed pages', () => {
  it('are others with a new version, whose ids stay where they mean the same', async () => {
    const slug = `pets-${newId().toLowerCase()}`;
    const { at } = await spaceOf(slug, { models: false });
    expect(pathsOf(await treeOf(at))).toEqual(['api', 'computed']);
    await specs.putText(slug, petstore(['get /pets', 'get /dogs']));
    const before = (await treeOf(at))[0]?.pages ?? [];
    expect(pathsOf(before)).toEqual(['api/get-pets', 'api/get-dogs']);
    await specs.putText(slug, petstore(['get /cats', 'get /dogs', 'get /pets']));
    const after = (await treeOf(at))[0]?.pages ?? [];
    expect(pathsOf(after)).toEqual(['api/get-cats', 'api/get-dogs', 'api/get-pets']);
    expect(after.slice(1).map(({ id }) => id)).toEqual(before.map(({ id }) => id).toReversed());
  });

  it('are the place-holder again when the description is deleted, and texts are gone', async () => {
    const slug = `pets-${newId().toLowerCase()}`;
    await specs.putText(slug, petstore());
    const { at } = await spaceOf(slug);
    const [page] = (await treeOf(at))[0]?.pages ?? [];
    expect(page?.path).toBe('api/get-pets');
    await read(`${at}/documents/${page?.documentId ?? ''}`);
    await app.as(organization.admin).delete(specs.at(slug)).expect(205);
    expect(pathsOf(await treeOf(at))).toEqual(['api', 'computed']);
    await app
      .as(organization.admin)
      .get(`${at}/content/page/${page?.id ?? ''}`)
      .expect(404);
    await app
      .as(organization.admin)
      .get(`${at}/documents/${page?.documentId ?? ''}`)
      .expect(404);
  });

  it('are nothing of the description of another organization', async () => {
    const other = await app.create.organization();
    const slug = `pets-${newId().toLowerCase()}`;
    await new SpecClient(app, other._id, other.admin).putText(slug, petstore());
    const { at } = await spaceOf(slug);
    expect(pathsOf(await treeOf(at))).toEqual(['api', 'computed']);
  });
});

describe('search', () => {
  interface Found {
    count: number;
    items: { id: string; title: string; path: string; sections: { id: string; title: string; body: string }[] }[];
  }
  const search = (at: string, query: string, more: object = {}): Promise<Found> =>
    read<Found>(`${at}/search`, { query, ...more });

  it('finds operations by their paths, summaries and descriptions, among the pages that are written', async () => {
    const slug = `pets-${newId().toLowerCase()}`;
    await specs.putText(slug, PETS);
    const { at } = await spaceOf(slug);
    const [page, , ping] = (await treeOf(at))[0]?.pages ?? [];
    const byPath = await search(at, '/pets/{petId}');
    expect(byPath.items.map(({ path }) => path)).toEqual(['api/all-pets', 'api/models']);
    expect(byPath.items[0]).toEqual({
      ...{ id: page?.id, title: 'All pets', path: 'api/all-pets', urls: expect.any(Object) as object },
      sections: [
        {
          id: `${page?.id ?? ''}-read-one-pet`,
          title: 'Read *one* pet',
          path: 'api/all-pets#read-one-pet',
          body: expect.stringMatching(/^GET \/pets\/\{petId\} By its/) as string,
          urls: expect.any(Object) as object,
        },
        expect.objectContaining({ title: 'Give a pet away', body: 'DELETE /pets/{petId}' }) as object,
      ],
    });
    expect((await search(at, '"give a pet"')).items.map(({ path }) => path)).toEqual(['api/all-pets']);
    expect((await search(at, 'pong')).items.map(({ id, path }) => [id, path])).toEqual([[ping?.id, 'api/post-ping']]);
    expect((await search(at, 'animals')).items.map(({ path }) => path)).toEqual(['api/all-pets']);
    const both = await search(at, 'api about');
    expect(both.items.map(({ path }) => path)).toContain('api');
    expect((await search(at, 'elephants')).count).toBe(0);
  });

  it('is paged, and knows the newest version alone', async () => {
    const slug = `pets-${newId().toLowerCase()}`;
    await specs.putText(slug, petstore(['get /pets/a', 'get /pets/b', 'get /pets/c']));
    const { at } = await spaceOf(slug);
    const walked: string[] = [];
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const part = await read<Found & { next?: { page: string } }>(`${at}/search`, { query: 'pets', limit: 1, page });
      expect(part.count).toBe(3);
      walked.push(...part.items.map(({ title }) => title));
      page = part.next?.page;
    }
    expect(walked.sort()).toEqual(['GET /pets/a', 'GET /pets/b', 'GET /pets/c']);
    await specs.putText(slug, petstore(['get /dogs']));
    expect((await search(at, 'pets')).count).toBe(0);
    expect((await search(at, 'dogs')).items).toHaveLength(1);
    await app.as(organization.admin).delete(specs.at(slug)).expect(205);
    expect((await search(at, 'dogs')).count).toBe(0);
  });

  it('finds them in the search of the organization, for those who see the space', async () => {
    const own = await app.create.organization();
    const slug = `pets-${newId().toLowerCase()}`;
    await new SpecClient(app, own._id, own.admin).putText(slug, PETS);
    const { at, space } = await spaceOf(slug, { models: false }, own);
    const path = `/v1/orgs/${own._id}/search`;
    const { count, items } = await read<{ count: number; items: { id: string; pages: { path: string }[] }[] }>(
      path,
      { query: 'petId' },
      own.admin,
    );
    expect([count, items.map(({ id, pages }) => [id, pages.map((page) => page.path)])]).toEqual([
      1,
      [[space, ['api/all-pets']]],
    ]);
    const guest = await app.create.user({ in: own, role: null });
    expect(await read(path, { query: 'petId' }, guest)).toEqual({ count: 0, items: [] });
    await app.as(own.admin).delete(at).expect(205);
    expect(await read(path, { query: 'petId' }, own.admin)).toEqual({ count: 0, items: [] });
  });
});
