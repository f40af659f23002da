import fc from 'fast-check';
import { ChunkMap } from './chunk-map.js';
import { ContentError } from './content-error.js';
import { ContentTree } from './content-tree.js';
import type { FileEntry, PageNode } from './entries.js';
import { MemoryChunkStore } from './memory-chunk-store.js';
import type { TreePage } from './page-tree.js';
import { TreeEditor, type PageDraft } from './tree-editor.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');
const store = new MemoryChunkStore();
const EMPTY = store.empty('one');
const edit = (root = EMPTY, now = NOW): TreeEditor => new TreeEditor(store, 'one', root, now);
const open = (root: string): ContentTree => new ContentTree(new ChunkMap(store, root));
const doc = (title: string, more: Partial<PageDraft> = {}): PageDraft => ({
  kind: 'document',
  title,
  document: 'key',
  ...more,
});
const file = (id: string, name: string): FileEntry => ({ id, name, contentType: 'text/plain', size: 1, blob: 'hash' });
const refusal = (reason: string, property?: string): unknown =>
  expect.objectContaining({ reason, ...(property && { property }) });

async function titles(editor: TreeEditor, parent: string | null = null): Promise<string[]> {
  const { root } = await editor.finish();
  return (await open(root).children(parent)).map((page) => page.title);
}

