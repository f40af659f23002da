import { toSlug } from '../../common/slugs.js';
import { ContentError } from '../content-error.js';
import { asId, asPage, hasPath, linksKey, pageKey, PAGES, slugEntryKey, type PageNode } from '../entries.js';
import { sameJson } from '../json.js';
import { MAX_PAGES } from '../rules.js';
import { Siblings } from '../siblings.js';
import { PlaceMerge } from './place-merge.js';
import type { TreeParts } from './tree-parts.js';
import { findDeep, findMisplaced } from './tree-rules.js';

/**
 * Puts the pages as decided into one tree: unique slugs, unique places, no page under itself, no more than 32 levels.
 * What cannot be had is a conflict.
 */
export class TreeMerge {
  private readonly siblings: Siblings;
  /** Pages that are not as primary content has them, by id. */
  private readonly changed = new Map<string, PageNode>();

  constructor(private readonly parts: TreeParts) {
    this.siblings = new Siblings(parts.draft);
  }

  /** Enters the result into the draft. @throws ContentError (`limit`) for more than 50,000 pages. */
  async run(): Promise<void> {
    const { decisions, draft, conflicts } = this.parts;
    this.clear();
    const misplaced = await findMisplaced(this.parts);
    for (const id of misplaced) conflicts.add({ item: { page: id }, kind: 'position' });
    // which slugs and places are free is a question only in a tree
    if (misplaced.size > 0) return;
    await this.giveSlugs();
    await new PlaceMerge(this.parts, this.siblings).link(this.changed);
    for (const id of await findDeep(this.parts, this.siblings)) conflicts.add({ item: { page: id }, kind: 'position' });
    const created = [...decisions.keys()].some((id) => this.parts.sides.pages.get(id)?.base === null);
    if (created && (await (await draft.applied()).count(PAGES)) > MAX_PAGES) {
      throw new ContentError('limit', `A space holds at most ${MAX_PAGES} pages, and both sides together have more`);
    }
  }

  /** Takes the pages that change out of their places; those that go, altogether. */
  private clear(): void {
    const { decisions, sides, draft } = this.parts;
    for (const [id, { node, placedBy }] of decisions) {
      const present = sides.pages.get(id)?.theirs ?? null;
      // the same order key of both sides can mean different places: what ours placed is always put there anew
      if (placedBy === 'theirs' && sameJson(node ?? undefined, present ?? undefined)) continue;
      if (present !== null) this.siblings.unlink(present);
      draft.set(pageKey(id), node ?? undefined);
      if (node === null) draft.set(linksKey(id), undefined);
      else this.changed.set(id, node);
    }
  }

  /** First the slugs that were set by hand, then those that follow titles and can be numbered. */
  private async giveSlugs(): Promise<void> {
    const nodes = [...this.changed.values()].filter(({ kind }) => hasPath(kind)).sort(byOrder);
    for (const node of nodes.filter(({ slugSet }) => slugSet === true)) await this.claim(node);
    for (const node of nodes) {
      if (this.changed.get(node.id)?.slugSet !== true) await this.derive(node);
    }
  }

  private async claim(node: PageNode): Promise<void> {
    const { draft, conflicts } = this.parts;
    const key = slugEntryKey(node.parent, node.slug ?? '');
    const owner = asId(await draft.get(key));
    if (owner === null) {
      draft.set(key, node.id);
      return;
    }
    const holder = this.changed.get(owner) ?? asPage(await draft.get(pageKey(owner)));
    if (holder === null) throw new Error('A slug belongs to no page');
    if (holder.slugSet !== true) {
      draft.set(key, node.id);
      await this.renumber(holder);
    } else if (this.isSettled(node) || this.isSettled(holder)) {
      // somebody chose, so one of them gives way
      this.changed.set(node.id, { ...node, slugSet: undefined });
    } else {
      // of the two, one may be as it always was: then only the other was moved to it by one side and named by the other
      for (const page of [node.id, owner].filter((id) => this.parts.sides.pages.has(id))) {
        conflicts.add({ item: { page }, kind: 'property', property: 'slug' });
      }
    }
  }

  /** Whether a resolution names the page, or it lies elsewhere than on either side because of one. */
  private isSettled({ id, parent }: PageNode): boolean {
    const { resolutions, decisions, sides } = this.parts;
    const placedBy = decisions.get(id)?.placedBy ?? 'theirs';
    const versions = sides.pages.get(id);
    return resolutions.has(id) || (versions !== undefined && versions[placedBy]?.parent !== parent);
  }

  /** Gives a page that did not change, and whose slug somebody set by hand for another, the next free one. */
  private async renumber(node: PageNode): Promise<void> {
    const slug = await this.siblings.freeSlug(node.parent, toSlug(node.title), node.id);
    const after = { ...node, slug, updatedAt: this.parts.now };
    this.parts.draft.set(pageKey(node.id), after);
    this.parts.draft.set(slugEntryKey(node.parent, slug), node.id);
  }

  private async derive(node: PageNode): Promise<void> {
    const { parent, id, title } = node;
    const own = node.slug ?? toSlug(title);
    const isFree = await this.siblings.isSlugFree(parent, own, id);
    const slug = isFree ? own : await this.siblings.freeSlug(parent, toSlug(title), id);
    const { slugSet: _, ...rest } = this.changed.get(id) ?? node;
    this.changed.set(id, { ...rest, slug, ...(slug !== node.slug && { updatedAt: this.parts.now }) });
    this.parts.draft.set(slugEntryKey(parent, slug), id);
  }
}

/** The same order whatever was changed first: by place, then by id. */
function byOrder(a: PageNode, b: PageNode): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
