import { Injectable, NotFoundException } from '@nestjs/common';
import { mapPage } from '../common/page.dto.js';
import { Answers } from '../common/answers.js';
import { Urls } from '../common/urls.js';
import type { VisitorClaims } from '../conditions/index.js';
import { ChangeRequestViews } from './change-request-views.js';
import type { ChangeRequestView } from './change-request.view.js';
import { DocumentIds } from './document-ids.js';
import { type JSONDocumentView, toJSONDocument } from './document.view.js';
import {
  CHANGES,
  type ChangesQuery,
  type ContentQuery,
  type FilesQuery,
  type PageContentQuery,
} from './dto/content-query.dto.js';
import { FileLinks } from './files/file-links.js';
import { type FilePage, type FileView, toFile } from './files/file.view.js';
import { type PageContext, type PagesView, type PageView, toPage, toPages } from './page.view.js';
import { type FileEntry, isDraft, type JSONDocument, type Revision, type SemanticChanges } from '../revisions/index.js';
import { type Space, SpacePublications } from '../spaces/index.js';
import { type Computing, ReadingService } from './reading.service.js';
import type { Reader, ReaderKind } from './reader.js';
import {
  type PublishedRevisionUrls,
  type ReusableContentView,
  type RevisionView,
  toReusableContent,
  toRevision,
} from './revision.view.js';
import { type SemanticChangesView, toSemanticChanges } from './semantic-changes.view.js';
import { forVisitor } from './for-visitor.js';
import { withTitle } from './with-title.js';

/** The revision that is read, and the space that it is read in; whether it may be is for the caller to have seen. */
export interface RevisionAt {
  space: string;
  /** The organization of the space. */
  organization: string;
  revision: string;
  /** Who reads it; an author unless it is said. */
  reader?: ReaderKind;
  /** What conditions in its texts read; where there is nothing, texts are as they were written. */
  claims?: VisitorClaims | null;
}

/**
 * What the reading operations answer, whichever revision they are about: that of primary content, an earlier one, or
 * that of a change request. Everything throws NotFoundException for what the revision does not hold.
 */
@Injectable()
export class ContentAnswers {
  private readonly changeRequests: () => ChangeRequestViews;

  constructor(
    private readonly reading: ReadingService,
    private readonly links: FileLinks,
    private readonly documents: DocumentIds,
    private readonly publications: SpacePublications,
    private readonly urls: Urls,
    answers: Answers,
  ) {
    this.changeRequests = answers.ask(ChangeRequestViews);
  }

  /** The whole revision. */
  async revision(at: RevisionAt, query: ContentQuery, reader: Reader): Promise<RevisionView> {
    const content = await this.reading.revision(at.revision, computing(at, query));
    const mergedFrom = await this.mergedFrom(content.revision, reader);
    const published = await this.published(content.revision, reader);
    const link = (file: FileEntry): string => this.links.of(at.space, file);
    return toRevision(content, this.context(at, query), link, { mergedFrom, published });
  }

  /** The pages, nested. */
  async pages(at: RevisionAt, query: ContentQuery): Promise<PagesView> {
    const tree = await this.reading.pages(at.revision, computing(at, query));
    return { pages: toPages(tree, this.context(at, query)) };
  }

  /** What happened since the revision that it was made from; of a merge also where it came from. */
  async changes(
    at: RevisionAt,
    { limit = CHANGES, ...query }: ChangesQuery,
    reader: Reader,
  ): Promise<SemanticChangesView> {
    const revision = await this.reading.get(at.revision);
    const changes = await this.reading.changes(revision.parents[0], revision, limit);
    const mergedFrom = await this.mergedFrom(revision, reader);
    return { ...this.toChanges(at, changes, query), ...(mergedFrom && { mergedFrom }) };
  }

  /** What happened since the revision `since`. */
  async changesSince(
    since: string,
    at: RevisionAt,
    { limit = CHANGES, ...query }: ChangesQuery,
  ): Promise<SemanticChangesView> {
    return this.toChanges(at, await this.reading.changes(since, await this.reading.get(at.revision), limit), query);
  }

  /** One page of the files, by name. */
  async files(at: RevisionAt, query: FilesQuery): Promise<FilePage> {
    const page = await this.reading.files(at.revision, query);
    return mapPage(page, (file) => toFile(file, this.links.of(at.space, file), query.metadata));
  }

