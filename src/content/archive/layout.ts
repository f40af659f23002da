import type { FileEntry, PageTree, ReusableContent, TreePage } from '../../revisions/index.js';
import { FileNames } from './file-names.js';

/** Names that the archive itself uses. */
export const SUMMARY = 'SUMMARY.md';
export const MANIFEST = 'colophon.json';

/** Which file of an archive holds what, by id. */
export interface Layout {
  pages: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
  reusableContents: ReadonlyMap<string, string>;
}

/** What a revision holds, as far as files are made of it. */
export interface LaidOut {
  tree: PageTree;
  files: readonly FileEntry[];
  reusableContents: readonly ReusableContent[];
}

/**
 * Names a file for each document page, file and reusable content. What was imported from a file gets its name back, as
 * long as it is free; other pages are named by their path, so that relative addresses lead from file to file.
 */
export function layOut({ tree, files, reusableContents }: LaidOut): Layout {
  const names = new FileNames([SUMMARY, MANIFEST]);
  const documents = documentsOf(tree.pages);
  const named = (page: TreePage): boolean => page.node.source !== undefined;
  const pages = new Map<string, string>();
  // first those that had a name: a page made later must not take it
  for (const page of [...documents.filter(named), ...documents.filter((one) => !named(one))]) {
    pages.set(page.node.id, names.take(page.node.source, `${page.path ?? page.node.id}.md`));
  }
  return {
    pages,
    files: new Map(files.map((file) => [file.id, names.take(file.name, `files/${file.id}`)])),
    reusableContents: new Map(reusableContents.map(({ id }) => [id, names.take(undefined, `reusable/${id}.md`)])),
  };
}

/** The document pages in reading order. */
function documentsOf(pages: readonly TreePage[]): TreePage[] {
  return pages.flatMap((page) => [...(page.node.kind === 'document' ? [page] : []), ...documentsOf(page.pages)]);
}
