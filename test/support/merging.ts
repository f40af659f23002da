import { MemoryTexts } from './content-scripts.js';
import { ChunkMap } from '../../src/revisions/chunk-map.js';
import { ContentTree } from '../../src/revisions/content-tree.js';
import { MemoryChunkStore } from '../../src/revisions/memory-chunk-store.js';
import type { TreePage } from '../../src/revisions/page-tree.js';
import { TreeEditor, type PageDraft } from '../../src/revisions/tree-editor.js';
import { mergeContent, type MergeResult, type Resolution } from '../../src/revisions/merge/index.js';

/** The organization of all merges. */
export const SCOPE = 'one';
/** A day of January 2026. */
export const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
/** When merges are made. */
export const NOW = day(9);
/** Where all chunks are. */
export const store = new MemoryChunkStore();
/** Where all texts are. */
export const texts = new MemoryTexts();
/** Content without anything. */
export const EMPTY = store.empty(SCOPE);

/** Does something to content. */
export type Edit = (editor: TreeEditor) => Promise<unknown>;
/** A document page whose text is its id. */
export const doc = (id: string, more: Partial<PageDraft> = {}): PageDraft => ({
  id,
  kind: 'document',
  title: id,
  document: texts.put(`${id}\n`),
  ...more,
});
/** Gives a page another text. */
export const write = (editor: TreeEditor, id: string, markdown: string): Promise<unknown> =>
  editor.updatePage(id, { document: texts.put(markdown) });

/** What `edit` makes of the content `root`. */
export async function edited(root: string, now: Date, edit: Edit): Promise<string> {
  const editor = new TreeEditor(store, SCOPE, root, now);
  await edit(editor);
  return (await editor.finish()).root;
}

/** Merges what `ours` and `theirs` made of `base`. */
export async function merge(
  base: Edit,
  ours: Edit,
  theirs: Edit,
  resolutions?: readonly Resolution[],
): Promise<MergeResult> {
  const root = await edited(EMPTY, day(1), base);
  const sides = { ours: await edited(root, day(2), ours), theirs: await edited(root, day(3), theirs) };
  return mergeContent({ store, texts, scope: SCOPE, now: NOW }, { base: root, ...sides, resolutions });
}

/** The pages as a text: `a(b c) d`. */
export async function outline({ root, conflicts }: MergeResult): Promise<string> {
  if (root === undefined) return JSON.stringify(conflicts);
  const show = (pages: readonly TreePage[]): string =>
    pages.map(({ node, pages: below }) => node.id + (below.length > 0 ? `(${show(below)})` : '')).join(' ');
  return show((await new ContentTree(new ChunkMap(store, root)).tree()).pages);
}

/** A page of the result, with its text. */
export async function page({ root }: MergeResult, id: string): Promise<unknown> {
  const found = root === undefined ? null : await new ContentTree(new ChunkMap(store, root)).findPage(id);
  return found && { ...found, ...(found.document !== undefined && { document: texts.get(found.document) }) };
}

/** Inserts pages. */
export const pages =
  (...ids: string[]): Edit =>
  async (editor) => {
    for (const id of ids) await editor.insertPage(doc(id));
  };
/** Moves a page. */
export const move =
  (id: string, at: number, into?: string | null): Edit =>
  (editor) =>
    editor.movePage(id, { at, ...(into !== undefined && { into }) });
/** Inserts pages at a place. */
export const inserted =
  (at: number, ...ids: string[]): Edit =>
  async (editor) => {
    for (const [index, id] of ids.entries()) await editor.insertPage(doc(id), { at: at + index });
  };
