import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Urls } from '../common/urls.js';
import type { JsonObject, PageNode, PageTree, TreePage } from '../revisions/index.js';
import { JSONDocumentView } from './document.view.js';
import { COMPUTED } from './dto/page-changes.dto.js';

const SHAPES = {
  document: 'DocumentPageView',
  group: 'GroupPageView',
  link: 'LinkPageView',
  computed: 'ComputedPageView',
};

/** The description of a page: one of four shapes. */
export const PAGE = {
  oneOf: Object.values(SHAPES).map((name) => ({ $ref: getSchemaPath(name) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(Object.entries(SHAPES).map(([type, name]) => [type, getSchemaPath(name)])),
  },
};

/** The description of a list of pages. */
export const PAGES: ApiPropertyOptions = { type: 'array', items: PAGE };

const REF: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: true,
  example: { kind: 'file', file: 'Kq0vY2sT5mX8bN1cR4dF' },
};

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

/** The image at the head of a page. */
export class PageCoverView {
  /** A file of the space, or an address. */
  @ApiPropertyOptional(REF)
  ref?: JsonObject;
  /** The same for dark themes. */
  @ApiPropertyOptional(REF)
  refDark?: JsonObject;
  /** Vertical position. */
  yPos!: number;
}

/** Where a page came from in Git. */
export class PageGitView {
  oid!: string;
  path!: string;
}

/** What every page has. */
export class PageBaseView {
  /** Stays the same in every revision. */
  id!: string;
  title!: string;
  emoji?: string;
  icon?: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC. */
  updatedAt!: string;
}

/** A page with a text. */
export class DocumentPageView extends PageBaseView {
  type!: 'document';
  urls!: PageUrls;
  /** Last segment of the path. */
  slug!: string;
  /** Slugs from the top of the tree, joined with `/`. */
  path!: string;
  description?: string;
  /** Id of the text, for `GET /v1/spaces/:spaceId/documents/:documentId`. */
  documentId!: string;
  /** The text, when one page is read. It is what was stored, byte for byte. */
  markdown?: string;
  /** The text as a tree of nodes, when one page is read with `format=document`. */
  document?: JSONDocumentView;
  layout!: PageLayoutView;
  cover?: PageCoverView;
  /** Missing from the published navigation. */
  hidden!: boolean;
  /** Kept out of our search, with all below it. */
  noIndex!: boolean;
  /** Kept from web crawlers, with all below it. */
  noRobotsIndex!: boolean;
  /** What a generated page is made from. */
  @ApiPropertyOptional(COMPUTED)
  computed?: JsonObject;
  /** What the ids of generated pages are made from. */
  computedSeed?: string;
  git?: PageGitView;
  /** Pages below, in reading order. */
  @ApiProperty(PAGES)
  pages!: PageView[];
}

/** A part of the tree with a title and no text; at the top only. */
export class GroupPageView extends PageBaseView {
  type!: 'group';
  /** Last segment of the path. */
  slug!: string;
  /** Slugs from the top of the tree, joined with `/`. */
  path!: string;
  /** Missing from the published navigation. */
  hidden!: boolean;
  /** Kept out of our search, with all below it. */
  noIndex!: boolean;
  /** Kept from web crawlers, with all below it. */
  noRobotsIndex!: boolean;
  git?: PageGitView;
  /** Pages below, in reading order. */
  @ApiProperty(PAGES)
  pages!: PageView[];
}

/** An entry of the tree that leads elsewhere. */
export class LinkPageView extends PageBaseView {
  type!: 'link';
  /** Where it leads: a reference to content. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { kind: 'url', url: 'https://example.org/' } })
  target!: JsonObject;
  href?: string;
  /** Missing from the published navigation. */
  hidden!: boolean;
  git?: PageGitView;
}

/** A place-holder that stands for the pages it is computed into. */
export class ComputedPageView extends PageBaseView {
  type!: 'computed';
  /** What its pages are made from. */
  @ApiProperty(COMPUTED)
  computed!: JsonObject;
  computedSeed?: string;
  git?: PageGitView;
}

/** A page. Its `type` tells which fields it has. */
export type PageView = DocumentPageView | GroupPageView | LinkPageView | ComputedPageView;

/** Documents an operation that answers one page. */
export const AnswersPage = () => applyDecorators(ApiExtraModels(...PAGE_VIEWS), ApiOkResponse({ schema: PAGE }));

/** The pages of a revision. */
@ApiExtraModels(DocumentPageView, GroupPageView, LinkPageView, ComputedPageView)
export class PagesView {
  @ApiProperty(PAGES)
  pages!: PageView[];
}

const PAGE_VIEWS = [DocumentPageView, GroupPageView, LinkPageView, ComputedPageView];

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
  /** Whether it is for a renderer, which is sent no place-holders. */
  rendered?: boolean;
  /** Tells answers apart in which ids of texts differ. */
  reader?: string;
  /** The id by which a text of the space is asked for, made from its key. */
  documentId: (key: string) => string;
}

