import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { Database, openEngine } from '../../database/index.js';
import type { SearchEntry } from './analysis.js';
import { SegmentMerger } from './merger.js';
import { memoryPages } from './memory-pages.js';
import { SearchIndex } from './search-index.js';
import { SearchBlock, SearchBlockSchema, SearchSegment, SearchSegmentSchema } from './search-segment.schema.js';
import { type FoundPage, SearchService } from './search.service.js';
import { type Section, SectionSource } from './section-source.js';
import { Segments } from './segments.js';

class Documents extends SectionSource {
  readonly all = new Map<string, Section[]>();
  /** How often sections were asked for. */
  asked = 0;

  override sections(documents: string[]): Promise<Map<string, Section[]>> {
    this.asked += 1;
    return Promise.resolve(new Map(documents.map((key) => [key, this.all.get(key) ?? []])));
  }

  override cut(): Promise<Map<string, Section[]>> {
    return Promise.resolve(new Map<string, Section[]>());
  }
}

const documents = new Documents();
let engine: Awaited<ReturnType<typeof openEngine>>;
let folder: string;
let connection: Connection;
let database: Database;
let segments: Segments;
let merger: SegmentMerger;
let index: SearchIndex;
let service: SearchService;
let spaces = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-'));
  engine = await openEngine(folder);
  connection = await mongoose.createConnection(engine.uri, { dbName: 'search', autoIndex: false }).asPromise();
  await connection.model(SearchSegment.name, SearchSegmentSchema).createIndexes();
  await connection.model(SearchBlock.name, SearchBlockSchema).createIndexes();
  database = new Database(connection);
  await database.onModuleInit();
  segments = newSegments();
  merger = new SegmentMerger(segments, database);
  index = new SearchIndex(segments, merger);
  service = new SearchService(segments, documents);
});

afterAll(async () => {
  await merger.onModuleDestroy();
  await connection.close();
  await engine.stop();
  await rm(folder, { recursive: true });
});

/** Without anything in memory yet. */
const newSegments = (): Segments =>
  new Segments(
    connection.model<SearchSegment>(SearchSegment.name, SearchSegmentSchema),
    connection.model<SearchBlock>(SearchBlock.name, SearchBlockSchema),
    database,
  );

interface Words {
  title?: string;
  description?: string;
  text?: string;
  sections?: [title: string, text: string][];
}

function entry(page: string, { title = 'Untitled', description, text = '', sections = [] }: Words): SearchEntry {
  const all = [['', text] as const, ...sections].map(([heading, body]) => ({
    anchor: heading.toLowerCase().replaceAll(' ', '-'),
    title: heading,
    depth: heading ? 2 : 0,
    text: body,
  }));
  const document = `${page}:${JSON.stringify(all)}`;
  documents.all.set(document, all);
  return { page, document, title, sections: all, ...(description !== undefined && { description }) };
}

/** A space with these pages. */
async function spaceOf(pages: Record<string, Words>): Promise<string> {
  const space = `space${++spaces}`;
  await index.put(
    space,
    Object.entries(pages).map(([page, words]) => entry(page, words)),
  );
  return space;
}

const find = async (space: string, query: string): Promise<string[]> =>
  (await service.searchSpace(space, query)).items.map(({ page }) => page);

describe('ranking', () => {
  it('puts pages with every word first, then those with some', async () => {
    const space = await spaceOf({
      some: { title: 'Zebra zebra', text: 'zebra zebra zebra' },
      all: { text: 'a zebra was here, and far away from it there lay some quartz' },
      other: { text: 'nothing of that' },
    });
    expect(await find(space, 'zebra quartz')).toEqual(['all', 'some']);
  });

  it('weighs the title above heading and description, and those above the text', async () => {
    const space = await spaceOf({
      text: { text: 'lifetime lifetime lifetime lifetime lifetime lifetime' },
      heading: { sections: [['A lifetime', 'other words']] },
      title: { title: 'The lifetime of a reference in a rather long title' },
    });
    expect(await find(space, 'lifetime')).toEqual(['title', 'heading', 'text']);
  });

  it('puts pages where the words follow each other first, in their order', async () => {
    const space = await spaceOf({
      apart: { title: 'Checker', text: 'the borrow of a book, the checker of a board' },
      reversed: { title: 'checker borrow' },
      phrase: { text: 'much of what was said about the borrow checker is true of other things as well' },
    });
    expect((await find(space, 'borrow checker'))[0]).toBe('phrase');
    expect(await find(space, '"borrow checker"')).toEqual(['phrase']);
    expect(await find(space, '"checker borrow"')).toEqual(['reversed']);
  });

  it('lets no phrase reach over the end of a field', async () => {
    const space = await spaceOf({ page: { title: 'borrow', description: 'checker' } });
    expect(await find(space, '"borrow checker"')).toEqual([]);
  });

  it('takes words of a third of many pages for ranking only, unless there is no other', async () => {
    const pages = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, { text: 'common words' }]));
    const space = await spaceOf({ ...pages, rare: { text: 'rare' }, both: { text: 'common rare' } });
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
    const space = await spaceOf({ page: { text }, other: { text: 'unrelated' } });
    expect(await find(space, query)).toEqual(['page']);
  });

  it.each(['ha', '"hash ma"', 'ma ha', 'std::vec::Map', '.*', '$where', 'constructor', 'vec.std'])(
    'finds nothing by %j',
    async (query) => {
      const space = await spaceOf({ page: { text: 'std::vec::Vec and some more' } });
      expect(await find(space, query)).toEqual([]);
    },
  );

  it.each(['"'.repeat(512), 'a '.repeat(256), '(a+)+$ [x'.repeat(50), '\0\ud800"\u202e'.repeat(128), 'a.'.repeat(256)])(
    'takes the hostile query %#',
    async (query) => {
      const space = await spaceOf({ page: { text: 'a b c '.repeat(500) } });
      expect((await service.searchSpace(space, query)).count).toBeLessThanOrEqual(1);
    },
  );

  it('refuses a blank query, and answers nothing to one without words', async () => {
    const space = await spaceOf({ page: { text: 'words' } });
    await expect(service.searchSpace(space, ' \t')).rejects.toThrow('query must not be blank');
    expect(await service.searchSpace(space, '!? 🎉')).toEqual({ items: [], count: 0 });
  });
});

