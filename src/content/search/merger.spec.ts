import mongoose from 'mongoose';
import { startSearch, type TestSearch } from '../../../test/support/search.js';
import { until } from '../../../test/support/until.js';
import { SearchService } from './search.service.js';

let search: TestSearch;

beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search.stop());

const find = async (space: string, query: string): Promise<string[]> =>
  (await search.service.searchSpace(space, query)).items.map(({ page }) => page);

describe('merging', () => {
  it('merges segments without a change in what is found', async () => {
    const space = await search.spaceOf({});
    const expected = new Map<string, string>();
    for (let step = 0; step < 60; step += 1) {
      const page = `p${(step * 7) % 13}`;
      if (step % 5 === 4) {
        await search.index.remove(space, [page]);
        expected.delete(page);
      } else {
        await search.index.put(space, [search.entry(page, { title: `Step${step}`, text: 'shared words' })]);
        expected.set(page, `step${step}`);
      }
      if (step % 20 === 19) await search.merger.settle(space);
      if (step % 20 === 19 || step > 55) {
        expect((await find(space, 'shared')).sort()).toEqual([...expected.keys()].sort());
        for (const [id, word] of expected) expect(await find(space, `"${word}"`)).toEqual([id]);
      }
    }
    await search.merger.settle(space);
    expect((await search.segments.all(space)).length).toBeLessThan(16);
    expect((await find(space, 'shared words')).sort()).toEqual([...expected.keys()].sort());
  });

  it('begins with the edit that leaves something to merge', async () => {
    const space = await search.spaceOf({});
    const notice = jest.spyOn(search.merger, 'notice');
    try {
      for (let n = 0; n < 7; n += 1) {
        await search.index.put(space, [search.entry(`p${n}`, { text: 'due' })], await search.index.place(space));
      }
      expect(notice).not.toHaveBeenCalled();
      await search.index.remove(space, ['p0'], await search.index.place(space));
      expect(notice.mock.calls).toEqual([[space]]);
    } finally {
      notice.mockRestore();
    }
    await until('it is merged', async () => (await search.segments.all(space)).length === 1);
    expect((await find(space, 'due')).sort()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
  });

  it('keeps what it has merged where the answer to the end of that was lost', async () => {
    const space = await search.spaceOf({});
    for (let n = 0; n < 12; n += 1) await search.index.put(space, [search.entry(`p${n}`, { text: `kept word${n}` })]);
    const transaction = search.database.transaction.bind(search.database);
    const lost = jest.spyOn(search.database, 'transaction').mockImplementationOnce(async (work) => {
      await transaction(work);
      throw new mongoose.mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
    });
    await expect(search.merger.settle(space)).rejects.toThrow('closed');
    expect(lost).toHaveBeenCalledTimes(1);
    lost.mockRestore();
    for (const later of [false, true]) {
      if (later) await search.merger.settle(space);
      const cold = new SearchService(search.newSegments(), search.documents);
      expect((await cold.searchSpace(space, 'kept', { limit: 50 })).count).toBe(12);
      for (let n = 0; n < 12; n += 1) {
        expect((await cold.searchSpace(space, `"word${n}"`)).items.map(({ page }) => page)).toEqual([`p${n}`]);
      }
    }
  });

  it('goes on searching while a merge replaces what it reads', async () => {
    const space = await search.spaceOf({});
    for (let n = 0; n < 12; n += 1) await search.index.put(space, [search.entry(`p${n}`, { text: 'shared' })]);
    const merge = search.merger.settle(space);
    const cold = new SearchService(search.newSegments(), search.documents);
    // never the same search twice, whose answer would be kept
    for (let n = 0; n < 10; n += 1) expect((await cold.searchSpace(space, 'shared', { limit: 20 + n })).count).toBe(12);
    await merge;
  });
});
