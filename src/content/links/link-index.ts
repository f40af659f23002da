import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../common/batches-of.js';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Database, type Fields } from '../../database/index.js';
import {
  type ContentChange,
  type ContentChanges,
  type ContentTree,
  DocumentsService,
  type PageNode,
  type TreePage,
} from '../../revisions/index.js';
import { Link, LinkTargetRecord } from './link.schema.js';
import { readMeanings } from './meanings.js';
import { grouped, pairKey, pairsOf } from './pairs.js';
import {
  fileResource,
  linksOfPage,
  pageResource,
  type PageTargets,
  reusableResource,
  waitOf,
  waitOfPath,
} from './page-links.js';
import { withBelow } from './subtrees.js';
import { type TargetDelta, TargetDeltas } from './target-deltas.js';
import { TargetStatuses } from './target-status.js';

/** What is to be done to the link index. */
export interface LinkPlan {
  /** Pages whose links are to be read anew; some may be gone. */
  readonly pages: ReadonlySet<string>;
  /** Resources whose targets may have another status. */
  readonly resources: ReadonlySet<string>;
}

/** What the index holds of what is about to be written. */
export interface KnownLinks {
  /** Of the pages of the plan. */
  readonly links: readonly Fields<Link>[];
  /** Of its resources. */
  readonly targets: readonly Target[];
}

/** A target as a plain object. */
type Target = Fields<LinkTargetRecord>;

/** Pages, and resources, that {@link LinkIndex.known} reads at the most. */
const FEW = 10;
/** Pairs that are read in one query: each space is looked up with each page. */
const TOGETHER = 16;
/** Keys that one query names at the most. */
const BATCH = 500;
/** Pages, and links of them together, that are written in one transaction when much is written. */
const PART_PAGES = 200;
const PART_LINKS = 10_000;

/** What pages of primary content lead to. Writes join a surrounding transaction. */
@Injectable()
export class LinkIndex {
  private readonly linksOf: (pair: string) => Promise<Fields<Link>[] | null>;
  private readonly targetsOf: (pair: string) => Promise<Target[] | null>;

  constructor(
    @InjectModel(Link.name) private readonly links: Model<Fields<Link>>,
    @InjectModel(LinkTargetRecord.name) private readonly targets: Model<Fields<LinkTargetRecord>>,
    private readonly documents: DocumentsService,
    private readonly statuses: TargetStatuses,
    private readonly database: Database,
  ) {
    this.linksOf = database.gathered(async (keys) => {
      const [spaces, pages] = pairsOf(keys);
      const found = await database.find(links, { space: { $in: spaces }, page: { $in: pages } });
      return grouped(found, ({ space, page }) => pairKey(space, page));
    }, TOGETHER);
    this.targetsOf = database.gathered(async (keys) => {
      const [spaces, resources] = pairsOf(keys);
      const filter = { space: { $in: spaces }, resource: { $in: resources } };
      return grouped(await database.find(targets, filter), ({ space, resource }) => pairKey(space, resource));
    }, TOGETHER);
  }

  /** What `changes`, which lie between the contents `before` and `after` of `space`, mean for its link index. */
  async plan(space: string, before: ContentTree, after: ContentTree, changes: ContentChanges): Promise<LinkPlan> {
    const pages = new Set(changes.links.map(({ id }) => id));
    const resources = new Set<string>();
    for (const change of changes.pages) {
      if (leadsElsewhere(change)) pages.add(change.id);
      if (change.before?.document !== change.after?.document || isNewOrGone(change))
        resources.add(pageResource(change.id));
    }
    for (const change of changes.files.filter(isNewOrGone)) resources.add(fileResource(change.id));
    for (const change of changes.reusableContents.filter(isNewOrGone)) resources.add(reusableResource(change.id));
    const gone = [
      ...changes.pages.filter(({ after: left }) => !left).map(({ id }) => pageResource(id)),
      ...changes.files.filter(({ after: left }) => !left).map(({ id }) => fileResource(id)),
    ];
    for (const page of await this.leadingTo(space, gone)) pages.add(page);
    for (const page of await this.readAnew(space, before, after, changes)) pages.add(page);
    return { pages, resources };
  }

