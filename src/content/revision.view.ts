import type { FileEntry } from '../revisions/index.js';
import { FileView, toFile } from './file.view.js';
import { type PageContext, PageView, toPages } from './page.view.js';
import type { RevisionContent } from './reading.service.js';

/** Addresses of a revision. */
export class RevisionUrls {
  /** The content in the application. */
  app!: string;
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
  /** Id of the text. */
  document!: string;
}

/** A state of a space's content; it never changes. */
export class RevisionView {
  object!: 'revision';
  id!: string;
  /** Ids of the revisions it was made from. */
  parents!: string[];
  type!: 'edits' | 'merge' | 'rollback' | 'update' | 'computed';
  pages!: PageView[];
  files!: FileView[];
  reusableContents!: ReusableContentView[];
  /** ISO 8601, UTC. */
  createdAt!: string;
  git?: RevisionGitView;
  urls!: RevisionUrls;
}

/** Shapes what a revision holds; `link` makes the signed address of a file. */
export function toRevision(
  { revision, tree, files, reusableContents }: RevisionContent,
  context: PageContext,
  link: (file: FileEntry) => string,
): RevisionView {
  const { space, urls, metadata } = context;
  return {
    object: 'revision',
    id: revision._id,
    parents: [...revision.parents],
    type: revision.type,
    pages: toPages(tree, context),
    files: files.map((file) => toFile(file, link(file))),
    reusableContents: reusableContents.map(({ id, title, document }) => ({ id, title, document })),
    createdAt: revision.createdAt.toISOString(),
    ...(metadata && revision.git && { git: revision.git }),
    urls: { app: urls.app('s', space) },
  };
}
