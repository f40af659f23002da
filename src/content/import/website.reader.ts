import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../common/ids.js';
import type { Found, FoundPage } from './found.js';
import { ACCEPT_HTML, type HtmlPage, isHtml, storePages } from './html-pages.js';
import { cannotImport, type ImportRun } from './import-run.js';
import { type Branch, nest, titleFromName } from './nest.js';
import { RobotsRules } from './robots-rules.js';
import { pageAddress, SiteScope } from './site-scope.js';

/** A page of the site. */
interface SitePage extends HtmlPage {
  /** Where it was found in the end. */
  address: string;
}

/** Pages that are fetched at a time. */
const AHEAD = 4;

/**
 * Imports a site: the page at `start` and, breadth first, what it and the others link to below it. Pages are nested by
 * their addresses, in the order in which they were found; the first one stands before them all.
 *
 * @throws BadRequestException when the first page cannot be read.
 */
export async function readWebsite(run: ImportRun, start: string): Promise<Found> {
  const crawl = await Crawl.begin(run, start);
  await crawl.follow();
  const { pages, scope } = crawl;
  const { texts, files, totalFiles, refusal } = await storePages(run, pages, (address) => crawl.find(address));
  if (texts.size === 0) throw cannotImport(refusal ?? 'it has no content');
  const stored = pages.filter(({ id }) => texts.has(id));
  const toFound = (page: SitePage, name: string, children: FoundPage[]): FoundPage => ({
    id: page.id,
    kind: 'document',
    title: page.converted.title,
    fallback: titleFromName(name),
    text: texts.get(page.id),
    children,
  });
  const [top, below] = [stored.filter(isTop), stored.filter((page) => !isTop(page))];
  const branches = nest(below.map((page) => [scope.pathOf(page.address), page] as const)).flatMap(withoutLoneLevels);
  return {
    pages: [...top.map((page) => toFound(page, new URL(page.address).hostname, [])), ...branches.map(fromBranch)],
    files,
    total: crawl.total + totalFiles,
    imported: texts.size + files.length,
  };

  function isTop({ address }: SitePage): boolean {
    return scope.pathOf(address).length === 0;
  }

  function fromBranch({ name, item, children }: Branch<SitePage>): FoundPage {
    const below = children.map(fromBranch);
    if (item) return toFound(item, name, below);
    return { id: newId(), kind: 'document', fallback: titleFromName(name), children: below };
  }
}

/** A level of the address that is no page and holds one page only (`/2024/`) says nothing; one that holds several does. */
function withoutLoneLevels<T>(branch: Branch<T>): Branch<T>[] {
  const children = branch.children.flatMap(withoutLoneLevels);
  return branch.item === undefined && children.length < 2 ? children : [{ ...branch, children }];
}

class Crawl {
  readonly pages: SitePage[] = [];
  /** The page behind each address that leads to one. */
  private readonly byAddress = new Map<string, SitePage>();
  private readonly queue: string[] = [];
  private readonly known = new Set<string>();
  private duplicates = 0;

  private constructor(
    private readonly run: ImportRun,
    readonly scope: SiteScope,
    private readonly robots: RobotsRules,
  ) {}

  /** Reads the first page. @throws BadRequestException when that cannot be done. */
  static async begin(run: ImportRun, start: string): Promise<Crawl> {
    const robots = await RobotsRules.of(run, start);
    const answer = await run.fetchStart(start, ACCEPT_HTML);
    if (!isHtml(answer.contentType))
      throw cannotImport(`it is no HTML page, but ${answer.contentType || 'unnamed data'}`);
    const moved = new URL(answer.url).origin !== new URL(start).origin;
    const asked = new SiteScope(start);
    const scope = asked.holds(answer.url) ? asked : new SiteScope(answer.url);
    const crawl = new Crawl(run, scope, moved ? await RobotsRules.of(run, answer.url) : robots);
    const converted = await run.convertStart('page', {
      bytes: answer.body,
      contentType: answer.contentType,
      address: answer.url,
      secret: run.secret,
    });
    crawl.known.add(pageAddress(start));
    await crawl.take(start, { id: newId(), address: answer.url, converted });
    return crawl;
  }

  /** How many pages were found: the first one and those in the queue, each once. */
  get total(): number {
    return 1 + this.queue.length - this.duplicates;
  }

  /** The page that `address` leads to, if it is imported. */
  find(address: string): SitePage | undefined {
    return this.byAddress.get(pageAddress(address));
  }

  /** Reads the pages that were linked to, some ahead, but one after the other as they were found. */
  async follow(): Promise<void> {
    const open: { address: string; page: Promise<SitePage | undefined> }[] = [];
    const width = this.robots.delay > 0 ? 1 : AHEAD;
    for (let next = 0; !this.run.isOver;) {
      while (open.length < width && next < this.queue.length) {
        const address = this.queue[next] ?? '';
        next += 1;
        open.push({ address, page: this.read(address) });
      }
      const first = open.shift();
      if (!first) break;
      const page = await first.page;
      if (page) await this.take(first.address, page);
    }
    await Promise.all(open.map(({ page }) => page));
  }

  private async read(address: string): Promise<SitePage | undefined> {
    if (this.robots.delay > 0)
      await wait(this.robots.delay, undefined, { signal: this.run.signal }).catch(() => undefined);
    const answer = await this.run.tryFetch(address, ACCEPT_HTML);
    if (!answer || !isHtml(answer.contentType) || !this.scope.holds(answer.url)) return undefined;
    const [allowed] = await this.robots.allowed([answer.url]);
    if (allowed === undefined) return undefined;
    const { body: bytes, contentType, url } = answer;
    const page = { bytes, contentType, address: url, secret: this.run.secret };
    const converted = await this.run.tryConvert('page', page, url);
    return converted && { id: newId(), address: url, converted };
  }

  /** Adds `page`, which `asked` led to, unless it is there already, and queues what it links to. */
  private async take(asked: string, page: SitePage): Promise<void> {
    const { canonical, links } = page.converted;
    const addresses = [asked, page.address];
    if (canonical !== undefined && this.scope.holds(canonical)) addresses.push(canonical);
    const there = addresses.map((address) => this.find(address)).find(Boolean) ?? this.twinOf(page);
    for (const address of addresses) this.byAddress.set(pageAddress(address), there ?? page);
    if (there) {
      this.duplicates += 1;
      return;
    }
    this.pages.push(page);
    for (const address of addresses) this.known.add(pageAddress(address));
    await this.enqueue(links);
  }

  /** The page with the same text at what is the same place (`/guide` and `/guide/`, or by another query). */
  private twinOf({ address, converted: { markdown } }: SitePage): SitePage | undefined {
    const path = this.scope.pathOf(address).join('/');
    return this.pages.find(
      (page) => page.converted.markdown === markdown && this.scope.pathOf(page.address).join('/') === path,
    );
  }

  private async enqueue(links: readonly string[]): Promise<void> {
    const fresh = [...new Set(links.filter((link) => this.scope.wants(link)).map(pageAddress))];
    const unknown = fresh.filter((link) => !this.known.has(link));
    const room = this.run.maxPages - 1 - this.queue.length;
    if (room <= 0 || unknown.length === 0) return;
    for (const link of unknown) this.known.add(link);
    this.queue.push(...(await this.robots.allowed(unknown)).slice(0, room));
  }
}
