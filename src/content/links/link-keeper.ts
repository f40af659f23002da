import { Injectable } from '@nestjs/common';
import {
  type ContentTree,
  DocumentsService,
  type LinkTarget,
  type PageLinks,
  type Revision,
  RevisionsService,
  type TreeEditor,
  type TreePage,
} from '../../revisions/index.js';
import { isPath, ledTo, namedPath, splitAddress, withoutAnchor } from './addresses.js';
import { batchesOf } from './batches.js';
import { LinkIndex } from './link-index.js';
import { type Meanings, type Reader, readMeanings, targetOf } from './meanings.js';
import { waitOfPath } from './page-links.js';
import { withBelow } from './subtrees.js';

/** Pages whose texts are in memory at once. */
const BATCH = 200;

/** What an address of a new text was known to mean before anybody read its words. */
interface Known {
  /** Links that it was kept with, and the address there. */
  readonly links: PageLinks;
  readonly address: string;
  readonly target: LinkTarget;
}

/** A page with a new text. */
interface Written {
  readonly id: string;
  readonly path: string;
  /** Where it lay before the edit. */
  readonly pathBefore: string | undefined;
  readonly addresses: readonly string[];
  readonly known: ReadonlyMap<string, Known>;
}

/**
 * Keeps beside the texts what their addresses mean, so that a text can stay as it was written whatever is renamed or
 * moved. Called when an edit is done and before its editor finishes.
 */
@Injectable()
export class LinkKeeper {
  constructor(
    private readonly revisions: RevisionsService,
    private readonly documents: DocumentsService,
    private readonly index: LinkIndex,
  ) {}

  /**
   * Completes an edit that `editor` made on `base`. An address of a new text means, in this order: what the edit says;
   * what it meant as the page was read before; what lies where its words lead now, or did before the edit. An address
   * of another text whose words lead to a page is kept with that page before one of the two goes elsewhere.
   */
  async keep(space: string, base: Revision, editor: TreeEditor): Promise<void> {
    const before = this.revisions.tree(base);
    const { texts, moved } = await touched(editor, before);
    for (const batch of batchesOf([...texts], BATCH)) await this.keepTexts(editor, before, batch);
    if (moved.size === 0) return;
    const pages = (): Promise<string[]> => withBelow(before, [...moved.keys()]);
    const waiting = await this.index.waiting(space, [...moved.values()].map(waitOfPath), pages);
    const others = [...waiting].filter((page) => !texts.has(page));
    for (const batch of batchesOf(others, BATCH)) await this.keepWords(editor, before, batch);
  }

  /**
   * What the addresses in the texts of `pages` mean in `tree`, also those that are read by their words; pages whose
   * addresses lead nowhere in the space are left out.
   */
  async meant(tree: ContentTree, pages: readonly string[]): Promise<Map<string, PageLinks>> {
    const meant = new Map<string, PageLinks>();
    for (const batch of batchesOf(pages, BATCH)) {
      const readers = await this.readers(await tree.findPlaced(batch));
      const kept = await tree.findLinks(readers.map(({ id }) => id));
      const meanings = await readMeanings(tree, readers);
      for (const reader of readers) {
        const links = kept.get(reader.id) ?? { path: reader.path, to: {} };
        const to = { ...links.to, ...byWordsOf(reader, meanings, links) };
        if (Object.keys(to).length > 0) meant.set(reader.id, { ...links, to });
      }
    }
    return meant;
  }

  private async keepTexts(editor: TreeEditor, before: ContentTree, pages: readonly string[]): Promise<void> {
    const placed = await editor.findPlaced(pages);
    const outlines = await this.documents.outlines([...placed.values()].flatMap(({ node }) => node.document ?? []));
    const placedBefore = await before.findPlaced(pages);
    const read = await readBefore(before, placedBefore);
    const written: Written[] = [];
    for (const [id, { node, path }] of placed) {
      if (path === null) continue;
      const urls = outlines.get(node.document ?? '')?.links.map(({ url }) => url) ?? [];
      const addresses = [...new Set(urls.filter(isPath).map(withoutAnchor))];
      const given = editor.givenLinks.has(id) ? await editor.findLinks(id) : null;
      const known = given ? linksByAddress(given) : (read.get(id) ?? new Map<string, Known>());
      written.push({ id, path, pathBefore: placedBefore.get(id)?.path ?? undefined, addresses, known });
    }
    const byWords = await readWords(editor, before, written);
    for (const page of written) {
      editor.setLinks(page.id, linksOf(page, byWords.get(page.id) ?? new Map<string, string>()));
    }
  }

  /** Keeps what addresses of `pages` that are read by their words mean in `before`. */
  private async keepWords(editor: TreeEditor, before: ContentTree, pages: readonly string[]): Promise<void> {
    const readers = await this.readers(await before.findPlaced(pages));
    const meanings = await readMeanings(before, readers);
    const now = await editor.findPlaced(pages);
    for (const reader of readers) {
      const path = now.get(reader.id)?.path;
      if (path === undefined || path === null) continue;
      const links = (await editor.findLinks(reader.id)) ?? { path, to: {} };
      const found = byWordsOf(reader, meanings, links);
      if (Object.keys(found).length > 0) editor.setLinks(reader.id, { ...links, to: { ...links.to, ...found } });
    }
  }

