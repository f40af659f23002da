import { atLeast, higherRole, type Role, ROLES } from './roles.js';

const LADDER = [null, 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;

describe('atLeast', () => {
  it.each([
    ['read', 'admin create review edit comment read'],
    ['comment', 'admin create review edit comment'],
    ['edit', 'admin create review edit'],
    ['review', 'admin create review'],
    ['create', 'admin create'],
    ['admin', 'admin'],
  ] as const)('gives what %s may to %s', (needed, roles) => {
    const allowed = ROLES.filter((role) => atLeast(role, needed));
    expect([...allowed].sort()).toEqual(roles.split(' ').sort());
    expect(atLeast(null, needed)).toBe(false);
  });
});

describe('higherRole', () => {
  const pairs = LADDER.flatMap((one) => LADDER.map((other): [Role | null, Role | null] => [one, other]));

  it.each(pairs)('of %s and %s is the one further up the ladder', (one, other) => {
    const higher = LADDER[Math.max(LADDER.indexOf(one), LADDER.indexOf(other))];
    expect(higherRole(one, other)).toBe(higher);
  });
});
