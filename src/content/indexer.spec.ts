import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { type ContentProcess, startContent } from '../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import type { PageNode, Revision, TreeEditor } from '../revisions/index.js';
import type { IndexPlan } from './indexer.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;

let test: TestDatabase;
let content: ContentProcess;
let spaces = 0;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
});

afterAll(() => test.stop());

/** The revision that `edit` makes of `base`, and what changed. */
async function edited(base: Revision, edit: (editor: TreeEditor) => Promise<unknown>) {
  const editor = content.revisions.edit(base);
  await edit(editor);
  const { root, changes } = await editor.finish();
  const { organization, space } = base;
  const revision = await content.revisions.commit({
    organization,
    space,
    type: 'edits',
    parents: [base._id],
    author: null,
    root,
  });
  return { revision, changes, plan: await content.indexer.plan(base, revision, changes) };
}

const emptyRevision = (): Promise<Revision> =>
  content.revisions.createFirst({ organization: 'org', space: `plan${++spaces}`, author: null });

interface Given {
  noIndex?: boolean;
  kind?: 'document' | 'group';
  title?: string;
}

const page = (id: string, { noIndex = false, kind = 'document', title = id }: Given = {}) => ({
  id,
  kind,
  title,
  noIndex,
  ...(kind === 'document' && { document: `text of ${id}` }),
});

/** What a plan says, by page: its title for one that is entered, `null` for one that is not to be found. */
const planned = ({ search: plan }: IndexPlan): Record<string, string | null> =>
  Object.fromEntries([...plan].map(([id, node]) => [id, node && node.title]));

