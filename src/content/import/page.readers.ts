import { newId } from '../../common/ids.js';
import { ContentError } from '../../revisions/index.js';
import { webAddress, withoutFragment } from './convert/html-tree.js';
import type { Found, FoundPage } from './found.js';
import { ACCEPT_HTML, type HtmlPage, isHtml, storePages } from './html-pages.js';
import { cannotImport, type ImportRun } from './import-run.js';
import { titleFromName } from './nest.js';
import { decodeUtf8 } from './utf8.js';
import { decodeSegment, isAbsolute, storeImages } from './web-files.js';

/** Imports one page of HTML. @throws BadRequestException when it cannot be read. */
export async function readHtmlPage(run: ImportRun, start: string): Promise<Found> {
  const { url, contentType, body: bytes } = await run.fetchStart(start, ACCEPT_HTML);
  if (!isHtml(contentType)) throw cannotImport(`it is no HTML page, but ${contentType || 'unnamed data'}`);
  const converted = await run.convertStart('page', { bytes, contentType, address: url, secret: run.secret });
  const page: HtmlPage = { id: newId(), converted };
  const own = withoutFragment(url);
  const stored = await storePages(run, [page], (address) => (address === own ? page : undefined));
  const text = stored.texts.get(page.id);
  if (!text) throw cannotImport(stored.refusal ?? 'it has no content');
  const found: FoundPage = {
    id: page.id,
    kind: 'document',
    title: converted.title,
    fallback: nameAt(url),
    text,
    children: [],
  };
  return { pages: [found], files: stored.files, total: 1 + stored.totalFiles, imported: 1 + stored.files.length };
}

/**
 * Imports one text of Markdown, byte for byte; its images become files, which its addresses stand for as they are.
 *
 * @throws BadRequestException when it cannot be read.
 */
export async function readMarkdownPage(run: ImportRun, start: string): Promise<Found> {
  const { url, contentType, body } = await run.fetchStart(start, 'text/markdown, text/plain, */*');
  if (isHtml(contentType))
    throw cannotImport('it is an HTML page, not a text of Markdown; give the address of its source');
  const markdown = decodeUtf8(body);
  if (markdown === undefined) throw cannotImport('it is no text in UTF-8');
  const [text] = await run.storeTexts([markdown]);
  if (!text || text instanceof ContentError) throw cannotImport(text?.message ?? 'it cannot be stored');
  // what an absolute address means is not for us to say
  const addressOf = (written: string): string | undefined =>
    isAbsolute(written) ? undefined : webAddress(written, url);
  const images = text.links.filter(({ kind }) => kind === 'image').flatMap((link) => addressOf(link.url) ?? []);
  const { files, total } = await storeImages(run, images.map(withoutFragment));
  const page: FoundPage = {
    id: newId(),
    kind: 'document',
    fallback: nameAt(url),
    text,
    target: (written) => {
      const file = files.get(addressOf(written) ?? '');
      return file && { file: file.id };
    },
    children: [],
  };
  return { pages: [page], files: [...files.values()], total: 1 + total, imported: 1 + files.size };
}

/** A title for what lies at `address`. */
function nameAt(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split('/').filter(Boolean).at(-1);
  return last === undefined ? hostname : titleFromName(decodeSegment(last).replace(/\.\w{1,8}$/, ''));
}
