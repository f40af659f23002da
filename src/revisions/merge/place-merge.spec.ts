import { doc, type Edit, inserted, merge, move, outline, pages } from '../../../test/support/merging.js';
import type { MergeResult } from './index.js';

describe('the places of a merge', () => {
  it('merges places among siblings', async () => {
    expect(await outline(await merge(pages('a', 'b', 'c'), move('a', 2), inserted(1, 'x')))).toBe('x b c a');
    expect(await outline(await merge(pages('a', 'b', 'c'), move('c', 0), move('a', 1, 'b')))).toBe('c b(a)');
    expect(await outline(await merge(pages('a', 'b'), move('a', 1), move('b', 0)))).toBe('b a');
    expect(await outline(await merge(pages('a', 'b', 'c'), move('a', 1), move('a', 1)))).toBe('b a c');
  });

  it('keeps together what each side inserted at one place', async () => {
    const base = pages('a', 'b');
    expect(await outline(await merge(base, inserted(1, 'o1', 'o2'), inserted(1, 't1', 't2')))).toBe('a o1 o2 t1 t2 b');
    expect(await outline(await merge(base, inserted(1, 't1', 't2'), inserted(1, 'o1', 'o2')))).toBe('a o1 o2 t1 t2 b');
    expect(await outline(await merge(base, inserted(2, 'z', 'y'), inserted(2, 'm')))).toBe('a b m z y');
  });

  it('tells a move from fresh order keys', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `p${index}`);
    const crowded: Edit = async (editor) => {
      for (const [index, id] of names.entries()) await editor.movePage(id, { order: `b0${index}` });
    };
    const moving: Edit = async (editor) => {
      await editor.movePage('p5', { at: 1 });
      await editor.insertPage(doc('new'), { at: 4 });
      await editor.deletePage('p4');
    };
    expect(await outline(await merge(pages(...names), crowded, moving))).toBe('p0 p5 p1 p2 new p3');
    expect(await outline(await merge(pages(...names), moving, crowded))).toBe('p0 p5 p1 p2 new p3');
  });

  it('finds contradictory places', async () => {
    const merged = await merge(pages('a', 'b', 'c'), move('a', 0, 'b'), move('a', 0, 'c'));
    expect(merged.conflicts).toEqual([
      {
        page: 'a',
        path: 'c/a',
        kind: 'position',
        base: { into: null, at: 0 },
        ours: { into: 'b', at: 0 },
        theirs: { into: 'c', at: 0 },
      },
    ]);
    const order = await merge(pages('a', 'b', 'c'), move('a', 1), move('a', 2));
    expect(order.conflicts?.map(({ page: id, kind, ours, theirs }) => [id, kind, ours, theirs])).toEqual([
      ['a', 'position', { into: null, at: 1 }, { into: null, at: 2 }],
    ]);
  });

  it('finds circles, and lets a side settle them', async () => {
    const [ours, theirs] = [move('a', 0, 'b'), move('b', 0, 'a')];
    const kinds = (result: MergeResult): unknown => result.conflicts?.map(({ page: id, kind }) => [id, kind]);
    const merged = await merge(pages('a', 'b'), ours, theirs);
    expect(kinds(merged)).toEqual([
      ['a', 'position'],
      ['b', 'position'],
    ]);
    const settle = (a: 'primary' | 'change-request', b: 'primary' | 'change-request'): Promise<MergeResult> =>
      merge(pages('a', 'b'), ours, theirs, [
        { page: 'a', use: a },
        { page: 'b', use: b },
      ]);
    expect(await outline(await settle('primary', 'primary'))).toBe('a(b)');
    expect(await outline(await settle('change-request', 'change-request'))).toBe('b(a)');
    expect(kinds(await settle('change-request', 'primary'))).toEqual(kinds(merged));
  });

  it('finds pages that would lie too deep', async () => {
    const chain: Edit = async (editor) => {
      for (const [name, depth] of [
        ['a', 12],
        ['b', 20],
      ] as const) {
        for (let at = 0; at < depth; at++)
          await editor.insertPage(doc(`${name}${at}`), { into: at === 0 ? null : `${name}${at - 1}` });
      }
      await editor.insertPage(doc('x'));
      await editor.insertPage(doc('y'), { into: 'x' });
    };
    const merged = await merge(chain, move('x', 0, 'a11'), move('a0', 0, 'b19'));
    expect(merged.conflicts?.map(({ page: id, kind }) => [id, kind])).toEqual([
      ['a0', 'position'],
      ['x', 'position'],
    ]);
  });

  it('puts a page where one side moved it, though the other side gave it the very same key elsewhere', async () => {
    const moved = await merge(pages('a', 'b'), move('a', 1), async (editor) => {
      await move('a', 1)(editor);
      await move('b', 1)(editor);
    });
    expect(await outline(moved)).toBe('b a');
  });

  it('puts what one side alone inserted on the same side of a page that both moved there', async () => {
    const base = pages('a', 'b', 'c');
    const withMore: Edit = async (editor) => {
      await move('c', 0, 'a')(editor);
      await editor.insertPage(doc('x'), { into: 'a', at: 0 });
    };
    expect(await outline(await merge(base, move('c', 0, 'a'), withMore))).toBe('a(x c) b');
    expect(await outline(await merge(base, withMore, move('c', 0, 'a')))).toBe('a(x c) b');
  });

  it('finds pages that both sides put at one place in another order', async () => {
    const [ours, theirs] = [
      ['b', 'c'],
      ['c', 'b'],
    ].map((order): Edit => async (editor) => {
      for (const [at, id] of order.entries()) await editor.movePage(id, { into: 'a', at });
    });
    const merged = await merge(pages('a', 'b', 'c'), ours ?? pages(), theirs ?? pages());
    expect(merged.conflicts?.map(({ page: id, kind }) => [id, kind])).toEqual([
      ['b', 'position'],
      ['c', 'position'],
    ]);
  });
});
