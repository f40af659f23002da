import {
  ContentError,
  type ContentTree,
  type PageNode,
  type TreeEditor,
  type TreePage,
} from '../../revisions/index.js';
import type { RevertPageDto } from '../dto/page-changes.dto.js';
import type { Ground } from './ready-change.js';
import type { Touched } from './touched.js';

/**
 * Brings a page back to what it was in an earlier revision (decision B.5): added since, it is removed; deleted since, it
 * is restored with what lay below it; otherwise it gets back its text, its fields and its place.
 *
 * @throws ContentError when neither revision has the page.
 */
export async function revertPage(ground: Ground, change: RevertPageDto): Promise<Touched> {
  const { editor, earlier } = ground;
  const { page: id, revision } = change;
  const old = await earlier(revision);
  const [before, now] = [await old.findTreePage(id), await editor.findPage(id)];
  if (before === null) {
    if (now === null) throw new ContentError('missing', `There is no page ${id}, and there was none`, 'page');
    return removeAdded(editor, old, now);
  }
  if (now === null) {
    await restoreAll(ground, old, before);
    return { kind: 'created', page: id };
  }
  await restore(editor, old, before.node);
  // the same text goes on meaning what it means, as with every page that is moved
  if (now.document !== before.node.document) editor.setLinks(id, (await ground.meant(old, [id])).get(id) ?? null);
  return { kind: 'updated', page: id };
}

/** Removes `page`, which `old` does not have. Pages below it that `old` has go back to where they were. */
async function removeAdded(editor: TreeEditor, old: ContentTree, page: PageNode): Promise<Touched> {
  const added = [page.id];
  for (const id of added) {
    for (const child of await editor.childIds(id)) {
      const before = await old.findPage(child);
      if (before === null) added.push(child);
      else await putBack(editor, old, child, before);
    }
  }
  const [, ...below] = await editor.deletePage(page.id);
  return { kind: 'deleted', page: page.id, below: below.map(({ id }) => id) };
}

/** Restores a page that is not there, and the pages below it that are not there either. */
async function restoreAll({ editor, meant }: Ground, old: ContentTree, top: TreePage): Promise<void> {
  const pages = [top];
  for (const { pages: below } of pages) pages.push(...below);
  const links = await meant(
    old,
    pages.map(({ node }) => node.id),
  );
  for (const { node } of pages) {
    if ((await editor.findPage(node.id)) !== null) continue;
    await restore(editor, old, node);
    editor.setLinks(node.id, links.get(node.id) ?? null);
  }
}

/** Moves the page `id`, as it is now, to the place of `before`. */
async function putBack(editor: TreeEditor, old: ContentTree, id: string, before: PageNode): Promise<void> {
  const now = await editor.findPage(id);
  if (now) await editor.restorePage({ ...now, order: before.order }, await homeOf(editor, old, before));
}

async function restore(editor: TreeEditor, old: ContentTree, node: PageNode): Promise<void> {
  await editor.restorePage(node, await homeOf(editor, old, node));
}

/**
 * Where a page of `old` goes: under the nearest of the pages that were above it that is there and does not lie below the
 * page itself now; `null`: to the top.
 */
async function homeOf(editor: TreeEditor, old: ContentTree, page: PageNode): Promise<string | null> {
  const above = await old.ancestors(page);
  for (const { id } of above.reverse()) {
    if ((await editor.findPage(id)) !== null && !(await liesIn(editor, id, page.id))) return id;
  }
  return null;
}

/** Whether the page `id` is `root`, or lies somewhere below it. */
async function liesIn(editor: TreeEditor, id: string, root: string): Promise<boolean> {
  for (let at: string | null = id; at !== null;) {
    if (at === root) return true;
    const page: PageNode | null = await editor.findPage(at);
    at = page?.parent ?? null;
  }
  return false;
}
