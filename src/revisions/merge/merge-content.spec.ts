import {
  day,
  doc,
  type Edit,
  merge,
  move,
  NOW,
  outline,
  page,
  pages,
  SCOPE,
  store,
  texts,
  write,
} from '../../../test/support/merging.js';
import { ChunkMap } from '../chunk-map.js';
import { ContentTree } from '../content-tree.js';
import { MemoryChunkStore } from '../memory-chunk-store.js';
import { TreeEditor, type PageDraft } from '../tree-editor.js';
import { mergeContent, type MergeResult, type Resolution } from './index.js';
import { measure } from '../../../test/support/spent.js';

const refusal = (reason: string): unknown => expect.objectContaining({ reason, property: 'resolutions' });

describe('mergeContent', () => {
  it('takes each property from the side that changed it', async () => {
    const merged = await merge(
      pages('a'),
      (editor) => editor.updatePage('a', { title: 'New', emoji: '1f600', hidden: true }),
      (editor) => editor.updatePage('a', { description: 'What it is', hidden: true, document: texts.put('# Text\n') }),
    );
    expect(await page(merged, 'a')).toMatchObject({
      title: 'New',
      slug: 'new',
      emoji: '1f600',
      description: 'What it is',
      hidden: true,
      document: '# Text\n',
      createdAt: day(1).toISOString(),
      updatedAt: day(3).toISOString(),
    });
    expect(merged.root !== undefined && merged.changes.pages.map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'updated'],
    ]);
  });

  it('names what was set differently, and does not name the slug that follows a title', async () => {
    const merged = await merge(
      pages('a'),
      (editor) => editor.updatePage('a', { title: 'Ours', emoji: '1f600', hidden: true }),
      (editor) => editor.updatePage('a', { title: 'Theirs', emoji: '1f601' }),
    );
    expect(merged.conflicts).toEqual([
      { page: 'a', path: 'theirs', kind: 'property', property: 'emoji', base: null, ours: '1f600', theirs: '1f601' },
      { page: 'a', path: 'theirs', kind: 'property', property: 'title', base: 'a', ours: 'Ours', theirs: 'Theirs' },
    ]);
  });

  it('merges texts line by line', async () => {
    const base: Edit = (editor) => editor.insertPage(doc('a', { document: texts.put('1\n2\n3\n') }));
    const merged = await merge(
      base,
      (editor) => write(editor, 'a', '0\n1\n2\n3\n'),
      (editor) => write(editor, 'a', '1\n2\n3\n4'),
    );
    expect(await page(merged, 'a')).toMatchObject({ document: '0\n1\n2\n3\n4', updatedAt: NOW.toISOString() });
    const conflict = await merge(
      base,
      (editor) => write(editor, 'a', '1\nx\n3\n'),
      (editor) => write(editor, 'a', '1\ny\n3\n'),
    );
    expect(conflict.conflicts).toEqual([
      { page: 'a', path: 'a', kind: 'text', base: '1\n2\n3\n', ours: '1\nx\n3\n', theirs: '1\ny\n3\n' },
    ]);
  });

  it('finds what one side deleted and the other edited, moved or built upon', async () => {
    const base: Edit = async (editor) => {
      await editor.insertPage(doc('a'));
      await editor.insertPage(doc('b'), { into: 'a' });
      await editor.insertPage(doc('c'));
    };
    const remove: Edit = (editor) => editor.deletePage('a');
    const conflict = { kind: 'deleted', base: 'b\n', ours: 'new\n' };
    const write_: Edit = (editor) => write(editor, 'b', 'new\n');
    expect((await merge(base, write_, remove)).conflicts).toEqual([{ page: 'b', path: 'a/b', ...conflict }]);
    expect((await merge(base, move('c', 0, 'b'), remove)).conflicts).toEqual([
      { page: 'b', path: 'a/b', kind: 'deleted', base: 'b\n', ours: 'b\n' },
    ]);
    expect((await merge(base, remove, move('b', 0, null))).conflicts).toEqual([
      { page: 'b', path: 'b', kind: 'deleted', base: 'b\n', theirs: 'b\n' },
    ]);
    expect(await outline(await merge(base, remove, (editor) => editor.deletePage('b')))).toBe('c');
  });

  it('settles a deletion by a side', async () => {
    const base: Edit = async (editor) => {
      await editor.insertPage(doc('a'));
      await editor.insertPage(doc('b'), { into: 'a' });
      await editor.insertPage(doc('below'), { into: 'b' });
      await editor.insertPage(doc('c'));
    };
    const remove: Edit = (editor) => editor.deletePage('a');
    const build = move('c', 0, 'b');
    const settle = (page: string, use: 'primary' | 'change-request'): Promise<MergeResult> =>
      merge(base, build, remove, [{ page, use }]);
    expect(await outline(await settle('b', 'change-request'))).toBe('b(c below)');
    expect(await outline(await settle('b', 'primary'))).toBe('c');
    await expect(settle('a', 'primary')).rejects.toEqual(refusal('invalid'));
    await expect(settle('__proto__', 'primary')).rejects.toEqual(refusal('invalid'));
  });

  it('settles a text by another text', async () => {
    const base: Edit = (editor) => editor.insertPage(doc('a', { document: texts.put('1\n') }));
    const sides = [
      async (editor: TreeEditor): Promise<void> => {
        await write(editor, 'a', '2\n');
        await editor.updatePage('a', { title: 'Ours' });
      },
      async (editor: TreeEditor): Promise<void> => {
        await write(editor, 'a', '3\n');
        await editor.updatePage('a', { title: 'Theirs' });
      },
    ] as const;
    const merged = await merge(base, ...sides, [{ page: 'a', document: { markdown: '2 and 3' } }]);
    expect(await page(merged, 'a')).toMatchObject({ title: 'Ours', slug: 'ours', document: '2 and 3' });
    const twice: Resolution[] = [
      { page: 'a', use: 'primary' },
      { page: 'a', use: 'primary' },
    ];
    await expect(merge(base, ...sides, twice)).rejects.toEqual(refusal('invalid'));
    await expect(merge(base, sides[0], pages('other'), twice.slice(1))).rejects.toEqual(refusal('invalid'));
    await expect(merge(base, sides[0], pages(), twice.slice(1))).rejects.toEqual(refusal('invalid'));
    const gone = merge(base, (editor) => editor.deletePage('a'), sides[1], [
      { page: 'a', document: { markdown: 'x' } },
    ]);
    await expect(gone).rejects.toEqual(refusal('invalid'));
  });

  it('keeps slugs unique', async () => {
    const insert =
      (id: string, more: Partial<PageDraft> = {}): Edit =>
      (editor) =>
        editor.insertPage(doc(id, { title: 'Same', ...more }));
    const derived = await merge(pages('a'), insert('o'), insert('t'));
    expect([await page(derived, 'o'), await page(derived, 't')]).toMatchObject([{ slug: 'same-1' }, { slug: 'same' }]);
    const byHand = await merge(pages('a'), insert('o', { slug: 'same', slugSet: true }), insert('t'));
    expect([await page(byHand, 'o'), await page(byHand, 't')]).toMatchObject([
      { slug: 'same', slugSet: true },
      { slug: 'same-1' },
    ]);
    const both: [Edit, Edit] = [insert('o', { slug: 'x', slugSet: true }), insert('t', { slug: 'x', slugSet: true })];
    expect((await merge(pages('a'), ...both)).conflicts).toEqual([
      { page: 'o', path: 'x', kind: 'property', property: 'slug', ours: 'x' },
      { page: 't', path: 'x', kind: 'property', property: 'slug', theirs: 'x' },
    ]);
    const settled = await merge(pages('a'), ...both, [{ page: 'o', use: 'change-request' }]);
    expect([await page(settled, 'o'), await page(settled, 't')]).toMatchObject([{ slug: 'same' }, { slug: 'x' }]);
  });

  it('finds a slug that one side set, where the other moved the page to one with that slug', async () => {
    const base: Edit = async (editor) => {
      await editor.insertPage(doc('a'));
      await editor.insertPage(doc('there', { slug: 'x', slugSet: true }), { into: 'a' });
      await editor.insertPage(doc('b'));
    };
    const sides = [move('b', 0, 'a'), (editor: TreeEditor) => editor.updatePage('b', { slug: 'x' })] as const;
    expect((await merge(base, ...sides)).conflicts).toEqual([
      { page: 'b', path: 'x', kind: 'property', property: 'slug', base: 'b', ours: 'b', theirs: 'x' },
    ]);
    expect(await outline(await merge(base, ...sides, [{ page: 'b', use: 'primary' }]))).toBe('a(there) b');
    expect(await outline(await merge(base, ...sides, [{ page: 'b', use: 'change-request' }]))).toBe('a(b there)');
  });

  it('merges files and reusable contents by id', async () => {
    const file = { id: 'f', name: 'a.png', contentType: 'image/png', size: 1, blob: 'x' };
    const content = { id: 'r', title: 'R', document: texts.put('1\n2\n3\n') };
    const base: Edit = async (editor) => {
      await editor.putFile(file);
      editor.putReusableContent(content);
    };
    const merged = await merge(
      base,
      async (editor) => {
        await editor.putFile({ ...file, name: 'b.png' });
        editor.putReusableContent({ ...content, document: texts.put('0\n1\n2\n3\n') });
      },
      async (editor) => {
        await editor.putFile({ ...file, blob: 'y', size: 2 });
        editor.putReusableContent({ ...content, title: 'New', document: texts.put('1\n2\n3\n4\n') });
      },
    );
    const tree = new ContentTree(new ChunkMap(store, merged.root ?? ''));
    expect(await tree.files()).toEqual([{ ...file, name: 'b.png', blob: 'y', size: 2 }]);
    expect(await tree.reusableContents()).toEqual([
      { ...content, title: 'New', document: texts.put('0\n1\n2\n3\n4\n') },
    ]);
    const [ours, theirs]: [Edit, Edit] = [
      async (editor) => {
        await editor.putFile({ ...file, name: 'b.png', blob: 'z' });
        await editor.removeReusableContent('r');
      },
      async (editor) => {
        await editor.putFile({ ...file, name: 'c.png', blob: 'y', size: 2 });
        editor.putReusableContent({ ...content, title: 'New' });
      },
    ];
    const image = { contentType: 'image/png', size: 1 };
    expect((await merge(base, ours, theirs)).conflicts).toEqual([
      {
        file: 'f',
        path: 'c.png',
        kind: 'property',
        property: 'content',
        base: image,
        ours: image,
        theirs: { ...image, size: 2 },
      },
      { file: 'f', path: 'c.png', kind: 'property', property: 'name', base: 'a.png', ours: 'b.png', theirs: 'c.png' },
      { reusableContent: 'r', path: 'New', kind: 'deleted', base: '1\n2\n3\n', theirs: '1\n2\n3\n' },
    ]);
    const settled = await merge(base, ours, theirs, [
      { file: 'f', use: 'change-request' },
      { reusableContent: 'r', use: 'change-request' },
    ]);
    const after = new ContentTree(new ChunkMap(store, settled.root ?? ''));
    expect([await after.files(), await after.reusableContents()]).toEqual([
      [{ ...file, name: 'b.png', blob: 'z' }],
      [],
    ]);
  });

  it('keeps what the addresses in a merged text mean', async () => {
    const base: Edit = async (editor) => {
      await editor.insertPage(doc('a', { document: texts.put('1\n2\n3\n') }));
      await pages('b', 'c')(editor);
    };
    const side =
      (markdown: string, address: string, target: string, path = 'a'): Edit =>
      async (editor) => {
        await write(editor, 'a', markdown);
        editor.setLinks('a', { path, to: { [address]: { page: target, path: target } } });
      };
    const linksOf = async ({ root, conflicts }: MergeResult): Promise<unknown> =>
      root === undefined
        ? conflicts.map(({ kind }) => kind)
        : Object.fromEntries(await new ContentTree(new ChunkMap(store, root)).findLinks(['a']));
    const [first, last] = ['0\n1\n2\n3\n', '1\n2\n3\n4\n'];
    expect(await linksOf(await merge(base, side(first, 'b', 'b'), side(last, '__proto__', 'c')))).toEqual({
      a: { path: 'a', to: { b: { page: 'b', path: 'b' }, ['__proto__']: { page: 'c', path: 'c' } } },
    });
    expect(await linksOf(await merge(base, side(first, 'b', 'b'), side(last, 'c', 'c', 'x/a')))).toEqual({
      a: { path: 'a', to: { b: { page: 'b', path: 'b' } } },
    });
    expect(await linksOf(await merge(base, side(first, 'b', 'b'), side(last, '/c', 'c', 'x/a')))).toEqual({
      a: { path: 'a', to: { b: { page: 'b', path: 'b' }, '/c': { page: 'c', path: 'c' } } },
    });
    expect(await linksOf(await merge(base, side(first, 'b', 'b'), side(last, 'b', 'c')))).toEqual(['text']);
  });
});

