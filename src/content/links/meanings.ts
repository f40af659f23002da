import type { ContentRef, ContentTree, PageLinks, PageNode, TreePage } from '../../revisions/index.js';
import { refOf } from '../../revisions/index.js';
import { isPath, ledTo, namedPath, spellAddress, splitAddress, withoutAnchor } from './addresses.js';

/** What the addresses of one page's text are read with: the page, and what is written there. */
export interface Reader {
  readonly id: string;
  /** Where the page lies now. */
  readonly path: string;
  readonly urls: readonly string[];
}

/** What one address means. */
export interface Meaning {
  /** What it leads to; a URL when it leads nowhere in the space. */
  readonly ref: ContentRef;
  /** It is read by its words, and means whatever lies at this path; `null`: they name no page. */
  readonly path?: string | null;
  /** The page or file that it led to, and that is gone. */
  readonly gone?: { readonly page?: string; readonly file?: string };
}

/** What is known about the content that addresses lead to. */
interface Known {
  readonly links: ReadonlyMap<string, PageLinks>;
  readonly pages: ReadonlyMap<string, TreePage>;
  readonly files: ReadonlySet<string>;
  readonly byPath: ReadonlyMap<string, PageNode>;
}

/** What the addresses in the text of one page mean. */
export class Meanings {
  private readonly links: PageLinks | undefined;

  constructor(
    private readonly page: Pick<Reader, 'id' | 'path'>,
    private readonly known: Known,
  ) {
    this.links = known.links.get(page.id);
  }

  /** What `url`, as written in the text, means. An anchor of the page itself names the page. */
  of(url: string): Meaning {
    if (!isPath(url)) {
      const ref = refOf(url);
      return {
        ref: ref.kind === 'anchor' && ref.page === undefined && !ref.space ? { ...ref, page: this.page.id } : ref,
      };
    }
    const { path, anchor } = splitAddress(url);
    const target = this.target(url);
    if (target?.page !== undefined && this.known.pages.has(target.page)) return { ref: toPage(target.page, anchor) };
    if (target?.file !== undefined && this.known.files.has(target.file)) {
      return { ref: { kind: 'file', file: target.file } };
    }
    const named = namedPath(path, this.page.path);
    const page = named === null ? undefined : this.known.byPath.get(named);
    const gone = target && (target.page === undefined ? { file: target.file } : { page: target.page });
    const ref: ContentRef = page === undefined ? { kind: 'url', url } : toPage(page.id, anchor);
    return { ref, path: named, ...(gone && { gone }) };
  }

  /** How `url` is to be written now; `undefined`: as it is. */
  spelled(url: string): string | undefined {
    const target = isPath(url) ? this.target(url) : undefined;
    const now = target?.page === undefined ? undefined : this.known.pages.get(target.page)?.path;
    if (this.links === undefined || target === undefined || now === undefined || now === null) return undefined;
    if (ledTo(url, this.links, target, this.page.path) === now) return undefined;
    return spellAddress(url, this.page.path, now);
  }

  private target(url: string): PageLinks['to'][string] | undefined {
    return this.links && targetOf(this.links, url);
  }
}

/** What `links` say of `url`. */
export function targetOf(links: Pick<PageLinks, 'to'>, url: string): PageLinks['to'][string] | undefined {
  const address = withoutAnchor(url);
  return Object.hasOwn(links.to, address) ? links.to[address] : undefined;
}

/** What the addresses of `readers` mean in the content of `tree`, by page. A few readings for all of them. */
export async function readMeanings(tree: ContentTree, readers: readonly Reader[]): Promise<Map<string, Meanings>> {
  const links = await tree.findLinks(readers.map(({ id }) => id));
  const targets = [...links.values()].flatMap(({ to }) => Object.values(to));
  const pages = await tree.findPlaced([...new Set(targets.flatMap(({ page }) => page ?? []))]);
  const files = new Set((await tree.findFiles([...new Set(targets.flatMap(({ file }) => file ?? []))])).keys());
  const known = { links, pages, files, byPath: new Map<string, PageNode>() };
  const open = readers.flatMap((reader) => pathsNamed(reader, new Meanings(reader, known)));
  const byPath = open.length === 0 ? known.byPath : await tree.findPagesByPath(open);
  return new Map(readers.map((reader) => [reader.id, new Meanings(reader, { ...known, byPath })]));
}

/** The paths that words alone lead to. */
function pathsNamed({ urls }: Reader, meanings: Meanings): string[] {
  return urls.flatMap((url) => meanings.of(url).path ?? []);
}

function toPage(page: string, anchor: string): ContentRef {
  const ref = refOf(anchor);
  return ref.kind === 'anchor' ? { kind: 'anchor', anchor: ref.anchor, page } : { kind: 'page', page };
}
