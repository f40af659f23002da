import { lazy } from './lazy.js';

describe('lazy', () => {
  it('asks when it is first needed, and once', async () => {
    const load = jest.fn(() => Promise.resolve('read'));
    const text = lazy(load);
    expect(load).not.toHaveBeenCalled();
    expect(await Promise.all([text(), text()])).toEqual(['read', 'read']);
    expect(await text()).toBe('read');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('asks again after a failure, and once where the answer is nothing', () => {
    const load = jest.fn<undefined, []>(() => {
      throw new Error('no');
    });
    const nothing = lazy(load);
    expect(nothing).toThrow('no');
    load.mockReturnValue(undefined);
    nothing();
    nothing();
    expect(load).toHaveBeenCalledTimes(2);
  });
});
