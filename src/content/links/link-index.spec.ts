import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { ContentTree, TreeEditor } from '../../revisions/index.js';
import { readMeanings } from './meanings.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;

let test: TestDatabase;
let content: ContentProcess;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
});

afterAll(() => test.stop());

const newSpace = async (): Promise<string> => (await content.spaces.create('org', 'ann', {}))._id;

const treeOf = async (space: string): Promise<ContentTree> =>
  content.revisions.tree(await content.revisions.get((await content.spaces.get(space)).revision));

const write = (space: string, edit: (editor: TreeEditor) => Promise<unknown>): Promise<unknown> =>
  content.writer.write(space, null, edit);

/** The pages whose texts the steps write about; their titles make their slugs. */
const IDS = ['p0', 'p1', 'p2', 'p3', 'p4'];
const title = fc.constantFrom('a', 'b', 'c');
const id = fc.constantFrom(...IDS);
const address = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', './', '../', '../../', '/'),
      fc.array(title, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', '.md', '#one', '.md?q=1#one', '#two'),
    )
    .map(([start, slugs, end]) => start + slugs.join('/') + end),
  id.map((page) => `/pages/${page}#one`),
  fc.constantFrom('#one', 'https://example.org/', '/files/f'),
);
const text = fc
  .tuple(fc.constantFrom('One', 'Two'), fc.array(address, { maxLength: 4 }))
  .map(([heading, urls]) => `# ${heading}\n\n${urls.map((url) => `[x](${url})`).join('\n')}\n`);
const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), id, into: fc.option(id), title, text }),
  fc.record({ do: fc.constant('insert' as const), id, into: fc.option(id), title, text }),
  fc.record({ do: fc.constant('move' as const), id, into: fc.option(id) }),
  fc.record({ do: fc.constant('rename' as const), id, title }),
  fc.record({ do: fc.constant('write' as const), id, text }),
  fc.record({ do: fc.constant('delete' as const), id }),
  fc.record({ do: fc.constant('file' as const), id: fc.constant('f') }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Takes one step. @throws ContentError for one that cannot be taken. */
async function take(editor: TreeEditor, given: Step): Promise<unknown> {
  const document = 'text' in given ? (await content.documents.put('org', given.text))._id : undefined;
  switch (given.do) {
    case 'insert':
      return editor.insertPage({ id: given.id, kind: 'document', title: given.title, document }, { into: given.into });
    case 'move':
      return editor.movePage(given.id, { into: given.into });
    case 'rename':
      return editor.updatePage(given.id, { title: given.title });
    case 'write':
      return editor.updatePage(given.id, { document });
    case 'delete':
      return editor.deletePage(given.id);
    case 'file': {
      if (await editor.findFile(given.id)) return editor.removeFile(given.id);
      return editor.putFile({ id: given.id, name: 'f', contentType: 'image/png', size: 1, blob: 'b' });
    }
  }
}

/** Where each address of each page's text leads, in the order of the text; by page, with the text's key. */
async function allMeanings(tree: ContentTree): Promise<Map<string, { document: string; refs: string[] }>> {
  const { byId } = await tree.tree();
  const found = new Map<string, { document: string; refs: string[] }>();
  for (const { node, path } of byId.values()) {
    if (node.document === undefined) continue;
    const outline = (await content.documents.outlines([node.document])).get(node.document);
    const urls = outline?.links.map(({ url }) => url) ?? [];
    const meanings = await readMeanings(tree, [{ id: node.id, path: path ?? '', urls }]);
    const refs = urls.map((url) => JSON.stringify(meanings.get(node.id)?.of(url).ref));
    found.set(node.id, { document: node.document, refs });
  }
  return found;
}

describe('parts of the link index', () => {
  it('hold all pages once, few of them and few links', async () => {
    const many = Array.from({ length: 4000 }, (_, at) => `[x](https://example.org/${at})`).join('\n');
    const { _id: document } = await content.documents.put('org', many);
    const base = await content.revisions.createFirst({ organization: 'org', space: 'parts', author: null });
    const editor = content.revisions.edit(base);
    for (let at = 0; at < 230; at += 1) {
      const page = { id: `page${at}`, title: `Page ${at}` };
      await editor.insertPage(at < 7 ? { ...page, kind: 'document', document } : { ...page, kind: 'group' });
    }
    const { root } = await editor.finish();
    const pages = [...Array.from({ length: 230 }, (_, at) => `page${at}`), 'gone'];
    const parts: string[][] = [];
    for await (const part of content.links.parts(content.revisions.tree({ ...base, root }), pages))
      parts.push([...part]);
    expect(parts.flat()).toEqual(pages);
    expect(parts.map(({ length }) => length)).toEqual([2, 2, 2, 194, 31]);
  });
});

describe('the link index', () => {
  it(
    'is what follows from the content, whatever is done; and what an address leads to is kept',
    async () => {
      const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 8 });
      const property = fc.asyncProperty(batches, async (all) => {
        const space = await newSpace();
        for (const batch of all) {
          const before = await allMeanings(await treeOf(space));
          await write(space, async (editor) => {
            for (const one of batch) await take(editor, one).catch(() => undefined);
          });
          const tree = await treeOf(space);
          expect(await content.links.agrees(space, tree)).toBe(true);
          const { byId } = await tree.tree();
          // a page deleted and inserted in the same batch is another one
          const remade = new Set(batch.flatMap((one) => (one.do === 'insert' || one.do === 'delete' ? one.id : [])));
          for (const [page, { document, refs }] of await allMeanings(tree)) {
            const old = before.get(page);
            if (old?.document !== document || remade.has(page)) continue;
            for (const [index, ref] of old.refs.entries()) {
              const { page: target } = JSON.parse(ref) as { page?: string };
              if (target !== undefined && byId.has(target) && !remade.has(target)) expect(refs[index]).toBe(ref);
            }
          }
        }
      });
      await fc.assert(property, { numRuns: cases(5, 300) });
    },
    LONG,
  );

  it(
    'and a text as it is read means the same when it is stored again',
    async () => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const space = await newSpace();
        for (const one of steps) await write(space, (editor) => take(editor, one).catch(() => undefined));
        const tree = await treeOf(space);
        const before = await allMeanings(tree);
        const read = await content.texts.markdowns(tree, [...(await tree.tree()).byId.values()]);
        await write(space, async (editor) => {
          for (const [page, markdown] of read) {
            const { _id: document } = await content.documents.put('org', markdown);
            await editor.updatePage(page, { document });
          }
        });
        const after = await treeOf(space);
        const refs = (all: typeof before): unknown =>
          new Map([...all].map(([page, one]) => [page, targetsOf(one.refs)]));
        expect(refs(await allMeanings(after))).toEqual(refs(before));
        expect(await content.links.agrees(space, after)).toBe(true);
        expect(await content.texts.markdowns(after, [...(await after.tree()).byId.values()])).toEqual(read);
      });
      await fc.assert(property, { numRuns: cases(5, 300) });
    },
    LONG,
  );
});

/** What references lead to in the space; what leads nowhere may be spelled as it likes. */
function targetsOf(refs: readonly string[]): string[] {
  return refs.map((ref) => ((JSON.parse(ref) as { kind: string }).kind === 'url' ? 'url' : ref));
}
