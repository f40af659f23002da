import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Carried } from './carried.js';

describe('what work carries with it', () => {
  const [one, other] = [new Carried<string>(), new Carried<string | null>()];

  it('is the nearest of its kind, whatever else is carried, and nothing outside', async () => {
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      await turn();
      seen.push([one.get(), other.get()]);
    };
    await one.run('a', async () => {
      await other.run('b', async () => {
        await one.run('c', look);
        await other.run(null, look);
        await look();
      });
      await look();
    });
    await look();
    expect(seen).toEqual([
      ['c', 'b'],
      ['a', null],
      ['a', 'b'],
      ['a', undefined],
      [undefined, undefined],
    ]);
  });

  it('lets go of what is covered, where work begins itself again from within', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const values = new Carried<object>();
    let first: WeakRef<object> | undefined;
    const observed = (): object => {
      const value = {};
      first = new WeakRef(value);
      return value;
    };
    const left = await new Promise((resolve) => {
      const look = (): void => {
        collect();
        resolve(first?.deref());
      };
      const later = (work: () => void): void => void setImmediate(work);
      const again = (): void => {
        values.run({}, () => {
          other.run('b', () => {
            later(() => {
              later(look);
            });
          });
        });
      };
      values.run(observed(), () => {
        one.run('a', () => {
          later(again);
        });
      });
    });
    expect(left).toBeUndefined();
  });

  it('is told apart where two run at once, and goes with what is begun and not waited for', async () => {
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      await turn();
      seen.push(one.get());
    };
    let left: Promise<void> | undefined;
    await Promise.all(['a', 'b'].map((value) => one.run(value, look)));
    one.run('c', () => {
      left = look();
    });
    await left;
    expect(seen).toEqual(['a', 'b', 'c']);
  });
});
