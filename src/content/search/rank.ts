import type { Match } from './matching.js';

/** The pages of one view that were found. */
export interface Hits {
  /** By the number of the page: above 0 and comparable among all pages of one query, or 0 for a page that was not found. */
  scores: Float64Array;
  /** Number of pages that were found. */
  count: number;
  /** The highest of the scores. */
  most: number;
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

/** One of several things that have scores. */
export interface Place extends Ranked {
  /** Its place among the scores. */
  at: number;
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
      for (let page = 0; page < unit.length; page += 1) if (unit[page] !== 0) count += 1;
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
export function scorePages({ weights, phrases, view }: Match, statistics: Statistics): Hits {
  const selects = selecting(statistics);
  const rarities = statistics.found.map((count) => Math.log(1 + (statistics.pages - count + 0.5) / (count + 0.5)));
  const scale =
    9 /
    (255 *
      Math.max(
        0.01,
        rarities.reduce((sum, rarity) => sum + rarity, 0),
      ));
  const scores = new Float64Array(view.size);
  const present = new Uint8Array(view.size);
  const selected = new Uint8Array(view.size);
  // one unit after the other: arrays that are read from front to back are several times faster
  weights.forEach((unit, index) => {
    const rarity = (rarities[index] ?? 0) * scale;
    const isSelecting = selects[index] ? 1 : 0;
    for (let number = 0; number < unit.length; number += 1) {
      const weight = unit[number] ?? 0;
      if (weight === 0) continue;
      scores[number] = (scores[number] ?? 0) + weight * rarity;
      present[number] = (present[number] ?? 0) + 1;
      if (isSelecting) selected[number] = 1;
    }
  });
  const hits: Hits = { scores, count: 0, most: 0 };
  for (let number = 0; number < view.size; number += 1) {
    if (selected[number] === 0) {
      scores[number] = 0;
      continue;
    }
    const score = (present[number] === weights.length ? 20 : 0) + (phrases[number] ? 10 : 0) + (scores[number] ?? 0);
    scores[number] = score;
    hits.count += 1;
    if (score > hits.most) hits.most = score;
  }
  return hits;
}

/** The order of results. */
export const byRank = (a: Ranked, b: Ranked): number => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The best `limit` of what has `scores` behind `after`, in order, and whether there are more. Only those that may be among them
 * are asked for their id.
 */
export function best(
  scores: ArrayLike<number>,
  idOf: (at: number) => string,
  limit: number,
  after?: Ranked,
): { items: Place[]; more: boolean } {
  const most = after?.score ?? Infinity;
  // one more than asked for, to know whether there are more
  const ranked: Place[] = [];
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0;
    const last = ranked.length > limit ? ranked.at(-1) : undefined;
    // most are turned away here
    if (score === 0 || score > most || (last && score < last.score)) continue;
    const place = { at, score, id: idOf(at) };
    if ((after && byRank(after, place) >= 0) || (last && byRank(last, place) < 0)) continue;
    ranked.splice(rankIn(ranked, place), 0, place);
    if (ranked.length > limit + 1) ranked.pop();
  }
  return { items: ranked.slice(0, limit), more: ranked.length > limit };
}

/** Where `place` belongs in `ranked`, which is in order. */
function rankIn(ranked: Ranked[], place: Ranked): number {
  let [low, high] = [0, ranked.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = ranked[middle];
    if (other && byRank(other, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