/** Shapes `page` and all below it, without texts. */
export function toPage(page: TreePage, context: PageContext): PageView {
  const { node } = page;
  const base = { ...toBase(node), ...(context.metadata && node.git && { git: node.git }) };
  switch (node.kind) {
    case 'document':
      return { ...base, type: node.kind, ...toDocumentPage(page, context), pages: toChildren(page, context) };
    case 'group':
      return { ...base, type: node.kind, ...toPlace(page), ...toFlags(node), pages: toChildren(page, context) };
    case 'link':
      return {
        ...base,
        type: node.kind,
        hidden: node.hidden === true,
        target: node.target ?? {},
        ...(node.href !== undefined && { href: node.href }),
      };
    case 'computed':
      return { ...base, type: node.kind, computed: {}, ...toComputed(node) };
  }
}

/** Shaped trees, for as long as the trees themselves are kept: neither ever changes. */
const shaped = new WeakMap<PageTree, Map<string, PageView[]>>();

/** Shapes every page of a revision; the answer is shared by all who ask for the same tree, and not to be changed. */
export function toPages(tree: PageTree, context: PageContext): PageView[] {
  const views = shaped.get(tree) ?? new Map<string, PageView[]>();
  shaped.set(tree, views);
  const key = [context.space, context.metadata, context.reader].join(' ');
  const view = views.get(key) ?? toShown(tree.pages, context);
  views.set(key, view);
  return view;
}

type Base = Pick<PageView, 'id' | 'title' | 'emoji' | 'icon' | 'createdAt' | 'updatedAt'>;

function toBase({ id, title, emoji, icon, createdAt, updatedAt }: PageNode): Base {
  return {
    id,
    title,
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    createdAt,
    updatedAt,
  };
}

function toChildren({ pages }: TreePage, context: PageContext): PageView[] {
  return toShown(pages, context);
}

function toShown(pages: readonly TreePage[], context: PageContext): PageView[] {
  const shown = context.rendered === true ? pages.filter(({ node }) => node.kind !== 'computed') : pages;
  return shown.map((page) => toPage(page, context));
}

function toPlace({ node, path }: TreePage): Pick<GroupPageView, 'slug' | 'path'> {
  return { slug: node.slug ?? '', path: path ?? '' };
}

function toFlags(node: PageNode): Pick<GroupPageView, 'hidden' | 'noIndex' | 'noRobotsIndex'> {
  return {
    hidden: node.hidden === true,
    noIndex: node.noIndex === true,
    noRobotsIndex: node.noRobotsIndex === true,
  };
}

function toDocumentPage(
  page: TreePage,
  { space, urls, documentId }: PageContext,
): Omit<DocumentPageView, keyof Base | 'type' | 'pages'> {
  const { node } = page;
  const place = toPlace(page);
  return {
    urls: { app: urls.app('s', space, ...place.path.split('/')) },
    ...place,
    ...(node.description !== undefined && { description: node.description }),
    documentId: documentId(node.document ?? ''),
    layout: { ...DEFAULT_LAYOUT, ...node.layout },
    ...(node.cover && { cover: { yPos: 0, ...node.cover } }),
    ...toFlags(node),
    ...toComputed(node),
  };
}

function toComputed({ computed, computedSeed }: PageNode): Pick<DocumentPageView, 'computed' | 'computedSeed'> {
  return { ...(computed && { computed }), ...(computedSeed !== undefined && { computedSeed }) };
}
