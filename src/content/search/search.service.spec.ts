import { startSearch, type TestSearch } from '../../../test/support/search.js';
import { memoryPages } from './memory-pages.js';
import type { FoundPage } from './search.service.js';

let search: TestSearch;

beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search.stop());

const find = async (space: string, query: string): Promise<string[]> =>
  (await search.service.searchSpace(space, query)).items.map(({ page }) => page);

describe('ranking', () => {
  it('puts pages with every word first, then those with some', async () => {
    const space = await search.spaceOf({
      some: { title: 'Zebra zebra', text: 'zebra zebra zebra' },
      all: { text: 'a zebra was here, and far away from it there lay some quartz' },
      other: { text: 'nothing of that' },
    });
    expect(await find(space, 'zebra quartz')).toEqual(['all', 'some']);
  });

  it('weighs the title above heading and description, and those above the text', async () => {
    const space = await search.spaceOf({
      text: { text: 'lifetime lifetime lifetime lifetime lifetime lifetime' },
      heading: { sections: [['A lifetime', 'other words']] },
      title: { title: 'The lifetime of a reference in a rather long title' },
    });
    expect(await find(space, 'lifetime')).toEqual(['title', 'heading', 'text']);
  });

  it('puts pages where the words follow each other first, in their order', async () => {
    const space = await search.spaceOf({
      apart: { title: 'Checker', text: 'the borrow of a book, the checker of a board' },
      reversed: { title: 'checker borrow' },
      phrase: { text: 'much of what was said about the borrow checker is true of other things as well' },
    });
    expect((await find(space, 'borrow checker'))[0]).toBe('phrase');
    expect(await find(space, '"borrow checker"')).toEqual(['phrase']);
    expect(await find(space, '"checker borrow"')).toEqual(['reversed']);
  });

  it('lets no phrase reach over the end of a field', async () => {
    const space = await search.spaceOf({ page: { title: 'borrow', description: 'checker' } });
    expect(await find(space, '"borrow checker"')).toEqual([]);
  });

  it('takes words of a third of many pages for ranking only, unless there is no other', async () => {
    const pages = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, { text: 'common words' }]));
    const space = await search.spaceOf({ ...pages, rare: { text: 'rare' }, both: { text: 'common rare' } });
    expect(await find(space, 'common rare')).toEqual(['both', 'rare']);
    expect(await find(space, 'common')).toHaveLength(31);
    expect(await find(space, 'common absent')).toHaveLength(31);
  });
});

describe('words', () => {
  it.each([
    ['CAFÉ', 'café'],
    ['cafe', 'Café'],
    ['strasse', 'Straße'],
    ['borrow', 'borrowing'],
    ['borrowed', 'borrows'],
    ['how to own', 'ownership'],
    ['owner', 'ownership'],
    ['HashMap', 'a HashMap<K, V>'],
    ['hashmap', 'HashMap'],
    ['map', 'HashMap'],
    ['std::vec::Vec', 'use std::vec::Vec;'],
    ['vec', 'std::vec::Vec'],
    ['snake_case_name', 'let snake_case_name = 1;'],
    ['snake_ca', 'snake_case_name'],
    ['case', 'snake_case_name'],
    ['世界', '今日は世界'],
    ['界', '今日は世界'],
    ['โลก', 'สวัสดีชาวโลก'],
    ['Привет', 'ПРИВЕТ, мир'],
    ["don't", 'I don’t know'],
    ["l'homme", 'un homme'],
    ['toString', 'the constructor __proto__ toString'],
    ['__proto__', 'the constructor __proto__ toString'],
  ])('finds by %j what says %j', async (query, text) => {
    const space = await search.spaceOf({ page: { text }, other: { text: 'unrelated' } });
    expect(await find(space, query)).toEqual(['page']);
  });

  it.each(['ha', '"hash ma"', 'ma ha', 'std::vec::Map', '.*', '$where', 'constructor', 'vec.std'])(
    'finds nothing by %j',
    async (query) => {
      const space = await search.spaceOf({ page: { text: 'std::vec::Vec and some more' } });
      expect(await find(space, query)).toEqual([]);
    },
  );

  it.each(['"'.repeat(512), 'a '.repeat(256), '(a+)+$ [x'.repeat(50), '\0\ud800"\u202e'.repeat(128), 'a.'.repeat(256)])(
    'takes the hostile query %#',
    async (query) => {
      const space = await search.spaceOf({ page: { text: 'a b c '.repeat(500) } });
      expect((await search.service.searchSpace(space, query)).count).toBeLessThanOrEqual(1);
    },
  );

  it('refuses a blank query, and answers nothing to one without words', async () => {
    const space = await search.spaceOf({ page: { text: 'words' } });
    await expect(search.service.searchSpace(space, ' \t')).rejects.toThrow('query must not be blank');
    expect(await search.service.searchSpace(space, '!? 🎉')).toEqual({ items: [], count: 0 });
  });
});

