import fc from 'fast-check';
import { isLeaf } from './chunk.js';
import { diffMaps } from './chunk-diff.js';
import { editMap, type MapEdits } from './chunk-edit.js';
import { ChunkMap, prefixRange } from './chunk-map.js';
import type { Json } from './json.js';
import { MemoryChunkStore } from './memory-chunk-store.js';

class Store extends MemoryChunkStore {
  async edit(root: string, edits: MapEdits, scope = 'one'): Promise<{ root: string; written: number }> {
    const edited = await editMap(this, scope, root, edits);
    await this.write([...edited.written.values()]);
    return { root: edited.root, written: edited.written.size };
  }
}

const key = fc.integer({ min: 0, max: 700 }).map((number) => `k/${number.toString(36)}`);
const edits = fc.array(fc.tuple(key, fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined })), {
  maxLength: 250,
});
const batches = fc.array(edits, { minLength: 1, maxLength: 6 });
const inOrder = (model: ReadonlyMap<string, Json>): { key: string; value: Json }[] =>
  [...model].map(([key, value]) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1));

async function play(store: Store, rounds: readonly (readonly (readonly [string, number | undefined])[])[]) {
  const model = new Map<string, Json>();
  let root = store.empty('one');
  for (const round of rounds) {
    ({ root } = await store.edit(root, new Map(round)));
    for (const [key, value] of new Map(round)) {
      if (value === undefined) model.delete(key);
      else model.set(key, value);
    }
  }
  return { root, model };
}

describe('the chunk map', () => {
  it('has one form for one content, whatever the edits before', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (rounds) => {
        const store = new Store();
        const { root, model } = await play(store, rounds);
        expect((await store.edit(store.empty('one'), model)).root).toBe(root);
        expect((await store.edit(root, new Map([...model.keys()].map((key) => [key, undefined])))).root).toBe(
          store.empty('one'),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('reads like a plain map', async () => {
    await fc.assert(
      fc.asyncProperty(batches, key, key, fc.nat(40), async (rounds, from, to, limit) => {
        const store = new Store();
        const { root, model } = await play(store, rounds);
        const map = new ChunkMap(store, root);
        const all = inOrder(model);
        const range = all.filter((entry) => entry.key >= from && entry.key < to);
        expect(await map.scan(prefixRange('k/'))).toEqual(all);
        expect(await map.scan({ from, to })).toEqual(range);
        expect(await map.scan({ from, to }, limit)).toEqual(range.slice(0, limit));
        expect(await map.get(from)).toBe(model.get(from));
        expect(await map.getMany([from, to, from, 'x', 'a'])).toEqual(
          new Map([...model].filter(([key]) => key === from || key === to)),
        );
        expect(await map.rank(from)).toBe(all.filter((entry) => entry.key < from).length);
        expect(await map.at(limit)).toEqual(all[limit]);
        expect(await map.size()).toBe(all.length);
      }),
      { numRuns: 150 },
    );
  });

  it('tells two maps apart like two plain maps', async () => {
    await fc.assert(
      fc.asyncProperty(batches, edits, async (rounds, more) => {
        const store = new Store();
        const { root, model } = await play(store, rounds);
        const { root: changed } = await store.edit(root, new Map(more));
        const expected = inOrder(new Map(more.map(([key, value]) => [key, value ?? null])))
          .map(({ key }) => ({ key, before: model.get(key), after: new Map(more).get(key) }))
          .filter(({ before, after }) => before !== after);
        expect(await diffMaps(store, root, changed)).toEqual(expected);
        expect(await diffMaps(store, changed, root)).toHaveLength(expected.length);
      }),
      { numRuns: 150 },
    );
  });

  it('writes and reads a handful of chunks for one change among very many', async () => {
    const store = new Store();
    const content = new Map(
      Array.from({ length: 30_000 }, (_, index) => [`p/${index}`, { title: `Page ${index}` }] as const),
    );
    const { root } = await store.edit(store.empty('one'), content);
    for (const index of [0, 77, 15_000, 29_999]) {
      const edited = await store.edit(root, new Map([[`p/${index}`, { title: 'New' }]]));
      expect(edited.written).toBeLessThanOrEqual(5);
      store.reads = 0;
      expect(await diffMaps(store, root, edited.root)).toEqual([
        { key: `p/${index}`, before: { title: `Page ${index}` }, after: { title: 'New' } },
      ]);
      expect(store.reads).toBeLessThanOrEqual(10);
    }
  });

  it('keeps chunks within their bounds', async () => {
    const store = new Store();
    const content = new Map(
      Array.from({ length: 3000 }, (_, index) => [`p/${index}`, 'x'.repeat((index * 997) % 16_000)] as const),
    );
    await store.edit(store.empty('one'), content);
    for (const { chunk } of store.chunks.values()) {
      expect(chunk.size).toBeLessThanOrEqual(66 * 1024);
      expect(chunk.keys.length).toBeLessThanOrEqual(isLeaf(chunk) ? 96 : 128);
    }
  });

  it('gives scopes different keys for equal content', async () => {
    const store = new Store();
    const content = new Map([['p/1', 'x']]);
    const one = await store.edit(store.empty('one'), content, 'one');
    const two = await store.edit(store.empty('two'), content, 'two');
    expect(one.root).not.toBe(two.root);
    expect(store.empty('one')).not.toBe(store.empty('two'));
  });

  it('refuses what is too large or cannot be written', async () => {
    const store = new Store();
    const root = store.empty('one');
    await expect(store.edit(root, new Map([['p/1', 'x'.repeat(16 * 1024)]]))).rejects.toMatchObject({
      reason: 'limit',
    });
    const links = (size: number): Map<string, Json> => new Map([['l/1', 'x'.repeat(size)]]);
    await expect(store.edit(root, links(1024 * 1024))).rejects.toMatchObject({
      message: 'The page has too many links within the space: cut it up',
    });
    await expect(store.edit(root, links(1024 * 1024 - 2))).resolves.not.toBe(root);
    await expect(store.edit(root, new Map([['p/1', NaN]]))).rejects.toMatchObject({ reason: 'invalid' });
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as Json;
    await expect(store.edit(root, new Map([['p/1', deep]]))).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('keeps hostile names as plain data', async () => {
    const store = new Store();
    const value = JSON.parse('{"__proto__":{"admin":true},"$set":{"a.b":1},"2":0,"10":0}') as Json;
    const { root } = await store.edit(store.empty('one'), new Map([['p/1', value]]));
    const read = await new ChunkMap(store, root).get('p/1');
    expect(JSON.stringify(read)).toBe('{"2":0,"10":0,"$set":{"a.b":1},"__proto__":{"admin":true}}');
    expect(Object.isFrozen(read)).toBe(true);
  });
});
