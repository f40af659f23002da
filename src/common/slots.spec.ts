import { setTimeout as wait } from 'node:timers/promises';
import { Slots } from './slots.js';

describe('Slots', () => {
  it('runs so many at a time, in the order in which they came, whatever becomes of each', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const work = Array.from({ length: 9 }, (_, index) =>
      slots.run(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await wait(1);
        running -= 1;
        if (index % 3 === 0) throw new Error(`no ${String(index)}`);
        return index;
      }),
    );
    const ends = await Promise.allSettled(work);
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(begun.map((index) => index % 3 !== 0));
    expect([begun, most]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], 2]);
  });

  it('lets who waits leave the line, at once, and nobody who has begun', async () => {
    const slots = new Slots(1);
    const [first, second] = [new AbortController(), new AbortController()];
    const begun: number[] = [];
    const run = (index: number, signal?: AbortSignal): Promise<number> =>
      slots.run(async () => {
        begun.push(index);
        await wait(20);
        return index;
      }, signal);
    const [running, left, last] = [run(0, first.signal), run(1, second.signal), run(2)];
    first.abort();
    second.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(begun).toEqual([0]);
    await expect(run(3, second.signal)).rejects.toThrow('gone');
    expect(await Promise.all([running, last])).toEqual([0, 2]);
    expect(await run(4)).toBe(4);
    expect(begun).toEqual([0, 2, 4]);
  });
});
