import { ConflictException, Injectable, type OnModuleDestroy } from '@nestjs/common';
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
import { SpacesService } from '../spaces/index.js';
import { SearchIndex } from './search/index.js';

/** Pages whose entries are written in one transaction when the index catches up. */
const BATCH = 100;

/** What is to become of pages in the search index: the page to enter, or `null` for none. */
export type IndexPlan = Map<string, PageNode | null>;

interface PagePlan {
  plan: IndexPlan;
  /** Whether the page is kept out of search, by its own flag or one above it. */
  noIndex: boolean;
  /** Whether the pages below go the same way. */
  withBelow: boolean;
}

/** Brings the search index of a space to its primary content. */
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
  ) {}

  /**
   * What `changes`, which lie between two revisions, mean for the index. A page that is kept out of search keeps all
   * below it out, so where that changes the pages below are entered or removed as well.
   */
  async plan(from: Revision, to: Revision, changes: ContentChanges): Promise<IndexPlan> {
    const [before, after] = [this.revisions.tree(from), this.revisions.tree(to)];
    const plan: IndexPlan = new Map();
    for (const change of changes.pages) {
      if (!change.after) {
        plan.set(change.id, null);
        continue;
      }
      const { noIndex } = await after.place(change.after);
      const wasOut = change.before ? (await before.place(change.before)).noIndex : noIndex;
      await this.planPage(after, change.after, { plan, noIndex, withBelow: wasOut !== noIndex });
    }
    return plan;
  }

  /** Writes `plan` into the index of `space`; joins a surrounding transaction. */
  async apply(space: string, plan: IndexPlan): Promise<void> {
    const entered = [...plan.values()].filter((page) => page !== null);
    const keys = entered.flatMap((page) => page.document ?? []);
    const documents = await this.documents.outlines(keys);
    const removed = [...plan].filter(([, page]) => page === null).map(([id]) => id);
    if (removed.length > 0) await this.search.remove(space, removed);
    if (entered.length === 0) return;
    await this.search.put(
      space,
      entered.map((page) => ({
        page: page.id,
        document: page.document ?? '',
        title: page.title,
        ...(page.description !== undefined && { description: page.description }),
        sections: [...(documents.get(page.document ?? '')?.sections ?? [])],
      })),
    );
  }

  /**
   * Brings the index of `space` to its present primary content, in batches that each stand on their own: stopped
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

  /** Brings the index to the content of this moment. @returns whether it is still the content of the space. */
  private async step(id: string): Promise<boolean> {
    const space = await this.spaces.find(id);
    if (!space?.indexing) return true;
    // what stopped half-way is ended first: no later comparison would tell of all the pages that it wrote
    const target = space.indexTarget ?? space.revision;
    if (!(await this.spaces.aimIndex(space, target))) return false;
    const [from, to] = [await this.revisions.get(space.indexedRevision), await this.revisions.get(target)];
    const plan = [...(await this.plan(from, to, await this.revisions.diff(from, to)))];
    for (let start = 0; start < plan.length; start += BATCH) {
      if (this.stopping) return true;
      const isStill = await this.database.transaction(async () => {
        // refuses to go on when another process brought the index elsewhere
        if (!(await this.spaces.touchIndex(space))) return false;
        await this.apply(id, new Map(plan.slice(start, start + BATCH)));
        return true;
      });
      if (!isStill) return false;
    }
    await this.database.transaction(() => this.spaces.markIndexed(space, to._id));
    return false;
  }

  /** Forgets the index of `space` and makes it anew. */
  async rebuild(id: string): Promise<void> {
    const space = await this.spaces.get(id);
    const { byId } = await this.revisions.tree(await this.revisions.get(space.indexedRevision)).tree();
    const pages = [...byId.values()].filter(({ node, noIndex }) => node.kind === 'document' && !noIndex);
    await this.lock.run(id, () =>
      this.database.transaction(async () => {
        if (!(await this.spaces.touchIndex(space)))
          throw new ConflictException('The space was indexed meanwhile; try again');
        await this.search.clear(id);
        await this.apply(id, new Map(pages.map(({ node }) => [node.id, node])));
      }),
    );
  }

  private async planPage(tree: ContentTree, page: PageNode, { plan, noIndex, withBelow }: PagePlan): Promise<void> {
    plan.set(page.id, noIndex || page.kind !== 'document' ? null : page);
    if (!withBelow) return;
    for (const child of await tree.children(page.id)) {
      await this.planPage(tree, child, { plan, noIndex: noIndex || child.noIndex === true, withBelow });
    }
  }
}
