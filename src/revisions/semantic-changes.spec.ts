import { toChanges } from './changes.js';
import { diffMaps } from './chunk-diff.js';
import { ChunkMap } from './chunk-map.js';
import { ContentTree } from './content-tree.js';
import { MemoryChunkStore } from './memory-chunk-store.js';
import { semanticChanges, type SemanticChanges } from './semantic-changes.js';
import { TreeEditor, type PageDraft } from './tree-editor.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const store = new MemoryChunkStore();
const EMPTY = store.empty('one');
const open = (root: string): ContentTree => new ContentTree(new ChunkMap(store, root));
const doc = (id: string, more: Partial<PageDraft> = {}): PageDraft => ({
  id,
  kind: 'document',
  title: id,
  document: 'key',
  ...more,
});

async function edited(root: string, edit: (editor: TreeEditor) => Promise<unknown>): Promise<string> {
  const editor = new TreeEditor(store, 'one', root, NOW);
  await edit(editor);
  return (await editor.finish()).root;
}

async function between(before: string, after: string, limit = 100): Promise<SemanticChanges> {
  const changes = toChanges(await diffMaps(store, before, after));
  return semanticChanges(changes, { before: open(before), after: open(after) }, limit);
}

describe('semanticChanges', () => {
  it('tells of pages, files and reusable contents', async () => {
    const file = { id: 'file', name: 'a.png', contentType: 'image/png', size: 1, blob: 'x' };
    const content = { id: 'reusable', title: 'R', document: 'key' };
    const before = await edited(EMPTY, async (editor) => {
      await editor.insertPage(doc('a'));
      await editor.insertPage(doc('b'), { into: 'a' });
      await editor.insertPage(doc('gone'), { into: 'b' });
      await editor.insertPage({
        id: 'link',
        kind: 'link',
        title: 'Link',
        target: { kind: 'url', url: 'https://x.test' },
      });
      await editor.putFile(file);
      editor.putReusableContent(content);
    });
    const after = await edited(before, async (editor) => {
      await editor.deletePage('gone');
      await editor.updatePage('a', { title: 'New', emoji: '1f600' });
      await editor.updatePage('b', { document: 'other' });
      await editor.movePage('b', { into: null, at: 0 });
      await editor.movePage('link', { into: 'a' });
      await editor.insertPage(doc('c'), { into: 'a' });
      await editor.putFile({ ...file, name: 'b.png', blob: 'y', size: 2 });
      await editor.removeReusableContent('reusable');
    });
    const a = { id: 'a', type: 'document', title: 'New', path: 'new' };
    const b = { id: 'b', type: 'document', title: 'b', path: 'b' };
    expect(await between(before, after)).toEqual({
      changes: [
        {
          type: 'page_edited',
          page: a,
          attributes: {
            title: { before: 'a', after: 'New' },
            slug: { before: 'a', after: 'new' },
            emoji: { after: '1f600' },
          },
        },
        { type: 'page_edited', page: b, attributes: { document: { before: 'key', after: 'other' } } },
        { type: 'page_moved', page: b, parent: { before: { id: 'a', type: 'document', title: 'a', path: 'a' } } },
        { type: 'page_created', page: { id: 'c', type: 'document', title: 'c', path: 'new/c' } },
        { type: 'page_deleted', page: { id: 'gone', type: 'document', title: 'gone', path: 'a/b/gone' } },
        { type: 'page_moved', page: { id: 'link', type: 'link', title: 'Link' }, parent: { after: a } },
        {
          type: 'file_edited',
          file: { ...file, name: 'b.png', blob: 'y', size: 2 },
          before: file,
          attributes: { name: { before: 'a.png', after: 'b.png' }, size: { before: 1, after: 2 } },
        },
        { type: 'reusable_content_deleted', reusableContent: content },
      ],
    });
    const back = await between(after, before);
    expect(back.changes.map(({ type }) => type)).toContain('reusable_content_created');
    expect(await between(before, before)).toEqual({ changes: [] });
  });

  it('answers as many as asked for, and how many there are beyond', async () => {
    const root = await edited(EMPTY, async (editor) => {
      for (let index = 0; index < 30; index++) await editor.insertPage(doc(`p${index}`));
      await editor.putFile({ id: 'file', name: 'a', contentType: 'text/plain', size: 1, blob: 'x' });
    });
    const { changes, more } = await between(EMPTY, root, 10);
    expect([changes.length, more]).toEqual([10, 21]);
    expect(await between(EMPTY, root, 0)).toEqual({ changes: [], more: 31 });
    const last = await between(EMPTY, root, 31);
    expect(last.changes.at(-1)).toMatchObject({ type: 'file_created', file: { id: 'file' } });
    expect(last).not.toHaveProperty('more');
  });

  it('says nothing of pages below one that moved', async () => {
    const before = await edited(EMPTY, async (editor) => {
      await editor.insertPage(doc('a'));
      for (let index = 0; index < 20; index++) await editor.insertPage(doc(`p${index}`), { into: 'a' });
      await editor.insertPage(doc('b'));
    });
    const after = await edited(before, (editor) => editor.movePage('a', { into: 'b' }));
    const { changes } = await between(before, after);
    expect(changes).toEqual([
      {
        type: 'page_moved',
        page: { id: 'a', type: 'document', title: 'a', path: 'b/a' },
        parent: { after: { id: 'b', type: 'document', title: 'b', path: 'b' } },
      },
    ]);
  });
});