  /**
   * What {@link apply} replaces and looks at, read together with what others write at the moment; `undefined` where it is much.
   */
  async known(space: string, { pages, resources }: LinkPlan): Promise<KnownLinks | undefined> {
    if (pages.size > FEW || resources.size > FEW) return undefined;
    const [links, targets] = await Promise.all([
      Promise.all([...pages].map((page) => this.linksOf(pairKey(space, page)))),
      Promise.all([...resources].map((resource) => this.targetsOf(pairKey(space, resource)))),
    ]);
    return { links: links.flatMap((found) => found ?? []), targets: targets.flatMap((found) => found ?? []) };
  }

  /**
   * Writes the links of `pages` as they are in `tree`, and the statuses of all targets in `resources`.
   * @param known As it was read, where nothing of it was written in between; where it is not given, it is read now.
   */
  async apply(space: string, tree: ContentTree, { pages, resources }: LinkPlan, known?: KnownLinks): Promise<void> {
    const deltas = new TargetDeltas();
    for (const batch of batchesOf([...pages], BATCH)) {
      const old = known?.links ?? (await this.links.find({ space, page: { $in: batch } }).lean<Fields<Link>[]>());
      await this.replace(space, { tree, pages: batch, old }, deltas);
    }
    for (const batch of batchesOf(deltas.changed(), BATCH)) await this.applyDeltas(space, tree, batch);
    for (const batch of batchesOf([...resources], BATCH)) {
      const found = known?.targets ?? (await this.targets.find({ space, resource: { $in: batch } }).lean<Target[]>());
      await this.setStatuses(tree, found);
    }
  }

  /** `pages` of `tree` in parts that one transaction takes well; a page with very many links is a part of its own. */
  async *parts(tree: ContentTree, pages: Iterable<string>): AsyncGenerator<Set<string>> {
    for (const batch of batchesOf([...pages], PART_PAGES)) {
      const placed = await tree.findPlaced(batch);
      const outlines = await this.documents.outlines([...placed.values()].flatMap(({ node }) => node.document ?? []));
      let [part, links] = [new Set<string>(), 0];
      for (const page of batch) {
        const more = outlines.get(placed.get(page)?.node.document ?? '')?.links.length ?? 0;
        if (links + more > PART_LINKS && part.size > 0) {
          yield part;
          [part, links] = [new Set(), 0];
        }
        part.add(page);
        links += more;
      }
      yield part;
    }
  }

  /** Forgets all links of `space`. */
  async clear(space: string): Promise<void> {
    await this.links.deleteMany({ space });
    await this.targets.deleteMany({ space });
  }

  /** Forgets a part of a space that is purged, up to `limit` records; answers how many: fewer than `limit` at the end. */
  async purge(space: string, limit: number): Promise<number> {
    const links = await this.links.find({ space }, { _id: 1 }).limit(limit).lean<Pick<Link, '_id'>[]>();
    await this.links.deleteMany({ _id: { $in: links.map(({ _id }) => _id) } });
    if (links.length >= limit) return links.length;
    const targets = await this.targets
      .find({ space }, { _id: 1 })
      .limit(limit - links.length)
      .lean<Pick<LinkTargetRecord, '_id'>[]>();
    await this.targets.deleteMany({ _id: { $in: targets.map(({ _id }) => _id) } });
    return links.length + targets.length;
  }

  /** All that `pages`, which are in `tree`, lead to. */
  async read(space: string, tree: ContentTree, pages: readonly TreePage[]): Promise<Map<string, PageTargets>> {
    const outlines = await this.documents.outlines(pages.flatMap(({ node }) => node.document ?? []));
    const readers = pages.flatMap(({ node, path }) => {
      const urls = outlines.get(node.document ?? '')?.links.map(({ url }) => url) ?? [];
      return path === null || urls.length === 0 ? [] : [{ id: node.id, path, urls }];
    });
    const meanings = await readMeanings(tree, readers);
    const read = new Map<string, PageTargets>();
    for (const { node } of pages) {
      const [outline, own] = [outlines.get(node.document ?? ''), meanings.get(node.id)];
      read.set(node.id, linksOfPage(space, node, outline && own && { outline, meanings: own }));
    }
    return read;
  }