describe('sections', () => {
  it('shows those that have something of the query, with text around it', async () => {
    const filler = 'Some words that go before what is looked for. '.repeat(20);
    const space = await search.spaceOf({
      page: {
        sections: [
          ['Nothing', 'of interest'],
          ['Lifetimes', 'are\n\nexplained   here'],
          ['More', `${filler}A lifetime ends at last. ${filler}`],
        ],
      },
    });
    const { items } = await search.service.searchSpace(space, 'lifetime');
    const [{ sections }] = items as [FoundPage];
    expect(sections.map(({ anchor, title }) => [anchor, title])).toEqual([
      ['lifetimes', 'Lifetimes'],
      ['more', 'More'],
    ]);
    expect(sections[0]?.body).toBe('are explained here');
    expect(sections[1]?.body).toContain('A lifetime ends at last.');
    expect(sections[1]?.body.length).toBeLessThanOrEqual(300);
  });
});

describe('paging', () => {
  it.each([1, 3, 7, 50])('walks every match once, %i at a time', async (limit) => {
    const pages = Array.from({ length: 20 }, (_, n) => [`p${n}`, { text: n % 3 ? 'match' : 'match match' }] as const);
    const space = await search.spaceOf(Object.fromEntries(pages));
    const seen: string[] = [];
    for (let page: string | undefined, more = true; more;) {
      const part = await search.service.searchSpace(space, 'match', { page, limit });
      seen.push(...part.items.map((item) => item.page));
      expect(part.count).toBe(20);
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(seen).toEqual(await find(space, 'match'));
    expect(new Set(seen).size).toBe(20);
  });

  it('counts without items for the limit 0, and refuses a cursor of another search', async () => {
    const space = await search.spaceOf({ a: { text: 'match' }, b: { text: 'match other' } });
    expect(await search.service.searchSpace(space, 'match', { limit: 0 })).toEqual({ items: [], count: 2 });
    const { next } = await search.service.searchSpace(space, 'match', { limit: 1 });
    await expect(search.service.searchSpace(space, 'other', { page: next?.page })).rejects.toThrow(
      'page is not a page',
    );
  });
});

describe('changes', () => {
  it('shows an edit, a removal and a return at once', async () => {
    const space = await search.spaceOf({ page: { text: 'before' }, other: { text: 'constant' } });
    await search.index.put(space, [search.entry('page', { text: 'after' })]);
    expect(await find(space, 'before')).toEqual([]);
    expect(await find(space, 'after')).toEqual(['page']);
    await search.index.remove(space, ['page', 'absent']);
    expect(await find(space, 'after')).toEqual([]);
    await search.index.put(space, [search.entry('page', { text: 'again' })]);
    expect(await find(space, 'again')).toEqual(['page']);
    await search.index.clear(space);
    expect(await find(space, 'constant')).toEqual([]);
    expect(await search.segments.all(space)).toEqual([]);
  });

  it('writes two records for an edit of a page of usual length', async () => {
    const count = async (): Promise<number> =>
      (await search.connection.collection('search_segments').countDocuments()) +
      (await search.connection.collection('search_blocks').countDocuments());
    const before = await count();
    const text = Array.from({ length: 4000 }, (_, n) => `word${n % 1500}`).join(' ');
    await search.spaceOf({ page: { text } });
    expect((await count()) - before).toBe(2);
  });

  it('belongs to the transaction around it', async () => {
    const space = await search.spaceOf({ page: { text: 'before' } });
    const failed = search.database.transaction(async () => {
      await search.index.put(space, [search.entry('page', { text: 'after' })]);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await find(space, 'before')).toEqual(['page']);
    await search.database.transaction(() => search.index.put(space, [search.entry('page', { text: 'after' })]));
    expect(await find(space, 'after')).toEqual(['page']);
  });
});

describe('a block in memory', () => {
  it('holds on to nothing but its own bytes', async () => {
    const space = await search.spaceOf({ a: { text: 'needle' }, b: { text: 'pin' } });
    const ids = ((await search.segments.list([space])).get(space) ?? []).map(({ _id }) => `${_id}:0`);
    const blocks = [...(await search.newSegments().read(ids)).values()];
    expect(blocks.length).toBeGreaterThan(0);
    for (const { data } of blocks) expect(data.buffer.byteLength).toBe(data.length);
  });
});

describe('an answer', () => {
  it('is kept from the second time on for the same search of the same pages, and for nothing else', async () => {
    const space = await search.spaceOf({ a: { text: 'needle and pin' }, b: { text: 'needle' } });
    const searches = [
      { query: 'needle' },
      { query: 'needles' },
      { query: 'needle', limit: 1 },
      { query: 'needle', unconditional: true },
    ];
    const asks = async (): Promise<number> => {
      const before = search.documents.asked;
      for (const { query, ...part } of searches) await search.service.searchSpace(space, query, part);
      return search.documents.asked - before;
    };
    const answers = (): Promise<unknown[]> =>
      Promise.all(searches.map(({ query, ...part }) => search.service.searchSpace(space, query, part)));
    const first = await answers();
    // a visitor's is looked at twice: what is held back is not counted
    expect(await asks()).toBe(5);
    expect(await asks()).toBe(0);
    expect(await answers()).toEqual(first);
    await search.index.put(space, [search.entry('c', { text: 'a third needle' })]);
    expect(await asks()).toBe(5);
    expect((await search.service.searchSpace(space, 'needle')).count).toBe(3);
    await search.index.remove(space, ['a']);
    expect((await find(space, 'needle')).sort()).toEqual(['b', 'c']);
  });

  it('is not kept where pages are searched that are not of the index', async () => {
    const space = await search.spaceOf({ a: { text: 'needle' } });
    await search.service.searchSpace(space, 'needle');
    const before = search.documents.asked;
    const beside = new Map([[space, await memoryPages([search.entry('z', { text: 'needle' })])]]);
    const found = await search.service.searchSpace(space, 'needle', { beside });
    expect(found.items.map(({ page }) => page).sort()).toEqual(['a', 'z']);
    await search.service.searchSpace(space, 'needle', { beside });
    expect(search.documents.asked).toBe(before + 2);
  });
});

describe('several spaces', () => {
  it('groups pages by space, best space first, and counts spaces', async () => {
    const weak = await search.spaceOf({ a: { text: 'needle' }, b: { text: 'hay' } });
    const strong = await search.spaceOf({ c: { title: 'Needle' }, d: { text: 'a needle' } });
    const none = await search.spaceOf({ e: { text: 'hay' } });
    const { items, count, next } = await search.service.searchSpaces([weak, strong, none], 'needle', { limit: 1 });
    expect(count).toBe(2);
    expect(items.map(({ space, pages }) => [space, pages.map(({ page }) => page)])).toEqual([[strong, ['c', 'd']]]);
    const rest = await search.service.searchSpaces([weak, strong, none], 'needle', { limit: 1, page: next?.page });
    expect(rest.items.map(({ space }) => space)).toEqual([weak]);
    expect(rest.next).toBeUndefined();
    expect(await search.service.searchSpaces([], 'needle')).toEqual({ items: [], count: 0 });
  });
});