describe('the cost of a merge', () => {
  const CHANGES = 10;

  async function cost(count: number): Promise<{ reads: number; writes: number; seconds: number }> {
    const own = new MemoryChunkStore();
    const context = { store: own, texts, scope: SCOPE, now: NOW };
    const apply = async (root: string, edit: Edit): Promise<string> => {
      const editor = new TreeEditor(own, SCOPE, root, NOW);
      await edit(editor);
      return (await editor.finish()).root;
    };
    const base = await apply(own.empty(SCOPE), async (editor) => {
      for (let index = 0; index < count; index++) {
        const id = `p${index}`;
        await editor.insertPage(doc(id, { document: 'same' }), {
          into: index % 10 === 0 ? null : `p${index - (index % 10)}`,
        });
      }
    });
    const step = count / CHANGES;
    const ours = await apply(base, async (editor) => {
      for (let index = 0; index < CHANGES; index++) {
        await write(editor, `p${index * step}`, `ours ${index}`);
        await editor.movePage(`p${index * step + 1}`, { into: null, at: index });
      }
    });
    const theirs = await apply(base, async (editor) => {
      for (let index = 0; index < CHANGES; index++)
        await editor.updatePage(`p${index * step + 2}`, { title: `New ${index}` });
    });
    const before = { reads: own.reads, writes: own.chunks.size };
    const spent = measure();
    const { root } = await mergeContent(context, { base, ours, theirs });
    expect(root).toBeDefined();
    return {
      reads: own.reads - before.reads,
      writes: own.chunks.size - before.writes,
      seconds: spent(),
    };
  }

  it('grows with what changed, not with what is there', async () => {
    const [few, many] = [await cost(100), await cost(10_000)];
    expect(many.reads).toBeLessThan(3 * few.reads);
    expect(many.writes).toBeLessThan(4 * few.writes);
    expect(many.seconds).toBeLessThan(Math.max(20 * few.seconds, 2));
  });
});
