import { Injectable } from '@nestjs/common';
import type { Page } from '../common/page.dto.js';
import type { Member } from '../organizations/index.js';
import { type PageTree, type Revision, RevisionsService } from '../revisions/index.js';
import { type Space, SpacesService, type VisibleSpace } from '../spaces/index.js';
import type { SearchQuery } from './dto/search.dto.js';
import { ComputedPages, type SearchedTree } from './computed/index.js';
import { LinkRecords } from './links/index.js';
import { type MemoryPages, SearchService } from './search/index.js';
import type { FoundPage } from './search.view.js';

/** Spaces whose generated pages are searched together, at the most: each has its tree in memory. */
const MAX_GENERATED = 100;

/** A space in which something was found, with its best pages. */
export interface FoundSpace {
  id: string;
  title: string;
  pages: FoundPage[];
}

/** Searches what a caller may see. */
@Injectable()
export class FindingService {
  constructor(
    private readonly search: SearchService,
    private readonly spaces: SpacesService,
    private readonly revisions: RevisionsService,
    private readonly computed: ComputedPages,
    private readonly links: LinkRecords,
  ) {}

  /**
   * One page of what `query` finds in `space`, best first.
   * @param unconditional Whether what stands under a condition is kept back.
   */
  async inSpace(
    space: Pick<Space, '_id' | 'organization' | 'revision'>,
    { query, ...part }: SearchQuery,
    unconditional: boolean,
  ): Promise<Page<FoundPage>> {
    const stored = await this.treeOf(await this.revisions.get(space.revision));
    const made = await this.computed.search(space.organization, new Map([[space._id, stored]]));
    const found = await this.search.searchSpace(space._id, query, { ...part, unconditional, beside: pagesOf(made) });
    const tree = made.get(space._id)?.tree ?? stored;
    return { ...found, items: found.items.flatMap((item) => foundPage(space._id, tree, item)) };
  }

  /** One page of the spaces of an organization in which `member` finds `query`, best first. */
  async inOrganization(
    organization: string,
    member: Member,
    { query, ...part }: SearchQuery,
  ): Promise<Page<FoundSpace>> {
    const visible = await this.spaces.allVisible(organization, member);
    return this.among(visible, { query, ...part }, [organization, member.user]);
  }

  /**
   * One page of those of `spaces` in which `query` is found, best first.
   * @param list What tells this search from others while `spaces` may change.
   * @param unconditional Whether what stands under a condition is kept back.
   */
  async among(
    spaces: readonly VisibleSpace[],
    { query, ...part }: SearchQuery,
    list: readonly unknown[],
    unconditional = false,
  ): Promise<Page<FoundSpace>> {
    const visible = new Map(spaces.map((space) => [space._id, space]));
    const made = await this.generated(spaces);
    const how = { ...part, unconditional, beside: pagesOf(made) };
    const found = await this.search.searchSpaces([...visible.keys()], query, how, list);
    const items: FoundSpace[] = [];
    for (const { space: id, pages } of found.items) {
      const space = visible.get(id);
      if (!space) continue;
      const tree = made.get(id)?.tree ?? (await this.treeOf(await this.revisions.get(space.revision)));
      items.push({ id, title: space.title, pages: pages.flatMap((page) => foundPage(id, tree, page)) });
    }
    return { ...found, items };
  }

  /** Those of `spaces`, all of one organization, in which pages are generated, with these. */
  private async generated(spaces: readonly VisibleSpace[]): Promise<Map<string, SearchedTree>> {
    const showing = await this.links.showingSpecs(spaces.map(({ _id }) => _id));
    const shown = spaces.filter(({ _id }) => showing.has(_id)).slice(0, MAX_GENERATED);
    const [first] = shown;
    if (!first) return new Map();
    const revisions = await this.revisions.findMany(shown.map(({ revision }) => revision));
    const trees = new Map<string, PageTree>();
    for (const { _id, revision: id } of shown) {
      const revision = revisions.get(id);
      if (revision) trees.set(_id, await this.treeOf(revision));
    }
    return this.computed.search(first.organization, trees);
  }

  private treeOf(revision: Revision): Promise<PageTree> {
    return this.revisions.tree(revision).tree();
  }
}

/** The generated pages of spaces, by space. */
const pagesOf = (made: ReadonlyMap<string, SearchedTree>): Map<string, MemoryPages> =>
  new Map([...made].map(([space, { pages }]) => [space, pages]));

/** What was found, with what its page is called now; nothing when the index is behind and the page is gone. */
function foundPage(
  space: string,
  tree: PageTree,
  { page, sections }: { page: string; sections: FoundPage['sections'] },
): FoundPage[] {
  const at = tree.byId.get(page);
  if (!at || at.path === null) return [];
  return [{ space, id: page, title: at.node.title, path: at.path, sections }];
}
