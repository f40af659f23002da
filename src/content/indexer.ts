import { ConflictException, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { batchesOf } from '../common/batches-of.js';
import { KeyedLock } from '../common/keyed-lock.js';
import { Database } from '../database/index.js';
import {
  type ContentChanges,
  type ContentTree,
  DocumentsService,
  type PageNode,
  type Revision,
  RevisionsService,
} from '../revisions/index.js';
import { type Space, SpacesService } from '../spaces/index.js';
import { FormerPages, type FormerPlace } from './former-pages/index.js';
import { type KnownLinks, LinkIndex, type LinkPlan } from './links/index.js';
import { SearchIndex, type SearchPlace } from './search/index.js';

/** Pages and targets whose entries are written in one transaction when the index catches up. */
const BATCH = 100;

/** What is to become of pages in the search index: the page to enter, or `null` for none. */
export type SearchPlan = ReadonlyMap<string, PageNode | null>;

/** What is to be done to the indexes of a space. */
export interface IndexPlan {
  search: SearchPlan;
  links: LinkPlan;
  /** Places that pages left, and that addresses may still name. */
  left: readonly FormerPlace[];
  /** How many pages are written in either. */
  size: number;
}

/** What the indexes of a space hold of what is about to be changed. */
export interface KnownIndex {
  place: SearchPlace;
  links: KnownLinks | undefined;
}

interface PagePlan {
  plan: Map<string, PageNode | null>;
  /** Whether the page is kept out of search, by its own flag or one above it. */
  noIndex: boolean;
  /** Whether the pages below go the same way. */
  withBelow: boolean;
}

/** Brings search and links of a space to its primary content. */
@Injectable()
export class Indexer implements OnModuleDestroy {
  private readonly lock = new KeyedLock();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
    private readonly search: SearchIndex,
    private readonly links: LinkIndex,
    private readonly formerPages: FormerPages,
  ) {}

  /**
   * What `changes`, which lie between two revisions of a space, mean for its indexes. A page that is kept out of search
   * keeps all below it out, so where that changes the pages below are entered or removed as well.
   */
  async plan(from: Revision, to: Revision, changes: ContentChanges): Promise<IndexPlan> {
    const [before, after] = [this.revisions.tree(from), this.revisions.tree(to)];
    const search = new Map<string, PageNode | null>();
    for (const change of changes.pages) {
      if (!change.after) {
        search.set(change.id, null);
        continue;
      }
      const { noIndex } = await after.place(change.after);
      const wasOut = change.before ? (await before.place(change.before)).noIndex : noIndex;
      await this.planPage(after, change.after, { plan: search, noIndex, withBelow: wasOut !== noIndex });
    }
    const links = await this.links.plan(to.space, before, after, changes);
    const left = await this.formerPages.plan(to.space, changes);
    return { search, links, left, size: new Set([...search.keys(), ...links.pages]).size };
  }

  /**
   * What the indexes of `space` hold of what `plan` is about to change: read before the transaction, together with what others read. It
   * is true there, if the index of the space is still where it was before this was read: `SpacesService.moveRevision` sees to that. Merges
   * of what search holds number nothing anew.
   */
  async known(space: string, plan: IndexPlan): Promise<KnownIndex> {
    const [place, links] = await Promise.all([this.search.place(space), this.links.known(space, plan.links)]);
    return { place, links };
  }

  /**
   * Writes `plan`, which leads to the revision `to`, into the indexes of its space; joins a surrounding transaction.
   * @param known As {@link known} read it; where it is not given, it is read now.
   */
  async apply(to: Revision, plan: IndexPlan, known?: KnownIndex): Promise<void> {
    // counted on in a copy of its own, as a transaction may be attempted again
    const place = known && { next: known.place.next, segments: [...known.place.segments] };
    await this.applySearch(to.space, plan.search, place);
    await this.links.apply(to.space, this.revisions.tree(to), plan.links, known?.links);
    await this.formerPages.remember(to.space, plan.left);
  }

  private async applySearch(space: string, plan: SearchPlan, place?: SearchPlace): Promise<void> {
    const entered = [...plan.values()].filter((page) => page !== null);
    const sections = await this.documents.sections(textsOf(plan));
    const removed = [...plan].filter(([, page]) => page === null).map(([id]) => id);
    if (removed.length > 0) await this.search.remove(space, removed, place);
    if (entered.length === 0) return;
    await this.search.put(
      space,
      entered.map((page) => ({
        page: page.id,
        document: page.document ?? '',
        title: page.title,
        ...(page.description !== undefined && { description: page.description }),
        sections: [...(sections.get(page.document ?? '') ?? [])],
      })),
      place,
    );
  }

  /**
   * Brings the indexes of `space` to its present primary content, in batches that each stand on their own: stopped
   * anywhere, it is taken up again where the index stands.
   */
  async catchUp(id: string): Promise<void> {
    await this.lock.run(id, async () => {
      while (!this.stopping && !(await this.step(id)));
    });
  }

  /** Ends catching up with the batch under way; the next start takes it up. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  /** Brings the indexes to the content of this moment. @returns whether it is still the content of the space. */
  private async step(id: string): Promise<boolean> {
    const space = await this.spaces.find(id);
    if (!space?.indexing) return true;
    // what stopped half-way is ended first: no later comparison would tell of all the pages that it wrote
    const target = space.indexTarget ?? space.revision;
    if (!(await this.spaces.aimIndex(space, target))) return false;
    const to = await this.revisions.get(target);
    for await (const part of this.partsOf(to, await this.planTo(space, to))) {
      if (this.stopping) return true;
      // texts that are to be read anew take their time, which no transaction should
      await this.documents.sections(textsOf(part.search));
      const isStill = await this.database.transaction(async () => {
        // refuses to go on when another process brought the index elsewhere
        if (!(await this.spaces.touchIndex(space))) return false;
        await this.apply(to, part);
        return true;
      });
      if (!isStill) return false;
    }
    await this.database.transaction(() => this.spaces.markIndexed(space, to._id));
    return false;
  }

  /** The plan that leads to `to`, in parts of which each is one transaction. */
  private async *partsOf(to: Revision, { search, links, left }: IndexPlan): AsyncGenerator<IndexPlan> {
    const none: LinkPlan = { pages: new Set(), resources: new Set() };
    const nothing = { search: new Map<string, never>(), links: none, left: [], size: 0 };
    for (const batch of batchesOf(left, BATCH)) yield { ...nothing, left: batch };
    for (const batch of batchesOf([...search], BATCH)) {
      yield { ...nothing, search: new Map(batch), size: batch.length };
    }
    for await (const pages of this.links.parts(this.revisions.tree(to), links.pages)) {
      yield { ...nothing, links: { ...none, pages }, size: pages.size };
    }
    for (const batch of batchesOf([...links.resources], BATCH)) {
      yield { ...nothing, links: { ...none, resources: new Set(batch) } };
    }
  }

  /** Forgets the indexes of `space` and makes them anew. */
  async rebuild(id: string): Promise<void> {
    const space = await this.spaces.get(id);
    const to = await this.revisions.get(space.indexedRevision ?? space.revision);
    const plan = await this.planAll(to);
    await this.lock.run(id, () =>
      this.database.transaction(async () => {
        if (!(await this.spaces.touchIndex(space)))
          throw new ConflictException('The space was indexed meanwhile; try again');
        await this.search.clear(id);
        await this.links.clear(id);
        await this.apply(to, plan);
      }),
    );
  }

  /** What leads from where the indexes of `space` stand to `to`. */
  private async planTo(space: Space, to: Revision): Promise<IndexPlan> {
    if (space.indexedRevision === null) return this.planAll(to);
    const from = await this.revisions.get(space.indexedRevision);
    return this.plan(from, to, await this.revisions.diff(from, to));
  }

  /** What enters all of `revision` into indexes that know nothing. */
  private async planAll(revision: Revision): Promise<IndexPlan> {
    const { byId } = await this.revisions.tree(revision).tree();
    const found = [...byId.values()].filter(({ node, noIndex }) => node.kind === 'document' && !noIndex);
    const search = new Map(found.map(({ node }) => [node.id, node]));
    return { search, links: { pages: new Set(byId.keys()), resources: new Set() }, left: [], size: byId.size };
  }

  private async planPage(tree: ContentTree, page: PageNode, { plan, noIndex, withBelow }: PagePlan): Promise<void> {
    plan.set(page.id, noIndex || page.kind !== 'document' ? null : page);
    if (!withBelow) return;
    for (const child of await tree.children(page.id)) {
      await this.planPage(tree, child, { plan, noIndex: noIndex || child.noIndex === true, withBelow });
    }
  }
}

/** Keys of the texts that `plan` enters. */
function textsOf(plan: SearchPlan): string[] {
  return [...plan.values()].flatMap((page) => page?.document ?? []);
}