/** a ─ b ─ c, d beside them; `out` are those that are kept out of search by their own flag. */
async function family(...out: string[]): Promise<Revision> {
  const { revision } = await edited(await emptyRevision(), async (editor) => {
    let into: string | null = null;
    for (const id of ['a', 'b', 'c']) {
      await editor.insertPage(page(id, { noIndex: out.includes(id) }), { into });
      into = id;
    }
    await editor.insertPage(page('d', { noIndex: out.includes('d') }));
  });
  return revision;
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), id, into: fc.option(id), noIndex: fc.boolean() }),
  fc.record({ do: fc.constant('flag' as const), id, noIndex: fc.boolean() }),
  fc.record({ do: fc.constant('flag' as const), id, noIndex: fc.boolean() }),
  fc.record({ do: fc.constant('move' as const), id, into: fc.option(id) }),
  fc.record({ do: fc.constant('rename' as const), id, title: fc.constantFrom('One', 'Two') }),
  fc.record({ do: fc.constant('delete' as const), id }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Takes one step. @throws ContentError for one that cannot be taken */
async function take(editor: TreeEditor, given: Step): Promise<unknown> {
  switch (given.do) {
    case 'insert':
      return editor.insertPage(page(given.id, given), { into: given.into });
    case 'flag':
      return editor.updatePage(given.id, { noIndex: given.noIndex });
    case 'move':
      return editor.movePage(given.id, { into: given.into });
    case 'rename':
      return editor.updatePage(given.id, { title: given.title });
    case 'delete':
      return editor.deletePage(given.id);
  }
}

describe('the plan for the index', () => {
  it('enters what was made or changed, and nothing else', async () => {
    const base = await family();
    const { plan } = await edited(base, async (editor) => {
      await editor.updatePage('b', { title: 'Renamed' });
      await editor.insertPage(page('new'), { into: 'c' });
    });
    expect(planned(plan)).toEqual({ b: 'Renamed', new: 'new' });
    expect((await edited(base, () => Promise.resolve())).plan.size).toBe(0);
  });

  it('removes what is gone, with all that was below it', async () => {
    const { plan } = await edited(await family(), (editor) => editor.deletePage('a'));
    expect(planned(plan)).toEqual({ a: null, b: null, c: null });
  });

  it('enters neither groups nor links', async () => {
    const { plan } = await edited(await emptyRevision(), async (editor) => {
      await editor.insertPage(page('group', { kind: 'group' }));
      await editor.insertPage(page('inside'), { into: 'group' });
      const target = { kind: 'url', url: 'https://example.org/' };
      await editor.insertPage({ id: 'link', kind: 'link', title: 'Link', target });
    });
    expect(planned(plan)).toEqual({ group: null, inside: 'inside', link: null });
  });

  it('keeps out what is below a page that is kept out', async () => {
    const { plan } = await edited(await family('a'), async (editor) => {
      await editor.insertPage(page('new'), { into: 'c' });
      await editor.updatePage('b', { title: 'Renamed' });
    });
    expect(planned(plan)).toEqual({ new: null, b: null });
  });

  it('removes all below a page that is kept out from now on', async () => {
    const { plan } = await edited(await family(), (editor) => editor.updatePage('a', { noIndex: true }));
    expect(planned(plan)).toEqual({ a: null, b: null, c: null });
  });

  it('brings them back, but for those that are kept out by themselves, with what is below', async () => {
    const back = async (...out: string[]): Promise<unknown> =>
      planned((await edited(await family(...out), (editor) => editor.updatePage('a', { noIndex: false }))).plan);
    expect(await back('a')).toEqual({ a: 'a', b: 'b', c: 'c' });
    expect(await back('a', 'b')).toEqual({ a: 'a', b: null, c: null });
    expect(await back('a', 'c')).toEqual({ a: 'a', b: 'b', c: null });
  });

  it('follows a page that is moved in and out of what is kept out', async () => {
    const base = await family('d');
    const moved = await edited(base, (editor) => editor.movePage('b', { into: 'd' }));
    expect(planned(moved.plan)).toEqual({ b: null, c: null });
    const back = await edited(moved.revision, (editor) => editor.movePage('b', { into: null }));
    expect(planned(back.plan)).toEqual({ b: 'b', c: 'c' });
    const within = await edited(base, (editor) => editor.movePage('c', { into: 'a' }));
    expect(planned(within.plan)).toEqual({ c: 'c' });
  });

  it(
    'always brings what is found to what may be found',
    async () => {
      const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
      const property = fc.asyncProperty(batches, async (all) => {
        let base = await family();
        let index = new Map((await searchable(base)).map((node) => [node.id, node]));
        for (const batch of all) {
          const { revision, plan } = await edited(base, async (editor) => {
            for (const one of batch) await take(editor, one).catch(() => undefined);
          });
          index = new Map(index);
          for (const [key, node] of plan.search) {
            if (node) index.set(key, node);
            else index.delete(key);
          }
          const byId = (nodes: PageNode[]): PageNode[] => nodes.sort((x, y) => (x.id < y.id ? -1 : 1));
          expect(byId([...index.values()])).toEqual(byId(await searchable(revision)));
          base = revision;
        }
      });
      await fc.assert(property, { numRuns: cases(30, 300) });
    },
    LONG,
  );
});

/** The pages that a search may find. */
async function searchable(revision: Revision): Promise<PageNode[]> {
  const { byId } = await content.revisions.tree(revision).tree();
  return [...byId.values()].filter(({ node, noIndex }) => node.kind === 'document' && !noIndex).map(({ node }) => node);
}

describe('catching up', () => {
  const titles = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => `Page ${from + index}`);

  /** A space with `count` pages that say so, of which search does not know yet. */
  async function behind(count: number): Promise<string> {
    const { _id } = await content.spaces.create('org', 'ann', {});
    await content.writer.write(_id, null, async (editor) => {
      for (const title of titles(0, count)) await editor.insertPage(await content.draft(title, 'the needle\n'));
    });
    expect((await content.spaces.get(_id)).indexing).toBe(true);
    return _id;
  }

  const found = async (space: string, query = 'needle'): Promise<number> =>
    (await content.search.searchSpace(space, query, { limit: 0 })).count;

  it('makes all pages found, in whatever number, and is nothing when there is nothing to do', async () => {
    const space = await behind(230);
    expect(await found(space)).toBe(0);
    await content.indexer.catchUp(space);
    expect(await found(space)).toBe(230);
    const { indexing, indexSteps, revision, indexedRevision } = await content.spaces.get(space);
    expect([indexing, indexedRevision]).toEqual([false, revision]);
    await content.indexer.catchUp(space);
    await content.indexer.catchUp('nowhere');
    expect((await content.spaces.get(space)).indexSteps).toBe(indexSteps);
  });

  it('comes to the end when two processes do it, and others edit meanwhile', async () => {
    const space = await behind(150);
    const other = await startContent(test);
    await Promise.all([
      content.indexer.catchUp(space),
      other.indexer.catchUp(space),
      content.writer.write(space, null, async (editor) =>
        editor.insertPage(await content.draft('New', 'the needle\n')),
      ),
    ]);
    await content.indexer.catchUp(space);
    expect(await found(space)).toBe(151);
    expect((await content.spaces.get(space)).indexing).toBe(false);
  });

  it('is taken up where a process stopped, and knows nothing afterwards of what is gone by then', async () => {
    const space = await behind(250);
    // the second batch is not written any more
    await test.fail({ skip: 1, times: 1 }, { failCommands: ['commitTransaction'], errorCode: 2 });
    await expect(content.indexer.catchUp(space)).rejects.toMatchObject({ code: 2 });
    await test.fail('off');
    const partly = await found(space);
    expect(partly).toBe(100);
    const { pages } = await content.pages(space);
    await content.writer.write(space, null, async (editor) => {
      for (const { node } of pages) if (node.title !== 'Page 7') await editor.deletePage(node.id);
    });
    await content.indexer.catchUp(space);
    expect(await found(space)).toBe(1);
  });

  it('is made anew from the content', async () => {
    const space = await behind(60);
    await content.indexer.catchUp(space);
    await content.index.clear(space);
    expect(await found(space)).toBe(0);
    await content.indexer.rebuild(space);
    expect(await found(space)).toBe(60);
  });
});
