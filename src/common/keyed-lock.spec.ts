import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { KeyedLock } from './keyed-lock.js';

const keysHeld = (lock: KeyedLock): number => lock['tails'].size;

describe('KeyedLock', () => {
  it('runs work of one key in the order in which it came, one at a time', async () => {
    const lock = new KeyedLock();
    const steps: string[] = [];
    const work = (name: string, ms: number) => async (): Promise<string> => {
      steps.push(`${name} begins`);
      await wait(ms);
      steps.push(`${name} ends`);
      return name;
    };
    const answers = [lock.run('k', work('a', 15)), lock.run('k', work('b', 1)), lock.run('k', work('c', 5))];
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not hold up work of other keys, whatever they are called', async () => {
    const lock = new KeyedLock();
    let release: () => void = () => undefined;
    const held = lock.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    expect(await lock.run('__proto__', () => Promise.resolve('done'))).toBe('done');
    release();
    await held;
  });

  it('goes on after work that failed, and tells only its own caller', async () => {
    const lock = new KeyedLock();
    const failed = lock.run('k', () => Promise.reject(new Error('no')));
    const next = lock.run('k', () => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('takes work that throws at once as work that failed', async () => {
    const lock = new KeyedLock();
    const thrown = (): Promise<never> => {
      throw new Error('at once');
    };
    await expect(lock.run('k', thrown)).rejects.toThrow('at once');
    expect(await lock.run('k', () => Promise.resolve(1))).toBe(1);
  });

  it('forgets a key when its last work is over', async () => {
    const lock = new KeyedLock();
    const works = ['a', 'a', 'b'].map((key) => lock.run(key, () => wait(2)));
    expect(keysHeld(lock)).toBe(2);
    await Promise.allSettled([...works, lock.run('c', () => Promise.reject(new Error('no')))]);
    expect(keysHeld(lock)).toBe(0);
  });

  it('never runs two at once for any work that comes at any moment', async () => {
    const piece = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      ticks: fc.nat(3),
      pause: fc.nat(3),
      fails: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const lock = new KeyedLock();
        const inside = new Map<string, number>();
        const began = new Map<string, number[]>();
        const works: Promise<unknown>[] = [];
        for (const [index, { key, ticks, pause, fails }] of pieces.entries()) {
          for (let tick = 0; tick < pause; tick++) await setImmediate();
          const work = async (): Promise<void> => {
            inside.set(key, (inside.get(key) ?? 0) + 1);
            began.set(key, [...(began.get(key) ?? []), index]);
            expect(inside.get(key)).toBe(1);
            for (let tick = 0; tick < ticks; tick++) await setImmediate();
            inside.set(key, 0);
            if (fails) throw new Error(`fails ${index}`);
          };
          works.push(lock.run(key, work).catch((error: unknown) => String(error)));
        }
        const ends = await Promise.all(works);
        expect(ends).toEqual(pieces.map(({ fails }, index) => (fails ? `Error: fails ${index}` : undefined)));
        for (const order of began.values()) expect(order).toEqual([...order].sort((a, b) => a - b));
        expect(keysHeld(lock)).toBe(0);
      }),
      { numRuns: cases(50, 500) },
    );
  });
});
