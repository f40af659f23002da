import { BadRequestException } from '@nestjs/common';
import fc from 'fast-check';
import { type Connection, type Model, Schema } from 'mongoose';
import { cases } from '../../test/support/cases.js';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { findPage, type ListQuery } from './pagination.js';

/** Time for all generated cases of a thorough run, in ms. */
const LONG = 300_000;

interface Item {
  _id: string;
  group: string;
  createdAt: Date;
  title: string;
  size?: number;
}

let database: TestDatabase;
let connection: Connection;
let model: Model<Item>;
let other: Model<Item>;
let groups = 0;

beforeAll(async () => {
  database = await startTestDatabase();
  connection = await database.connect('pages');
  const schema = new Schema<Item>({ _id: String, group: String, createdAt: Date, title: String, size: Number });
  schema.index({ group: 1, createdAt: -1, _id: -1 });
  model = connection.model<Item>('Item', schema);
  other = connection.model<Item>('Other', schema);
  await model.createIndexes();
});

afterAll(() => database.stop());

const toItem = (group: string, [_id, second]: readonly [string, number]): Item => ({
  _id: `${group}-${_id}`,
  group,
  createdAt: new Date(second),
  title: `t${second}`,
});

/** A group of its own that holds items with these ids and dates. */
async function groupOf(entries: readonly (readonly [string, number])[]): Promise<string> {
  const group = `g${++groups}`;
  await model.insertMany(entries.map((entry) => toItem(group, entry)));
  return group;
}

