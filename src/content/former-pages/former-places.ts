import type { ContentChange, PageNode } from '../../revisions/index.js';

/** Where a page stood: its slug, below a page. */
export interface FormerPlace {
  /** Id of the page above; `null`: at the top. */
  parent: string | null;
  slug: string;
  page: string;
}

/** The place that `change` made a page leave; of one that was deleted too. */
function leftBy({ id, before, after }: ContentChange<PageNode>): FormerPlace[] {
  if (before?.slug === undefined) return [];
  if (after && after.parent === before.parent && after.slug === before.slug) return [];
  return [{ parent: before.parent, slug: before.slug, page: id }];
}

/**
 * The places that pages left by `changes` and that addresses may still name: those of pages that are elsewhere now, and
 * those of deleted pages below which such a place was.
 *
 * @param heldOnce Of these deleted pages, those below which a page stood that went elsewhere earlier.
 */
export async function placesLeft(
  changes: readonly ContentChange<PageNode>[],
  heldOnce: (pages: readonly string[]) => Promise<readonly string[]>,
): Promise<FormerPlace[]> {
  const moved = changes.filter(({ after }) => after !== undefined).flatMap(leftBy);
  const gone = new Map(
    changes
      .filter(({ after }) => after === undefined)
      .flatMap(leftBy)
      .map((place) => [place.page, place]),
  );
  if (gone.size === 0) return moved;
  const named = new Set<string>();
  for (const start of [...moved.map(({ parent }) => parent), ...(await heldOnce([...gone.keys()]))]) {
    let at = start;
    while (at !== null && gone.has(at) && !named.has(at)) {
      named.add(at);
      at = gone.get(at)?.parent ?? null;
    }
  }
  return [...moved, ...[...named].flatMap((page) => gone.get(page) ?? [])];
}

/** Finds the page that is called so at the top (`null`) or below another one, or `null`. */
type Step = (parent: string | null, slug: string) => Promise<string | null>;

/** What a walk along a path asks. */
export interface Steps {
  /** What is called so. */
  now: Step;
  /** What was called so last. */
  once: Step;
  /** Whether a page is still there. */
  isThere: (page: string) => Promise<boolean>;
}

/** Look-ups for one path at the most. */
const MAX_STEPS = 64;

/**
 * The page that the path of `slugs` leads to, where each of them may be what a page is called or what one was called.
 * What is called so now goes first. `null`: none, or the search would take too long.
 */
export async function walk(steps: Steps, slugs: readonly string[]): Promise<string | null> {
  let left = MAX_STEPS;
  const from = async (parent: string | null, at: number): Promise<string | null> => {
    const slug = slugs[at];
    if (slug === undefined) return parent !== null && (await steps.isThere(parent)) ? parent : null;
    for (const step of [steps.now, steps.once]) {
      if (left === 0) return null;
      left -= 1;
      const next = await step(parent, slug);
      const found = next === null ? null : await from(next, at + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return from(null, 0);
}
