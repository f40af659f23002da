import { createHash } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import type { Model, QueryFilter } from 'mongoose';
import type { Page } from './page.dto.js';

/** Items in a page when the caller names no limit (decision 1.4). */
export const DEFAULT_LIMIT = 50;

/** Which part of a list, and in which order. */
export interface ListQuery {
  page?: string;
  limit?: number;
  order?: 'asc' | 'desc';
}

/** The place after an item: the value the list is sorted by (dates in ms) and the item's id. */
export interface Position {
  at: number | string;
  id: string;
}

/** What a cursor belongs to: it is refused for any other list, filter or order. */
export function listScope(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

/** The text that callers give back as `page` to go on after `position` in the list of `scope`. */
export function encodeCursor(scope: string, position: Position): string {
  return Buffer.from(JSON.stringify([scope, position.at, position.id])).toString('base64url');
}

/** The position in `page`. @throws BadRequestException for text that `encodeCursor` did not make for the same scope. */
export function decodeCursor(scope: string, page: string): Position {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(page, 'base64url').toString('utf8'));
  } catch {
    parts = undefined;
  }
  if (Array.isArray(parts) && parts.length === 3) {
    const [of, at, id] = parts as unknown[];
    const timed = typeof at === 'number' && Number.isFinite(at) && Math.abs(at) <= 8.64e15;
    if (of === scope && (timed || typeof at === 'string') && typeof id === 'string') return { at, id };
  }
  throw foreignCursor();
}

function foreignCursor(): BadRequestException {
  return new BadRequestException('page is not a page of this list: give the value of next.page, with the same filters');
}

/** How a list is read otherwise than by default. */
export interface ListOptions<T> {
  /** The date that the list is sorted by; an index must end in it and `_id`. */
  sort?: keyof T & string;
  /** Whether `sort` holds texts, compared by code units, instead of dates. */
  text?: boolean;
  /**
   * What tells this list from others, where the filter also says what the caller may see: that changes while somebody
   * walks the list, and must not end the walk.
   */
  list?: unknown;
  /**
   * Ends a page early, but not before its first item, where `field`, a number, comes to more than `most` over its items:
   * for records of which a thousand may be too much to hold at once.
   */
  weight?: { field: keyof T & string; most: number };
}

/**
 * One page of `filter`, newest first unless `order` says otherwise, read by key over the index on (…, `sort`, `_id`),
 * never by skipping. Outside transactions only: it asks two things at once.
 *
 * @throws BadRequestException for a cursor that was made for another list, filter or order, or not here at all.
 */
export async function findPage<T extends { _id: string }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { page, limit: asked = DEFAULT_LIMIT, order = 'desc' }: ListQuery,
  { sort = 'createdAt' as keyof T & string, text = false, list = filter, weight }: ListOptions<T> = {},
): Promise<Page<T>> {
  const scope = listScope(model.collection.name, list, sort, order);
  const after = page === undefined ? undefined : placeOf(decodeCursor(scope, page), text);
  const direction = order === 'desc' ? -1 : 1;
  const part = (fields?: Record<string, 1>) =>
    model
      .find(after ? { $and: [filter, beyond(sort, direction, after)] } : filter, fields)
      .sort({ [sort]: direction, _id: direction });
  const limit =
    weight && asked > 0
      ? await fitting(
          part({ [weight.field]: 1 })
            .limit(asked)
            .lean<T[]>(),
          weight,
        )
      : asked;
  const [rows, count] = await Promise.all([
    limit === 0
      ? []
      : part()
          .limit(limit + 1)
          .lean<T[]>(),
    model.countDocuments(filter),
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || !last) return { count, items };
  const at = text ? String(last[sort]) : new Date(last[sort] as Date).getTime();
  return { next: { page: encodeCursor(scope, { at, id: last._id }) }, count, items };
}

/** How many of `rows`, from the first on, are not too much together; 1 at least. */
async function fitting<T>(
  rows: PromiseLike<T[]>,
  { field, most }: { field: keyof T & string; most: number },
): Promise<number> {
  const weighed = await rows;
  let sum = 0;
  const tooMuch = weighed.findIndex((row) => (sum += Number(row[field])) > most);
  return Math.max(1, tooMuch < 0 ? weighed.length : tooMuch);
}

/** `position` as a place among dates or texts. @throws BadRequestException when somebody put something else into its cursor. */
function placeOf({ at, id }: Position, text: boolean): { at: Date | string; id: string } {
  if ((typeof at === 'string') !== text) throw foreignCursor();
  return { at: typeof at === 'string' ? at : new Date(at), id };
}

/** The items behind `after`. The first condition is implied by the second: it gives every planner its index bounds. */
function beyond(
  sort: string,
  direction: 1 | -1,
  { at, id }: { at: Date | string; id: string },
): Record<string, unknown> {
  const past = direction === -1 ? '$lt' : '$gt';
  return {
    [sort]: { [`${past}e`]: at },
    $or: [{ [sort]: { [past]: at } }, { [sort]: at, _id: { [past]: id } }],
  };
}

/**
 * One page of a list that is already in memory and in its order. Where the last item of the page before is gone, it goes on
 * with what has come to stand in its place.
 *
 * @param keyOf What tells an item from all others; it must not change while the list is walked.
 * @throws BadRequestException for a cursor of another list.
 */
export function pageOfArray<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  scope: string,
  { page, limit = DEFAULT_LIMIT }: ListQuery,
): Page<T> {
  let start = 0;
  if (page !== undefined) {
    const { at, id } = decodeCursor(scope, page);
    if (typeof at !== 'string' || !/^\d{1,9}$/.test(at)) throw foreignCursor();
    const found = items.findIndex((item) => keyOf(item) === id);
    start = found < 0 ? Number(at) : found + 1;
  }
  const part = items.slice(start, start + limit);
  const last = part.at(-1);
  if (start + part.length >= items.length || last === undefined) return { count: items.length, items: part };
  const place = { at: String(start + part.length - 1), id: keyOf(last) };
  return { next: { page: encodeCursor(scope, place) }, count: items.length, items: part };
}

/**
 * One page of a list that is in memory as a whole, newest first, read by key: it goes on behind the last item of the page
 * before, whether that is still there or not.
 *
 * @param placeOf When an item was made, in ms, and what tells it from those made at the same moment.
 * @throws BadRequestException for a cursor of another list.
 */
export function pageOfDated<T>(
  items: readonly T[],
  placeOf: (item: T) => { at: number; id: string },
  scope: string,
  { page, limit = DEFAULT_LIMIT }: ListQuery,
): Page<T> {
  const placed = items.map((item) => ({ item, place: placeOf(item) })).sort((a, b) => newerFirst(a.place, b.place));
  const after = page === undefined ? undefined : decodeCursor(scope, page);
  if (typeof after?.at === 'string') throw foreignCursor();
  const rest = after ? placed.filter(({ place }) => newerFirst(place, after) > 0) : placed;
  const part = rest.slice(0, limit);
  const last = part.at(-1);
  const next = last && rest.length > part.length ? { page: encodeCursor(scope, last.place) } : undefined;
  return { ...(next && { next }), count: items.length, items: part.map(({ item }) => item) };
}

function newerFirst(one: Position, other: Position): number {
  if (one.at !== other.at) return one.at > other.at ? -1 : 1;
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1;
}
