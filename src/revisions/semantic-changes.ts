import { isMoved, type ContentChange, type ContentChanges } from './changes.js';
import type { ContentTree } from './content-tree.js';
import type { FileEntry, PageKind, PageNode, ReusableContent } from './entries.js';
import { sameJson, type Json } from './json.js';
import type { TreePage } from './page-tree.js';

/** A page that changed, as it is afterwards, or was before its deletion. */
export interface ChangedPage {
  readonly id: string;
  readonly type: PageKind;
  readonly title: string;
  /** Absent for links and computed pages, which have none. */
  readonly path?: string;
}

/** A property before and after; absent where it has no value. */
export interface ChangedAttribute {
  readonly before?: Json;
  readonly after?: Json;
}
/** The properties that changed, by name. */
export type ChangedAttributes = { readonly [name: string]: ChangedAttribute };

/** One thing that happened between two revisions (decision B.6). Addresses of files are added by who answers them. */
export type SemanticChange =
  | { readonly type: 'page_created' | 'page_deleted'; readonly page: ChangedPage }
  | { readonly type: 'page_edited'; readonly page: ChangedPage; readonly attributes: ChangedAttributes }
  | {
      readonly type: 'page_moved';
      readonly page: ChangedPage;
      /** The pages it lay and lies under; a side at the top is absent. */
      readonly parent: { readonly before?: ChangedPage; readonly after?: ChangedPage };
    }
  | { readonly type: 'file_created' | 'file_deleted'; readonly file: FileEntry }
  | {
      readonly type: 'file_edited';
      readonly file: FileEntry;
      /** The file as it was: its bytes had another address. */
      readonly before: FileEntry;
      readonly attributes: ChangedAttributes;
    }
  | {
      readonly type: 'reusable_content_created' | 'reusable_content_deleted';
      readonly reusableContent: ReusableContent;
    }
  | {
      readonly type: 'reusable_content_edited';
      readonly reusableContent: ReusableContent;
      readonly attributes: ChangedAttributes;
    };

/** The first changes, and how many there are beyond them. */
export interface SemanticChanges {
  readonly changes: readonly SemanticChange[];
  /** Absent when all are listed. */
  readonly more?: number;
}

/** What is shown of a page; its place is told by `page_moved`, its times by nothing. */
const PAGE_ATTRIBUTES = [
  'title',
  'slug',
  'emoji',
  'icon',
  'description',
  'document',
  'layout',
  'cover',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'target',
  'href',
  'computed',
] as const satisfies readonly (keyof PageNode)[];
const FILE_ATTRIBUTES = ['name', 'contentType', 'size', 'dimensions'] as const satisfies readonly (keyof FileEntry)[];
const REUSABLE_ATTRIBUTES = ['title', 'document'] as const satisfies readonly (keyof ReusableContent)[];

/** A change of which only the kind is known; what it shows is looked up for those that are answered. */
type Found =
  | {
      readonly type: 'page_created' | 'page_edited' | 'page_deleted' | 'page_moved';
      readonly page: ContentChange<PageNode>;
    }
  | { readonly type: 'file_created' | 'file_edited' | 'file_deleted'; readonly file: ContentChange<FileEntry> }
  | {
      readonly type: 'reusable_content_created' | 'reusable_content_edited' | 'reusable_content_deleted';
      readonly reusableContent: ContentChange<ReusableContent>;
    };

/**
 * What happened between two revisions, in the words of the contract: pages by id, then files, then reusable contents. A
 * page that was edited and moved is listed for both. When siblings get fresh order keys, all of them count as moved.
 *
 * @param changes from `RevisionsService.diff`
 * @param trees the contents that were compared; read for the paths of the pages that are answered
 * @param limit how many changes to answer
 */
export async function semanticChanges(
  changes: ContentChanges,
  trees: { readonly before: ContentTree; readonly after: ContentTree },
  limit: number,
): Promise<SemanticChanges> {
  const found = [
    ...changes.pages.flatMap(ofPage),
    ...changes.files.flatMap(ofFile),
    ...changes.reusableContents.flatMap(ofReusable),
  ];
  const listed = found.slice(0, limit);
  const before = await ChangedPages.read(trees.before, listed, 'before');
  const after = await ChangedPages.read(trees.after, listed, 'after');
  const more = found.length - listed.length;
  return { changes: listed.flatMap((each) => toSemantic(each, before, after)), ...(more > 0 && { more }) };
}

