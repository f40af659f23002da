import { batchesOf } from './batches-of.js';

describe('batches', () => {
  it.each([
    [[], 2, []],
    [[1], 2, [[1]]],
    [
      [1, 2, 3, 4],
      2,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [[1, 2, 3], 2, [[1, 2], [3]]],
  ])('of %j with at most %i each are %j', (items, size, batches) => {
    expect([...batchesOf<number>(items, size)]).toEqual(batches);
  });
});
