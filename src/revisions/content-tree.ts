import type { ChunkMap } from './chunk-map.js';
import {
  asFile,
  asId,
  asLinks,
  asPage,
  asReusable,
  childRange,
  fileKey,
  fileNameKey,
  FILE_NAMES,
  FILES,
  hasPath,
  linksKey,
  pageKey,
  PAGES,
  REUSABLE_CONTENTS,
  reusableKey,
  slugEntryKey,
  type FileEntry,
  type PageLinks,
  type PageNode,
  type ReusableContent,
} from './entries.js';
import { pagesByPath, placedPages } from './lookups.js';
import { below, type PlaceInTree, placeOf, readPageTree, type PageTree, type TreePage } from './page-tree.js';
import { MAX_DEPTH } from './rules.js';

/** What a page has from its place in the tree. */
export interface PagePlace {
  /** The pages above it, from the top down. */
  readonly ancestors: readonly PageNode[];
  /** Slugs from the top, joined with `/`; `null` for links and computed pages. */
  readonly path: string | null;
  /** 1 at the top. */
  readonly depth: number;
  /** Out of our search, by its own flag or one above it. */
  readonly noIndex: boolean;
  /** Out of web crawlers, by its own flag or one above it. */
  readonly noRobotsIndex: boolean;
}

/** How much one revision holds. */
export interface ContentCounts {
  readonly pages: number;
  readonly files: number;
  readonly reusableContents: number;
}

/**
 * Reads the pages, files and reusable contents of one revision. All it answers is frozen and may be shared. A look-up
 * costs the logarithm of the number of pages, `tree()` all of them.
 */
export class ContentTree {
  /**
   * @param materialise answers the tree of all pages; the default reads it anew each time
   * @param inMemory answers that tree if it is at hand
   */
  constructor(
    private readonly map: ChunkMap,
    private readonly materialise: () => Promise<PageTree> = () => readPageTree(map),
    private readonly inMemory: () => PageTree | undefined = () => undefined,
  ) {}

  /** The content key that stands for all of this content. */
  get root(): string {
    return this.map.root;
  }

  /** The page `id`, if it is there. */
  async findPage(id: string): Promise<PageNode | null> {
    return asPage(await this.map.get(pageKey(id)));
  }

  /** Those of the pages that are there, by id. */
  async findPages(ids: readonly string[]): Promise<Map<string, PageNode>> {
    const found = new Map<string, PageNode>();
    for (const value of (await this.map.getMany(ids.map(pageKey))).values()) {
      const node = asPage(value);
      if (node !== null) found.set(node.id, node);
    }
    return found;
  }

  /** The page at `path` (slugs joined with `/`, without regard to case), if there is one. */
  async findPageByPath(path: string): Promise<PageNode | null> {
    const slugs = path.toLowerCase().split('/', MAX_DEPTH + 1);
    if (slugs.length > MAX_DEPTH) return null;
    let page: string | null = null;
    for (const slug of slugs) {
      page = asId(await this.map.get(slugEntryKey(page, slug)));
      if (page === null) return null;
    }
    return page === null ? null : await this.findPage(page);
  }

  /** The pages at `paths` (slugs joined with `/`, in lower case), by path, where there are any. */
  findPagesByPath(paths: readonly string[]): Promise<Map<string, PageNode>> {
    return pagesByPath((keys) => this.map.getMany(keys), paths);
  }

  /** Those of the pages `ids` that are there, with what they have from their places, without the pages below them. */
  async findPlaced(ids: readonly string[]): Promise<Map<string, TreePage>> {
    const tree = this.inMemory();
    if (tree === undefined) return placedPages((keys) => this.map.getMany(keys), ids);
    const found = new Map<string, TreePage>();
    for (const id of ids) {
      const page = tree.byId.get(id);
      if (page !== undefined) found.set(id, { ...page, pages: [] });
    }
    return found;
  }

  /** The pages above `page`, from the top down. */
  async ancestors(page: PageNode): Promise<PageNode[]> {
    const above: PageNode[] = [];
    for (let parent = page.parent; parent !== null && above.length <= MAX_DEPTH; parent = above[0]?.parent ?? null) {
      const node = await this.findPage(parent);
      if (node === null) throw new Error(`Page ${parent} has pages below it, but is not in ${this.root}`);
      above.unshift(node);
    }
    return above;
  }

