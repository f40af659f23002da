import type { Match } from './matching.js';

/** A page that was found. */
export interface Hit {
  /** Its number in the view. */
  number: number;
  /** Comparable among the hits of one query. */
  score: number;
}

/** What is known of the units of a query in all the views that are searched together. */
export interface Statistics {
  pages: number;
  /** For each unit: number of pages that have it. */
  found: number[];
}

/** Something with a place in a list by score, best first; equals are in the order of their ids. */
export interface Ranked {
  score: number;
  id: string;
}

/** A word is very common in over this share of the pages, and in more of them than {@link COMMON_PAGES}. */
const COMMON_SHARE = 1 / 3;
/** In a handful of pages, no word is too common to tell them apart. */
const COMMON_PAGES = 10;

/** Sums up `matches`. */
export function statisticsOf(matches: Match[]): Statistics {
  const found = (matches[0]?.weights ?? []).map(() => 0);
  let pages = 0;
  for (const { view, weights } of matches) {
    pages += view.pages;
    weights.forEach((unit, index) => {
      let count = 0;
      for (const weight of unit) if (weight !== 0) count += 1;
      found[index] = (found[index] ?? 0) + count;
    });
  }
  return { pages, found };
}

/** For each unit, whether it selects pages: very common ones do not, unless there is nothing else to select by. */
export function selecting({ pages, found }: Statistics): boolean[] {
  const limit = Math.max(COMMON_PAGES, pages * COMMON_SHARE);
  const rare = found.map((count) => count > 0 && count <= limit);
  return rare.includes(true) ? rare : found.map((count) => count > 0);
}

/**
 * The pages of `match` that have a selecting unit. Those with every unit score 20 and more, a phrase adds 10, and the
 * units themselves add up to less than 10: the rarer a unit, the more.
 */
export function scorePages({ weights, phrases, view }: Match, statistics: Statistics): Hit[] {
  const selects = selecting(statistics);
  const rarities = statistics.found.map((count) => Math.log(1 + (statistics.pages - count + 0.5) / (count + 0.5)));
  const scale =
    9 /
    (255 *
      Math.max(
        0.01,
        rarities.reduce((sum, rarity) => sum + rarity, 0),
      ));
  const hits: Hit[] = [];
  for (let number = 0; number < view.size; number += 1) {
    let sum = 0;
    let isSelected = false;
    let hasEvery = true;
    for (let unit = 0; unit < weights.length; unit += 1) {
      const weight = weights[unit]?.[number] ?? 0;
      if (weight === 0) hasEvery = false;
      else if (selects[unit]) isSelected = true;
      sum += weight * (rarities[unit] ?? 0);
    }
    if (isSelected) hits.push({ number, score: (hasEvery ? 20 : 0) + (phrases[number] ? 10 : 0) + sum * scale });
  }
  return hits;
}

/** The order of results. */
export const byRank = (a: Ranked, b: Ranked): number => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The best `limit` of `items` behind `after`, in order, and whether there are more. Only those that may be among them are
 * asked for their id and sorted.
 */
export function best<T extends { score: number }>(
  items: T[],
  idOf: (item: T) => string,
  limit: number,
  after?: Ranked,
): { items: (T & Ranked)[]; more: boolean } {
  const left = after ? items.filter(({ score }) => score <= after.score) : items;
  const scores = new Float64Array(left.length);
  for (let index = 0; index < left.length; index += 1) scores[index] = left[index]?.score ?? 0;
  scores.sort();
  // an item at the cursor's own score may come before it, so all of that score stay in
  const tied = after ? left.reduce((count, { score }) => (score === after.score ? count + 1 : count), 0) : 0;
  const least = scores.at(-Math.min(scores.length, limit + tied + 1)) ?? 0;
  const ranked = left
    .filter(({ score }) => score >= least)
    .map((item) => ({ ...item, id: idOf(item) }))
    .filter((item) => !after || byRank(after, item) < 0)
    .sort(byRank);
  return { items: ranked.slice(0, limit), more: ranked.length > limit };
}
