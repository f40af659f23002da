import { Injectable, NotFoundException } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Page } from '../common/page.dto.js';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type ListQuery, listScope } from '../common/pagination.js';
import {
  DocumentError,
  DocumentsService,
  type FileEntry,
  type JSONDocument,
  type PageTree,
  type ReusableContent,
  type Revision,
  RevisionsService,
  toDocument,
  type TreePage,
} from '../revisions/index.js';
import { sourceDocument } from './source-document.js';

/** All that a revision holds, without the texts. */
export interface RevisionContent {
  revision: Revision;
  tree: PageTree;
  files: readonly FileEntry[];
  reusableContents: readonly ReusableContent[];
}

/** The text of a page in the form that was asked for; nothing for pages that have none. */
export type PageText = { markdown: string } | { document: Record<string, unknown> } | Record<string, never>;

/** Trees of nodes that are kept in memory. */
const CACHED = 100;

/** Reads what a revision holds. */
@Injectable()
export class ReadingService {
  /** Texts as trees of nodes, by the keys of the texts: neither ever changes. */
  private readonly trees = new LRUCache<string, JSONDocument>({ max: CACHED });

  constructor(
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
  ) {}

  /** Everything in the revision `id`. @throws NotFoundException when there is no such revision. */
  async revision(id: string): Promise<RevisionContent> {
    const revision = await this.revisions.get(id);
    const content = this.revisions.tree(revision);
    const tree = await content.tree();
    return { revision, tree, files: await content.files(), reusableContents: await content.reusableContents() };
  }

  /** The pages of the revision `id`, nested. */
  async pages(id: string): Promise<PageTree> {
    return this.revisions.tree(await this.revisions.get(id)).tree();
  }

  /** One page of the revision `id` with its text. @throws NotFoundException when the revision has no such page. */
  async page(id: string, pageId: string, format: 'document' | 'markdown'): Promise<{ page: TreePage; text: PageText }> {
    const page = await this.revisions.tree(await this.revisions.get(id)).findTreePage(pageId);
    if (!page) throw new NotFoundException('Page not found');
    return { page, text: await this.text(page, format) };
  }

  /** One page of the files of the revision `id`, by name. */
  async files(id: string, { page, limit = DEFAULT_LIMIT }: ListQuery): Promise<Page<FileEntry>> {
    const content = this.revisions.tree(await this.revisions.get(id));
    const { space } = await this.revisions.get(id);
    const scope = listScope('files', space);
    const after = page === undefined ? undefined : decodeCursor(scope, page);
    const found = await content.files(limit + 1, after && { name: String(after.at), id: after.id });
    const { files: count } = await content.counts();
    const items = found.slice(0, limit);
    const last = items.at(-1);
    if (found.length <= limit || !last) return { count, items };
    return { next: { page: encodeCursor(scope, { at: last.name, id: last.id }) }, count, items };
  }

  /** One file of the revision `id`. @throws NotFoundException when the revision has no such file. */
  async file(id: string, fileId: string): Promise<FileEntry> {
    const file = await this.revisions.tree(await this.revisions.get(id)).findFile(fileId);
    if (!file) throw new NotFoundException('File not found');
    return file;
  }

  private async text({ node }: TreePage, format: 'document' | 'markdown'): Promise<PageText> {
    if (node.document === undefined) return {};
    const markdown = await this.documents.markdown(node.document);
    if (format === 'markdown') return { markdown };
    const document = this.trees.get(node.document) ?? documentOf(markdown);
    this.trees.set(node.document, document);
    return { document: { ...document } };
  }
}

/** A text as a tree of nodes; one that cannot be read into nodes shows its source. */
function documentOf(markdown: string): JSONDocument {
  try {
    return toDocument(markdown);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return sourceDocument(markdown);
  }
}