function ofPage(page: ContentChange<PageNode>): Found[] {
  const { before, after } = page;
  if (after === undefined) return before === undefined ? [] : [{ type: 'page_deleted', page }];
  if (before === undefined) return [{ type: 'page_created', page }];
  const isEdited = Object.keys(attributes(before, after, PAGE_ATTRIBUTES)).length > 0;
  return [
    ...(isEdited ? [{ type: 'page_edited', page } as const] : []),
    ...(isMoved(before, after) ? [{ type: 'page_moved', page } as const] : []),
  ];
}

function ofFile(file: ContentChange<FileEntry>): Found[] {
  if (file.kind === 'created') return [{ type: 'file_created', file }];
  return [{ type: file.kind === 'deleted' ? 'file_deleted' : 'file_edited', file }];
}

function ofReusable(reusableContent: ContentChange<ReusableContent>): Found[] {
  if (reusableContent.kind === 'created') return [{ type: 'reusable_content_created', reusableContent }];
  const isDeleted = reusableContent.kind === 'deleted';
  return [{ type: isDeleted ? 'reusable_content_deleted' : 'reusable_content_edited', reusableContent }];
}

function toSemantic(found: Found, before: ChangedPages, after: ChangedPages): SemanticChange[] {
  switch (found.type) {
    case 'page_created':
    case 'page_edited':
    case 'page_deleted':
    case 'page_moved':
      return toPageChange(found.type, found.page, before, after);
    case 'file_created':
    case 'file_deleted': {
      const file = found.file.after ?? found.file.before;
      return file === undefined ? [] : [{ type: found.type, file }];
    }
    case 'file_edited': {
      const { before: was, after: file } = found.file;
      if (was === undefined || file === undefined) return [];
      return [{ type: found.type, file, before: was, attributes: attributes(was, file, FILE_ATTRIBUTES) }];
    }
    case 'reusable_content_created':
    case 'reusable_content_deleted': {
      const reusableContent = found.reusableContent.after ?? found.reusableContent.before;
      return reusableContent === undefined ? [] : [{ type: found.type, reusableContent }];
    }
    case 'reusable_content_edited': {
      const { before: was, after: reusableContent } = found.reusableContent;
      if (was === undefined || reusableContent === undefined) return [];
      return [{ type: found.type, reusableContent, attributes: attributes(was, reusableContent, REUSABLE_ATTRIBUTES) }];
    }
  }
}

function toPageChange(
  type: 'page_created' | 'page_edited' | 'page_deleted' | 'page_moved',
  change: ContentChange<PageNode>,
  before: ChangedPages,
  after: ChangedPages,
): SemanticChange[] {
  const page = change.after === undefined ? before.show(change.id) : after.show(change.id);
  if (page === undefined) return [];
  if (type === 'page_created' || type === 'page_deleted') return [{ type, page }];
  if (change.before === undefined || change.after === undefined) return [];
  if (type === 'page_edited')
    return [{ type, page, attributes: attributes(change.before, change.after, PAGE_ATTRIBUTES) }];
  const [was, is] = [before.show(change.before.parent), after.show(change.after.parent)];
  return [{ type, page, parent: { ...(was && { before: was }), ...(is && { after: is }) } }];
}

function attributes<T extends object>(before: T, after: T, names: readonly (keyof T & string)[]): ChangedAttributes {
  const changed = names.flatMap((name) => {
    const [was, is] = [before[name] as Json | undefined, after[name] as Json | undefined];
    if (sameJson(was, is)) return [];
    return [[name, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }] as const];
  });
  return Object.fromEntries(changed);
}

/** Pages of one revision with their paths, and the pages that they lie under. */
class ChangedPages {
  private constructor(private readonly pages: ReadonlyMap<string, TreePage>) {}

  static async read(tree: ContentTree, listed: readonly Found[], side: 'before' | 'after'): Promise<ChangedPages> {
    const pages = listed.flatMap((each) => ('page' in each ? (each.page[side] ?? []) : []));
    const ids = pages.flatMap(({ id, parent }) => [id, parent ?? []].flat());
    return new ChangedPages(await tree.findPlaced([...new Set(ids)]));
  }

  show(id: string | null | undefined): ChangedPage | undefined {
    const found = this.pages.get(id ?? '');
    if (found === undefined) return undefined;
    const { node, path } = found;
    return { id: node.id, type: node.kind, title: node.title, ...(path !== null && { path }) };
  }
}
