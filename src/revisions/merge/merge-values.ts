import type { PageNode } from '../entries.js';
import { sameJson, type Json } from '../json.js';
import type { Versions } from './sides.js';

/** What three values come to, or that both sides changed it differently. */
export type Merged<T> = { readonly value: T } | 'conflict';

/** Three-way: what one side changed is taken, equal changes are none (decision 4.3). */
export function mergeValue<T extends Json | undefined>(base: T, ours: T, theirs: T): Merged<T> {
  if (sameJson(ours, base) || sameJson(ours, theirs)) return { value: theirs };
  return sameJson(theirs, base) ? { value: ours } : 'conflict';
}

/** Properties of a page whose values are compared as they are, by the names that requests have for them. */
const PROPERTIES = {
  title: 'title',
  emoji: 'emoji',
  icon: 'icon',
  description: 'description',
  layout: 'layout',
  cover: 'cover',
  hidden: 'hidden',
  noIndex: 'noIndex',
  noRobotsIndex: 'noRobotsIndex',
  kind: 'type',
  target: 'target',
  href: 'href',
  computed: 'computed',
} as const satisfies Partial<Record<keyof PageNode, string>>;
/** Kept along with a page, and nobody's words: primary content's when both sides changed them. */
const UNSEEN = ['git', 'source', 'computedSeed'] as const satisfies readonly (keyof PageNode)[];

/** What became of the properties of a page, without its place and its text. */
export interface MergedPage {
  readonly node: PageNode;
  /** Properties that were set differently; `node` has primary content's values for them. */
  readonly conflicts: readonly string[];
}

/**
 * Merges the properties of a page that both sides have. Place and text are those of `theirs`. The time of the last
 * change is the later one.
 */
export function mergePage({
  base,
  ours,
  theirs,
}: Versions<PageNode> & { ours: PageNode; theirs: PageNode }): MergedPage {
  const merged: Record<string, Json | undefined> = { ...theirs };
  const conflicts: string[] = [];
  for (const [name, shown] of entries(PROPERTIES)) {
    const value = mergeValue<Json | undefined>(base?.[name], ours[name], theirs[name]);
    if (value === 'conflict') conflicts.push(shown);
    else merged[name] = value.value;
  }
  for (const name of UNSEEN) {
    const value = mergeValue<Json | undefined>(base?.[name], ours[name], theirs[name]);
    if (value !== 'conflict') merged[name] = value.value;
  }
  merged['createdAt'] = ours.createdAt < theirs.createdAt ? ours.createdAt : theirs.createdAt;
  merged['updatedAt'] = ours.updatedAt > theirs.updatedAt ? ours.updatedAt : theirs.updatedAt;
  const title = mergeValue(base?.title, ours.title, theirs.title);
  const slug = mergeSlug({ base, ours, theirs }, title === 'conflict' ? theirs.title : (title.value ?? theirs.title));
  if (slug === 'conflict') conflicts.push('slug');
  else Object.assign(merged, slug.value);
  return { node: withoutNothing(merged), conflicts };
}

/** The value of a page's property as a conflict shows it: `false` for absent flags, `null` for what has no value. */
export function shownProperty(node: PageNode, shown: string): Json {
  const name = shown === 'type' ? 'kind' : shown;
  const value = Object.hasOwn(node, name) ? (node as { [key: string]: Json | undefined })[name] : undefined;
  return value ?? (['hidden', 'noIndex', 'noRobotsIndex'].includes(name) ? false : null);
}

/** `node` without absent members, so that equal pages are written equally. */
export function withoutNothing(node: Readonly<Record<string, Json | undefined>>): PageNode {
  return Object.fromEntries(
    Object.entries(node).filter(([, value]) => value !== undefined && value !== false),
  ) as PageNode;
}

/**
 * What somebody decided about a slug is one value: a slug by hand, or that it follows the title. One that follows the
 * title is never in conflict: it comes from the side that the title comes from.
 */
function mergeSlug(
  { base, ours, theirs }: Versions<PageNode> & { ours: PageNode; theirs: PageNode },
  title: string,
): Merged<Pick<PageNode, 'slug' | 'slugSet'>> {
  const choice = (node: PageNode | null): string | null | undefined =>
    node === null ? undefined : node.slugSet === true ? (node.slug ?? null) : null;
  const merged = mergeValue(choice(base), choice(ours), choice(theirs));
  if (merged === 'conflict') return 'conflict';
  if (typeof merged.value === 'string') return { value: { slug: merged.value, slugSet: true } };
  const [our, their] = [ours, theirs].map((node) =>
    choice(node) === null && node.title === title ? node.slug : undefined,
  );
  const derived = mergeValue(base?.slug, our, their);
  const slug = derived === 'conflict' || derived.value === undefined ? (their ?? our) : derived.value;
  return { value: { slug, slugSet: undefined } };
}

function entries<T extends object>(object: T): [keyof T, T[keyof T]][] {
  return Object.entries(object) as [keyof T, T[keyof T]][];
}