/** All pages of a walk; `between` is done after each. */
async function walk(
  group: string,
  query: ListQuery,
  between: (turn: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Item[][]> {
  const pages: Item[][] = [];
  for (let page = query.page, more = true; more;) {
    const part = await findPage(model, { group }, { ...query, page });
    pages.push(part.items);
    page = part.next?.page;
    more = page !== undefined;
    await between(pages.length);
  }
  return pages;
}

const ids = (items: readonly { _id: string }[]): string[] => items.map(({ _id }) => _id);

// few dates, so that many items share one
const entry = fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b', 'Z', '0', '-'), maxLength: 6 }), fc.nat(4));
const entries = fc.uniqueArray(entry, { maxLength: 30, selector: ([id]) => id });
const limit = fc.integer({ min: 1, max: 12 });
const order = fc.constantFrom('asc' as const, 'desc' as const);

describe('findPage', () => {
  it(
    'walks every document once and in order, under any limit and in both directions',
    async () => {
      const property = fc.asyncProperty(entries, limit, order, async (list, size, direction) => {
        const group = await groupOf(list);
        const pages = await walk(group, { limit: size, order: direction });
        const sign = direction === 'asc' ? 1 : -1;
        const sorted = list
          .map((one) => toItem(group, one))
          .sort((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime() || (a._id < b._id ? -1 : 1)));
        expect(ids(pages.flat())).toEqual(ids(sorted));
        expect(pages).toHaveLength(Math.max(1, Math.ceil(list.length / size)));
      });
      await fc.assert(property, { numRuns: cases(40, 300) });
    },
    LONG,
  );

  it(
    'neither loses nor repeats what was there, while documents are added',
    async () => {
      const added = fc.array(fc.nat(4), { maxLength: 8 });
      const property = fc.asyncProperty(entries, added, limit, order, async (list, dates, size, direction) => {
        const group = await groupOf(list);
        const pages = await walk(group, { limit: size, order: direction }, async (turn) => {
          const date = dates[turn - 1];
          if (date !== undefined) await model.insertMany([toItem(group, [`added ${turn}`, date])]);
        });
        const seen = ids(pages.flat());
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => !id.includes('added')).sort()).toEqual(list.map(([id]) => `${group}-${id}`).sort());
      });
      await fc.assert(property, { numRuns: cases(25, 200) });
    },
    LONG,
  );

  it('goes on behind a document that is deleted meanwhile', async () => {
    const group = await groupOf([
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ] as const);
    const pages = await walk(group, { limit: 2 }, () => model.deleteOne({ _id: `${group}-c` }));
    expect(pages.map(ids)).toEqual([
      [`${group}-d`, `${group}-c`],
      [`${group}-b`, `${group}-a`],
    ]);
  });

  it('counts the whole list on each page, and alone for the limit 0', async () => {
    const group = await groupOf([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const);
    const first = await findPage(model, { group }, { limit: 2 });
    expect(first.count).toBe(3);
    expect(await findPage(model, { group }, { limit: 2, page: first.next?.page })).toMatchObject({ count: 3 });
    expect(await findPage(model, { group }, { limit: 0 })).toEqual({ count: 3, items: [] });
    expect(await findPage(model, { group: 'none' }, {})).toEqual({ count: 0, items: [] });
  });

  it('answers 50 documents unless another limit is given, newest first', async () => {
    const group = await groupOf(Array.from({ length: 51 }, (_, index) => [String(index), index] as const));
    const page = await findPage(model, { group }, {});
    expect(page.items).toHaveLength(50);
    expect(page.items[0]?._id).toBe(`${group}-50`);
    expect(page.next).toBeDefined();
  });

  it('refuses a cursor of another filter, order or list', async () => {
    const group = await groupOf([
      ['a', 1],
      ['b', 2],
    ] as const);
    const page = (await findPage(model, { group }, { limit: 1 })).next?.page;
    const refused = [
      findPage(model, { group: 'another' }, { page }),
      findPage(model, { group, title: 'x' }, { page }),
      findPage(model, { group }, { page, order: 'asc' }),
      findPage(other, { group }, { page }),
      findPage(model, { group }, { page: 'nonsense' }),
    ];
    for (const one of refused) await expect(one).rejects.toBeInstanceOf(BadRequestException);
    // the limit may change on the way
    expect((await findPage(model, { group }, { page, limit: 7 })).items).toHaveLength(1);
  });

  it('goes on with the walk of the same list when what may be seen of it changes', async () => {
    const group = await groupOf(['a', 'b', 'c', 'd'].map((id, index) => [id, index] as const));
    const list = { group };
    const first = await findPage(model, { group, title: { $ne: 't2' } }, { limit: 1 }, { list });
    const page = first.next?.page;
    const rest = await findPage(model, { group, title: { $ne: 't1' } }, { page }, { list });
    expect(ids([...first.items, ...rest.items])).toEqual([`${group}-d`, `${group}-c`, `${group}-a`]);
    const elsewhere = findPage(model, { group }, { page }, { list: { group: 'another' } });
    await expect(elsewhere).rejects.toBeInstanceOf(BadRequestException);
  });

  it('ends a page early where its items weigh too much, but not before the first', async () => {
    const group = `g${++groups}`;
    const sizes = [3, 3, 3, 20, 1, 1];
    await model.insertMany(sizes.map((size, index) => ({ ...toItem(group, [`${index}`, index]), size })));
    const pages: number[][] = [];
    const options = { weight: { field: 'size', most: 6 } } as const;
    for (let page: string | undefined, more = true; more; more = page !== undefined) {
      const part = await findPage(model, { group }, { limit: 4, order: 'asc', page }, options);
      pages.push(part.items.map(({ size = 0 }) => size));
      expect(part.count).toBe(6);
      page = part.next?.page;
    }
    expect(pages).toEqual([[3, 3], [3], [20], [1, 1]]);
    expect(await findPage(model, { group }, { limit: 0 }, options)).toEqual({ count: 6, items: [] });
    expect(await findPage(model, { group: 'none' }, {}, options)).toEqual({ count: 0, items: [] });
  });

  it.each(['yesterday', 'null', ''])('refuses a cursor whose date was replaced by %j', async (at) => {
    const group = await groupOf([
      ['a', 1],
      ['b', 2],
    ] as const);
    const page = (await findPage(model, { group }, { limit: 1 })).next?.page ?? '';
    const [scope, , id] = JSON.parse(Buffer.from(page, 'base64url').toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([scope, at, id])).toString('base64url');
    await expect(findPage(model, { group }, { page: forged })).rejects.toBeInstanceOf(BadRequestException);
  });
});
