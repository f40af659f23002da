import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../common/batches-of.js';
import {
  type ContentChange,
  type ContentTree,
  DocumentsService,
  type LinkTarget,
  type PageLinks,
  type PageNode,
  type Revision,
  RevisionsService,
  type TreeEditor,
  type TreePage,
} from '../../revisions/index.js';
import type { Space } from '../../spaces/index.js';
import { isPath, namedPath, splitAddress, withoutAnchor } from './addresses.js';
import { isElsewhere, isNewOrGone, LinkIndex } from './link-index.js';
import { type Meanings, type Reader, readMeanings, targetOf } from './meanings.js';
import { pageResource, waitOfPath } from './page-links.js';
import { withBelow } from './subtrees.js';
import { editedTexts, linksOfTexts, mergedTexts, type TextOrigins } from './written-texts.js';

/** Pages whose texts are in memory at once. */
const BATCH = 200;

/** The space whose links are kept, and the revision that its index stands at. */
type IndexedSpace = Pick<Space, '_id' | 'revision' | 'indexedRevision'>;

/** Content that an edit was made on, or one side of a merge, beside what became of it. */
interface Before {
  readonly revision: Revision;
  readonly tree: ContentTree;
  /** Pages whose text is another now. */
  readonly texts: ReadonlySet<string>;
  /** Pages that lie elsewhere now, with their paths there. */
  readonly moved: ReadonlyMap<string, string>;
}

