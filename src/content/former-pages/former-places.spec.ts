import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import type { ContentChange, PageNode } from '../../revisions/index.js';
import { type FormerPlace, placesLeft, walk } from './former-places.js';

type At = { parent: string | null; slug: string };
type Pages = Map<string, At>;

const node = (id: string, { parent, slug }: At): PageNode => ({
  id,
  kind: 'document',
  title: id,
  parent,
  slug,
  order: 'a',
  createdAt: '',
  updatedAt: '',
});

/** What lies between two states, as the comparison of revisions tells it. */
function changesBetween(before: Pages, after: Pages): ContentChange<PageNode>[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): ContentChange<PageNode>[] => {
    const [old, now] = [before.get(id), after.get(id)];
    if (old && now && old.parent === now.parent && old.slug === now.slug) return [];
    const kind = !old ? 'created' : now ? 'updated' : 'deleted';
    return [{ kind, id, ...(old && { before: node(id, old) }), ...(now && { after: node(id, now) }) }];
  });
}

/** A space whose pages move, with what it remembers. */
class Moving {
  pages: Pages = new Map();
  readonly records = new Map<string, FormerPlace>();

  async to(after: Pages): Promise<FormerPlace[]> {
    const heldOnce = (ids: readonly string[]) =>
      Promise.resolve(
        [...this.records.values()].flatMap(({ parent }) => (parent !== null && ids.includes(parent) ? parent : [])),
      );
    const left = await placesLeft(changesBetween(this.pages, after), heldOnce);
    for (const place of left) this.records.set(`${place.parent ?? ''}/${place.slug}`, place);
    this.pages = after;
    return left;
  }

  find(path: string): Promise<string | null> {
    const now = (parent: string | null, slug: string): string | null =>
      [...this.pages].find(([, at]) => at.parent === parent && at.slug === slug)?.[0] ?? null;
    const once = (parent: string | null, slug: string): string | null =>
      this.records.get(`${parent ?? ''}/${slug}`)?.page ?? null;
    const steps = {
      now: (parent: string | null, slug: string) => Promise.resolve(now(parent, slug)),
      once: (parent: string | null, slug: string) => Promise.resolve(once(parent, slug)),
      isThere: (page: string) => Promise.resolve(this.pages.has(page)),
    };
    return walk(steps, path.split('/'));
  }

  pathOf(id: string): string {
    const at = this.pages.get(id);
    return at ? (at.parent === null ? at.slug : `${this.pathOf(at.parent)}/${at.slug}`) : '';
  }
}

const tree = (...pages: [string, string | null, string][]): Pages =>
  new Map(pages.map(([id, parent, slug]) => [id, { parent, slug }]));

describe('places that pages left', () => {
  it('are one for a page that moves with all below it', async () => {
    const space = new Moving();
    await space.to(tree(['a', null, 'a'], ['b', 'a', 'b'], ['c', 'b', 'c'], ['x', null, 'x']));
    const left = await space.to(tree(['a', 'x', 'a'], ['b', 'a', 'b'], ['c', 'b', 'c'], ['x', null, 'x']));
    expect(left).toEqual([{ parent: null, slug: 'a', page: 'a' }]);
    expect(await space.find('a/b/c')).toBe('c');
  });

  it('are those of deleted pages only where a page was below that is elsewhere', async () => {
    const space = new Moving();
    await space.to(tree(['a', null, 'a'], ['b', 'a', 'b'], ['c', 'b', 'c'], ['d', null, 'd'], ['e', 'd', 'e']));
    expect(await space.to(tree(['c', null, 'c']))).toEqual([
      { parent: 'b', slug: 'c', page: 'c' },
      { parent: 'a', slug: 'b', page: 'b' },
      { parent: null, slug: 'a', page: 'a' },
    ]);
    expect([await space.find('a/b/c'), await space.find('a/b'), await space.find('d/e')]).toEqual(['c', null, null]);
  });

  it('go behind what stands there now, though not below it', async () => {
    const space = new Moving();
    await space.to(tree(['a', null, 'a'], ['b', 'a', 'b']));
    await space.to(tree(['a', null, 'z'], ['b', 'a', 'b'], ['n', null, 'a']));
    expect([await space.find('a'), await space.find('a/b')]).toEqual(['n', 'b']);
  });

  it('lead from every path to its page, as long as no slug is used twice', async () => {
    // parents of pages 0 to 5 in each state: a lower number, or none, so that there are no circles; -1: deleted
    const states = fc.array(fc.array(fc.nat(6), { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(states, async (given) => {
        const space = new Moving();
        const paths = new Map<string, string>();
        for (const [round, parents] of given.entries()) {
          const next = tree(
            ...parents.map((parent, id): [string, string | null, string] => {
              const above = parent < id ? String(parent) : null;
              return [String(id), above, `p${String(id)}-${String((round * parent) % 3)}`];
            }),
          );
          await space.to(next);
          for (const id of next.keys()) paths.set(space.pathOf(id), id);
        }
        for (const [path, id] of paths) expect([path, await space.find(path)]).toEqual([path, id]);
      }),
      { numRuns: cases(100, 1000) },
    );
  });

  it('end a search that leads everywhere', async () => {
    let asked = 0;
    const step = () => {
      asked += 1;
      return Promise.resolve('a');
    };
    const steps = { now: step, once: step, isThere: () => Promise.resolve(false) };
    expect(await walk(steps, Array<string>(30).fill('a'))).toBeNull();
    expect(asked).toBeLessThanOrEqual(64);
  });
});
