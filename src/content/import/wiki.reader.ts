import { newId } from '../../common/ids.js';
import type { Fetched } from '../../outbound/index.js';
import { ContentError, type DocumentRecord, type MarkdownLink, readOutline, respell } from '../../revisions/index.js';
import { countTexts, type Found, type FoundPage } from './found.js';
import { ACCEPT_HTML, isHtml } from './html-pages.js';
import { cannotImport, type ImportRun } from './import-run.js';
import type { SummaryEntry } from './summary.js';
import { decodeUtf8 } from './utf8.js';
import { isAbsolute, storeImages } from './web-files.js';
import { nameKey, WikiAddress } from './wiki-address.js';

/** A page of the wiki, as it was read. */
interface WikiPage {
  id: string;
  name: string;
  markdown: string;
  links: readonly MarkdownLink[];
}

const SIDEBAR = '_Sidebar';

/**
 * Imports a wiki as GitHub has them: the pages that its sidebar, its start page and the pages themselves link to. The
 * sidebar orders and nests them; those that it does not name follow as they were found.
 *
 * @throws BadRequestException when there is no page.
 */
export async function readWiki(run: ImportRun, start: string): Promise<Found> {
  const wiki = new Wiki(run, new WikiAddress(start));
  await wiki.load();
  const pages = [...wiki.pages.values()];
  if (pages.length === 0) throw cannotImport('no page of a wiki is served there');
  const images = pages.flatMap(({ links }) => links.filter(({ kind }) => kind === 'image'));
  const stored = await storeImages(
    run,
    images.flatMap(({ url }) => wiki.fileOf(url) ?? []),
  );
  const records = await run.storeTexts(pages.map((page) => wiki.textOf(page, stored.files)));
  const texts = new Map<string, DocumentRecord>();
  pages.forEach(({ id }, index) => {
    const record = records[index];
    if (record && !(record instanceof ContentError)) texts.set(id, record);
  });
  const found = wiki.arrange(texts);
  const files = [...stored.files.values()];
  return { pages: found, files, total: wiki.total + stored.total, imported: countTexts(found) + files.length };
}

class Wiki {
  /** By {@link nameKey}, in the order in which they were found. */
  readonly pages = new Map<string, WikiPage>();
  private readonly names: string[] = [];
  private readonly known = new Set<string>();
  private sidebar: SummaryEntry[] = [];

  constructor(
    private readonly run: ImportRun,
    private readonly address: WikiAddress,
  ) {}

  /** How many pages were found, within the limits. */
  get total(): number {
    return this.names.length;
  }

  /** Reads the wiki. @throws BadRequestException when there is nothing at its address. */
  async load(): Promise<void> {
    const start = await this.run.fetchStart(this.address.base, ACCEPT_HTML);
    const sidebar = await this.source(SIDEBAR);
    if (sidebar !== undefined) {
      this.sidebar = (await this.run.tryConvert('summary', sidebar, this.address.sourceOf(SIDEBAR))) ?? [];
    }
    this.find('Home');
    this.findAll(addressesOf(this.sidebar));
    this.findAll(await this.linksOf(start));
    for (let next = 0; next < this.names.length && !this.run.isOver; next += 1) {
      const name = this.names[next] ?? '';
      const page = await this.read(name);
      if (!page) continue;
      this.pages.set(nameKey(name), page);
      this.findAll(page.links.map(({ url }) => url));
    }
  }

  /** Where the file is served that an address in a page means. */
  fileOf(written: string): string | undefined {
    const address = this.address.resolve(written);
    return address === undefined ? undefined : this.address.fileAt(address);
  }

  /** The text of `page` with its addresses spelled as they mean the same here. */
  textOf({ markdown, links }: WikiPage, files: ReadonlyMap<string, { id: string }>): string {
    return respell(markdown, links, ({ url }) => {
      const address = url.startsWith('#') ? undefined : this.address.resolve(url);
      if (address === undefined) return undefined;
      const page = this.pages.get(nameKey(this.address.nameAt(address) ?? ''));
      const [, anchor = ''] = /^[^#]*(#.*)$/s.exec(url) ?? [];
      if (page) return `/pages/${page.id}${anchor}`;
      const file = files.get(this.address.fileAt(address));
      if (file) return `/files/${file.id}`;
      return isAbsolute(url) ? undefined : address + anchor;
    });
  }

  /** The pages with a text in `texts`, as the sidebar nests them. */
  arrange(texts: ReadonlyMap<string, DocumentRecord>): FoundPage[] {
    const left = new Map(this.pages);
    const toFound = (page: WikiPage, title: string | undefined, children: FoundPage[]): FoundPage => {
      const name = page.name.replaceAll('-', ' ');
      const own = title ?? (name === 'Home' ? undefined : name);
      return { id: page.id, kind: 'document', title: own, fallback: name, text: texts.get(page.id), children };
    };
    const fromEntry = ({ kind, title, file, url, children }: SummaryEntry): FoundPage[] => {
      const key = nameKey(this.nameOf(file ?? url) ?? '');
      const page = left.get(key);
      left.delete(key);
      const below = children.flatMap(fromEntry);
      if (page) return [toFound(page, title, below)];
      if (below.length === 0) return [];
      return [{ id: newId(), kind: kind === 'group' ? 'group' : 'document', fallback: title, children: below }];
    };
    const named = this.sidebar.flatMap(fromEntry);
    const rest = [...left.values()].map((page) => toFound(page, undefined, []));
    const isHome = (page: FoundPage): boolean => nameKey(page.fallback) === 'home';
    const kept = [...rest.filter(isHome), ...named, ...rest.filter((page) => !isHome(page))];
    return kept.filter(({ text, children }) => text !== undefined || children.length > 0);
  }

  private nameOf(written: string | undefined): string | undefined {
    const address = written === undefined ? undefined : this.address.resolve(written);
    return address === undefined ? undefined : this.address.nameAt(address);
  }

  private findAll(addresses: readonly string[]): void {
    for (const address of addresses) {
      const name = address.startsWith('#') ? undefined : this.nameOf(address);
      if (name !== undefined) this.find(name);
    }
  }

  private find(name: string): void {
    const key = nameKey(name);
    if (this.known.has(key) || this.names.length >= this.run.maxPages) return;
    this.known.add(key);
    this.names.push(name);
  }

  private async linksOf({ body, contentType, url }: Fetched): Promise<string[]> {
    if (!isHtml(contentType)) return [];
    const page = { bytes: body, contentType, address: url, secret: this.run.secret };
    return (await this.run.tryConvert('page', page, url))?.links ?? [];
  }

  private async read(name: string): Promise<WikiPage | undefined> {
    const markdown = await this.source(name);
    if (markdown === undefined) return undefined;
    try {
      return { id: newId(), name, markdown, links: (await readOutline(markdown)).links };
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      this.run.log(`the page ${name} is left out: ${error.message}`);
      return undefined;
    }
  }

  /** The Markdown of a page, its links written as Markdown has them; `undefined` when there is none. */
  private async source(name: string): Promise<string | undefined> {
    const address = this.address.sourceOf(name);
    const answer = await this.run.tryFetch(address, 'text/markdown, text/plain');
    if (!answer || isHtml(answer.contentType)) return undefined;
    const text = decodeUtf8(answer.body);
    return text === undefined ? undefined : this.run.tryConvert('wiki', text, address);
  }
}

function addressesOf(entries: readonly SummaryEntry[]): string[] {
  return entries.flatMap(({ file, url, children }) => [file ?? url ?? '', ...addressesOf(children)]);
}
