import { BadRequestException } from '@nestjs/common';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, listScope, pageOfArray, pageOfDated } from './pagination.js';

const REFUSAL = 'page is not a page of this list: give the value of next.page, with the same filters';
const SCOPE = listScope('spaces', { organization: 'o1' }, 'desc');

const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const place = fc.record({
  at: fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.string({ unit: 'binary' })),
  id: fc.string({ unit: 'binary' }),
});

describe('cursors', () => {
  it('come back as the place they were made of', () => {
    fc.assert(
      fc.property(fc.string(), place, (list, position) => {
        const scope = listScope(list);
        const page = encodeCursor(scope, position);
        expect(page).toMatch(/^[A-Za-z0-9_-]*$/);
        expect(decodeCursor(scope, page)).toEqual(position);
      }),
    );
  });

  it('are refused by every other list', () => {
    const different = fc
      .tuple(fc.jsonValue(), fc.jsonValue())
      .filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b));
    fc.assert(
      fc.property(different, place, ([one, other], position) => {
        const page = encodeCursor(listScope('list', one), position);
        expect(() => decodeCursor(listScope('list', other), page)).toThrow(BadRequestException);
      }),
    );
  });

  it('are refused when they are anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json().map(cursor)), (page) => {
        expect(() => decodeCursor(SCOPE, page)).toThrow(REFUSAL);
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    [cursor([SCOPE, 1]), 'too little'],
    [cursor([SCOPE, 1, 'a', 'b']), 'too much'],
    [cursor([SCOPE, 1, 2]), 'an id that is no text'],
    [cursor([SCOPE, { $gt: '' }, 'a']), 'an operator as the place'],
    [cursor([SCOPE, ['x'], 'a']), 'a list as the place'],
    [cursor([SCOPE, null, 'a']), 'no place'],
    [cursor([SCOPE, 'x', { $ne: '' }]), 'an operator as the id'],
    [Buffer.from(`["${SCOPE}",1e999,"a"]`).toString('base64url'), 'an endless number'],
    [cursor([SCOPE, 8.64e15 + 1, 'a']), 'a time that no date has'],
    [cursor({ 0: SCOPE, 1: 1, 2: 'a', length: 3 }), 'something like a list'],
    [Buffer.from('\xff\xfe', 'latin1').toString('base64url'), 'bytes that are no text'],
    [Buffer.from('['.repeat(5000)).toString('base64url'), 'a deep list'],
  ])('%j is refused: %s', (page) => {
    expect(() => decodeCursor(SCOPE, page)).toThrow(REFUSAL);
  });
});

describe('pageOfArray', () => {
  const walk = (items: readonly string[], limit: number): string[][] => {
    const pages: string[][] = [];
    for (let page: string | undefined, more = true; more;) {
      const part = pageOfArray(items, (item) => item, SCOPE, { page, limit });
      expect(part.count).toBe(items.length);
      pages.push(part.items);
      page = part.next?.page;
      more = page !== undefined;
    }
    return pages;
  };

  it('walks every item once and in order, under any limit', () => {
    const items = fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 60 });
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 70 }), (list, limit) => {
        const pages = walk(list, limit);
        expect(pages.flat()).toEqual(list);
        // no page but the last is short, and no empty one ends the list
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(list.length / limit)));
      }),
    );
  });

  it('answers 50 items unless another limit is given', () => {
    const list = Array.from({ length: 60 }, (_, index) => `i${index}`);
    expect(pageOfArray(list, (item) => item, SCOPE, {}).items).toEqual(list.slice(0, 50));
  });

  it('answers the count alone for the limit 0', () => {
    expect(pageOfArray(['a', 'b'], (item) => item, SCOPE, { limit: 0 })).toEqual({ count: 2, items: [] });
  });

  it('goes on behind the item it stopped at, whatever was added before it', () => {
    const { next } = pageOfArray(['a', 'b', 'c'], (item) => item, SCOPE, { limit: 2 });
    const rest = pageOfArray(['new', 'a', 'b', 'c'], (item) => item, SCOPE, { limit: 2, page: next?.page });
    expect(rest).toEqual({ count: 4, items: ['c'] });
  });

  it('goes on in its place when the item it stopped at is gone', () => {
    const { next } = pageOfArray(['a', 'b', 'c'], (item) => item, SCOPE, { limit: 2 });
    const rest = (items: string[]): string[] => pageOfArray(items, (item) => item, SCOPE, { page: next?.page }).items;
    expect(rest(['a', 'c', 'd'])).toEqual(['c', 'd']);
    expect(rest(['c', 'b', 'a'])).toEqual(['a']);
    expect(rest([])).toEqual([]);
  });

  it('refuses the cursor of another list, and one that it did not make', () => {
    for (const at of [1, '-1', '0.5', 'a', '']) {
      const page = encodeCursor(SCOPE, { at, id: 'a' });
      expect(() => pageOfArray(['a', 'b'], (item) => item, SCOPE, { page })).toThrow(REFUSAL);
    }
    const { next } = pageOfArray(['a', 'b'], (item) => item, listScope('other'), { limit: 1 });
    expect(() => pageOfArray(['a', 'b'], (item) => item, SCOPE, { page: next?.page })).toThrow(REFUSAL);
  });
});

describe('pageOfDated', () => {
  interface Dated {
    id: string;
    at: number;
  }
  const place = (item: Dated): Dated => item;
  const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => ({ id, at: Math.floor(index / 2) }));
  const idsOf = (list: Dated[]): string[] => list.map(({ id }) => id);

  it('walks from the newest to the oldest, and counts all', () => {
    const first = pageOfDated(items, place, SCOPE, { limit: 3 });
    expect([idsOf(first.items), first.count]).toEqual([['f', 'e', 'd'], 6]);
    const rest = pageOfDated(items, place, SCOPE, { limit: 3, page: first.next?.page });
    expect([idsOf(rest.items), rest.next]).toEqual([['c', 'b', 'a'], undefined]);
  });

  it('goes on where it was when items come and go, the last one too', () => {
    const { next } = pageOfDated(items, place, SCOPE, { limit: 2 });
    const now = [{ id: 'g', at: 9 }, ...items.filter(({ id }) => id !== 'e')];
    const rest = pageOfDated(now, place, SCOPE, { page: next?.page });
    expect(idsOf(rest.items)).toEqual(['d', 'c', 'b', 'a']);
  });

  it('answers the count alone, and refuses the cursor of another list', () => {
    expect(pageOfDated(items, place, SCOPE, { limit: 0 })).toEqual({ count: 6, items: [] });
    const { next } = pageOfDated(items, place, listScope('other'), { limit: 2 });
    expect(() => pageOfDated(items, place, SCOPE, { page: next?.page })).toThrow('page is not a page of this list');
    const texts = pageOfArray(['a', 'b'], (item) => item, SCOPE, { limit: 1 });
    expect(() => pageOfDated(items, place, SCOPE, { page: texts.next?.page })).toThrow('page is not a page');
  });
});
