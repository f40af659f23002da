import type { PageTree, TreePage } from '../../revisions/index.js';

/** Which part of a revision a PDF has. */
export interface PdfParts {
  /** Id of the page that it begins with; absent: all pages. */
  page?: string;
  /** Whether it has that page alone. */
  only?: boolean;
}

/** A page with those below it, as far as they are printed. */
export type PrintedPage = Pick<TreePage, 'node' | 'path' | 'depth'> & { readonly pages: readonly PrintedPage[] };

/**
 * The pages of `tree` that a PDF of those parts has, nested, hidden ones too; `undefined` when `page` names none, or a
 * link, which has nothing to print.
 */
export function printedPages(tree: PageTree, { page, only = false }: PdfParts): readonly PrintedPage[] | undefined {
  if (page === undefined) return tree.pages;
  const found = tree.byId.get(page);
  if (!found || found.node.kind === 'link') return undefined;
  return [only ? { ...found, pages: [] } : found];
}

/** The pages, and those below them, in reading order. */
export function flattened(pages: readonly PrintedPage[]): PrintedPage[] {
  return pages.flatMap((page) => [page, ...flattened(page.pages)]);
}
