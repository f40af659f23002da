import type { Urls } from '../common/urls.js';
import type { PageNode, PageTree, TreePage } from '../revisions/index.js';

/** Addresses of a page. */
export class PageUrls {
  /** The page in the application. */
  app!: string;
}

/** How the page is laid out. */
export class PageLayoutView {
  width!: 'default' | 'wide';
  cover!: boolean;
  coverSize!: 'hero' | 'full';
  title!: boolean;
  description!: boolean;
  tableOfContents!: boolean;
  outline!: boolean;
  pagination!: boolean;
  metadata!: boolean;
}

/** Where a page came from in Git. */
export class PageGitView {
  oid!: string;
  path!: string;
}

/** A page. Which fields it has depends on its type: groups and links have no text, links no path and no pages. */
export class PageView {
  id!: string;
  type!: 'document' | 'group' | 'link' | 'computed';
  title!: string;
  emoji?: string;
  icon?: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
  urls?: PageUrls;
  /** Last segment of the path. */
  slug?: string;
  /** Slugs from the top of the tree, joined with `/`. */
  path?: string;
  description?: string;
  /** Id of the text. */
  documentId?: string;
  /** The text, when one page is read. It is what was stored, byte for byte. */
  markdown?: string;
  /** The text as a tree of nodes, when one page is read with `format=document`. */
  document?: Record<string, unknown>;
  layout?: PageLayoutView;
  cover?: Record<string, unknown>;
  /** Missing from the published navigation. */
  hidden?: boolean;
  /** Kept out of our search, with all below it. */
  noIndex?: boolean;
  /** Kept from web crawlers, with all below it. */
  noRobotsIndex?: boolean;
  /** Where a link leads. */
  target?: Record<string, unknown>;
  href?: string;
  /** What a computed page is made from. */
  computed?: Record<string, unknown>;
  computedSeed?: string;
  git?: PageGitView;
  /** Pages below, in reading order. */
  pages?: PageView[];
}

/** The pages of a revision. */
export class PagesView {
  pages!: PageView[];
}

const DEFAULT_LAYOUT: PageLayoutView = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

/** What the shape of a page takes from elsewhere. */
export interface PageContext {
  space: string;
  urls: Urls;
  /** Whether Git metadata is wanted. */
  metadata: boolean;
}

/** Shapes `page` and all below it, without texts. */
export function toPage(page: TreePage, context: PageContext): PageView {
  const { node, path } = page;
  const view = { ...toBase(node), ...toPlace(node, path, context), ...toKind(node) };
  if (context.metadata && node.git) view.git = node.git;
  if (node.kind === 'document' || node.kind === 'group') view.pages = page.pages.map((child) => toPage(child, context));
  return view;
}

/** Shaped trees, for as long as the trees themselves are kept: neither ever changes. */
const shaped = new WeakMap<PageTree, Map<string, PageView[]>>();

/** Shapes every page of a revision; the answer is shared by all who ask for the same tree, and not to be changed. */
export function toPages(tree: PageTree, context: PageContext): PageView[] {
  const views = shaped.get(tree) ?? new Map<string, PageView[]>();
  shaped.set(tree, views);
  const key = `${context.space} ${context.metadata}`;
  const view = views.get(key) ?? tree.pages.map((page) => toPage(page, context));
  views.set(key, view);
  return view;
}

function toBase(node: PageNode): PageView {
  return {
    id: node.id,
    type: node.kind,
    title: node.title,
    ...(node.emoji !== undefined && { emoji: node.emoji }),
    ...(node.icon !== undefined && { icon: node.icon }),
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
  };
}

function toPlace(node: PageNode, path: string | null, { space, urls }: PageContext): Partial<PageView> {
  if (path === null) return {};
  return {
    ...(node.kind === 'document' && { urls: { app: urls.app('s', space, ...path.split('/')) } }),
    slug: node.slug,
    path,
  };
}

function toKind(node: PageNode): Partial<PageView> {
  const hidden = { hidden: node.hidden === true };
  const flags = { ...hidden, noIndex: node.noIndex === true, noRobotsIndex: node.noRobotsIndex === true };
  switch (node.kind) {
    case 'document':
      return {
        ...(node.description !== undefined && { description: node.description }),
        documentId: node.document,
        layout: { ...DEFAULT_LAYOUT, ...node.layout },
        ...(node.cover && { cover: node.cover }),
        ...flags,
        ...computedOf(node),
      };
    case 'group':
      return flags;
    case 'link':
      return { ...hidden, target: node.target, ...(node.href !== undefined && { href: node.href }) };
    case 'computed':
      return computedOf(node);
  }
}

function computedOf(node: PageNode): Partial<PageView> {
  return {
    ...(node.computed && { computed: node.computed }),
    ...(node.computedSeed !== undefined && { computedSeed: node.computedSeed }),
  };
}