/**
 * Keeps beside the texts what their addresses mean, so that a text can stay as it was written whatever is renamed or
 * moved. Called when an edit or a merge is done and before its editor finishes.
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
  async keep(space: IndexedSpace, base: Revision, editor: TreeEditor): Promise<void> {
    const before = await this.compare(base, editor, [...editor.touchedPages]);
    await this.keepTexts(editor, before.texts, (pages) => editedTexts(editor, before.tree, pages));
    await this.keepMoved(space, editor, before);
  }

  /**
   * Completes a merge of `ours` and `theirs` whose outcome `merged` is open in `editor`. An address of a text that was
   * put together means what it meant on one of the sides, by what was kept there or else by its words; all other
   * addresses mean what they meant on the side that their text comes from.
   */
  async keepMerged(
    space: IndexedSpace,
    { ours, theirs }: { ours: Revision; theirs: Revision },
    merged: Pick<Revision, 'root'>,
    editor: TreeEditor,
  ): Promise<void> {
    const sides: Before[] = [];
    for (const side of [ours, theirs]) {
      const { pages } = await this.revisions.diff(side, merged);
      sides.push(
        await this.compare(
          side,
          editor,
          pages.map(({ id }) => id),
        ),
      );
    }
    const [own, ...others] = sides;
    const both = [...(own?.texts ?? [])].filter((page) => others.every(({ texts }) => texts.has(page)));
    await this.keepTexts(editor, both, (pages) =>
      mergedTexts(
        editor,
        sides.map(({ tree }) => tree),
        pages,
      ),
    );
    for (const side of sides) await this.keepMoved(space, editor, side);
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
        const to = { ...links.to, ...asKept(meantByWords(reader, meanings.get(reader.id)), links) };
        if (Object.keys(to).length > 0) meant.set(reader.id, { ...links, to });
      }
    }
    return meant;
  }

  /** What of `pages`, which are all that may differ, is not in `editor` as it was in `revision`. */
  private async compare(revision: Revision, editor: TreeEditor, pages: readonly string[]): Promise<Before> {
    const tree = this.revisions.tree(revision);
    const [texts, moved] = [new Set<string>(), new Map<string, string>()];
    const placed = await tree.findPlaced(pages);
    for (const [id, { node, path }] of await editor.findPlaced(pages)) {
      const old = placed.get(id);
      if (node.document !== undefined && node.document !== old?.node.document) texts.add(id);
      if (old && old.path !== null && old.path !== path) moved.set(id, old.path);
    }
    return { revision, tree, texts, moved };
  }

  private async keepTexts(
    editor: TreeEditor,
    pages: Iterable<string>,
    originsOf: (pages: ReadonlyMap<string, TreePage>) => Promise<TextOrigins>,
  ): Promise<void> {
    for (const batch of batchesOf([...pages], BATCH)) {
      const placed = await editor.findPlaced(batch);
      const readers = (await this.readers(placed)).map((reader) => ({ ...reader, urls: addressesOf(reader) }));
      const links = await linksOfTexts(editor, readers, await originsOf(placed));
      for (const { node, path } of placed.values()) {
        if (path !== null) editor.setLinks(node.id, links.get(node.id) ?? null);
      }
    }
  }

  /**
   * Keeps what addresses that are read by their words mean in `before`, where a page that they are in or lead to lies
   * elsewhere now and the text of the page is still the same.
   */
  private async keepMoved(space: IndexedSpace, editor: TreeEditor, before: Before): Promise<void> {
    if (before.moved.size === 0) return;
    const waiting = await this.waiting(space, before);
    const others = [...waiting].filter((page) => !before.texts.has(page));
    for (const batch of batchesOf(others, BATCH)) await this.keepWords(editor, before.tree, batch);
  }

  /**
   * Pages of `before` whose addresses may be read by their words and lead to, or stand in, what was moved. The index
   * knows them as of its own revision; what differs from there is looked at as well.
   */
  private async waiting({ _id, ...space }: IndexedSpace, { revision, tree, moved }: Before): Promise<Set<string>> {
    const indexed = space.indexedRevision ?? space.revision;
    const pages =
      indexed === revision._id ? [] : (await this.revisions.diff(await this.revisions.get(indexed), revision)).pages;
    const elsewhere = pages.filter((change) => change.before && change.after && isElsewhere(change));
    const below = (): Promise<string[]> => withBelow(tree, [...moved.keys(), ...elsewhere.map(({ id }) => id)]);
    const found = await this.index.waiting(_id, [...moved.values()].map(waitOfPath), below);
    const gone = pages.filter(({ after }) => !after).map(({ id }) => pageResource(id));
    for (const page of await this.index.leadingTo(_id, gone)) found.add(page);
    for (const change of pages) if (hasOtherText(change)) found.add(change.id);
    return found;
  }

  private async keepWords(editor: TreeEditor, before: ContentTree, pages: readonly string[]): Promise<void> {
    const readers = await this.readers(await before.findPlaced(pages));
    const meanings = await readMeanings(before, readers);
    const kept = await before.findLinks(readers.map(({ id }) => id));
    const meant = readers.map((reader) => ({ ...reader, meant: meantByWords(reader, meanings.get(reader.id)) }));
    const now = await editor.findPlaced(meant.flatMap(({ id, meant: own }) => [id, ...own.map(({ page }) => page)]));
    for (const { id, path: then, meant: own } of meant) {
      const path = now.get(id)?.path;
      if (path === undefined || path === null) continue;
      const links = (await editor.findLinks(id)) ?? { path, to: {} };
      const found = own.filter((one) => {
        // what the edit or the other side says of an address counts
        if (!isSame(targetOf(links, one.address), targetOf(kept.get(id) ?? NO_LINKS, one.address))) return false;
        const target = now.get(one.page);
        return path !== then || (target !== undefined && target.path !== one.path);
      });
      if (found.length > 0) editor.setLinks(id, { ...links, to: { ...links.to, ...asKept(found, links) } });
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

const NO_LINKS: Pick<PageLinks, 'to'> = { to: {} };

/** An address that is read by its words, and the page that it means, with its path. */
interface MeantByWords {
  readonly address: string;
  readonly page: string;
  readonly path: string;
}

function meantByWords(reader: Reader, meanings: Meanings | undefined): MeantByWords[] {
  return reader.urls.flatMap((url): MeantByWords[] => {
    const meaning = meanings?.of(url);
    if (typeof meaning?.path !== 'string' || !('page' in meaning.ref) || meaning.ref.page === undefined) return [];
    return [{ address: withoutAnchor(url), page: meaning.ref.page, path: meaning.path }];
  });
}

/** `meant` as it is kept in `links`. */
function asKept(meant: readonly MeantByWords[], links: Pick<PageLinks, 'path'>): Record<string, LinkTarget> {
  return Object.fromEntries(
    meant.map(({ address, page }) => [address, { page, path: namedPath(splitAddress(address).path, links.path) }]),
  );
}

/** The addresses of a text without their anchors, each once. */
function addressesOf({ urls }: Reader): string[] {
  return [...new Set(urls.map(withoutAnchor))];
}

function hasOtherText(change: ContentChange<PageNode>): boolean {
  return change.after !== undefined && (isNewOrGone(change) || change.before?.document !== change.after.document);
}

function isSame(one: LinkTarget | undefined, other: LinkTarget | undefined): boolean {
  return one?.page === other?.page && one?.file === other?.file;
}
