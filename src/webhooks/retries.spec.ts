import { RETRIES, retryAt } from './retries.js';

describe('a delivery that fails', () => {
  it('is attempted again ever later, within a day, and then given up', () => {
    const begun = new Date(0);
    let [now, before] = [begun, 0];
    for (let attempts = 1; attempts <= RETRIES.length; attempts += 1) {
      const next = retryAt(attempts, now);
      if (!next) throw new Error(`given up after ${String(attempts)}`);
      const delay = next.getTime() - now.getTime();
      expect(delay).toBeGreaterThanOrEqual(before);
      [now, before] = [next, delay];
    }
    const hours = now.getTime() / 3_600_000;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(24);
    expect(retryAt(RETRIES.length + 1, now)).toBeNull();
    expect(retryAt(1, begun)).toEqual(new Date(5000));
  });
});
