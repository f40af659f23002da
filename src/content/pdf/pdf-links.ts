import { BadRequestException, Injectable, PayloadTooLargeException } from '@nestjs/common';
import { Urls } from '../../common/urls.js';
import { SecretKey } from '../../config/index.js';
import { DocumentsService, RevisionsService } from '../../revisions/index.js';
import { flattened, type PdfParts, type PrintedPage, printedPages } from './pdf-parts.js';

/** What the address of a PDF leads to. */
export interface PdfTarget extends PdfParts {
  space: string;
  revision: string;
}

/** What a signed address says. */
export interface SignedPdf extends PdfTarget {
  /** Until when it works, ms. */
  expires: number;
}

const HOUR = 60 * 60 * 1000;
const PURPOSE = 'pdf download';
/** Pages of the space in one PDF. */
const MAX_PAGES = 2000;
/** Characters of Markdown in one PDF. */
const MAX_TEXT = 8 * 1024 * 1024;
/** Texts that are measured at once. */
const BATCH = 50;

/**
 * Signed addresses of PDFs: they need no token, and say all that the PDF is made of, so that it is the same whatever
 * becomes of the space within the hour (decision 5.42).
 */
@Injectable()
export class PdfLinks {
  constructor(
    private readonly urls: Urls,
    private readonly key: SecretKey,
    private readonly revisions: RevisionsService,
    private readonly texts: DocumentsService,
  ) {}

  /**
   * The address of the PDF of a revision, or of a part of it; it works for an hour.
   *
   * @throws BadRequestException for a `page` that the revision does not have or that has nothing to print;
   * PayloadTooLargeException for more than 2,000 pages or 8 Mi characters of Markdown.
   */
  async address(at: { space: string; revision: string }, { only = false, page }: PdfParts): Promise<{ url: string }> {
    const tree = await this.revisions.tree(await this.revisions.get(at.revision)).tree();
    const pages = printedPages(tree, { only, page });
    if (!pages) throw new BadRequestException('page must name a document or group of this content');
    await this.measure(flattened(pages));
    const text = JSON.stringify([at.space, at.revision, page ?? null, only, Date.now() + HOUR]);
    const encoded = Buffer.from(text).toString('base64url');
    return { url: this.urls.api('pdf', `${encoded}.${this.key.sign(PURPOSE, encoded)}`) };
  }

  /** What the address with `token` leads to; `undefined` when it is forged or expired. */
  read(token: string): SignedPdf | undefined {
    const [encoded = '', signature = '', ...rest] = token.split('.');
    // signed as it is spelled: decoding passes over what is no base64url
    if (rest.length > 0 || !this.key.verify(PURPOSE, encoded, signature)) return undefined;
    const text = Buffer.from(encoded, 'base64url').toString();
    // only what was signed here comes so far
    const [space, revision, page, only, expires] = JSON.parse(text) as [string, string, string | null, boolean, number];
    if (expires <= Date.now()) return undefined;
    return { space, revision, only, expires, ...(page !== null && { page }) };
  }

  private async measure(pages: readonly PrintedPage[]): Promise<void> {
    const keys = [...new Set(pages.flatMap(({ node }) => node.document ?? []))];
    let size = 0;
    for (let start = 0; start < keys.length && size <= MAX_TEXT && pages.length <= MAX_PAGES; start += BATCH) {
      const texts = await this.texts.markdowns(keys.slice(start, start + BATCH));
      for (const text of texts.values()) size += text.length;
    }
    if (pages.length <= MAX_PAGES && size <= MAX_TEXT) return;
    throw new PayloadTooLargeException(
      `A PDF holds at most ${String(MAX_PAGES)} pages and ${String(MAX_TEXT / 1024 / 1024)} MiB of text; name a part of the content with page`,
    );
  }
}
