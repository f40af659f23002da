import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { newId } from '../../common/ids.js';
import type { DescribedOperation, DescribedTag, DescribedVersion } from '../../openapi/index.js';
import type { PageNode, PageTree, TreePage } from '../../revisions/index.js';
import { expandTree, generatedKey, specOf, versionOfKey } from './expand-tree.js';
import { openApiPages, type OpenApiProps } from './openapi-pages.js';

const VERSION = 'V'.repeat(20);

const operation = (call: string, tags: string[] = [], more: Partial<DescribedOperation> = {}): DescribedOperation => {
  const [method = '', path = ''] = call.split(' ');
  return {
    method: method as 'get',
    path,
    isWebhook: false,
    isDeprecated: false,
    tags,
    ...more,
  };
};

const versionOf = (
  tags: DescribedTag[],
  operations: DescribedOperation[],
  schemas: string[] = [],
): DescribedVersion => ({
  id: VERSION,
  spec: 's',
  createdAt: '2026-02-01T00:00:00.000Z',
  outline: { format: '3.1.0', title: 'Pets', tags, operations, schemas },
});

const page = (id: string, more: Partial<PageNode> = {}, pages: TreePage[] = [], above = ''): TreePage => ({
  node: {
    ...{ id, kind: 'document', parent: null, order: 'a', title: id, slug: id, document: `text of ${id}` },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
    ...more,
  },
  path: above + id,
  depth: above === '' ? 1 : 2,
  noIndex: false,
  noRobotsIndex: false,
  pages,
});

const holder = (id: string, props: OpenApiProps, more: Partial<PageNode> = {}): TreePage => ({
  ...page(id, {
    ...{ kind: 'computed', slug: undefined, document: undefined },
    computed: {
      type: 'builtin:openapi',
      props: { ...props },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
    },
    ...more,
  }),
  path: null,
});

function treeOf(...pages: TreePage[]): PageTree {
  const all = (some: readonly TreePage[]): TreePage[] => some.flatMap((one) => [one, ...all(one.pages)]);
  return { pages, byId: new Map(all(pages).map((one) => [one.node.id, one])), landing: null, size: 0 };
}

const expanded = (tree: PageTree, version: DescribedVersion): PageTree =>
  expandTree(tree, new Map([['pets', version]]));

/** Without place-holders of which nothing came. */
const generatedOf = (pages: readonly TreePage[]): TreePage[] => pages.filter(({ node }) => node.kind === 'document');

/** Paths of pages, nested ones too. */
const paths = (pages: readonly TreePage[]): (string | null)[] =>
  pages.flatMap((one) => [one.path, ...paths(one.pages)]);

