import fc from 'fast-check';
import { type Branch, nest, titleFromName } from './nest.js';

type Shape = [name: string, item: string | undefined, below: Shape[]];
const shapeOf = (branches: Branch<string>[]): Shape[] =>
  branches.map(({ name, item, children }) => [name, item, shapeOf(children)]);
const itemsOf = (branches: Branch<string>[]): string[] =>
  branches.flatMap(({ item, children }) => [...(item === undefined ? [] : [item]), ...itemsOf(children)]);
const depthOf = (branches: Branch<string>[]): number =>
  branches.reduce((depth, { children }) => Math.max(depth, 1 + depthOf(children)), 0);

describe('nest', () => {
  it('makes levels where there are none, and fills them when they come', () => {
    const tree = nest([
      [['a', 'b'], 'ab'],
      [['c'], 'c'],
      [['a'], 'a'],
      [['a', 'b', 'd'], 'abd'],
      [['c'], 'other c'],
      [['__proto__', 'x'], 'p'],
    ]);
    expect(shapeOf(tree)).toEqual([
      ['a', 'a', [['b', 'ab', [['d', 'abd', []]]]]],
      ['c', 'c', []],
      ['c', 'other c', []],
      ['__proto__', undefined, [['x', 'p', []]]],
    ]);
  });

  it('keeps every item once, and no deeper than pages may lie', () => {
    const segment = fc.constantFrom('a', 'b', 'c');
    const path = fc.array(segment, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), (paths) => {
        const tree = nest(paths.map((one, index) => [one, String(index)] as const));
        expect(itemsOf(tree).sort()).toEqual(paths.map((_, index) => String(index)).sort());
        expect(depthOf(tree)).toBeLessThanOrEqual(30);
      }),
    );
  });
});

describe('titleFromName', () => {
  it.each([
    ['getting-started', 'Getting started'],
    ['über_uns', 'Über uns'],
    ['--', 'Untitled'],
    ['API', 'API'],
  ])('%s is "%s"', (name, title) => {
    expect(titleFromName(name)).toBe(title);
  });
});