describe('TreeEditor', () => {
  it('inserts pages at the end or where it is told', async () => {
    const editor = edit();
    for (const title of ['a', 'b', 'c']) await editor.insertPage(doc(title));
    await editor.insertPage(doc('first'), { at: 0 });
    await editor.insertPage(doc('third'), { at: 2 });
    await editor.insertPage(doc('last'), { at: 99 });
    expect(await titles(editor)).toEqual(['first', 'a', 'third', 'b', 'c', 'last']);
  });

  it('counts places without the page that moves', async () => {
    const editor = edit();
    for (const id of ['a', 'b', 'c', 'd']) await editor.insertPage(doc(id, { id }));
    await editor.movePage('a', { at: 2 });
    expect(await titles(editor)).toEqual(['b', 'c', 'a', 'd']);
    await editor.movePage('a', {});
    await editor.movePage('d', { at: 0 });
    await editor.movePage('b', { into: null, at: 3 });
    expect(await titles(editor)).toEqual(['d', 'c', 'a', 'b']);
  });

  it('leaves a page alone that moves to where it is', async () => {
    const first = edit();
    for (const id of ['a', 'b', 'c']) await first.insertPage(doc(id, { id }));
    const { root } = await first.finish();
    const editor = edit(root, LATER);
    await editor.movePage('b', { at: 1 });
    await editor.updatePage('b', { title: 'b', emoji: null, hidden: false });
    expect(await editor.finish()).toEqual({
      root,
      chunks: 0,
      changes: { pages: [], files: [], reusableContents: [], links: [] },
    });
  });

  it('numbers slugs that follow titles, and refuses given ones that are taken', async () => {
    const editor = edit();
    const slugs: (string | undefined)[] = [];
    for (let count = 0; count < 5; count++) slugs.push((await editor.insertPage(doc('Über uns'))).slug);
    expect(slugs).toEqual(['uber-uns', 'uber-uns-1', 'uber-uns-2', 'uber-uns-3', 'uber-uns-4']);
    await expect(editor.insertPage(doc('x', { slug: 'uber-uns-3' }))).rejects.toEqual(refusal('taken', 'slug'));
    expect((await editor.insertPage(doc('x', { slug: 'uber-uns-3', slugSet: false }))).slug).toBe('x');
    const group = await editor.insertPage({ kind: 'group', title: 'Über uns' });
    expect((await editor.insertPage(doc('Über uns'), { into: group.id })).slug).toBe('uber-uns');
  });

  it('lets a slug follow the title until it is set by hand', async () => {
    const editor = edit();
    const { id } = await editor.insertPage(doc('One'));
    expect(await editor.updatePage(id, { title: 'Two' })).toMatchObject({ slug: 'two' });
    expect(await editor.updatePage(id, { slug: 'by-hand' })).toMatchObject({ slug: 'by-hand', slugSet: true });
    expect(await editor.updatePage(id, { title: 'Three' })).toMatchObject({ title: 'Three', slug: 'by-hand' });
    const follows = await editor.updatePage(id, { slug: null });
    expect(follows.slug).toBe('three');
    expect(follows).not.toHaveProperty('slugSet');
  });

  it('keeps the number of a slug while the title gives the same slug', async () => {
    const editor = edit();
    const [first, second] = [await editor.insertPage(doc('A b')), await editor.insertPage(doc('A b'))];
    await editor.deletePage(first.id);
    expect(await editor.updatePage(second.id, { title: 'A B!' })).toMatchObject({ title: 'A B!', slug: 'a-b-1' });
  });

  it('takes a slug along when a page moves, and numbers it when it may', async () => {
    const editor = edit();
    await editor.insertPage(doc('g', { id: 'g' }));
    await editor.insertPage(doc('same'), { into: 'g' });
    await editor.insertPage(doc('same', { id: 'derived' }));
    await editor.insertPage(doc('other', { id: 'fixed', slug: 'same-1' }));
    expect(await editor.movePage('derived', { into: 'g' })).toMatchObject({ slug: 'same-1', parent: 'g' });
    await expect(editor.movePage('fixed', { into: 'g' })).rejects.toEqual(refusal('taken', 'slug'));
    expect(await editor.findPage('fixed')).toMatchObject({ parent: null, slug: 'same-1' });
  });

  it('keeps the rules of the tree', async () => {
    const editor = edit();
    await editor.insertPage({ kind: 'group', title: 'G', id: 'g' });
    await editor.insertPage(doc('D', { id: 'd' }), { into: 'g' });
    await editor.insertPage(doc('E', { id: 'e' }), { into: 'd' });
    await editor.insertPage({ kind: 'link', title: 'L', id: 'l', target: { kind: 'url', url: 'https://x.test' } });
    await expect(editor.insertPage({ kind: 'group', title: 'G' }, { into: 'g' })).rejects.toEqual(
      refusal('invalid', 'into'),
    );
    await expect(editor.movePage('g', { into: 'd' })).rejects.toEqual(refusal('cycle', 'into'));
    await expect(editor.movePage('d', { into: 'd' })).rejects.toEqual(refusal('cycle', 'into'));
    await expect(editor.movePage('d', { into: 'e' })).rejects.toEqual(refusal('cycle', 'into'));
    await expect(editor.movePage('d', { into: 'l' })).rejects.toEqual(refusal('invalid', 'into'));
    await expect(editor.movePage('d', { into: 'nowhere' })).rejects.toEqual(refusal('missing', 'into'));
    await expect(editor.movePage('d', { at: -1 })).rejects.toEqual(refusal('invalid', 'at'));
    await expect(editor.movePage('d', { order: '../x' })).rejects.toEqual(refusal('invalid', 'order'));
    await expect(editor.insertPage(doc('x', { id: 'd' }))).rejects.toEqual(refusal('taken', 'id'));
    await expect(editor.insertPage(doc('x', { id: 'a/b' }))).rejects.toEqual(refusal('invalid', 'id'));
    await expect(editor.insertPage(doc('x', { slug: 'a/b' }))).rejects.toEqual(refusal('invalid', 'slug'));
    await expect(editor.insertPage({ kind: 'link', title: 'x' })).rejects.toEqual(refusal('invalid', 'target'));
    await expect(editor.updatePage('l', { slug: 'x' })).rejects.toEqual(refusal('invalid', 'slug'));
    await expect(editor.updatePage('g', { document: 'key' })).rejects.toEqual(refusal('invalid', 'document'));
    await expect(editor.updatePage('d', { document: null })).rejects.toEqual(refusal('invalid', 'document'));
    await expect(editor.deletePage('nowhere')).rejects.toEqual(refusal('missing', 'page'));
    await expect(editor.updatePage('__proto__', {})).rejects.toBeInstanceOf(ContentError);
    expect((await editor.finish()).changes.pages).toHaveLength(4);
  });

  it('keeps pages within 32 levels', async () => {
    const editor = edit();
    for (let depth = 1; depth <= 32; depth++) {
      await editor.insertPage(doc('p', { id: `p${depth}` }), { into: depth === 1 ? null : `p${depth - 1}` });
    }
    await expect(editor.insertPage(doc('p'), { into: 'p32' })).rejects.toEqual(refusal('limit', 'into'));
    await editor.insertPage(doc('top', { id: 'top' }));
    await expect(editor.movePage('p1', { into: 'top' })).rejects.toEqual(refusal('limit', 'into'));
    await expect(editor.movePage('top', { into: 'p32' })).rejects.toEqual(refusal('limit', 'into'));
    await editor.movePage('p2', { into: 'top' });
    const { root } = await editor.finish();
    const deepest = await open(root).findPage('p32');
    expect(deepest && (await open(root).place(deepest))).toMatchObject({ depth: 32, path: `top${'/p'.repeat(31)}` });
  });

  it('deletes a page with all below it', async () => {
    const editor = edit();
    await editor.insertPage(doc('a', { id: 'a' }));
    await editor.insertPage(doc('b', { id: 'b' }), { into: 'a' });
    await editor.insertPage(doc('c', { id: 'c' }), { into: 'b' });
    expect((await editor.deletePage('a')).map((page) => page.id)).toEqual(['a', 'b', 'c']);
    expect((await editor.finish()).root).toBe(EMPTY);
  });

  it('gives siblings new keys when the room between two runs out', async () => {
    const editor = edit();
    const ids = ['first', 'last'];
    for (const id of ids) await editor.insertPage(doc(id, { id }));
    for (let count = 0; count < 800; count++) {
      await editor.insertPage(doc('x', { id: `x${count}` }), { at: 1 });
      ids.splice(1, 0, `x${count}`);
    }
    const { root } = await editor.finish();
    const pages = await open(root).children(null);
    expect(pages.map((page) => page.id)).toEqual(ids);
    expect(Math.max(...pages.map((page) => page.order.length))).toBeLessThanOrEqual(64);
  });

  it('puts a page back where it stood', async () => {
    const first = edit();
    for (const id of ['a', 'b', 'c']) await first.insertPage(doc(id, { id }));
    const { root } = await first.finish();
    const editor = edit(root);
    const [gone] = await editor.deletePage('b');
    if (gone === undefined) throw new Error('nothing was deleted');
    const { parent, order, ...rest } = gone;
    const page = { slugSet: false, ...rest };
    await editor.insertPage(doc('between'), { at: 1 });
    await editor.insertPage(page, { into: parent, order });
    const restored = (await titles(editor)).join();
    expect(['a,between,b,c', 'a,b,between,c']).toContain(restored);
    await editor.deletePage('b');
    await editor.deletePage((await open((await editor.finish()).root).findPageByPath('between'))?.id ?? '');
    await editor.insertPage(page, { into: parent, order });
    expect((await editor.finish()).root).toBe(root);
  });

  it('tells what changed', async () => {
    const first = edit();
    for (const id of ['a', 'b', 'c', 'd']) await first.insertPage(doc(id, { id }));
    await first.insertPage(doc('below', { id: 'below' }), { into: 'c' });
    const { root } = await first.finish();
    const editor = edit(root, LATER);
    await editor.updatePage('a', { title: 'A!', document: 'other' });
    await editor.deletePage('b');
    await editor.movePage('c', { at: 0 });
    await editor.insertPage(doc('e', { id: 'e' }));
    await editor.putFile(file('f', 'x.png'));
    const { changes } = await editor.finish();
    expect(changes.pages.map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'updated'],
      ['b', 'deleted'],
      ['c', 'moved'],
      ['e', 'created'],
    ]);
    expect(changes.files).toEqual([{ kind: 'created', id: 'f', after: file('f', 'x.png') }]);
    expect(changes.pages[0]?.after?.updatedAt).toBe(LATER.toISOString());
  });

  it('keeps files in the order of their names, and reusable contents', async () => {
    const editor = edit();
    for (const [id, name] of [
      ['1', 'b.png'],
      ['2', 'A/c.png'],
      ['3', 'B.png'],
      ['4', 'z'],
    ] as const) {
      await editor.putFile(file(id, name));
    }
    await editor.putFile(file('4', 'Aa'));
    await editor.removeFile('1');
    editor.putReusableContent({ id: 'r', title: 'R', document: 'key' });
    await expect(editor.removeFile('1')).rejects.toEqual(refusal('missing', 'file'));
    await expect(editor.putFile(file('5', ''))).rejects.toEqual(refusal('invalid', 'name'));
    const tree = open((await editor.finish()).root);
    expect((await tree.files()).map(({ name }) => name)).toEqual(['A/c.png', 'Aa', 'B.png']);
    const page = await tree.files(2);
    expect(page.map(({ name }) => name)).toEqual(['A/c.png', 'Aa']);
    expect((await tree.files(2, page[1])).map(({ name }) => name)).toEqual(['B.png']);
    expect(await tree.counts()).toEqual({ pages: 0, files: 3, reusableContents: 1 });
    expect(await tree.reusableContents()).toEqual([{ id: 'r', title: 'R', document: 'key' }]);
  });

  it('inherits the flags against indexing', async () => {
    const editor = edit();
    await editor.insertPage({ kind: 'link', title: 'l', target: { kind: 'url', url: 'https://x.test' } });
    await editor.insertPage({ kind: 'group', title: 'g', id: 'g', noIndex: true });
    await editor.insertPage(doc('d', { id: 'd', noRobotsIndex: true, hidden: true }), { into: 'g' });
    await editor.insertPage(doc('e', { id: 'e' }), { into: 'd' });
    const tree = open((await editor.finish()).root);
    const page = await tree.findPageByPath('G/D/e');
    expect(page && (await tree.place(page))).toMatchObject({
      path: 'g/d/e',
      noIndex: true,
      noRobotsIndex: true,
      depth: 3,
    });
    expect((await tree.tree()).byId.get('d')).toMatchObject({ noIndex: true, noRobotsIndex: true, path: 'g/d' });
    expect((await tree.tree()).landing).toBe('d');
    for (const path of ['', '/', 'g/', 'g//d', 'x', 'g/d/e/f', '__proto__', 'g/'.repeat(500)]) {
      expect(await tree.findPageByPath(path)).toBeNull();
    }
  });
});