  /** One file. */
  async file(at: RevisionAt, id: string, { metadata }: ContentQuery): Promise<FileView> {
    const file = await this.reading.file(at.revision, id);
    return toFile(file, this.links.of(at.space, file), metadata);
  }

  /** One page with its text. */
  async page(at: RevisionAt, id: string, query: PageContentQuery): Promise<PageView> {
    const form = { format: query.format ?? 'markdown', claims: at.claims };
    const { page, text } = await this.reading.page(at.revision, id, form, computing(at, query));
    const view = toPage(page, this.context(at, query));
    if (at.reader !== 'renderer') return { ...view, ...text };
    // a renderer cannot show a place-holder, and takes the title of a page out of its Markdown
    if (view.type === 'computed') throw new NotFoundException('Page not found');
    return { ...view, ...('markdown' in text ? { markdown: await withTitle(text.markdown, view.title) } : text) };
  }

  /** The page at `path`: slugs joined with `/`, whatever their case, none of them empty. */
  async pageByPath(at: RevisionAt, path: string, query: PageContentQuery): Promise<PageView> {
    return this.page(at, await this.reading.pageAt(at.revision, path, computing(at, query)), query);
  }

  /** The text of one page as a tree of nodes. */
  async pageDocument(at: RevisionAt, id: string): Promise<JSONDocumentView> {
    const form = { format: 'document', claims: at.claims } as const;
    const { text } = await this.reading.page(at.revision, id, form, computing(at));
    if (!('document' in text)) throw new NotFoundException('The page has no document');
    return toJSONDocument(text.document);
  }

  /** One reusable content. */
  async reusableContent(at: RevisionAt, id: string, query: ContentQuery): Promise<ReusableContentView> {
    return toReusableContent(await this.reading.reusableContent(at.revision, id), this.context(at, query));
  }

  /** The text of one reusable content as a tree of nodes. */
  async reusableContentDocument(at: RevisionAt, id: string): Promise<JSONDocumentView> {
    const { document } = await this.reading.reusableContent(at.revision, id);
    return toJSONDocument(shownTo(await this.reading.document(at.organization, document), at.claims));
  }

  /** The text that some reading of `space` has called `id`, as a tree of nodes; for its audience, a reading of theirs. */
  async document(
    { _id: space, organization }: Pick<Space, '_id' | 'organization'>,
    id: string,
    reader: ReaderKind,
    claims: VisitorClaims | null = null,
  ): Promise<JSONDocumentView> {
    const key = this.documents.keyOf(space, id, reader !== 'author');
    const document = await this.reading.document(organization, key);
    return toJSONDocument(shownTo(document, claims));
  }

  /** Where a revision is published: that of a change request nowhere, an earlier one below where the space is. */
  private async published(revision: Revision, { space }: Reader): Promise<PublishedRevisionUrls> {
    if (isDraft(revision)) return {};
    const shown = (await this.publications.of([{ ...space, deletedAt: null }])).get(space._id);
    const earlier = revision._id === space.revision ? '' : `/~/revisions/${revision._id}`;
    return {
      ...(shown?.published !== undefined && { published: shown.published + earlier }),
      ...(shown?.public !== undefined && { public: shown.public + earlier }),
    };
  }

  private async mergedFrom(
    { type, changeRequest }: Revision,
    { space, user }: Reader,
  ): Promise<ChangeRequestView | undefined> {
    if (type !== 'merge' || changeRequest === null || user === null) return undefined;
    return (await this.changeRequests().views(space, [changeRequest], user)).get(changeRequest);
  }

  private toChanges(at: RevisionAt, changes: SemanticChanges, query: ContentQuery): SemanticChangesView {
    return toSemanticChanges(changes, this.context(at, query), (file) => this.links.of(at.space, file));
  }

  private context({ space, reader = 'author' }: RevisionAt, { metadata = true }: ContentQuery): PageContext {
    const documentId = (key: string): string => this.documents.of(space, key, reader !== 'author');
    return { space, urls: this.urls, metadata, documentId, rendered: reader === 'renderer', reader };
  }
}

/** How computed pages are read for `query`. */
function computing({ organization }: RevisionAt, { computed = true }: ContentQuery = {}): Computing {
  return computed ? { organization } : 'stored';
}

function shownTo(document: JSONDocument, claims: VisitorClaims | null | undefined): JSONDocument {
  return claims ? forVisitor(document, claims) : document;
}
