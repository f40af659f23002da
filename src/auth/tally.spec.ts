import fc from 'fast-check';
import { cases } from '../../test/support/cases.js';
import { Tally, WINDOW } from './tally.js';

const MINUTE = 30_000_000 * WINDOW;

describe('counting in windows of a minute', () => {
  it('tells what is left and when the minute of the clock ends, and refuses what is too much', () => {
    const tally = new Tally(2);
    const resetsAt = MINUTE + WINDOW;
    expect(tally.share('a', MINUTE + 1)).toEqual({ remaining: 2, resetsAt });
    expect(tally.spend('a', MINUTE + 2)).toEqual({ remaining: 1, resetsAt, counted: true });
    expect(tally.spend('a', MINUTE + 3)).toEqual({ remaining: 0, resetsAt, counted: true });
    expect(tally.spend('a', resetsAt - 1)).toEqual({ remaining: 0, resetsAt, counted: false });
    expect(tally.share('b', resetsAt - 1)).toEqual({ remaining: 2, resetsAt });
    expect(tally.share('a', resetsAt)).toEqual({ remaining: 2, resetsAt: resetsAt + WINDOW });
  });

  it('has to tell what was counted, once, and nothing of what was refused', () => {
    const tally = new Tally(2);
    const window = MINUTE / WINDOW;
    expect(tally.hasDue(MINUTE)).toBe(false);
    for (const key of ['a', 'b', 'b', 'b']) tally.spend(key, MINUTE);
    const due = tally.due(MINUTE, 10);
    expect(due).toEqual([
      { key: 'a', window, count: 1 },
      { key: 'b', window, count: 2 },
    ]);
    expect(tally.due(MINUTE, 1)).toEqual([{ key: 'b', window, count: 2 }]);
    for (const one of due) tally.learn(one, one.count);
    expect(tally.hasDue(MINUTE)).toBe(false);
    tally.spend('b', MINUTE);
    expect(tally.hasDue(MINUTE)).toBe(false);
  });

  it('knows what others have counted, and forgets it with the minute', () => {
    const tally = new Tally(10);
    tally.spend('a', MINUTE);
    const [due] = tally.due(MINUTE, 10);
    if (!due) throw new Error('nothing is due');
    // counted while the database was asked
    tally.spend('a', MINUTE);
    tally.learn(due, 7);
    expect(tally.share('a', MINUTE).remaining).toBe(2);
    expect(tally.due(MINUTE, 10)).toEqual([{ ...due, count: 1 }]);
    expect(tally.share('a', MINUTE + WINDOW).remaining).toBe(10);
    expect(tally.hasDue(MINUTE + WINDOW)).toBe(false);
    // too late: the minute is over
    tally.learn(due, 9);
    expect(tally.share('a', MINUTE + WINDOW).remaining).toBe(10);
  });
});

describe('what several processes let through', () => {
  const LIMIT = 20;
  /** How many requests reach each process between two times at which all of them add up. */
  const rounds = fc
    .integer({ min: 1, max: 4 })
    .chain((processes) =>
      fc.array(fc.array(fc.nat(12), { minLength: processes, maxLength: processes }), { minLength: 1, maxLength: 8 }),
    );

  it('is the limit, and what the others let through between two times at the most', () => {
    fc.assert(
      fc.property(rounds, (all) => {
        const tallies = (all[0] ?? []).map(() => new Tally(LIMIT));
        let [stored, asked, passed] = [0, 0, 0];
        for (const round of all) {
          const before = stored;
          for (const [index, tally] of tallies.entries()) {
            for (let n = 0; n < (round[index] ?? 0); n += 1) if (tally.spend('a', MINUTE).counted) passed += 1;
          }
          const due = tallies.map((tally) => tally.due(MINUTE, 10));
          for (const { count } of due.flat()) stored += count;
          asked += round.reduce((sum, n) => sum + n, 0);
          expect(stored).toBe(passed);
          expect(passed).toBeGreaterThanOrEqual(Math.min(asked, LIMIT));
          if (before >= LIMIT) expect(stored).toBe(before);
          else expect(stored).toBeLessThanOrEqual(LIMIT + round.reduce((sum, n) => sum + n, 0) - Math.max(...round));
          for (const [index, tally] of tallies.entries()) for (const one of due[index] ?? []) tally.learn(one, stored);
          // a process that had nothing to tell asks with its next request
          for (const tally of tallies) tally.learn({ key: 'a', window: MINUTE / WINDOW, count: 0 }, stored);
        }
      }),
      { numRuns: cases(200, 5000) },
    );
  });
});
