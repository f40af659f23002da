import { newId } from '../common/ids.js';
import { toSlug } from '../common/slugs.js';
import { toChanges, type ContentChanges } from './changes.js';
import { diffMaps } from './chunk-diff.js';
import { ContentError } from './content-error.js';
import {
  asFile,
  asLinks,
  asPage,
  asReusable,
  fileKey,
  fileNameKey,
  FILES,
  hasPath,
  linksKey,
  pageKey,
  PAGES,
  reusableKey,
  type FileEntry,
  type PageLinks,
  type PageNode,
  type ReusableContent,
} from './entries.js';
import { sameJson, type Json } from './json.js';
import { pagesByPath, placedPages } from './lookups.js';
import { MapDraft, type ChunkStore } from './map-draft.js';
import type { TreePage } from './page-tree.js';
import { checkFile, checkPage, MAX_DEPTH, MAX_FILES, MAX_PAGES } from './rules.js';
import { checkPosition, Siblings, type Position } from './siblings.js';

/**
 * A page to insert. Without `id` it gets one. A given `slug` must be free and stays; with `slugSet: false` it is a wish
 * (a page that is brought back), and without `slug` one is made from the title: both are numbered when taken.
 */
export type PageDraft = Omit<PageNode, 'id' | 'parent' | 'order' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<PageNode, 'id' | 'createdAt' | 'updatedAt'>>;

/** Where a page goes. `into`: the parent, `null` for the top. */
export interface Place extends Position {
  readonly into?: string | null;
}

const PATCHED = [
  'title',
  'emoji',
  'icon',
  'description',
  'layout',
  'cover',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'document',
  'target',
  'href',
  'computed',
  'computedSeed',
  'git',
  'source',
] as const;
const FLAGS = ['slugSet', 'hidden', 'noIndex', 'noRobotsIndex'] as const;

/** What a page is called from now on; what is absent stays. */
export type PageName = { readonly title?: string; readonly slug?: string };

/** New values for a page; what is absent stays, `null` clears. A `slug` of `null` follows the title again. */
export type PagePatch = { readonly [K in (typeof PATCHED)[number] | 'slug']?: PageNode[K] | null };

/** What an editor leaves behind. */
export interface FinishedEdit {
  /** Content key of the new content; that of the old one when nothing changed. */
  readonly root: string;
  readonly changes: ContentChanges;
  /** How many chunks were written. */
  readonly chunks: number;
}

/**
 * Edits the content of a revision. Sees its own edits, keeps the rules, and writes immutable chunks only, in `finish`:
 * to drop an edit, drop the editor. Its calls must be awaited one after the other. Every refusal is a ContentError.
 */
export class TreeEditor {
  private readonly draft: MapDraft;
  private readonly siblings: Siblings;
  private readonly now: string;
  private readonly given = new Set<string>();
  private pages: number | null = null;
  private files: number | null = null;

  /** @param now the time of the changes */
  constructor(
    store: ChunkStore,
    scope: string,
    private readonly base: string,
    now: Date,
  ) {
    this.draft = new MapDraft(store, scope, base);
    this.siblings = new Siblings(this.draft);
    this.now = now.toISOString();
  }

  /** The page `id` as edited so far, if it is there. */
  async findPage(id: string): Promise<PageNode | null> {
    return asPage(await this.draft.get(pageKey(id)));
  }

  /** Ids of the pages that were inserted, changed or moved; some may be gone again, or as they were. */
  get touchedPages(): ReadonlySet<string> {
    return this.siblings.touched;
  }

  /** Ids of the pages whose links the edit has set by itself. */
  get givenLinks(): ReadonlySet<string> {
    return this.given;
  }

  /** The pages at `paths` (slugs joined with `/`, in lower case) as edited so far, by path, where there are any. */
  findPagesByPath(paths: readonly string[]): Promise<Map<string, PageNode>> {
    return pagesByPath((keys) => this.draft.getMany(keys), paths);
  }

  /** Those of the pages `ids` that are there as edited so far, with what they have from their places. */
  findPlaced(ids: readonly string[]): Promise<Map<string, TreePage>> {
    return placedPages((keys) => this.draft.getMany(keys), ids);
  }

  /** Inserts a page and answers it. */
  async insertPage(page: PageDraft, { into = null, ...position }: Place = {}): Promise<PageNode> {
    checkPosition(position);
    const id = page.id ?? newId();
    if ((await this.findPage(id)) !== null) throw new ContentError('taken', `The page ${id} is there already`, 'id');
    this.pages ??= await (await this.draft.applied()).count(PAGES);
    if (this.pages >= MAX_PAGES) throw new ContentError('limit', `A space holds at most ${MAX_PAGES} pages`);
    await this.checkParent(into, 1);
    const { createdAt = this.now, updatedAt = this.now } = page;
    const order = await this.siblings.place(into, position);
    const node = await this.withSlug({ ...page, id, parent: into, order, createdAt, updatedAt }, page.slugSet ?? true);
    checkPage(node);
    this.siblings.linkNew(node);
    this.pages++;
    return node;
  }