  /** What `page` has from its place. */
  async place(page: PageNode): Promise<PagePlace> {
    const ancestors = await this.ancestors(page);
    return { ancestors, ...placeOf([...ancestors, page]) };
  }

  /** The pages directly under `parent` (`null`: at the top), in reading order. */
  async children(parent: string | null): Promise<PageNode[]> {
    const places = await this.map.scan(childRange(parent));
    const ids = places.map(({ value }) => asId(value) ?? '');
    const pages = await this.findPages(ids);
    return ids.flatMap((id) => pages.get(id) ?? []);
  }

  /** The page `id` with those below it, if it is there. Costs these pages, not all, unless all are in memory. */
  async findTreePage(id: string): Promise<TreePage | null> {
    const tree = this.inMemory();
    if (tree !== undefined) return tree.byId.get(id) ?? null;
    const node = await this.findPage(id);
    return node === null ? null : this.nest(node, placeOf(await this.ancestors(node)));
  }

  /** All pages, nested. */
  tree(): Promise<PageTree> {
    return this.materialise();
  }

  /** What the addresses in the texts of `pages` mean, by page; pages whose texts lead nowhere are left out. */
  async findLinks(pages: readonly string[]): Promise<Map<string, PageLinks>> {
    const found = new Map<string, PageLinks>();
    const values = await this.map.getMany(pages.map(linksKey));
    for (const page of pages) {
      const links = asLinks(values.get(linksKey(page)));
      if (links !== null) found.set(page, links);
    }
    return found;
  }

  /** The file `id`, if it is there. */
  async findFile(id: string): Promise<FileEntry | null> {
    return asFile(await this.map.get(fileKey(id)));
  }

  /** Those of the reusable contents that are there, by id. */
  async findReusableContents(ids: readonly string[]): Promise<Map<string, ReusableContent>> {
    const found = new Map<string, ReusableContent>();
    for (const value of (await this.map.getMany(ids.map(reusableKey))).values()) {
      const content = asReusable(value);
      if (content !== null) found.set(content.id, content);
    }
    return found;
  }

  /** Those of the files that are there, by id. */
  async findFiles(ids: readonly string[]): Promise<Map<string, FileEntry>> {
    const found = new Map<string, FileEntry>();
    for (const value of (await this.map.getMany(ids.map(fileKey))).values()) {
      const file = asFile(value);
      if (file !== null) found.set(file.id, file);
    }
    return found;
  }

  /** The first `limit` files in the order of their names (without regard to case), those behind `after` if given. */
  async files(limit = Infinity, after?: Pick<FileEntry, 'id' | 'name'>): Promise<FileEntry[]> {
    const range = after === undefined ? FILE_NAMES : { from: `${fileNameKey(after)}\0`, to: FILE_NAMES.to };
    const ids = (await this.map.scan(range, limit)).map(({ value }) => asId(value) ?? '');
    const files = await this.findFiles(ids);
    return ids.flatMap((id) => files.get(id) ?? []);
  }

  /** The reusable content `id`, if it is there. */
  async findReusableContent(id: string): Promise<ReusableContent | null> {
    return asReusable(await this.map.get(reusableKey(id)));
  }

  /** All reusable contents, by id. */
  async reusableContents(): Promise<ReusableContent[]> {
    return (await this.map.scan(REUSABLE_CONTENTS)).flatMap(({ value }) => asReusable(value) ?? []);
  }

  private async nest(node: PageNode, above: PlaceInTree): Promise<TreePage> {
    const place = below(above, node);
    const pages: TreePage[] = [];
    if (hasPath(node.kind)) {
      for (const child of await this.children(node.id)) pages.push(await this.nest(child, place));
    }
    return { node, ...place, pages };
  }

  /** How much there is. */
  async counts(): Promise<ContentCounts> {
    return {
      pages: await this.map.count(PAGES),
      files: await this.map.count(FILES),
      reusableContents: await this.map.count(REUSABLE_CONTENTS),
    };
  }
}