describe('TreeEditor, against a plain tree', () => {
  interface Model {
    parent: string | null;
    title: string;
  }
  const nat = fc.nat(1000);
  const title = fc.constantFrom('Page', 'page', 'Page 1', 'Other', 'Über');
  const command = fc.oneof(
    fc.record({ do: fc.constant('insert' as const), into: nat, at: fc.option(nat), title }),
    fc.record({
      do: fc.constant('update' as const),
      page: nat,
      title,
      slug: fc.option(fc.constantFrom('page', 'page-2', 'x')),
    }),
    fc.record({ do: fc.constant('move' as const), page: nat, into: fc.option(nat), at: fc.option(nat) }),
    fc.record({ do: fc.constant('delete' as const), page: nat }),
    fc.record({ do: fc.constant('finish' as const) }),
  );

  type Step = typeof command extends fc.Arbitrary<infer T> ? T : never;

  class Plain {
    readonly pages = new Map<string, Model>();
    readonly order = new Map<string | null, string[]>([[null, []]]);

    children(parent: string | null): string[] {
      const known = this.order.get(parent) ?? [];
      this.order.set(parent, known);
      return known;
    }
    put(id: string, title: string, parent: string | null, at: number | undefined): void {
      this.pages.set(id, { parent, title });
      this.children(parent).splice(at ?? Infinity, 0, id);
    }
    take(id: string): void {
      const siblings = this.children(this.pages.get(id)?.parent ?? null);
      siblings.splice(siblings.indexOf(id), 1);
    }
    drop(id: string): void {
      for (const child of [...this.children(id)]) this.drop(child);
      this.take(id);
      this.pages.delete(id);
    }
  }

  const pick = (plain: Plain, number: number): string => [...plain.pages.keys()][number % plain.pages.size] ?? 'none';
  const pickParent = (plain: Plain, number: number): string | null => (number % 4 === 0 ? null : pick(plain, number));

  async function apply(editor: TreeEditor, plain: Plain, step: Step, id: string): Promise<void> {
    if (step.do === 'insert') {
      const into = plain.pages.size === 0 ? null : pickParent(plain, step.into);
      await editor.insertPage(doc(step.title, { id }), { into, at: step.at ?? undefined });
      plain.put(id, step.title, into, step.at ?? undefined);
    } else if (step.do === 'update') {
      const page = pick(plain, step.page);
      await editor.updatePage(page, { title: step.title, slug: step.slug ?? undefined });
      const model = plain.pages.get(page);
      if (model) model.title = step.title;
    } else if (step.do === 'move') {
      const page = pick(plain, step.page);
      const into = step.into === null ? undefined : pickParent(plain, step.into);
      const at = step.at ?? undefined;
      const { parent } = await editor.movePage(page, { into, at });
      const model = plain.pages.get(page);
      if (model && (parent !== model.parent || at !== undefined)) {
        plain.take(page);
        plain.put(page, model.title, parent, at);
      }
    } else if (step.do === 'delete') {
      const page = pick(plain, step.page);
      await editor.deletePage(page);
      plain.drop(page);
    }
  }

  function shape(plain: Plain, parent: string | null): unknown[] {
    return plain.children(parent).map((id) => [id, plain.pages.get(id)?.title, shape(plain, id)]);
  }
  const shapeOf = (pages: readonly TreePage[]): unknown[] =>
    pages.map(({ node, pages }) => [node.id, node.title, shapeOf(pages)]);

  async function check(tree: ContentTree, plain: Plain): Promise<void> {
    const { pages, byId } = await tree.tree();
    expect(shapeOf(pages)).toEqual(shape(plain, null));
    expect((await tree.counts()).pages).toBe(plain.pages.size);
    const paths = new Set<string>();
    for (const page of byId.values()) {
      paths.add(page.path ?? '');
      expect((await tree.findPageByPath(page.path ?? ''))?.id).toBe(page.node.id);
      expect((await tree.place(page.node)).path).toBe(page.path);
      expect(await tree.findTreePage(page.node.id)).toEqual(page);
    }
    expect(paths.size).toBe(plain.pages.size);
  }

  it('never loses a page, repeats a slug or makes a cycle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 80 }), async (steps) => {
        const plain = new Plain();
        let editor = edit();
        for (const [index, step] of steps.entries()) {
          try {
            await apply(editor, plain, step, `page${index}`);
          } catch (error) {
            if (!(error instanceof ContentError)) throw error;
            expect(['taken', 'cycle', 'missing', 'limit']).toContain(error.reason);
          }
          if (step.do === 'finish') {
            const { root } = await editor.finish();
            await check(open(root), plain);
            editor = edit(root);
          }
        }
        await check(open((await editor.finish()).root), plain);
      }),
      { numRuns: 200 },
    );
  });

  it('takes ten thousand pages in one go', async () => {
    const editor = edit();
    const groups: PageNode[] = [];
    for (let group = 0; group < 100; group++) {
      groups.push(await editor.insertPage({ kind: 'group', title: `Group ${group}` }));
      for (let page = 0; page < 99; page++) await editor.insertPage(doc('Untitled'), { into: groups[group]?.id });
    }
    const { root, changes } = await editor.finish();
    expect(changes.pages).toHaveLength(10_000);
    expect(await open(root).findPageByPath('group-7/untitled-98')).not.toBeNull();
    const second = edit(root);
    await second.updatePage(groups[50]?.id ?? '', { title: 'Renamed' });
    const renamed = await second.finish();
    expect(renamed.chunks).toBeLessThanOrEqual(8);
    expect(renamed.changes.pages).toHaveLength(1);
    expect(await open(renamed.root).findPageByPath('renamed/untitled-98')).not.toBeNull();
  });
});