  /** Changes the page `id`, and answers it. Nothing happens when all values are as they were. */
  async updatePage(id: string, patch: PagePatch): Promise<PageNode> {
    const before = await this.page(id);
    const patched = patchedPage(before, patch);
    const after = await this.reslugged(before, patched, patch.slug);
    if (sameJson(before, after)) return before;
    const node = { ...after, updatedAt: this.now };
    checkPage(node);
    this.siblings.replace(before, node);
    return node;
  }

  /**
   * Moves the page `id` with all below it, and answers it. `into` absent: stays under its parent, and without a
   * position where it is. `at` counts the siblings without the page itself.
   */
  async movePage(id: string, { into, ...position }: Place, name: PageName = {}): Promise<PageNode> {
    checkPosition(position);
    const before = await this.page(id);
    const parent = into === undefined ? before.parent : into;
    if (parent === before.parent) return this.reorder(before, position);
    await this.checkMove(before, parent);
    const order = await this.siblings.place(parent, position);
    const moved = { ...named(before, name), parent, order, updatedAt: this.now };
    const node = await this.withSlug(moved, moved.slugSet === true);
    checkPage(node);
    this.siblings.unlink(before);
    this.siblings.link(node);
    return node;
  }

  /**
   * Makes the page `node.id` what `node` says, under `into`, at its order as far as that is free there, and answers it.
   * One that is not there is inserted, with its dates. A slug that is taken there is made anew from the title.
   */
  async restorePage(node: PageNode, into: string | null): Promise<PageNode> {
    const before = await this.findPage(node.id);
    const { slug, order } = node;
    const slugSet =
      node.slugSet === true && slug !== undefined && (await this.siblings.isSlugFree(into, slug, node.id));
    if (before === null) return this.insertPage({ ...node, slugSet }, { into, order });
    if (before.parent !== into) await this.checkMove(before, into);
    const named = await this.withSlug({ ...node, parent: into, createdAt: before.createdAt }, slugSet);
    checkPage(named);
    if (sameJson({ ...named, updatedAt: before.updatedAt }, before)) return before;
    this.siblings.unlink(before);
    const place = await this.siblings.place(into, { order });
    const restored = { ...named, order: place, updatedAt: this.now };
    this.siblings.link(restored);
    return restored;
  }

  /** Ids of the pages directly under `id` as edited so far, in order. */
  async childIds(id: string): Promise<string[]> {
    return this.siblings.ids(id);
  }

  /** Deletes the page `id` and all below it; answers what was deleted, the page itself first. */
  async deletePage(id: string): Promise<PageNode[]> {
    const deleted = [await this.page(id)];
    for (const node of deleted) {
      for (const child of await this.siblings.ids(node.id)) deleted.push(await this.page(child));
    }
    for (const node of deleted) {
      this.siblings.unlink(node);
      this.draft.set(pageKey(node.id), undefined);
      this.draft.set(linksKey(node.id), undefined);
    }
    if (this.pages !== null) this.pages -= deleted.length;
    return deleted;
  }

  /** What the addresses in the text of `page` mean, as edited so far; `null` when they lead nowhere in the space. */
  async findLinks(page: string): Promise<PageLinks | null> {
    return asLinks(await this.draft.get(linksKey(page)));
  }

  /** Says what the addresses in the text of `page` mean; `null`: they lead nowhere in the space. Wins over what they say. */
  setLinks(page: string, links: PageLinks | null): void {
    this.draft.set(linksKey(page), links ?? undefined);
    this.given.add(page);
  }

  /** The file `id` as edited so far, if it is there. */
  async findFile(id: string): Promise<FileEntry | null> {
    return asFile(await this.draft.get(fileKey(id)));
  }

  /** Adds `file`, or replaces the one with its id. */
  async putFile(file: FileEntry): Promise<void> {
    checkFile(file);
    const before = await this.findFile(file.id);
    this.files ??= await (await this.draft.applied()).count(FILES);
    if (before === null && this.files >= MAX_FILES) {
      throw new ContentError('limit', `A space holds at most ${MAX_FILES} files`);
    }
    if (before === null) this.files++;
    else this.draft.set(fileNameKey(before), undefined);
    this.draft.set(fileKey(file.id), file);
    this.draft.set(fileNameKey(file), file.id);
  }

  /** Removes the file `id`. */
  async removeFile(id: string): Promise<void> {
    const file = await this.findFile(id);
    if (file === null) throw new ContentError('missing', `There is no file ${id}`, 'file');
    this.draft.set(fileKey(id), undefined);
    this.draft.set(fileNameKey(file), undefined);
    if (this.files !== null) this.files--;
  }

  /** The reusable content `id` as edited so far, if it is there. */
  async findReusableContent(id: string): Promise<ReusableContent | null> {
    return asReusable(await this.draft.get(reusableKey(id)));
  }