describe('sections', () => {
  it('shows those that have something of the query, with text around it', async () => {
    const filler = 'Some words that go before what is looked for. '.repeat(20);
    const space = await spaceOf({
      page: {
        sections: [
          ['Nothing', 'of interest'],
          ['Lifetimes', 'are\n\nexplained   here'],
          ['More', `${filler}A lifetime ends at last. ${filler}`],
        ],
      },
    });
    const { items } = await service.searchSpace(space, 'lifetime');
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
    const space = await spaceOf(Object.fromEntries(pages));
    const seen: string[] = [];
    for (let page: string | undefined, more = true; more;) {
      const part = await service.searchSpace(space, 'match', { page, limit });
      seen.push(...part.items.map((item) => item.page));
      expect(part.count).toBe(20);
      page = part.next?.page;
      more = page !== undefined;
    }
    expect(seen).toEqual(await find(space, 'match'));
    expect(new Set(seen).size).toBe(20);
  });

  it('counts without items for the limit 0, and refuses a cursor of another search', async () => {
    const space = await spaceOf({ a: { text: 'match' }, b: { text: 'match other' } });
    expect(await service.searchSpace(space, 'match', { limit: 0 })).toEqual({ items: [], count: 2 });
    const { next } = await service.searchSpace(space, 'match', { limit: 1 });
    await expect(service.searchSpace(space, 'other', { page: next?.page })).rejects.toThrow('page is not a page');
  });
});

describe('changes', () => {
  it('shows an edit, a removal and a return at once', async () => {
    const space = await spaceOf({ page: { text: 'before' }, other: { text: 'constant' } });
    await index.put(space, [entry('page', { text: 'after' })]);
    expect(await find(space, 'before')).toEqual([]);
    expect(await find(space, 'after')).toEqual(['page']);
    await index.remove(space, ['page', 'absent']);
    expect(await find(space, 'after')).toEqual([]);
    await index.put(space, [entry('page', { text: 'again' })]);
    expect(await find(space, 'again')).toEqual(['page']);
    await index.clear(space);
    expect(await find(space, 'constant')).toEqual([]);
    expect(await segments.all(space)).toEqual([]);
  });

  it('writes two records for an edit of a page of usual length', async () => {
    const count = async (): Promise<number> =>
      (await connection.collection('search_segments').countDocuments()) +
      (await connection.collection('search_blocks').countDocuments());
    const before = await count();
    const text = Array.from({ length: 4000 }, (_, n) => `word${n % 1500}`).join(' ');
    await spaceOf({ page: { text } });
    expect((await count()) - before).toBe(2);
  });

  it('belongs to the transaction around it', async () => {
    const space = await spaceOf({ page: { text: 'before' } });
    const failed = database.transaction(async () => {
      await index.put(space, [entry('page', { text: 'after' })]);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await find(space, 'before')).toEqual(['page']);
    await database.transaction(() => index.put(space, [entry('page', { text: 'after' })]));
    expect(await find(space, 'after')).toEqual(['page']);
  });

  it('merges segments without a change in what is found', async () => {
    const space = await spaceOf({});
    const expected = new Map<string, string>();
    for (let step = 0; step < 60; step += 1) {
      const page = `p${(step * 7) % 13}`;
      if (step % 5 === 4) {
        await index.remove(space, [page]);
        expected.delete(page);
      } else {
        await index.put(space, [entry(page, { title: `Step${step}`, text: 'shared words' })]);
        expected.set(page, `step${step}`);
      }
      if (step % 20 === 19) await merger.settle(space);
      if (step % 20 === 19 || step > 55) {
        expect((await find(space, 'shared')).sort()).toEqual([...expected.keys()].sort());
        for (const [id, word] of expected) expect(await find(space, `"${word}"`)).toEqual([id]);
      }
    }
    await merger.settle(space);
    expect((await segments.all(space)).length).toBeLessThan(16);
    expect((await find(space, 'shared words')).sort()).toEqual([...expected.keys()].sort());
  });

  it('keeps what it has merged where the answer to the end of that was lost', async () => {
    const space = await spaceOf({});
    for (let n = 0; n < 12; n += 1) await index.put(space, [entry(`p${n}`, { text: `kept word${n}` })]);
    const transaction = database.transaction.bind(database);
    const lost = jest.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await transaction(work);
      throw new mongoose.mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
    });
    await expect(merger.settle(space)).rejects.toThrow('closed');
    expect(lost).toHaveBeenCalledTimes(1);
    lost.mockRestore();
    for (const later of [false, true]) {
      if (later) await merger.settle(space);
      const cold = new SearchService(newSegments(), documents);
      expect((await cold.searchSpace(space, 'kept', { limit: 50 })).count).toBe(12);
      for (let n = 0; n < 12; n += 1) {
        expect((await cold.searchSpace(space, `"word${n}"`)).items.map(({ page }) => page)).toEqual([`p${n}`]);
      }
    }
  });

  it('goes on searching while a merge replaces what it reads', async () => {
    const space = await spaceOf({});
    for (let n = 0; n < 12; n += 1) await index.put(space, [entry(`p${n}`, { text: 'shared' })]);
    const merge = merger.settle(space);
    const cold = new SearchService(newSegments(), documents);
    // never the same search twice, whose answer would be kept
    for (let n = 0; n < 10; n += 1) expect((await cold.searchSpace(space, 'shared', { limit: 20 + n })).count).toBe(12);
    await merge;
  });
});

