import { afterPrefix, KeyWriter, keyRank, WHOLE_KEY_LIMIT } from '../bson/key.js';
import type { Index, IndexField } from '../store/index.js';
import type { Demand, Demands, Limit, ValueRange } from './conditions.js';

/** A range of entry keys, from `start` up to but not `end`. */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/** What an index offers to a filter. */
export interface Bounds {
  ranges: KeyRange[];
  /** Leading fields that are bound to single values. */
  equalities: number;
  /** Leading fields that are bound at all. */
  bound: number;
  /** The ranges are single complete keys of a unique index. */
  points: boolean;
  /** Every entry in the ranges is of a document that fits the bound fields' demands. */
  exact: boolean;
}

const MOST_POINTS = 1000;
const writer = new KeyWriter();

/** The parts of an index that a filter needs to look into. */
export function boundsOf(index: Index, demands: Demands): Bounds {
  let prefixes: unknown[][] = [[]];
  let range: ValueRange | undefined;
  let exact = !index.multikey && !index.shortened;
  let bound = 0;
  for (const field of index.fields) {
    const demand = demands.fields.get(field.path);
    if (!demand || conflictsWithArray(index, field, bound)) break;
    if (demand.points && prefixes.length * demand.points.length <= Math.max(MOST_POINTS, bound ? 0 : Infinity)) {
      exact &&= demand.ranges.length === 0;
      prefixes = extend(prefixes, demand.points);
      bound++;
      continue;
    }
    range = index.multikey ? widest(demand) : intersection(demand);
    if (range) bound++;
    break;
  }
  const equalities = range ? bound - 1 : bound;
  const points = index.unique && equalities === index.fields.length;
  const found = prefixes.map((prefix) => keyRange(index, prefix, range));
  const short = found.every(({ start }) => start.length <= WHOLE_KEY_LIMIT);
  return { ranges: tidy(found), equalities, bound, points: points && short, exact: exact && short };
}

// two fields below one array may be satisfied by different elements, which share no entry
function conflictsWithArray(index: Index, field: IndexField, bound: number): boolean {
  if (!index.multikey) return false;
  return index.fields.slice(0, bound).some(({ parts }) => parts[0] === field.parts[0]);
}

function extend(prefixes: unknown[][], points: unknown[]): unknown[][] {
  return points.length === 1
    ? prefixes.map((prefix) => [...prefix, points[0]])
    : prefixes.flatMap((prefix) => points.map((point) => [...prefix, point]));
}

// of an array, one element may satisfy one side and another the other: only one of them is safe
function widest({ ranges }: Demand): ValueRange | undefined {
  const together = ranges.find((candidate) => candidate.together)?.range;
  if (together) return together;
  const first = ranges[0]?.range;
  return first?.lower && first.lower.value !== -Infinity ? { lower: first.lower } : first;
}

function intersection({ ranges }: Demand): ValueRange | undefined {
  const [first, ...others] = ranges.map(({ range }) => range);
  if (!first) return undefined;
  const merged: ValueRange = { ...first };
  for (const { lower, upper } of others) {
    if (lower && (!merged.lower || isTighter(lower, merged.lower, 1))) merged.lower = lower;
    if (upper && (!merged.upper || isTighter(upper, merged.upper, -1))) merged.upper = upper;
  }
  return merged;
}

function isTighter(limit: Limit, than: Limit, direction: 1 | -1): boolean {
  const order = encode(limit.value, false).compare(encode(than.value, false)) * direction;
  return order > 0 || (order === 0 && !limit.inclusive);
}

function encode(value: unknown, descending: boolean): Buffer {
  return writer.start(0).add(value, descending).finish().subarray(4);
}

/** A place between keys: before all that begin with `bytes`, or after them. */
interface Cut {
  bytes: Buffer;
  after: boolean;
}

function keyRange(index: Index, prefix: unknown[], range: ValueRange | undefined): KeyRange {
  writer.start(index.id);
  for (const [at, value] of prefix.entries()) writer.add(value, index.fields[at]?.descending);
  const whole = prefix.length === index.fields.length;
  if (whole) writer.shorten();
  const base = writer.finish();
  if (whole) return { start: base, end: afterPrefix(base) };
  if (!range) return { start: startAt(base), end: endAt(base, true) };
  const descending = index.fields[prefix.length]?.descending ?? false;
  const rank = keyRank((range.lower ?? range.upper)?.value);
  const low = cutOf(range.lower, rank, false, descending);
  const high = cutOf(range.upper, rank, true, descending);
  const [first, last] = descending ? [reversed(high), reversed(low)] : [low, high];
  return {
    start: startAt(Buffer.concat([base, first.bytes]), first.after),
    end: endAt(Buffer.concat([base, last.bytes]), last.after),
  };
}

function cutOf(limit: Limit | undefined, rank: number, upper: boolean, descending: boolean): Cut {
  if (!limit) return { bytes: Buffer.from([descending ? ~rank & 0xff : rank]), after: upper };
  return { bytes: encode(limit.value, descending), after: limit.inclusive === upper };
}

function reversed({ bytes, after }: Cut): Cut {
  return { bytes, after: !after };
}

// an entry that is too long holds a hash beyond the limit: there only the part before it is ordered
function startAt(bytes: Buffer, after = false): Buffer {
  if (bytes.length > WHOLE_KEY_LIMIT) return bytes.subarray(0, WHOLE_KEY_LIMIT);
  return after ? afterPrefix(bytes) : bytes;
}

function endAt(bytes: Buffer, after: boolean): Buffer {
  if (bytes.length > WHOLE_KEY_LIMIT) return afterPrefix(bytes.subarray(0, WHOLE_KEY_LIMIT));
  return after ? afterPrefix(bytes) : bytes;
}

function tidy(ranges: KeyRange[]): KeyRange[] {
  if (ranges.length === 1) return ranges;
  const sorted = ranges.sort((a, b) => a.start.compare(b.start));
  return sorted.filter((range, at) => at === 0 || sorted[at - 1]?.start.compare(range.start) !== 0);
}
