import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { flat, section, sectioned, siteSpace } from '../../../test/support/structures.js';
import { siteSpaceSegments, siteSpacesOf, type SiteStructure } from '../structure/structure.js';
import { type FormerPath, leadsOf, movedBetween } from './former-paths.js';

/** What a site is in one round: which names, which section, and what is the default. */
interface Round {
  names: number[];
  homes: boolean[];
  defaults: [number, number, boolean];
}

/** A site through its changes, with what it remembers. */
class Changing {
  private readonly former = new Map<string, FormerPath>();

  constructor(private structure: SiteStructure) {}

  to(after: SiteStructure): FormerPath[] {
    const left = movedBetween(this.structure, after);
    for (const place of left) {
      const key = JSON.stringify(place);
      this.former.delete(key);
      this.former.set(key, place);
    }
    this.structure = after;
    return left;
  }

  /** What an address may mean: site-spaces, each with what is left for a page. */
  find(address: string): string[] {
    const latestFirst = [...this.former.values()].reverse();
    const leads = leadsOf(this.structure, latestFirst, address.split('/'));
    return leads.map(({ placed, rest }) => [placed.siteSpace.id, ...rest].join('/'));
  }
}

describe('former paths of a site', () => {
  const [a, b, c] = [siteSpace('a', 'a'), siteSpace('b', 'b'), siteSpace('c', 'c')];

  it('are those of what stands elsewhere, and not of what is gone', () => {
    const before = sectioned([section('one', [a, b]), section('two', [c])]);
    expect(movedBetween(before, before)).toEqual([]);
    expect(movedBetween(before, sectioned([section('one', [a]), section('two', [c, b])]))).toEqual([
      { parent: 'one', path: 'b', item: 'b' },
    ]);
    expect(movedBetween(before, { ...before, defaultSection: 'two' })).toEqual([
      { parent: '', path: '', item: 'one' },
      { parent: '', path: 'two', item: 'two' },
    ]);
    expect(movedBetween(before, sectioned([section('one', [a, b])]))).toEqual([]);
  });

  it('put names before defaults, and what is called so before what was', () => {
    const site = new Changing(flat([a, b, c]));
    expect(site.find('b/page')).toEqual(['b/page', 'a/b/page']);
    site.to(flat([a, { ...b, path: 'z' }, { ...c, path: 'b' }]));
    expect(site.find('b/page')).toEqual(['c/page', 'b/page', 'a/b/page']);
    site.to({ ...flat([a, { ...b, path: 'z' }, { ...c, path: 'b' }]), defaultSiteSpace: 'c' });
    expect(site.find('page')).toEqual(['c/page', 'a/page']);
    expect(site.find('b')).toEqual(['c', 'b', 'c/b', 'a/b']);
  });

  it('lead through sections to what is in them, or was', () => {
    const site = new Changing(sectioned([section('one', [a]), section('two', [c, b])]));
    site.to(sectioned([section('one', [a]), { ...section('two', [c, { ...b, path: 'z' }]), path: 'second' }]));
    expect(site.find('two/b/page')).toEqual(['b/page', 'c/b/page', 'a/two/b/page']);
    site.to(sectioned([section('one', [a, { ...b, path: 'z' }]), { ...section('two', [c]), path: 'second' }]));
    expect(site.find('two/b/page').slice(0, 1)).toEqual(['b/page']);
    expect(site.find('second/z')).toEqual(['b', 'c/z', 'a/second/z']);
  });

  it('lead from every address that a site-space had to it', () => {
    const round = fc.record<Round>({
      names: fc.array(fc.nat(2), { minLength: 8, maxLength: 8 }),
      homes: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      defaults: fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()),
    });
    /** Six site-spaces in two sections, whose segments nothing else ever has. */
    const structureOf = ({ names, homes, defaults: [one, two, first] }: Round): SiteStructure => {
      const all = homes.map((home, id) => ({
        home,
        it: siteSpace(`s${String(id)}`, `s${String(id)}-${String(names[id])}`),
      }));
      const built = [true, false].map((home, index) => {
        const items = all.filter((one) => one.home === home).map(({ it }) => it);
        const id = `t${String(index)}`;
        const chosen = items[(index === 0 ? one : two) % Math.max(1, items.length)]?.id ?? null;
        return { ...section(id, items), path: `${id}-${String(names[6 + index])}`, defaultSiteSpace: chosen };
      });
      return { ...sectioned(built), defaultSection: first ? 't0' : 't1' };
    };
    fc.assert(
      fc.property(fc.array(round, { minLength: 2, maxLength: 5 }), (rounds) => {
        const [start, ...rest] = rounds.map(structureOf);
        if (!start) return;
        const site = new Changing(start);
        const addresses = new Map<string, Set<string>>();
        for (const structure of [start, ...rest]) {
          site.to(structure);
          for (const placed of siteSpacesOf(structure)) {
            const address = siteSpaceSegments(structure, placed).join('/');
            addresses.set(address, (addresses.get(address) ?? new Set()).add(placed.siteSpace.id));
          }
        }
        addresses.delete('');
        for (const [address, ids] of addresses) {
          const found = site.find(address);
          expect([address, [...ids].filter((id) => !found.includes(id))]).toEqual([address, []]);
        }
      }),
      { numRuns: cases(100, 1000) },
    );
  });
});