  private async readers(placed: ReadonlyMap<string, TreePage>): Promise<Reader[]> {
    const outlines = await this.documents.outlines([...placed.values()].flatMap(({ node }) => node.document ?? []));
    return [...placed.values()].flatMap(({ node, path }) => {
      const urls =
        outlines
          .get(node.document ?? '')
          ?.links.map(({ url }) => url)
          .filter(isPath) ?? [];
      return path === null || urls.length === 0 ? [] : [{ id: node.id, path, urls }];
    });
  }
}

/** What those addresses of a page mean that are read by their words, as they are kept in `links`. */
function byWordsOf(
  { id, urls }: Reader,
  meanings: ReadonlyMap<string, Meanings>,
  links: PageLinks,
): Record<string, LinkTarget> {
  const found = urls.flatMap((url): [string, LinkTarget][] => {
    const meaning = meanings.get(id)?.of(url);
    if (meaning?.path === undefined || !('page' in meaning.ref) || meaning.ref.page === undefined) return [];
    const address = withoutAnchor(url);
    return [[address, { page: meaning.ref.page, path: namedPath(splitPath(address), links.path) }]];
  });
  return Object.fromEntries(found);
}

/** The pages with texts that are new to them, and those that lie elsewhere than in `before`, with their paths there. */
async function touched(
  editor: TreeEditor,
  before: ContentTree,
): Promise<{ texts: Set<string>; moved: Map<string, string> }> {
  const [texts, moved] = [new Set<string>(), new Map<string, string>()];
  const placedBefore = await before.findPlaced([...editor.touchedPages]);
  for (const [id, { node, path }] of await editor.findPlaced([...editor.touchedPages])) {
    const old = placedBefore.get(id);
    if (node.document !== undefined && node.document !== old?.node.document) texts.add(id);
    if (old && old.path !== null && old.path !== path) moved.set(id, old.path);
  }
  return { texts, moved };
}

/** What the addresses of `pages` meant in `before`, by page and by the address as it was read there. */
async function readBefore(
  before: ContentTree,
  pages: ReadonlyMap<string, TreePage>,
): Promise<Map<string, Map<string, Known>>> {
  const links = await before.findLinks([...pages.keys()]);
  const readers = [...links].flatMap(([id, { to }]): Reader[] => {
    const path = pages.get(id)?.path;
    return path === undefined || path === null ? [] : [{ id, path, urls: Object.keys(to) }];
  });
  const meanings = await readMeanings(before, readers);
  const read = new Map<string, Map<string, Known>>();
  for (const { id, urls } of readers) {
    const [own, kept] = [meanings.get(id), links.get(id)];
    if (own === undefined || kept === undefined) continue;
    const known = new Map<string, Known>();
    for (const address of urls) {
      const target = targetOf(kept, address);
      // what is gone is read by its words, here as everywhere
      if (target && own.of(address).path === undefined)
        known.set(own.spelled(address) ?? address, { links: kept, address, target });
    }
    read.set(id, known);
  }
  return read;
}

function linksByAddress(links: PageLinks): Map<string, Known> {
  return new Map(Object.entries(links.to).map(([address, target]) => [address, { links, address, target }]));
}

/** Ids of the pages that words alone lead to, by page and address: now, else before the edit. */
async function readWords(
  editor: TreeEditor,
  before: ContentTree,
  written: readonly Written[],
): Promise<Map<string, Map<string, string>>> {
  const open = written.flatMap((page) =>
    page.addresses
      .filter((address) => !page.known.has(address))
      .map((address) => ({
        page: page.id,
        address,
        now: namedPath(splitPath(address), page.path),
        then: page.pathBefore === undefined ? null : namedPath(splitPath(address), page.pathBefore),
      })),
  );
  const found = new Map<string, Map<string, string>>();
  const note = (page: string, address: string, target: string | undefined): boolean => {
    if (target !== undefined) found.set(page, (found.get(page) ?? new Map<string, string>()).set(address, target));
    return target !== undefined;
  };
  const now = await editor.findPagesByPath(open.flatMap(({ now: path }) => path ?? []));
  const rest = open.filter(({ page, address, now: path }) => !note(page, address, now.get(path ?? '')?.id));
  const then = await before.findPagesByPath(rest.flatMap(({ then: path }) => path ?? []));
  const left = await editor.findPlaced([...then.values()].map(({ id }) => id));
  for (const { page, address, then: path } of rest) {
    const target = then.get(path ?? '')?.id;
    if (target !== undefined && left.has(target)) note(page, address, target);
  }
  return found;
}

/** What is kept for a page; `null` when its addresses lead nowhere in the space. */
function linksOf({ path, addresses, known }: Written, byWords: ReadonlyMap<string, string>): PageLinks | null {
  const to: [string, LinkTarget][] = [];
  for (const address of addresses) {
    const before = known.get(address);
    const page = byWords.get(address);
    if (before?.target.file !== undefined) to.push([address, { file: before.target.file }]);
    else if (before?.target.page !== undefined) {
      // as read, an address that was spelled anew is what its words say
      const words =
        before.address === address
          ? ledTo(address, before.links, before.target, path)
          : namedPath(splitPath(address), path);
      to.push([address, { page: before.target.page, path: words }]);
    } else if (page !== undefined) to.push([address, { page, path: namedPath(splitPath(address), path) }]);
  }
  return to.length === 0 ? null : { path, to: Object.fromEntries(to) };
}

function splitPath(address: string): string {
  return splitAddress(address).path;
}