describe('a computed page of a description', () => {
  const version = versionOf(
    [
      { name: 'dogs', title: 'Good dogs', icon: 'dog', description: 'Woof', parent: 'all' },
      { name: 'all' },
      { name: 'about' },
    ],
    [
      operation('get /dogs', ['dogs']),
      operation('get /pets', ['all']),
      operation('post /ping', [], { summary: 'Ping\nus' }),
    ],
    ['Dog'],
  );

  it('becomes a page for each tag, in order and nested, for each operation without, and for models', () => {
    const tree = expanded(treeOf(page('first'), page('api', {}, [holder('h', { models: true })])), version);
    expect(paths(tree.pages)).toEqual([
      'first',
      'api',
      'api/all',
      'api/all/good-dogs',
      'api/about',
      'api/ping-us',
      'api/models',
    ]);
    const { node, ...place } = tree.pages[1]?.pages[0]?.pages[0] ?? page('none');
    expect(place).toEqual({ path: 'api/all/good-dogs', depth: 3, noIndex: false, noRobotsIndex: false, pages: [] });
    expect(node).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z]\w{19}$/) as string, kind: 'document', parent: null, order: 'a' },
      ...{ title: 'Good dogs', slug: 'good-dogs', icon: 'dog', description: 'Woof', computedSeed: 'h' },
      document: expect.stringMatching(/^~V{20}[\w-]{22}$/) as string,
      computed: {
        type: 'builtin:openapi',
        props: { doc: 'operations', page: 'dogs' },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
      },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-02-01T00:00:00.000Z' },
    });
    const props = ['about', 'ping-us', 'models'].map(
      (slug) => tree.pages[1]?.pages.find((one) => one.node.slug === slug)?.node.computed?.props,
    );
    expect(props).toEqual([
      { doc: 'info', page: 'about' },
      { doc: 'operations', page: 'POST /ping' },
      { doc: 'models' },
    ]);
    expect(tree.landing).toBe('first');
    expect(tree.byId.get('h')?.node.kind).toBe('computed');
  });

  it.each<[OpenApiProps, string[]]>([
    [{ models: false }, ['all', 'all/good-dogs', 'about', 'ping-us']],
    [{ doc: 'models' }, ['models']],
    [{ doc: 'operations', page: 'all' }, ['all']],
    [{ doc: 'info', page: 'about' }, ['about']],
    [{ doc: 'operations', page: 'POST /ping' }, ['ping-us']],
  ])('shows what it asks for: %j', (props, expected) => {
    expect(paths(expanded(treeOf(holder('h', props)), version).pages)).toEqual(expected);
  });

  it('stays where there is nothing of it, and where nobody knows the description', () => {
    const tree = treeOf(holder('h', { doc: 'operations', page: 'cats' }));
    expect(expanded(tree, version).pages).toBe(tree.pages);
    expect(expandTree(tree, new Map()).pages).toBe(tree.pages);
    expect(specOf(page('p').node)).toBeUndefined();
  });

  it('takes no slug that is taken beside it, and hides and keeps out of search what it hides and keeps out', () => {
    const hidden = { hidden: true, noIndex: true };
    const tree = expanded(
      treeOf(page('all'), holder('g', { doc: 'operations', page: 'all' }, hidden), holder('h', { models: false })),
      version,
    );
    expect(paths(tree.pages)).toEqual(['all', 'all-1', 'all-2', 'all-2/good-dogs', 'about', 'ping-us']);
    expect(tree.pages[1]).toMatchObject({ noIndex: true, noRobotsIndex: false, node: { hidden: true } });
    const ids = [...tree.byId.keys()];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('puts tags at the top whose parents stand under each other, or nowhere', () => {
    const circle = versionOf(
      [
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
        { name: 'c', parent: 'none' },
      ],
      [],
    );
    expect(paths(expanded(treeOf(holder('h', { models: true })), circle).pages)).toEqual(['a', 'b', 'c']);
  });

  it('becomes a bounded number of pages', () => {
    const many = Array.from({ length: 5000 }, (_, at) => operation(`get /${at}`));
    const tags = Array.from({ length: 600 }, (_, at) => ({ name: `t${at}` }));
    expect(expanded(treeOf(holder('h', { models: true })), versionOf(tags, many, ['A'])).pages).toHaveLength(1000);
  });

  it('has pages whose ids and texts stay where others come, go and change places', () => {
    const name = fc.string({ minLength: 1, maxLength: 5 });
    const operations = fc.uniqueArray(
      fc.record({
        path: name,
        method: fc.constantFrom('get', 'post'),
        tags: fc.uniqueArray(name, { maxLength: 2 }),
        isWebhook: fc.boolean(),
      }),
      { maxLength: 8, selector: ({ path, method, isWebhook }) => `${method} ${path} ${String(isWebhook)}` },
    );
    const known = (of: DescribedOperation[], tags: string[]): Map<string, string> => {
      const { pages } = expanded(
        treeOf(holder('h', { models: true })),
        versionOf(
          tags.map((tag) => ({ name: tag })),
          of,
        ),
      );
      return new Map(generatedOf(pages).map(({ node }) => [node.id, `${node.title} ${node.document ?? ''}`]));
    };
    fc.assert(
      fc.property(operations, fc.infiniteStream(fc.nat()), fc.nat(8), (given, order, dropped) => {
        const all = given.map((one) => ({ ...one, method: one.method as 'get', isDeprecated: false }));
        const tags = [...new Set(all.flatMap((one) => one.tags))];
        const turned = all.map((one) => ({ one, at: order.next().value as number })).sort((a, b) => a.at - b.at);
        const before = known(all, tags);
        expect(before.size).toBe(tags.length + all.filter((one) => one.tags.length === 0).length);
        expect(
          known(
            turned.map(({ one }) => one),
            tags.toReversed(),
          ),
        ).toEqual(new Map([...before].sort((a, b) => (a[0] < b[0] ? -1 : 1))));
        const fewer = known(all.toSpliced(dropped, 1), tags);
        for (const [id, page] of fewer) expect(before.get(id)).toBe(page);
      }),
      { numRuns: cases(50, 1000) },
    );
  });

  it('has texts whose keys name the version', () => {
    const [first] = openApiPages(version.outline);
    const key = generatedKey(VERSION, first ?? { kind: 'tag', name: '' });
    expect([key.length, versionOfKey(key), versionOfKey(newId())]).toEqual([43, VERSION, undefined]);
  });
});
