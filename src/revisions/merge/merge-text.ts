import { diff3MergeRegions } from 'node-diff3';
import { longestIncreasing } from './increasing.js';

/** Lines as numbers: equal lines have equal numbers. */
type Lines = number[];
type Three = { readonly base: Lines; readonly ours: Lines; readonly theirs: Lines };
/** What the library answers for a stretch: lines to take, or what the sides have where both changed it. */
type Region =
  | { readonly stable: true; readonly bufferContent: Lines }
  | { readonly stable: false; readonly aContent: Lines; readonly bContent: Lines };

/**
 * How many steps the comparison of one text may take: about a quarter of a second. It grows with the number of pairs of
 * equal lines times the number of lines, so texts of many equal lines would hold up all other work.
 */
const MAX_STEPS = 100_000_000;

/** Most lines of a text that is merged: 2 MiB of lines that are shorter than ten characters have more. */
const MAX_LINES = 200_000;

/**
 * Merges two versions of a text line by line (decision 4.3); what `ours` and `theirs` made of `base`. A line includes
 * its end, and the result is made of whole lines of the three, so nothing is spelled anew: line ends of either kind, a
 * missing one at the end, anything else is as somebody wrote it.
 *
 * @returns the merged text; `null` when both sides changed the same or neighbouring lines differently, and also when
 * comparing them would take too long (thousands of equal lines within a stretch that both sides changed, or over 200,000
 * lines)
 */
export function mergeText(base: string, ours: string, theirs: string): string | null {
  if ([base, ours, theirs].some((text) => hasMoreLines(text, MAX_LINES))) return null;
  const texts = new LineTable();
  const three = { base: texts.read(base), ours: texts.read(ours), theirs: texts.read(theirs) };
  const merged: number[] = [];
  const budget = { steps: MAX_STEPS };
  for (const stretch of cut(three)) {
    const lines = mergeStretch(stretch, budget);
    if (lines === null) return null;
    for (const line of lines) merged.push(line);
  }
  return texts.write(merged);
}

function hasMoreLines(text: string, limit: number): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= limit; at = text.indexOf('\n', at + 1)) lines++;
  return lines > limit;
}

/** Numbers the lines of several texts. */
class LineTable {
  private readonly numbers = new Map<string, number>();
  private readonly lines: string[] = [];

  read(text: string): number[] {
    const lines: number[] = [];
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline + 1;
      lines.push(this.number(text.slice(start, end)));
      start = end;
    }
    return lines;
  }

  write(lines: Lines): string {
    return lines.map((line) => this.lines[line] ?? '').join('');
  }

  private number(line: string): number {
    const known = this.numbers.get(line);
    if (known !== undefined) return known;
    const number = this.lines.push(line) - 1;
    this.numbers.set(line, number);
    return number;
  }
}

/**
 * Cuts three texts at lines that each has once, and all in the same order. Such a line is unchanged, so what lies on
 * either side of it is merged by itself. Nearly all lines that people write are of that kind, which leaves little to
 * the comparison that takes long. The choice does not depend on which side is which.
 */
function* cut(three: Three): Generator<Three> {
  const { base, ours, theirs } = three;
  const [inOurs, inTheirs] = [once(ours), once(theirs)];
  const anchors = [...once(base)].flatMap(([line, at]) => {
    const [our, their] = [inOurs.get(line), inTheirs.get(line)];
    return our === undefined || their === undefined ? [] : { base: at, ours: our, theirs: their };
  });
  anchors.sort((a, b) => a.base - b.base);
  const inOrder = new Set(longestIncreasing(anchors.map((anchor) => anchor.theirs)));
  const kept = longestIncreasing(anchors.map((anchor) => anchor.ours)).filter((index) => inOrder.has(index));
  let from = { base: 0, ours: 0, theirs: 0 };
  for (const index of kept) {
    const anchor = anchors[index];
    if (anchor === undefined) continue;
    yield slice(three, from, anchor);
    const next = { base: anchor.base + 1, ours: anchor.ours + 1, theirs: anchor.theirs + 1 };
    yield slice(three, anchor, next);
    from = next;
  }
  yield slice(three, from, { base: base.length, ours: ours.length, theirs: theirs.length });
}

type At = { readonly [K in keyof Three]: number };

function slice({ base, ours, theirs }: Three, from: At, to: At): Three {
  return {
    base: base.slice(from.base, to.base),
    ours: ours.slice(from.ours, to.ours),
    theirs: theirs.slice(from.theirs, to.theirs),
  };
}

/** Where the lines stand that are there only once. */
function once(lines: Lines): Map<number, number> {
  const found = new Map<number, number>();
  const twice = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) twice.add(line);
    found.set(line, index);
  }
  for (const line of twice) found.delete(line);
  return found;
}

function mergeStretch({ base, ours, theirs }: Three, budget: { steps: number }): Lines | null {
  if (same(ours, base) || same(ours, theirs)) return theirs;
  if (same(theirs, base)) return ours;
  budget.steps -= steps(base, ours) + steps(base, theirs);
  if (budget.steps < 0) return null;
  const merged: number[] = [];
  for (const region of diff3MergeRegions(ours, base, theirs) as Region[]) {
    if (!region.stable && !same(region.aContent, region.bContent)) return null;
    for (const line of region.stable ? region.bufferContent : region.aContent) merged.push(line);
  }
  return merged;
}

/** An upper bound of what it takes to compare two stretches. */
function steps(a: Lines, b: Lines): number {
  const counts = new Map<number, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let pairs = a.length;
  for (const line of b) pairs += counts.get(line) ?? 0;
  return pairs * Math.min(a.length, b.length);
}

function same(a: Lines, b: Lines): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
