import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** An entry of the outline: its title, the number of the page that it leads to, what is below it. */
export type OutlineEntry = [title: string, page: number | null, below: OutlineEntry[]];

/** A link on a page: an address, or the number of a page. */
export type PdfLink = { url: string } | { page: number | null };

/** What a reader finds in a PDF. */
export interface PdfAnswer {
  /** The text of each page, in one line. */
  pages: string[];
  outline: OutlineEntry[];
  /** The links of each page. */
  links: PdfLink[][];
  /** How many images each page shows; only where they are asked for. */
  images: number[];
  title: string;
}

type Loaded = Awaited<ReturnType<typeof getDocument>['promise']>;
type Item = Awaited<ReturnType<Loaded['getOutline']>>[number];
type Destination = Item['dest'];

/** Reads a PDF with a reader that has nothing in common with what wrote it. */
export async function readPdf(bytes: Buffer, withImages = false): Promise<PdfAnswer> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
  const pdf = await task.promise;
  const answer: PdfAnswer = { pages: [], outline: [], links: [], images: [], title: '' };
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    answer.pages.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    );
    const links = (await page.getAnnotations()) as { url?: string; dest?: Destination }[];
    answer.links.push(
      await Promise.all(
        links.map(async ({ url, dest }) => (url ? { url } : { page: await pageOf(pdf, dest ?? null) })),
      ),
    );
    // it draws the whole page: that takes long
    const { fnArray } = withImages ? await page.getOperatorList() : { fnArray: [] };
    answer.images.push(fnArray.filter((operation: number) => operation === OPS.paintImageXObject).length);
    page.cleanup();
  }
  answer.outline = await entries(pdf, await pdf.getOutline());
  answer.title = ((await pdf.getMetadata()).info as { Title?: string }).Title ?? '';
  await task.destroy();
  return answer;
}

async function entries(pdf: Loaded, items: Item[] | null): Promise<OutlineEntry[]> {
  const found: OutlineEntry[] = [];
  for (const { title, dest, items: below } of items ?? []) {
    found.push([title, await pageOf(pdf, dest), await entries(pdf, below as Item[])]);
  }
  return found;
}

async function pageOf(pdf: Loaded, dest: Destination): Promise<number | null> {
  const place = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
  const [page] = (place ?? []) as Parameters<Loaded['getPageIndex']>[0][];
  return page === undefined ? null : (await pdf.getPageIndex(page)) + 1;
}
