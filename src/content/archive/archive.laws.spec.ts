import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { type ContentProcess, startContent } from '../../../test/support/content.js';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { ContentError, type PageNode, type TreeEditor } from '../../revisions/index.js';
import type { BookSource } from '../import/book-source.js';
import { ZipSource } from '../import/zip-source.js';
import { linksAsRead } from '../links/index.js';
import { zipOf } from './zip.js';

/** Time for all cases of the thorough run, ms. */
const LONG = 1_800_000;

let test: TestDatabase;
let content: ContentProcess;

beforeAll(async () => {
  test = await startTestDatabase();
  content = await startContent(test);
});

afterAll(() => test.stop());

const ORGANIZATION = 'org';
const HOSTILE = ['a', 'A', 'Über uns', '[x](y) *b* `c` <d> # \\', '- 1. ---', '&amp; | ~', ' SUMMARY ', 'files'];
const title = fc.constantFrom(...HOSTILE);
const number = fc.nat({ max: 20 });
const body = fc.constantFrom(
  '',
  'Text.\r\n',
  '\ufeff---\ntitle: Of its own\nhidden: true\n---\n# Heading',
  'a\tb \u2028\n',
  '```\n[a](b)',
);

/** One edit; numbers pick pages and files among those that are there. */
const step = fc.oneof(
  fc.record({
    do: fc.constant('page' as const),
    title,
    into: number,
    at: number,
    body,
    links: fc.array(number, { maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('group' as const), title }),
  fc.record({ do: fc.constant('link' as const), title, into: number, to: fc.option(number) }),
  fc.record({ do: fc.constant('computed' as const), title, into: number }),
  fc.record({
    do: fc.constant('file' as const),
    name: fc.constantFrom('a.md', 'img/a.png', '../up', 'SUMMARY.md', 'con'),
  }),
  fc.record({
    do: fc.constant('rename' as const),
    page: number,
    title,
    slug: fc.option(fc.constantFrom('a', 'by-hand')),
  }),
  fc.record({ do: fc.constant('move' as const), page: number, into: number, at: number }),
  fc.record({
    do: fc.constant('look' as const),
    page: number,
    hidden: fc.boolean(),
    emoji: fc.option(fc.constant('📘')),
  }),
  fc.record({ do: fc.constant('source' as const), page: number, name: fc.constantFrom('ch1.md', 'x/ch1.md', 'a.md') }),
  fc.record({ do: fc.constant('delete' as const), page: number }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Edits one space; what the rules forbid is left out. */
class Script {
  private readonly pages: string[] = [];
  private readonly files: string[] = [];

  constructor(private readonly editor: TreeEditor) {}

  async play(steps: readonly Step[]): Promise<void> {
    for (const each of steps) {
      try {
        await this.apply(each);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
      }
    }
  }

  private page(at: number): string | null {
    return this.pages[at % (this.pages.length + 1)] ?? null;
  }

  private async apply(each: Step): Promise<void> {
    const { editor } = this;
    const page = 'page' in each ? this.page(each.page) : null;
    const into = 'into' in each ? this.page(each.into) : null;
    switch (each.do) {
      case 'page': {
        const text = await content.documents.put(ORGANIZATION, each.body + (await this.linksTo(each.links)));
        const draft = { kind: 'document' as const, title: each.title, document: text._id };
        this.pages.push((await editor.insertPage(draft, { into, at: each.at })).id);
        return;
      }
      case 'group':
        this.pages.push((await editor.insertPage({ kind: 'group', title: each.title })).id);
        return;
      case 'link': {
        const to = each.to === null ? null : this.page(each.to);
        const target = to === null ? { kind: 'url', url: 'https://x.test/(a)%20b' } : { kind: 'page', page: to };
        await editor.insertPage({ kind: 'link', title: each.title, target }, { into });
        return;
      }
      case 'computed': {
        const computed = {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
        };
        await editor.insertPage({ kind: 'computed', title: each.title, computed }, { into });
        return;
      }
      case 'file': {
        const file = await content.files.add(ORGANIZATION, {
          name: each.name,
          bytes: Buffer.from(`bytes of ${each.name}`),
        });
        await editor.putFile(file);
        this.files.push(file.id);
        return;
      }
      case 'rename':
        if (page !== null)
          await editor.updatePage(page, { title: each.title, ...(each.slug !== null && { slug: each.slug }) });
        return;
      case 'move':
        if (page !== null) await editor.movePage(page, { into, at: each.at });
        return;
      case 'look':
        if (page !== null)
          await editor.updatePage(page, { hidden: each.hidden, emoji: each.emoji, cover: { yPos: 3 } });
        return;
      case 'source':
        if (page !== null) await editor.updatePage(page, { source: each.name });
        return;
      case 'delete':
        if (page !== null) await editor.deletePage(page);
    }
  }

  /** Links to pages by their paths from the root and ids, and to files. */
  private async linksTo(numbers: readonly number[]): Promise<string> {
    const ids = numbers.flatMap((at) => this.page(at) ?? []);
    const placed = await this.editor.findPlaced(ids);
    const files = numbers.flatMap((at) => this.files[at] ?? []);
    return [
      ...[...placed.values()].map(({ path }) => `\n\n[page](/${path ?? ''}#anchor)`),
      ...ids.map((id) => `\n\n[same](/pages/${id})`),
      ...files.map((id) => `\n\n![file](/files/${id})`),
    ].join('');
  }
}

const newSpace = async (): Promise<string> => (await content.spaces.create(ORGANIZATION, 'ann', {}))._id;

async function filesOf(space: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const { entries } = await content.exporter.export(await content.spaces.get(space));
  for (const { name, open } of entries) files.set(name, await buffer(await open()));
  return files;
}

const sourceOf = (files: ReadonlyMap<string, Buffer>): BookSource => ({
  read: (name) => Promise.resolve(files.get(name)),
  list: () => Promise.resolve([...files.keys()]),
});

/** All that can be seen of the content of a space. */
async function seen(space: string): Promise<unknown> {
  const revision = await content.revisions.get((await content.spaces.get(space)).revision);
  const tree = content.revisions.tree(revision);
  const pages = [...(await tree.tree()).byId.values()];
  const outlines = await content.documents.outlines(pages.flatMap(({ node }) => node.document ?? []));
  const shown = ({ order: _, document: __, source: ___, ...node }: PageNode): unknown => node;
  return {
    pages: pages.map(({ node, path, noIndex }) => ({ ...(shown(node) as object), path, noIndex })),
    texts: await content.texts.markdowns(tree, pages),
    links: await linksAsRead(tree, pages, outlines),
    files: await tree.files(),
  };
}

describe('an archive', () => {
  it(
    'gives back the same tree, texts, links and files, and is the same when it is made again',
    async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }),
        fc.array(step, { maxLength: 6, size: 'max' }),
        async (first, second) => {
          const [space, other] = [await newSpace(), await newSpace()];
          await content.writer.write(space, 'ann', async (editor) => {
            const script = new Script(editor);
            await script.play(first);
          });
          await content.writer.write(space, 'ann', async (editor) => {
            const script = new Script(editor);
            await script.play(second);
          });
          const files = await filesOf(space);
          const { missing } = await content.archives.importFolder(other, { source: sourceOf(files), author: 'ann' });
          expect(missing).toEqual([]);
          expect(await seen(other)).toEqual(await seen(space));
          expect(await filesOf(other)).toEqual(files);
        },
      );
      await fc.assert(property, { numRuns: cases(15, 2000) });
    },
    LONG,
  );

  it('is the same through a zip, and behind pages of its own ids gets new ones everywhere', async () => {
    const space = await newSpace();
    await content.writer.write(space, 'ann', async (editor) => {
      const script = new Script(editor);
      await script.play([
        { do: 'file', name: 'img/a.png' },
        { do: 'page', title: 'One', into: 0, at: 0, body: '', links: [] },
        { do: 'page', title: 'Two', into: 0, at: 9, body: 'Text.\r\n', links: [0] },
      ]);
    });
    const { entries, at } = await content.exporter.export(await content.spaces.get(space));
    const zip = await buffer(await zipOf(entries, at));
    expect(await buffer(await zipOf(entries, at))).toEqual(zip);
    const source = await ZipSource.open(zip, { entries: 100, file: 1e6, total: 1e6 });
    expect(await source.list()).toEqual([...(await filesOf(space)).keys()].sort());
    await content.archives.importFolder(space, { source, author: null });
    const tree = content.revisions.tree(await content.revisions.get((await content.spaces.get(space)).revision));
    const pages = (await tree.tree()).pages.flatMap((page) => [page, ...page.pages]);
    expect(pages.map(({ path }) => path)).toEqual(['one', 'one/two', 'one-1', 'one-1/two']);
    const [one, , copy, copyOfTwo] = pages.map(({ node }) => node.id);
    const texts = await content.texts.markdowns(tree, pages);
    const [file, fileCopy] = (await tree.files()).map(({ id }) => id);
    expect(texts.get(copyOfTwo ?? '')).toBe(
      `Text.\r\n\n\n[page](/one-1#anchor)\n\n[same](/pages/${copy ?? ''})\n\n![file](/files/${[file, fileCopy].find((id) => !texts.get(pages[1]?.node.id ?? '')?.includes(id ?? '')) ?? ''})`,
    );
    expect(texts.get(pages[1]?.node.id ?? '')).toContain(`/pages/${one ?? ''})`);
  });

  it('fails as a stream when a part of it cannot be read', async () => {
    const broken = { name: 'a', packs: false, open: () => Promise.reject(new Error('gone')) };
    await expect(buffer(await zipOf([broken], new Date()))).rejects.toThrow('gone');
    const torn = { name: 'a', packs: true, open: () => Promise.resolve(Readable.from(tear())) };
    await expect(buffer(await zipOf([torn], new Date()))).rejects.toThrow('torn');
  });
});

function* tear(): Generator<Buffer> {
  yield Buffer.from('some');
  throw new Error('torn');
}
