import { InputPipe } from './input.pipe.js';
import { mapPage, OrderedPageQuery } from './page.dto.js';

describe('mapPage', () => {
  it('shapes each item, and keeps count and continuation', () => {
    const next = { page: 'x' };
    expect(mapPage({ items: [1, 2], count: 5, next }, String)).toEqual({ items: ['1', '2'], count: 5, next });
    expect(Object.keys(mapPage({ items: [], count: 0 }, String))).toEqual(['count', 'items']);
  });
});

describe('OrderedPageQuery', () => {
  it('takes a page, a limit and an order, and nothing for granted', async () => {
    const pipe = new InputPipe();
    const check = (query: object): Promise<unknown> =>
      pipe.transform(query, { type: 'query', metatype: OrderedPageQuery });
    expect(await check({ page: 'p', limit: '0', order: 'asc' })).toEqual({ page: 'p', limit: 0, order: 'asc' });
    expect(await check({})).toEqual({});
    await expect(check({ order: 'up' })).rejects.toThrow('order must be one of: asc, desc');
    await expect(check({ limit: '1001' })).rejects.toThrow('limit must be a whole number from 0 to 1000');
  });
});
