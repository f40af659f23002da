import { isShown, textFor } from './written-condition.js';

const STAFF = 'visitor.claims.isStaff === true';
const nobody = { unsigned: {} };
const staff = { isStaff: true, name: 'Ann', seats: 7, unsigned: {} };

describe('isShown', () => {
  it('shows what has no condition, and hides what cannot be evaluated or read', () => {
    expect(isShown(null, nobody)).toBe(true);
    expect([isShown(STAFF, nobody), isShown(STAFF, staff)]).toEqual([false, true]);
    expect(isShown('visitor.claims.gone.deep', staff)).toBe(false);
    expect(isShown('while (true) {}', staff)).toBe(false);
  });
});

describe('textFor', () => {
  it.each([
    ['visitor.claims.name', 'Ann'],
    ['`${visitor.claims.name}: ${visitor.claims.seats}`', 'Ann: 7'],
    ['visitor.claims.seats + 1', '8'],
    ['visitor.claims.isStaff', 'true'],
    ['visitor.claims.gone', ''],
    ['visitor.claims.gone.deep', ''],
    ['[1]', ''],
    ['visitor.claims', ''],
    ['not an expression', ''],
  ])('%s comes to %j', (expression, text) => {
    expect(textFor(expression, staff)).toBe(text);
  });
});