  /** Adds `content`, or replaces the one with its id. */
  putReusableContent(content: ReusableContent): void {
    this.draft.set(reusableKey(content.id), content);
  }

  /** Removes the reusable content `id`. */
  async removeReusableContent(id: string): Promise<void> {
    if ((await this.draft.get(reusableKey(id))) === undefined) {
      throw new ContentError('missing', `There is no reusable content ${id}`);
    }
    this.draft.set(reusableKey(id), undefined);
  }

  /** Writes what the edits made. The editor can go on and finish again. */
  async finish(): Promise<FinishedEdit> {
    const { root, chunks } = await this.draft.save();
    return { root, chunks, changes: toChanges(await diffMaps(this.draft, this.base, root)) };
  }

  private async reorder(page: PageNode, position: Position): Promise<PageNode> {
    if (position.at === undefined && position.order === undefined) return page;
    this.siblings.unlink(page);
    const order = await this.siblings.place(page.parent, position, page.order);
    const node = order === page.order ? page : { ...page, order, updatedAt: this.now };
    this.siblings.link(node);
    return node;
  }

  private async page(id: string): Promise<PageNode> {
    const node = await this.findPage(id);
    if (node === null) throw new ContentError('missing', `There is no page ${id}`, 'page');
    return node;
  }

  /** `node` with the slug it gets under its parent: its own or one from its title; `isFixed`: only its own will do. */
  private async withSlug(node: PageNode, isFixed: boolean): Promise<PageNode> {
    const { slug, parent, id } = node;
    if (!hasPath(node.kind)) return normal({ ...node, slugSet: false });
    if (slug !== undefined) {
      if (await this.siblings.isSlugFree(parent, slug, id)) return normal({ ...node, slugSet: isFixed });
      if (isFixed) throw new ContentError('taken', `Another page there has the slug ${slug}`, 'slug');
    }
    const free = await this.siblings.freeSlug(parent, toSlug(node.title), id);
    return normal({ ...node, slug: free, slugSet: false });
  }

  private async reslugged(before: PageNode, after: PageNode, slug: string | null | undefined): Promise<PageNode> {
    if (typeof slug === 'string') return this.withSlug({ ...after, slug }, true);
    const follows = slug === null || (before.slugSet !== true && toSlug(before.title) !== toSlug(after.title));
    return follows ? this.withSlug({ ...after, slug: undefined }, false) : after;
  }

  private async checkMove(page: PageNode, into: string | null): Promise<void> {
    const above = await this.checkParent(into, 1);
    if (above.includes(page.id)) throw new ContentError('cycle', 'A page cannot lie under itself', 'into');
    const depthBefore = (await this.checkParent(page.parent, 0)).length;
    if (above.length <= depthBefore) return;
    const room = MAX_DEPTH - above.length;
    let level = [page.id];
    for (let height = 1; level.length > 0; height++) {
      if (height > room) throw tooDeep();
      const below: string[] = [];
      for (const id of level) below.push(...(await this.siblings.ids(id)));
      level = below;
    }
  }

  /** Checks that `height` levels of pages may lie under `parent`; answers the ids from it up to the top. */
  private async checkParent(parent: string | null, height: number): Promise<string[]> {
    const above: string[] = [];
    for (let id = parent; id !== null;) {
      const node: PageNode | null = await this.findPage(id);
      if (node === null) throw new ContentError('missing', `There is no page ${id}`, 'into');
      if (!hasPath(node.kind)) throw new ContentError('invalid', `A ${node.kind} page has no pages below it`, 'into');
      above.push(id);
      id = node.parent;
    }
    if (above.length + height > MAX_DEPTH) throw tooDeep();
    return above;
  }
}

function patchedPage(page: PageNode, patch: PagePatch): PageNode {
  const changed = PATCHED.filter((name) => patch[name] !== undefined).map(
    (name) => [name, patch[name] ?? undefined] as const,
  );
  return normal({ ...page, ...Object.fromEntries(changed) });
}

/** `page` by its new name: its slug is the given one, follows a title that is new, or stays. */
function named(page: PageNode, { title = page.title, slug }: PageName): PageNode {
  if (slug !== undefined) return { ...page, title, slug, slugSet: true };
  return page.slugSet === true || title === page.title ? { ...page, title } : { ...page, title, slug: undefined };
}

/** `page` without absent members and flags that are false, so that equal pages are written equally. */
function normal(page: PageNode): PageNode {
  const isNothing = (name: string, value: Json | undefined): boolean =>
    value === undefined || (value === false && FLAGS.some((flag) => flag === name));
  return Object.fromEntries(Object.entries(page).filter(([name, value]) => !isNothing(name, value))) as PageNode;
}

function tooDeep(): ContentError {
  return new ContentError('limit', `Pages lie at most ${MAX_DEPTH} deep`, 'into');
}
