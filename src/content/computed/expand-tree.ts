import { createHash } from 'node:crypto';
import { numberedSlug, toSlug } from '../../common/slugs.js';
import type { DescribedVersion } from '../../openapi/index.js';
import type { JsonObject, PageNode, PageTree, TreePage } from '../../revisions/index.js';
import { askedFor, type OpenApiPage, openApiPages, type OpenApiProps } from './openapi-pages.js';

/** Longest description of a page, in UTF-16 units. */
const MAX_DESCRIPTION = 300;
/** Bytes of a page and its place in the tree, as those that are stored count. */
const PAGE_SIZE = 1200;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

type Place = Pick<TreePage, 'path' | 'depth' | 'noIndex' | 'noRobotsIndex'>;
type Computed = JsonObject & { props: OpenApiProps & JsonObject; dependencies: JsonObject };
/** A place-holder, with the page above it and the slugs that pages beside it have. */
interface Site {
  holder: PageNode & { computed: Computed };
  version: DescribedVersion;
  taken: Set<string>;
}

const TOP: Place = { path: null, depth: 0, noIndex: false, noRobotsIndex: false };

/** The slug of the description that `node` stands for; `undefined` for every page that is no such place-holder. */
export function specOf({ kind, computed }: PageNode): string | undefined {
  if (kind !== 'computed' || computed?.type !== 'builtin:openapi') return undefined;
  const { spec } = computed.dependencies as { spec: { ref: { spec: string } } };
  return spec.ref.spec;
}

/**
 * `tree` with pages in place of the place-holders whose description is among `versions`, by slug. A place-holder of which
 * nothing comes stays; each can still be found by its id.
 */
export function expandTree(tree: PageTree, versions: ReadonlyMap<string, DescribedVersion>): PageTree {
  const byId = new Map(tree.byId);
  const pages = expand(tree.pages, TOP, versions, byId);
  return { pages, byId, landing: firstDocument(pages)?.node.id ?? null, size: byId.size * PAGE_SIZE };
}

/**
 * The id of a page that is generated: 20 characters of `[A-Za-z0-9]`. It follows from the place-holder and the page's own
 * name, so that it stays where others come, go or change places.
 */
export function generatedId(seed: string, { kind, name }: Pick<OpenApiPage, 'kind' | 'name'>): string {
  const bytes = createHash('sha256').update(`${seed}\0${kind}\0${name}`).digest();
  const letters = Array.from(bytes.subarray(0, 20), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
  // ids are never digits only
  return `${ALPHABET.charAt((bytes[20] ?? 0) % 52)}${letters.slice(1).join('')}`;
}

// recursion: trees are at most some forty levels deep
function expand(
  pages: readonly TreePage[],
  above: Place,
  versions: ReadonlyMap<string, DescribedVersion>,
  byId: Map<string, TreePage>,
): readonly TreePage[] {
  const taken = new Set(pages.flatMap(({ node }) => node.slug ?? []));
  const expanded = pages.flatMap((page): readonly TreePage[] => {
    const { node } = page;
    const spec = specOf(node);
    const version = spec === undefined ? undefined : versions.get(spec);
    if (version) {
      const site: Site = { holder: node as Site['holder'], version, taken };
      const generated = generate(
        askedFor(openApiPages(version.outline), site.holder.computed.props),
        above,
        site,
        byId,
      );
      return generated.length > 0 ? generated : [page];
    }
    const below = expand(page.pages, page, versions, byId);
    if (below === page.pages) return [page];
    const changed = { ...page, pages: below };
    byId.set(node.id, changed);
    return [changed];
  });
  return expanded.every((page, at) => page === pages[at]) ? pages : expanded;
}

function generate(
  pages: readonly OpenApiPage[],
  above: Place,
  { holder, version, taken }: Site,
  byId: Map<string, TreePage>,
): TreePage[] {
  return pages.map((page) => {
    const slug = freeSlug(toSlug(page.title), taken);
    const node = nodeOf(page, slug, { holder, version });
    const place = {
      path: above.path === null ? slug : `${above.path}/${slug}`,
      depth: above.depth + 1,
      noIndex: above.noIndex || holder.noIndex === true,
      noRobotsIndex: above.noRobotsIndex || holder.noRobotsIndex === true,
    };
    const below = generate(page.pages, place, { holder, version, taken: new Set() }, byId);
    const made = { node, ...place, pages: below };
    byId.set(node.id, made);
    return made;
  });
}

function nodeOf(page: OpenApiPage, slug: string, { holder, version }: Pick<Site, 'holder' | 'version'>): PageNode {
  const seed = holder.computedSeed ?? holder.id;
  const description = shortOf(page);
  return {
    id: generatedId(seed, page),
    kind: 'document',
    parent: holder.parent,
    order: holder.order,
    title: page.title,
    slug,
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(description !== undefined && { description }),
    ...(holder.hidden === true && { hidden: true }),
    document: generatedKey(version.id, page),
    computed: { ...holder.computed, props: page.doc },
    computedSeed: seed,
    createdAt: holder.createdAt,
    updatedAt: version.createdAt > holder.updatedAt ? version.createdAt : holder.updatedAt,
  };
}

/** The description of a page where it is short enough to stand under the title; a longer one is a part of the text. */
export function shortOf({ description }: Pick<OpenApiPage, 'description'>): string | undefined {
  const text = description?.trim() ?? '';
  return text === '' || text.length > MAX_DESCRIPTION || /[\n\r]/.test(text) ? undefined : text;
}

/** Keys of texts that are generated begin with it; those of texts that are stored do not. */
const MARK = '~';
const VERSION = 20;

/** The key of the text of a page of the version `version`: as long as the keys of texts that are stored. */
export function generatedKey(version: string, { kind, name }: Pick<OpenApiPage, 'kind' | 'name'>): string {
  const hash = createHash('sha256').update(`${kind}\0${name}`).digest('base64url');
  return MARK + version + hash.slice(0, 22);
}

/** The version whose page has the text `key`; `undefined` for the key of a text that is stored. */
export function versionOfKey(key: string): string | undefined {
  return key.startsWith(MARK) ? key.slice(MARK.length, MARK.length + VERSION) : undefined;
}

function freeSlug(slug: string, taken: Set<string>): string {
  let free = slug;
  for (let number = 1; taken.has(free); number += 1) free = numberedSlug(slug, number);
  taken.add(free);
  return free;
}

function firstDocument(pages: readonly TreePage[]): TreePage | undefined {
  for (const page of pages) {
    const found = page.node.kind === 'document' ? page : firstDocument(page.pages);
    if (found !== undefined) return found;
  }
  return undefined;
}