describe('a block in memory', () => {
  it('holds on to nothing but its own bytes', async () => {
    const space = await spaceOf({ a: { text: 'needle' }, b: { text: 'pin' } });
    const ids = ((await segments.list([space])).get(space) ?? []).map(({ _id }) => `${_id}:0`);
    const blocks = [...(await newSegments().read(ids)).values()];
    expect(blocks.length).toBeGreaterThan(0);
    for (const { data } of blocks) expect(data.buffer.byteLength).toBe(data.length);
  });
});

describe('an answer', () => {
  it('is kept from the second time on for the same search of the same pages, and for nothing else', async () => {
    const space = await spaceOf({ a: { text: 'needle and pin' }, b: { text: 'needle' } });
    const searches = [
      { query: 'needle' },
      { query: 'needles' },
      { query: 'needle', limit: 1 },
      { query: 'needle', unconditional: true },
    ];
    const asks = async (): Promise<number> => {
      const before = documents.asked;
      for (const { query, ...part } of searches) await service.searchSpace(space, query, part);
      return documents.asked - before;
    };
    const answers = (): Promise<unknown[]> =>
      Promise.all(searches.map(({ query, ...part }) => service.searchSpace(space, query, part)));
    const first = await answers();
    // a visitor's is looked at twice: what is held back is not counted
    expect(await asks()).toBe(5);
    expect(await asks()).toBe(0);
    expect(await answers()).toEqual(first);
    await index.put(space, [entry('c', { text: 'a third needle' })]);
    expect(await asks()).toBe(5);
    expect((await service.searchSpace(space, 'needle')).count).toBe(3);
    await index.remove(space, ['a']);
    expect((await find(space, 'needle')).sort()).toEqual(['b', 'c']);
  });

  it('is not kept where pages are searched that are not of the index', async () => {
    const space = await spaceOf({ a: { text: 'needle' } });
    await service.searchSpace(space, 'needle');
    const before = documents.asked;
    const beside = new Map([[space, await memoryPages([entry('z', { text: 'needle' })])]]);
    const found = await service.searchSpace(space, 'needle', { beside });
    expect(found.items.map(({ page }) => page).sort()).toEqual(['a', 'z']);
    await service.searchSpace(space, 'needle', { beside });
    expect(documents.asked).toBe(before + 2);
  });
});

describe('several spaces', () => {
  it('groups pages by space, best space first, and counts spaces', async () => {
    const weak = await spaceOf({ a: { text: 'needle' }, b: { text: 'hay' } });
    const strong = await spaceOf({ c: { title: 'Needle' }, d: { text: 'a needle' } });
    const none = await spaceOf({ e: { text: 'hay' } });
    const { items, count, next } = await service.searchSpaces([weak, strong, none], 'needle', { limit: 1 });
    expect(count).toBe(2);
    expect(items.map(({ space, pages }) => [space, pages.map(({ page }) => page)])).toEqual([[strong, ['c', 'd']]]);
    const rest = await service.searchSpaces([weak, strong, none], 'needle', { limit: 1, page: next?.page });
    expect(rest.items.map(({ space }) => space)).toEqual([weak]);
    expect(rest.next).toBeUndefined();
    expect(await service.searchSpaces([], 'needle')).toEqual({ items: [], count: 0 });
  });
});
