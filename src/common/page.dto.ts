import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { QueryInteger, QueryOneOf, QueryText } from './validation.js';

/** Which part of a list is asked for. */
export class PageQuery {
  /** Where to go on: `next.page` of the answer before. */
  @QueryText()
  page?: string;

  /** How many items to answer at most; 0 asks for the count alone. */
  @QueryInteger(0, 1000, 50)
  limit?: number;
}

/** Which part of a list is asked for, and in which order. */
export class OrderedPageQuery extends PageQuery {
  /** `desc`: newest first. */
  @QueryOneOf(['asc', 'desc'], 'desc')
  order?: 'asc' | 'desc';
}

/** Where a list goes on. */
export class NextPage {
  /** To be given as `page`. */
  @ApiProperty()
  page!: string;
}

/** One part of a list, with the number of items in the whole of it. */
export interface Page<T> {
  items: T[];
  count: number;
  next?: { page: string };
}

/** `page` with each of its items shaped by `view`. */
export function mapPage<T, V>(page: Page<T>, view: (item: T) => V): Page<V> {
  return { ...(page.next && { next: page.next }), count: page.count, items: page.items.map(view) };
}

/** The list envelope of `item`: `class SpacePage extends PageOf(SpaceView) {}`. */
export function PageOf<T>(item: Type<T>): Type<Page<T>> {
  class ListPage implements Page<T> {
    /** Left out on the last page. */
    @ApiPropertyOptional({ type: NextPage, description: 'Where the list goes on; left out on the last page.' })
    next?: NextPage;

    @ApiProperty({ type: 'integer', description: 'Number of items in the whole list.' })
    count!: number;

    @ApiProperty({ type: [item] })
    items!: T[];
  }
  return ListPage;
}
