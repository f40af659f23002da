import { Injectable, NotFoundException } from '@nestjs/common';
import { mapPage } from '../common/page.dto.js';
import { Urls } from '../common/urls.js';
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
import { ReadingService } from './reading.service.js';
import { type ReusableContentView, type RevisionView, toReusableContent, toRevision } from './revision.view.js';
import { type SemanticChangesView, toSemanticChanges } from './semantic-changes.view.js';

/** The revision that is read, and the space that it is read in; whether it may be is for the caller to have seen. */
export interface RevisionAt {
  space: string;
  revision: string;
}

/**
 * What the reading operations answer, whichever revision they are about: that of primary content, an earlier one, or
 * that of a change request. Everything throws NotFoundException for what the revision does not hold.
 */
@Injectable()
export class ContentAnswers {
  constructor(
    private readonly reading: ReadingService,
    private readonly links: FileLinks,
    private readonly documents: DocumentIds,
    private readonly urls: Urls,
  ) {}

  /** The whole revision. */
  async revision(at: RevisionAt, query: ContentQuery): Promise<RevisionView> {
    const content = await this.reading.revision(at.revision);
    return toRevision(content, this.context(at, query), (file) => this.links.of(at.space, file));
  }

  /** The pages, nested. */
  async pages(at: RevisionAt, query: ContentQuery): Promise<PagesView> {
    return { pages: toPages(await this.reading.pages(at.revision), this.context(at, query)) };
  }

  /** What happened since the revision that it was made from. */
  async changes(at: RevisionAt, { limit = CHANGES, ...query }: ChangesQuery): Promise<SemanticChangesView> {
    const changes = await this.reading.changes(at.revision, limit);
    return toSemanticChanges(changes, this.context(at, query), (file) => this.links.of(at.space, file));
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
    const { page, text } = await this.reading.page(at.revision, id, query.format ?? 'markdown');
    return { ...toPage(page, this.context(at, query)), ...text };
  }

  /** The page at `path`: slugs joined with `/`, whatever their case, none of them empty. */
  async pageByPath(at: RevisionAt, path: string, query: PageContentQuery): Promise<PageView> {
    return this.page(at, await this.reading.pageAt(at.revision, path), query);
  }

  /** The text of one page as a tree of nodes. */
  async pageDocument(at: RevisionAt, id: string): Promise<JSONDocumentView> {
    const { text } = await this.reading.page(at.revision, id, 'document');
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
    return toJSONDocument(await this.reading.document(document));
  }

  /** The text that some reading of `space` has called `id`, as a tree of nodes. */
  async document(space: string, id: string): Promise<JSONDocumentView> {
    return toJSONDocument(await this.reading.document(this.documents.keyOf(space, id)));
  }

  private context({ space }: RevisionAt, { metadata = true }: ContentQuery): PageContext {
    return { space, urls: this.urls, metadata, documentId: (key) => this.documents.of(space, key) };
  }
}
