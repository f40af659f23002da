import { ContentError, type DocumentRecord, type FileEntry, safeAddress } from '../../revisions/index.js';
import type { ConvertedPage } from './convert/convert-page.js';
import { withoutFragment } from './convert/html-tree.js';
import { fillMarks } from './convert/marks.js';
import type { ImportRun } from './import-run.js';
import { decodeSegment, storeImages } from './web-files.js';

/** A page of HTML that was converted; addresses in it are still marks. */
export interface HtmlPage {
  /** The id that it will have. */
  id: string;
  converted: ConvertedPage;
}

/** What became of pages of HTML. */
export interface StoredPages {
  /** By the id of the page, without those that cannot be stored. */
  texts: Map<string, DocumentRecord>;
  files: FileEntry[];
  /** How many files there were within the limits. */
  totalFiles: number;
  /** Why the first page that cannot be stored cannot. */
  refusal?: string;
}

/** Media types that are asked for when a page is wanted. */
export const ACCEPT_HTML = 'text/html, application/xhtml+xml';

/** Whether a media type is that of a page. */
export function isHtml(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType);
}

/**
 * Stores the images and texts of `pages`. Addresses of pages that `find` knows become links to those pages, the others
 * stay what they are.
 */
export async function storePages(
  run: ImportRun,
  pages: readonly HtmlPage[],
  find: (address: string) => HtmlPage | undefined,
): Promise<StoredPages> {
  const { files, total } = await storeImages(
    run,
    pages.flatMap(({ converted }) => converted.images),
  );
  const spell = (address: string): string => {
    const page = find(withoutFragment(address));
    if (page) return `/pages/${page.id}${anchorIn(page, address)}`;
    const file = files.get(withoutFragment(address));
    // an image that is written in its own address is not kept in the text when it could not be stored
    return file ? `/files/${file.id}` : address.startsWith('data:') ? '' : safeAddress(address);
  };
  const stored = await run.storeTexts(
    pages.map(({ converted: { markdown, addresses } }) =>
      fillMarks(markdown, { secret: run.secret, addresses }, spell),
    ),
  );
  const texts = new Map<string, DocumentRecord>();
  pages.forEach(({ id }, index) => {
    const text = stored[index];
    if (text && !(text instanceof ContentError)) texts.set(id, text);
  });
  const refused = stored.find((one) => one instanceof ContentError);
  return { texts, files: [...files.values()], totalFiles: total, ...(refused && { refusal: refused.message }) };
}

/** The anchor that `address` means in `page`, as the page has it here. */
function anchorIn({ converted: { anchors } }: HtmlPage, address: string): string {
  const { hash } = new URL(address);
  if (hash.length < 2) return '';
  const name = decodeSegment(hash.slice(1));
  return `#${safeAddress(Object.hasOwn(anchors, name) ? (anchors[name] ?? name) : name)}`;
}
