import { Injectable, NotFoundException } from '@nestjs/common';
import type { Page } from '../common/page.dto.js';
import { decodeCursor, DEFAULT_LIMIT, encodeCursor, type ListQuery, listScope } from '../common/pagination.js';
import type { VisitorClaims } from '../conditions/index.js';
import {
  type ContentTree,
  type FileEntry,
  isDraft,
  type JSONDocument,
  type PageTree,
  type ReusableContent,
  type Revision,
  RevisionsService,
  type SemanticChanges,
  semanticChanges,
  type TreePage,
} from '../revisions/index.js';
import { ComputedPages, versionOfKey } from './computed/index.js';
import { forVisitor } from './for-visitor.js';
import { PageTexts } from './page-texts.js';

/** All that a revision holds, without the texts. */
export interface RevisionContent {
  revision: Revision;
  tree: PageTree;
  files: readonly FileEntry[];
  reusableContents: readonly ReusableContent[];
}

/** The text of a page in the form that was asked for; nothing for pages that have none. */
export type PageText =
  { markdown: string } | { document: { [K in keyof JSONDocument]: JSONDocument[K] } } | Record<string, never>;

/** How computed pages are read: as what becomes of them, for which space of which organization, or as they are stored. */
export type Computing = { organization: string } | 'stored';

/** How the text of a page is asked for. */
interface TextForm {
  format: 'document' | 'markdown';
  /** What conditions in it read; `null`: they are not applied. */
  claims?: VisitorClaims | null;
}

/** Reads what a revision holds. */
@Injectable()
export class ReadingService {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly texts: PageTexts,
    private readonly computed: ComputedPages,
  ) {}

  /** Everything in the revision `id`. @throws NotFoundException when there is no such revision. */
  async revision(id: string, computing: Computing = 'stored'): Promise<RevisionContent> {
    const revision = await this.revisions.get(id);
    const content = this.revisions.tree(revision);
    const tree = await this.expanded(await content.tree(), computing);
    return { revision, tree, files: await content.files(), reusableContents: await content.reusableContents() };
  }

  /** The revision `id`. @throws NotFoundException when there is no such revision. */
  get(id: string): Promise<Revision> {
    return this.revisions.get(id);
  }

  /**
   * Refuses a revision of another space, and with `published` those of change requests, too.
   * @throws NotFoundException when `space` has no such revision `id`.
   */
  async checkRevision(space: string, id: string, published = false): Promise<void> {
    const revision = await this.revisions.get(id);
    if (revision.space !== space || (published && isDraft(revision))) throw new NotFoundException('Revision not found');
  }

  /** The pages of the revision `id`, nested. */
  async pages(id: string, computing: Computing = 'stored'): Promise<PageTree> {
    return this.expanded(await this.revisions.tree(await this.revisions.get(id)).tree(), computing);
  }

  /**
   * One page of the revision `id` with its text, as a visitor with `claims` is shown it; without them, as it was written.
   * @throws NotFoundException when the revision has no such page.
   */
  async page(
    id: string,
    pageId: string,
    { format, claims = null }: TextForm,
    computing: Computing = 'stored',
  ): Promise<{ page: TreePage; text: PageText }> {
    const tree = this.revisions.tree(await this.revisions.get(id));
    const found = await tree.findTreePage(pageId);
    const page = computing === 'stored' ? found : await this.computed.page(computing.organization, tree, pageId, found);
    if (!page) throw new NotFoundException('Page not found');
    if (computing !== 'stored' && versionOfKey(page.node.document ?? '') !== undefined) {
      const made = await this.computed.text(computing.organization, page.node.document ?? '');
      const text = claims ? await this.computed.shown(made, claims) : made;
      return { page, text: format === 'markdown' ? { markdown: text.markdown } : { document: text.document } };
    }
    return { page, text: await this.text(tree, page, { format, claims }) };
  }

  /** Id of the page at `path` in the revision `id`, whatever its case. @throws NotFoundException when there is none. */
  async pageAt(id: string, path: string, computing: Computing = 'stored'): Promise<string> {
    const tree = this.revisions.tree(await this.revisions.get(id));
    const stored = await tree.findPageByPath(path);
    if (stored) return stored.id;
    const made = computing === 'stored' ? null : await this.computed.pageAt(computing.organization, tree, path);
    if (!made) throw new NotFoundException('Page not found');
    return made.node.id;
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

  /** One reusable content of the revision `id`. @throws NotFoundException when the revision has no such content. */
  async reusableContent(id: string, contentId: string): Promise<ReusableContent> {
    const content = await this.revisions.tree(await this.revisions.get(id)).findReusableContent(contentId);
    if (!content) throw new NotFoundException('Reusable content not found');
    return content;
  }

  /** The text under `key` as a tree of nodes, in a space of `organization`. @throws NotFoundException when there is none. */
  async document(organization: string, key: string): Promise<JSONDocument> {
    if (versionOfKey(key) === undefined) return this.texts.written(key);
    return (await this.computed.text(organization, key)).document;
  }

  /** The first `limit` things that happened between the revisions `since` and `after`; none when `since` is no more. */
  async changes(since: string | undefined, after: Revision, limit: number): Promise<SemanticChanges> {
    const before = since === undefined ? null : await this.revisions.find(since);
    // the first revision was made from nothing
    if (before === null) return { changes: [] };
    const trees = { before: this.revisions.tree(before), after: this.revisions.tree(after) };
    return semanticChanges(await this.revisions.diff(before, after), trees, limit);
  }

  private async expanded(tree: PageTree, computing: Computing): Promise<PageTree> {
    return computing === 'stored' ? tree : this.computed.expand(computing.organization, tree);
  }

  private async text(tree: ContentTree, page: TreePage, { format, claims = null }: TextForm): Promise<PageText> {
    if (page.node.document === undefined) return {};
    if (format === 'markdown') {
      const markdown = await this.texts.markdown(tree, page);
      if (markdown === undefined) throw new NotFoundException('Document not found');
      return { markdown: claims ? await this.texts.shown(tree, page, { markdown, claims }) : markdown };
    }
    const document = await this.texts.document(tree, page);
    if (document === undefined) return {};
    return { document: claims ? forVisitor(document, claims) : document };
  }
}
