import { ApiProperty } from '@nestjs/swagger';
import type { FileEntry, ReusableContent } from '../revisions/index.js';
import { ChangeRequestView } from './change-request.view.js';
import { FileView, toFile } from './files/file.view.js';
import { type PageContext, PageGitView, PAGES, type PageView, toPages } from './page.view.js';
import type { RevisionContent } from './reading.service.js';

/** Addresses of a revision. */
export class RevisionUrls {
  /** The content in the application. */
  app!: string;
  /** The content where it is published; absent while it is not. */
  published?: string;
  /** The content where everybody can read it. */
  public?: string;
}

/** Where a revision came from in Git. */
export class RevisionGitView {
  oid!: string;
  message!: string;
  createdByService!: boolean;
  url?: string;
  ref?: string;
}

/** A text that pages show by reference. */
export class ReusableContentView {
  id!: string;
  title!: string;
  /** Id of the text, for `GET /v1/spaces/:spaceId/documents/:documentId`. */
  document!: string;
  git?: PageGitView;
}

/** A state of a space's content; it never changes. */
export class RevisionView {
  object!: 'revision';
  id!: string;
  /**
   * Ids of the revisions it was made from: none for the first, one for edits; of a `merge` the revision of the space,
   * then that of the change request; of an `update` the other way round. Visitors of published sites are told of none.
   */
  parents!: string[];
  /**
   * `edits`: edited or imported. `merge`: of a change request. `update`: a change request that took over primary content.
   * `rollback`, `computed`: known to clients, made by nothing here.
   */
  type!: 'edits' | 'merge' | 'rollback' | 'update' | 'computed';
  /** Of a `merge`: the change request. */
  mergedFrom?: ChangeRequestView;
  @ApiProperty(PAGES)
  pages!: PageView[];
  files!: FileView[];
  reusableContents!: ReusableContentView[];
  /** ISO 8601, UTC. */
  createdAt!: string;
  git?: RevisionGitView;
  urls!: RevisionUrls;
}

/** Shapes a reusable content. */
export function toReusableContent(
  { id, title, document, git }: ReusableContent,
  { documentId, metadata }: PageContext,
): ReusableContentView {
  return { id, title, document: documentId(document), ...(metadata && git && { git }) };
}

/** Where a revision is published. */
export type PublishedRevisionUrls = Pick<RevisionUrls, 'published' | 'public'>;

/** What the shape of a whole revision takes beside it. */
export interface AroundRevision {
  /** Where a merge comes from. */
  mergedFrom?: ChangeRequestView;
  published?: PublishedRevisionUrls;
}

/** Shapes what a revision holds; `link` makes the signed address of a file. */
export function toRevision(
  { revision, tree, files, reusableContents }: RevisionContent,
  context: PageContext,
  link: (file: FileEntry) => string,
  { mergedFrom, published }: AroundRevision = {},
): RevisionView {
  const { space, urls, metadata, reader } = context;
  return {
    object: 'revision',
    id: revision._id,
    // what primary content was before it was published is for authors: an id is all it takes to read it
    parents: reader === undefined || reader === 'author' ? [...revision.parents] : [],
    type: revision.type,
    ...(mergedFrom && { mergedFrom }),
    pages: toPages(tree, context),
    files: files.map((file) => toFile(file, link(file), metadata)),
    reusableContents: reusableContents.map((content) => toReusableContent(content, context)),
    createdAt: revision.createdAt.toISOString(),
    ...(metadata && revision.git && { git: revision.git }),
    urls: { app: urls.app('s', space), ...published },
  };
}
