import type { ContentTree, LinkTarget, PageLinks, PageNode, TreeEditor, TreePage } from '../../revisions/index.js';
import { ledTo, namedPath, splitAddress } from './addresses.js';
import { type Reader, readMeanings, targetOf } from './meanings.js';

/** What an address of a new text was known to mean before anybody read its words. */
interface Known {
  /** Links that it was kept with, and the address there. */
  readonly links: PageLinks;
  readonly address: string;
  readonly target: LinkTarget;
}

type KnownByPage = ReadonlyMap<string, ReadonlyMap<string, Known>>;

/** Content in which the words of addresses are followed. */
interface Ground {
  /** Where the pages with the new texts lie in it; those that are not there are left out. */
  readonly paths: ReadonlyMap<string, TreePage>;
  /** The pages at `paths`, by path. */
  find(paths: readonly string[]): Promise<ReadonlyMap<string, Pick<PageNode, 'id'>>>;
}

/** What the addresses of new texts are read with. */
export interface TextOrigins {
  /** What is known of their addresses, by page and address. */
  readonly known: KnownByPage;
  /** Where the words of the other addresses are followed, the first that has a page there wins. */
  readonly grounds: readonly Ground[];
}

/** What the texts of `pages`, which lie as they do now, are read with that an edit of `before` made. */
export async function editedTexts(
  editor: TreeEditor,
  before: ContentTree,
  pages: ReadonlyMap<string, TreePage>,
): Promise<TextOrigins> {
  const placed = await before.findPlaced([...pages.keys()]);
  const known = new Map<string, ReadonlyMap<string, Known>>(await readBefore(before, placed));
  for (const id of pages.keys()) {
    const given = editor.givenLinks.has(id) ? await editor.findLinks(id) : null;
    if (given) known.set(id, linksByAddress(given));
  }
  return { known, grounds: [groundOf(editor, pages), groundOf(before, placed)] };
}

/** What the texts of `pages` are read with that a merge put together out of those of `sides`. */
export async function mergedTexts(
  editor: TreeEditor,
  sides: readonly ContentTree[],
  pages: ReadonlyMap<string, TreePage>,
): Promise<TextOrigins> {
  const known = new Map<string, ReadonlyMap<string, Known>>();
  const grounds: Ground[] = [];
  const ids = [...pages.keys()];
  for (const side of sides) {
    grounds.push(groundOf(side, await side.findPlaced(ids)));
    for (const [id, links] of await side.findLinks(ids)) {
      known.set(id, new Map([...linksByAddress(links), ...(known.get(id) ?? [])]));
    }
  }
  return { known, grounds: [...grounds, groundOf(editor, pages)] };
}

/** What is kept of the links of `readers`, which are the pages with new texts, by page; `null`: nothing. */
export async function linksOfTexts(
  editor: TreeEditor,
  readers: readonly Reader[],
  { known, grounds }: TextOrigins,
): Promise<Map<string, PageLinks | null>> {
  const byWords = await followWords(editor, readers, { known, grounds });
  return new Map(
    readers.map((reader) => [
      reader.id,
      linksOf(reader, known.get(reader.id) ?? new Map<string, Known>(), byWords.get(reader.id)),
    ]),
  );
}

function groundOf(content: ContentTree | TreeEditor, paths: ReadonlyMap<string, TreePage>): Ground {
  return { paths, find: (named) => content.findPagesByPath(named) };
}

/** What the addresses of `pages` meant in `before`, by page and by the address as it was read there. */
async function readBefore(before: ContentTree, pages: ReadonlyMap<string, TreePage>): Promise<KnownByPage> {
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

/** Ids of the pages that words alone lead to, and that are still there, by page and address. */
async function followWords(
  editor: TreeEditor,
  readers: readonly Reader[],
  { known, grounds }: TextOrigins,
): Promise<Map<string, Map<string, string>>> {
  const found = new Map<string, Map<string, string>>(readers.map(({ id }) => [id, new Map<string, string>()]));
  let open = readers.flatMap(({ id, urls }) =>
    urls.filter((address) => known.get(id)?.has(address) !== true).map((address) => ({ id, address })),
  );
  for (const ground of grounds) {
    const named = open.map(({ id, address }) => {
      const from = ground.paths.get(id)?.path;
      return from === undefined || from === null ? null : namedPath(splitAddress(address).path, from);
    });
    const pages = await ground.find(named.flatMap((path) => path ?? []));
    const left = await editor.findPlaced([...pages.values()].map(({ id }) => id));
    open = open.filter(({ id, address }, index) => {
      const target = pages.get(named[index] ?? '')?.id;
      if (target === undefined || !left.has(target)) return true;
      found.get(id)?.set(address, target);
      return false;
    });
  }
  return found;
}

/** What is kept for a page; `null` when its addresses lead nowhere in the space. */
function linksOf(
  { path, urls }: Reader,
  known: ReadonlyMap<string, Known>,
  byWords: ReadonlyMap<string, string> = new Map<string, string>(),
): PageLinks | null {
  const to: [string, LinkTarget][] = [];
  for (const address of urls) {
    const before = known.get(address);
    const page = byWords.get(address);
    if (before?.target.file !== undefined) to.push([address, { file: before.target.file }]);
    else if (before?.target.page !== undefined) {
      // as read, an address that was spelled anew is what its words say
      const words =
        before.address === address
          ? ledTo(address, before.links, before.target, path)
          : namedPath(splitAddress(address).path, path);
      to.push([address, { page: before.target.page, path: words }]);
    } else if (page !== undefined) to.push([address, { page, path: namedPath(splitAddress(address).path, path) }]);
  }
  return to.length === 0 ? null : { path, to: Object.fromEntries(to) };
}
