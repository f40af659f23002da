import { gathered } from './gathered.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A read that notes for which keys it was made, and knows those that begin with k. */
function reading() {
  const queries: string[][] = [];
  const read = gathered<{ key: string }>(async (keys) => {
    queries.push([...keys]);
    await turn();
    return new Map(keys.filter((key) => key.startsWith('k')).map((key) => [key, { key }]));
  });
  return { queries, read };
}

describe('gathered', () => {
  it('asks once for what is asked in one turn, and hands each caller what they asked for', async () => {
    const { queries, read } = reading();
    const answers = await Promise.all(['k1', 'k2', 'unknown', 'k1'].map(read));
    expect(answers).toEqual([{ key: 'k1' }, { key: 'k2' }, null, { key: 'k1' }]);
    expect(queries).toEqual([['k1', 'k2', 'unknown']]);
  });

  it('keeps nothing: who asks later is answered by a read that begins later', async () => {
    const { queries, read } = reading();
    const first = read('k1');
    await turn();
    await Promise.all([first, read('k1')]);
    expect(queries).toEqual([['k1'], ['k1']]);
  });

  it('asks for a hundred keys at a time', async () => {
    const { queries, read } = reading();
    await Promise.all(Array.from({ length: 250 }, (_, n) => read(`k${n}`)));
    expect(queries.map((keys) => keys.length)).toEqual([100, 100, 50]);
  });

  it('tells all who asked when a query fails, and the next ones nothing of it', async () => {
    let fails = true;
    const read = gathered<number>((keys) =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve(new Map(keys.map((key) => [key, 1]))),
    );
    const outcomes = await Promise.allSettled([read('a'), read('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await read('a')).toBe(1);
  });
});
