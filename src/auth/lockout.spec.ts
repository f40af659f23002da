import { countedBy, LONGEST_WAIT, waitAfter } from './lockout.js';

describe('the wait after failed sign-ins', () => {
  it('is none at first, then grows, and ends somewhere', () => {
    expect([1, 4, 5, 6, 7, 8].map((failures) => waitAfter(failures, 5))).toEqual([0, 0, 1000, 2000, 4000, 8000]);
    expect([20, 2000].map((failures) => waitAfter(failures, 5))).toEqual([LONGEST_WAIT, LONGEST_WAIT]);
  });
});

describe('what they are counted by', () => {
  const address = (of: string): string => countedBy('a@example.org', of).address.key;

  it('is the account in any case, and nobody else', () => {
    const account = (email: string): string => countedBy(email, '::1').account.key;
    expect(account('Ann@Example.org')).toBe(account('ann@example.org'));
    expect(account('bob@example.org')).not.toBe(account('ann@example.org'));
    expect(account('ann@example.org')).not.toContain('ann');
  });

  it('is the address, or the network that one customer has', () => {
    expect(address('::ffff:192.0.2.1')).toBe(address('192.0.2.1'));
    expect(address('192.0.2.2')).not.toBe(address('192.0.2.1'));
    expect(address('2001:db8:1:2::1')).toBe(address('2001:db8:1:2:3:4:5:6'));
    expect(address('2001:db8:1:3::1')).not.toBe(address('2001:db8:1:2::1'));
    expect(address('')).toBe(address(''));
  });
});