  /** Pages of `space` that lead to one of `resources`. */
  async leadingTo(space: string, resources: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const batch of batchesOf(resources, BATCH)) {
      for (const page of await this.links.distinct('page', { space, resource: { $in: batch } })) found.add(page);
    }
    return found;
  }

  /** Pages of `space` with addresses that are read by their words, and wait for one of `waits` or are of `pages`. */
  async waiting(
    space: string,
    waits: readonly string[],
    pages: () => Promise<readonly string[]>,
  ): Promise<Set<string>> {
    const found = new Set<string>();
    if ((await this.links.findOne({ space, waits: { $exists: true } }, { _id: 1 }).lean()) === null) return found;
    for (const batch of batchesOf(waits, BATCH)) {
      for (const page of await this.links.distinct('page', { space, waits: { $in: batch } })) found.add(page);
    }
    for (const batch of batchesOf(await pages(), BATCH)) {
      const filter = { space, page: { $in: batch }, waits: { $exists: true } };
      for (const page of await this.links.distinct('page', filter)) found.add(page);
    }
    return found;
  }

  /** Whether the index of `space` says what follows from `tree`: for checks of the whole. */
  async agrees(space: string, tree: ContentTree): Promise<boolean> {
    const { byId } = await tree.tree();
    const wanted = new TargetDeltas();
    let records = 0;
    for (const pages of batchesOf([...byId.values()], BATCH)) {
      const read = [...(await this.read(space, tree, pages)).values()];
      for (const page of read) for (const record of page.records) wanted.add(record, page.targets);
      const stored = await this.links
        .find({ space, page: { $in: pages.map(({ node }) => node.id) } })
        .lean<Fields<Link>[]>();
      const texts = new Set(stored.map(recordText));
      const expected = read.flatMap((page) => page.records);
      if (expected.length !== stored.length || !expected.every((record) => texts.has(recordText(record)))) return false;
      records += expected.length;
    }
    if ((await this.links.countDocuments({ space })) !== records) return false;
    return this.targetsAgree(space, tree, wanted.changed());
  }

  private async targetsAgree(space: string, tree: ContentTree, wanted: readonly TargetDelta[]): Promise<boolean> {
    for (const batch of batchesOf(wanted, BATCH)) {
      const ids = batch.map(({ key }) => `${space} ${key}`);
      const stored = await this.targets.find({ _id: { $in: ids } }).lean<LinkTargetRecord[]>();
      const byKey = new Map(stored.map((target) => [target.key, target]));
      const found = batch.flatMap(({ key, pages, needing }) => {
        const target = byKey.get(key);
        return target?.pages === pages && target.needing === needing ? [target] : [];
      });
      const statuses = await this.statuses.of(tree, found);
      if (found.length < batch.length || !found.every(({ status }, at) => status === statuses[at])) return false;
    }
    return (await this.targets.countDocuments({ space })) === wanted.length;
  }

  /** Pages whose addresses that are read by their words may mean something else after `changes`. */
  private async readAnew(
    space: string,
    before: ContentTree,
    after: ContentTree,
    changes: ContentChanges,
  ): Promise<Set<string>> {
    const moved = changes.pages.filter(isElsewhere).map(({ id }) => id);
    const waits = [
      ...moved.map((page) => waitOf({ page })),
      ...changes.files.filter(isNewOrGone).map(({ id }) => waitOf({ file: id })),
    ];
    for (const tree of [before, after]) {
      for (const { path } of (await tree.findPlaced(moved)).values()) if (path !== null) waits.push(waitOfPath(path));
    }
    if (waits.length === 0) return new Set();
    const kept = changes.pages.filter((change) => isElsewhere(change) && !isNewOrGone(change));
    return this.waiting(space, waits, () =>
      withBelow(
        after,
        kept.map(({ id }) => id),
      ),
    );
  }

  private async replace(
    space: string,
    { tree, pages, old }: { tree: ContentTree; pages: readonly string[]; old: readonly Fields<Link>[] },
    deltas: TargetDeltas,
  ): Promise<void> {
    const placed = await tree.findPlaced(pages);
    const read = await this.read(space, tree, [...placed.values()]);
    const wanted = new Map([...read.values()].flatMap(({ records }) => records.map((one) => [one._id, one] as const)));
    const gone = old.filter(({ _id }) => !wanted.has(_id));
    const same = new Set(old.map(recordText));
    const changed = [...wanted.values()].filter((record) => !same.has(recordText(record)));
    for (const record of old) deltas.remove(record);
    for (const { targets, records } of read.values()) {
      for (const record of records) deltas.add(record, targets);
    }
    for (const batch of batchesOf(gone, BATCH)) {
      await this.links.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
    }
    const known = new Set(old.map(({ _id }) => _id));
    const fresh = changed.filter(({ _id }) => !known.has(_id));
    await this.database.insert(this.links, fresh);
    const writes = changed
      .filter(({ _id }) => known.has(_id))
      .map((replacement) => ({ replaceOne: { filter: { _id: replacement._id }, replacement } }));
    if (writes.length > 0) await this.links.bulkWrite(writes);
  }

  /** Writes how many pages lead to each target; those that are new get their statuses. */
  private async applyDeltas(space: string, tree: ContentTree, deltas: readonly TargetDelta[]): Promise<void> {
    const ids = deltas.map(({ key }) => `${space} ${key}`);
    const stored = await this.targets.find({ _id: { $in: ids } }, { _id: 1 }).lean<{ _id: string }[]>();
    const known = new Set(stored.map(({ _id }) => _id));
    const isKnown = ({ key }: TargetDelta): boolean => known.has(`${space} ${key}`);
    const fresh = deltas.flatMap(({ ref, ...delta }) => (ref && !isKnown(delta) ? [{ ...delta, ref }] : []));
    const statuses = await this.statuses.of(tree, fresh);
    const made = fresh.map((delta, at) => ({
      ...delta,
      _id: `${space} ${delta.key}`,
      space,
      status: statuses[at] ?? 'broken',
    }));
    await this.database.insert(this.targets, made);
    const writes = deltas.filter(isKnown).map(({ key, pages, needing }) => ({
      updateOne: { filter: { _id: `${space} ${key}` }, update: { $inc: { pages, needing } } },
    }));
    if (writes.length > 0) await this.targets.bulkWrite(writes);
    const fewer = deltas.filter(({ pages }) => pages < 0).map(({ key }) => `${space} ${key}`);
    if (fewer.length > 0) await this.targets.deleteMany({ _id: { $in: fewer }, pages: { $lte: 0 } });
  }

  private async setStatuses(tree: ContentTree, targets: readonly Target[]): Promise<void> {
    const statuses = await this.statuses.of(tree, targets);
    const writes = targets.flatMap(({ _id, status }, index) => {
      const now = statuses[index];
      return now === undefined || now === status
        ? []
        : [{ updateOne: { filter: { _id }, update: { $set: { status: now } } } }];
    });
    if (writes.length > 0) await this.targets.bulkWrite(writes);
  }
}

function recordText({ _id, uses, waits }: Pick<Link, '_id' | 'uses' | 'waits'>): string {
  return JSON.stringify([_id, uses, waits]);
}

/** Whether something has come or gone. */
export function isNewOrGone<T>({ before, after }: ContentChange<T>): boolean {
  return before === undefined || after === undefined;
}

/** Whether a page may have another path than before, or has come or gone. */
export function isElsewhere({ before, after }: ContentChange<PageNode>): boolean {
  return before?.parent !== after?.parent || before?.slug !== after?.slug;
}

/** Whether a page may lead to something else than before. */
function leadsElsewhere({ before, after }: ContentChange<PageNode>): boolean {
  const fields = (node?: PageNode): string =>
    JSON.stringify([node?.id, node?.document, node?.target, node?.cover, node?.computed]);
  return fields(before) !== fields(after);
}
