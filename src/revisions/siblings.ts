import { numberedSlug } from '../common/slugs.js';
import { ContentError } from './content-error.js';
import { asId, asPage, childRange, orderEntryKey, pageKey, slugEntryKey, type PageNode } from './entries.js';
import type { MapDraft } from './map-draft.js';
import { freshOrderKeys, isOrderKey, MAX_ORDER_KEY, orderKeyBetween } from '../common/order-keys.js';

/** Where a page goes among its siblings; at the end when nothing is said. */
export interface Position {
  /** How many siblings stand before it; beyond their number is the end. */
  readonly at?: number;
  /** The order key it had elsewhere: kept when free among the siblings, else the place right behind. */
  readonly order?: string;
}

/** Checks a position. @throws ContentError (`invalid`) */
export function checkPosition({ at, order }: Position): void {
  if (order !== undefined && !isOrderKey(order)) throw new ContentError('invalid', 'Not an order key', 'order');
  if (at !== undefined && (!Number.isSafeInteger(at) || at < 0)) {
    throw new ContentError('invalid', '`at` is a whole number from 0', 'at');
  }
}

/** Gives pages of one draft their places and slugs among their siblings. */
export class Siblings {
  /** Ids of the pages that were entered or replaced. */
  readonly touched = new Set<string>();
  /** The last order key of a parent, where it is known. */
  private readonly last = new Map<string | null, string | null>();
  /** Up to which number the numbered forms of a slug are known to be taken. */
  private readonly numbers = new Map<string, number>();

  constructor(private readonly draft: MapDraft) {}

  /** Enters `page`, and its place and slug under its parent. */
  link(page: PageNode): void {
    this.touched.add(page.id);
    this.draft.set(pageKey(page.id), page);
    this.draft.set(orderEntryKey(page.parent, page.order), page.id);
    if (page.slug !== undefined) this.draft.set(slugEntryKey(page.parent, page.slug), page.id);
    const last = this.last.get(page.parent);
    if (last === null || (last !== undefined && last < page.order)) this.last.set(page.parent, page.order);
  }

  /** Enters `page` that was not there before, so that nothing lies under it. */
  linkNew(page: PageNode): void {
    this.link(page);
    this.last.set(page.id, null);
  }

  /** Replaces `before` by `after`, which has the same place. */
  replace(before: PageNode, after: PageNode): void {
    this.touched.add(after.id);
    this.draft.set(pageKey(after.id), after);
    if (before.slug === after.slug) return;
    if (before.slug !== undefined) this.draft.set(slugEntryKey(before.parent, before.slug), undefined);
    if (after.slug !== undefined) this.draft.set(slugEntryKey(after.parent, after.slug), after.id);
  }

  /** Takes `page` out from under its parent; its own entry stays. */
  unlink(page: PageNode): void {
    this.draft.set(orderEntryKey(page.parent, page.order), undefined);
    if (page.slug !== undefined) this.draft.set(slugEntryKey(page.parent, page.slug), undefined);
    if (this.last.get(page.parent) === page.order) this.last.delete(page.parent);
  }

  /**
   * The order key for a page that goes under `parent`; the page itself must not be linked there. `current` is kept
   * when it already means that place. May give all siblings new keys.
   */
  async place(parent: string | null, { at, order }: Position, current?: string): Promise<string> {
    if (order !== undefined && (await this.isFree(orderEntryKey(parent, order)))) return order;
    for (;;) {
      const [before, after] = await this.neighbours(parent, { at, order });
      if (current !== undefined && (before === null || before < current) && (after === null || current < after)) {
        return current;
      }
      const key = orderKeyBetween(before, after);
      if (key.length <= MAX_ORDER_KEY) return key;
      await this.respace(parent);
    }
  }

  /**
   * The first of `slug`, `slug-1`, `slug-2` … that no sibling other than `self` has. With very many of them, one that
   * is free, found in a few steps.
   */
  async freeSlug(parent: string | null, slug: string, self?: string): Promise<string> {
    if (await this.isSlugFree(parent, slug, self)) return slug;
    const memo = slugEntryKey(parent, slug);
    const isFree = (number: number): Promise<boolean> => this.isSlugFree(parent, numberedSlug(slug, number), self);
    let taken = this.numbers.get(memo) ?? 0;
    let free = taken + 1;
    for (let step = 1; !(await isFree(free)); step *= 2) {
      taken = free;
      free += step;
    }
    while (free - taken > 1) {
      const middle = (taken + free) >>> 1;
      if (await isFree(middle)) free = middle;
      else taken = middle;
    }
    this.numbers.set(memo, taken);
    return numberedSlug(slug, free);
  }

  /** Whether no sibling other than `self` has `slug`. */
  async isSlugFree(parent: string | null, slug: string, self?: string): Promise<boolean> {
    const owner = asId(await this.draft.get(slugEntryKey(parent, slug)));
    return owner === null || owner === self;
  }

  /** Ids of the pages under `parent`, in order. */
  async ids(parent: string): Promise<string[]> {
    const map = await this.draft.applied();
    return (await map.scan(childRange(parent))).flatMap(({ value }) => asId(value) ?? []);
  }

  private async isFree(key: string): Promise<boolean> {
    return (await this.draft.get(key)) === undefined;
  }

  /** The order keys between which the position lies. */
  private async neighbours(parent: string | null, { at, order }: Position): Promise<[string | null, string | null]> {
    if (at === undefined && order === undefined) return [await this.lastOrder(parent), null];
    const map = await this.draft.applied();
    const range = childRange(parent);
    const first = await map.rank(range.from);
    const count = (await map.rank(range.to)) - first;
    const behind = order === undefined ? (at ?? count) : (await map.rank(`${orderEntryKey(parent, order)}\0`)) - first;
    const index = Math.min(behind, count);
    const key = async (sibling: number): Promise<string | null> => {
      const entry = sibling < 0 || sibling >= count ? undefined : await map.at(first + sibling);
      return entry === undefined ? null : entry.key.slice(range.from.length);
    };
    return [await key(index - 1), await key(index)];
  }

  private async lastOrder(parent: string | null): Promise<string | null> {
    const known = this.last.get(parent);
    if (known !== undefined) return known;
    const map = await this.draft.applied();
    const range = childRange(parent);
    const entry = await map.at((await map.rank(range.to)) - 1);
    const last = entry !== undefined && entry.key >= range.from ? entry.key.slice(range.from.length) : null;
    this.last.set(parent, last);
    return last;
  }

  /** Gives all pages under `parent` new order keys, as short as they come. */
  private async respace(parent: string | null): Promise<void> {
    const map = await this.draft.applied();
    const places = await map.scan(childRange(parent));
    const nodes = await map.getMany(places.map(({ value }) => pageKey(asId(value) ?? '')));
    for (const { key } of places) this.draft.set(key, undefined);
    const keys = freshOrderKeys(places.length);
    for (const [index, { value }] of places.entries()) {
      const node = asPage(nodes.get(pageKey(asId(value) ?? '')));
      const order = keys[index];
      if (node === null || order === undefined) throw new Error('An order entry points to no page');
      this.draft.set(pageKey(node.id), { ...node, order });
      this.draft.set(orderEntryKey(parent, order), node.id);
    }
    this.last.delete(parent);
  }
}
