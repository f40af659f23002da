import { bounded, changesBetween, madeWith, removedWith } from './changes.js';

describe('changes', () => {
  it('are those properties that differ, of those that are asked for', () => {
    const [before, after] = [
      { a: 1, b: ['x'], c: null, d: 1 },
      { a: 2, b: ['x'], c: 'y', d: 2 },
    ];
    expect(changesBetween<Record<string, unknown>>(before, after, ['a', 'b', 'c'])).toEqual({
      a: { before: 1, after: 2 },
      c: { before: null, after: 'y' },
    });
  });

  it('have one side of what is made or removed', () => {
    expect(madeWith({ title: 'New', parent: null })).toEqual({ title: { after: 'New' }, parent: { after: null } });
    expect(removedWith({ title: 'Old' })).toEqual({ title: { before: 'Old' } });
  });

  it('tell of long values how long they are', () => {
    const kept = 'x'.repeat(7998);
    expect(bounded({ a: { before: kept, after: `${kept}y` }, b: { after: ['z'.repeat(9000)] } })).toEqual({
      a: { before: kept, after: { omitted: 8001 } },
      b: { after: { omitted: 9004 } },
    });
  });

  it('are kept as they are answered: moments as texts, and nothing that is absent', () => {
    const at = new Date(0);
    expect(bounded({ at: { before: at, after: undefined } })).toEqual({ at: { before: '1970-01-01T00:00:00.000Z' } });
  });
});
