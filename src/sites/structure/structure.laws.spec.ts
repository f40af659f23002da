import fc from 'fast-check';
import { cases } from '../../../test/support/cases.js';
import { addGroup, addToGroup, moveGroup, removeFromGroup, removeGroup } from './groups.js';
import { PATH } from './paths.js';
import type { Position } from './positions.js';
import {
  addSection,
  moveSection,
  removeSection,
  setDefaultSection,
  setDefaultSiteSpace,
  updateSection,
} from './sections.js';
import { settle } from './settle.js';
import { addSiteSpace, moveSiteSpace, removeSiteSpace, updateSiteSpace, withoutSpace } from './site-spaces.js';
import {
  EMPTY_STRUCTURE,
  groupsOf,
  hasSections,
  sectionsOf,
  siteSpacesOf,
  siteSpaceSegments,
  type SiteStructure,
} from './structure.js';
import { StructureError } from './structure-error.js';

const NOW = new Date(0);
const TITLES = ['Docs', 'API', 'V', 'docs 2', 'Über uns', '!'];
const PATHS = ['docs', 'api', 'v1', 'llms.txt', 'docs-2', 'a_b'];

/** What a step takes at random; numbers choose among what there is. */
interface Draw {
  operation: number;
  item: number;
  before: number | null;
  after: number | null;
  name: number;
}

interface Step {
  name: string;
  structure: SiteStructure;
  refused: boolean;
}

const draw = fc.record<Draw>({
  operation: fc.nat(999),
  item: fc.nat(999),
  before: fc.option(fc.nat(999)),
  after: fc.option(fc.nat(999)),
  name: fc.nat(999),
});

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
/** One of `list`, now and then something that is not in it. */
const of = (list: readonly string[], index: number | null): string | undefined =>
  index === null ? undefined : (at([...list, ...list, 'nothing'], index) ?? '');

/** One operation on `structure`, or the structure as it was where that is refused. */
function step(structure: SiteStructure, count: number, { operation, item, before, after, name }: Draw): Step {
  const sections = sectionsOf(structure).map(({ section }) => section.id);
  const groups = groupsOf(structure).map(({ id }) => id);
  const siteSpaces = siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.id);
  const title = at(TITLES, name) ?? '';
  const added = { id: `p${count}`, space: `space${name % 9}`, title };
  const beside = (list: readonly string[]): Position => ({
    ...(before !== null && { before: of(list, before) ?? '' }),
    ...(after !== null && { after: of(list, after) ?? '' }),
  });
  const section = of(sections, item) ?? '';
  const group = of(groups, item) ?? '';
  const siteSpace = of(siteSpaces, item) ?? '';
  const inGroup = groupsOf(structure).flatMap(({ id, sections: own }) =>
    id === group ? own.map((one) => one.id) : [],
  );
  const operations: Record<string, () => SiteStructure> = {
    add: () => addSiteSpace(structure, added, { section: of(sections, before), now: NOW }),
    addAgain: () => addSiteSpace(structure, added, { section: of(sections, after), now: NOW }),
    addSection: () =>
      addSection(structure, { id: `s${count}`, siteSpace: added }, { root: { id: `r${count}`, title }, now: NOW }),
    addGroup: () => {
      const inside = [of(sections, before), of(sections, after)].filter((id) => id !== undefined);
      return addGroup(structure, { id: `g${count}`, title, icon: null, sections: inside }, NOW);
    },
    updateSection: () => updateSection(structure, section, { path: at(PATHS, name), now: NOW }),
    sectionDefault: () => updateSection(structure, section, { defaultSiteSpace: of(siteSpaces, name), now: NOW }),
    updateSiteSpace: () => updateSiteSpace(structure, siteSpace, { path: at(PATHS, name), now: NOW }),
    moveSection: () => moveSection(structure, section, beside([...sections, ...groups])),
    moveGroup: () => moveGroup(structure, group, beside([...sections, ...groups])),
    moveSiteSpace: () => moveSiteSpace(structure, siteSpace, beside(siteSpaces)),
    moveSiteSpaceToo: () => moveSiteSpace(structure, siteSpace, { after: of(siteSpaces, name) ?? '' }),
    addToGroup: () => addToGroup(structure, group, of(sections, name) ?? ''),
    removeFromGroup: () => removeFromGroup(structure, group, at(inGroup, name) ?? ''),
    defaultSection: () => setDefaultSection(structure, section),
    defaultSiteSpace: () => setDefaultSiteSpace(structure, siteSpace),
    removeSection: () => removeSection(structure, section),
    removeGroup: () => removeGroup(structure, group),
    remove: () => removeSiteSpace(structure, siteSpace),
    purge: () => withoutSpace(structure, `space${name % 9}`),
  };
  const [called, run] = at(Object.entries(operations), operation) ?? [];
  if (called === undefined || !run) throw new Error('There is no operation');
  try {
    return { name: called, structure: run(), refused: false };
  } catch (error) {
    if (!(error instanceof StructureError)) throw error;
    return { name: called, structure, refused: true };
  }
}

const idsOf = (structure: SiteStructure): string[] => [
  ...sectionsOf(structure).map(({ section }) => section.id),
  ...groupsOf(structure).map(({ id }) => id),
  ...siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.id),
];

/** What of the rules `structure` breaks. */
function problemsOf(structure: SiteStructure): string[] {
  const sections = sectionsOf(structure).map(({ section }) => section);
  const areDistinct = (list: readonly string[]): boolean => new Set(list).size === list.length;
  const hasOne = (list: readonly { id: string }[], id: string | null): boolean =>
    list.length === 0 ? id === null : list.some((one) => one.id === id);
  const arePaths = (list: readonly { path: string }[]): boolean =>
    areDistinct(list.map(({ path }) => path)) && list.every(({ path }) => PATH.test(path) && path !== 'v');
  const addresses = siteSpacesOf(structure).map((placed) => siteSpaceSegments(structure, placed).join('/'));
  const containers = [structure, ...sections];
  const holds = {
    'an id twice': areDistinct(idsOf(structure)),
    'sections and site-spaces at the root': !hasSections(structure) || structure.siteSpaces.length === 0,
    'not one default section': hasOne(sections, structure.defaultSection),
    'not one default site-space': containers.every((one) => hasOne(one.siteSpaces, one.defaultSiteSpace)),
    'a path of a section': arePaths(sections),
    'a path of a site-space': containers.every((one) => arePaths(one.siteSpaces)),
    'a space twice': containers.every((one) => areDistinct(one.siteSpaces.map(({ space }) => space))),
    'an address twice': areDistinct(addresses),
    'not settled': JSON.stringify(settle(structure)) === JSON.stringify(structure),
  };
  return Object.entries(holds).flatMap(([problem, isFine]) => (isFine ? [] : problem));
}

const MOVES = ['moveSection', 'moveGroup', 'moveSiteSpace', 'moveSiteSpaceToo', 'addToGroup', 'removeFromGroup'];

describe('the structure of a site', () => {
  it('is sound after whatever was done to it, and changes as a whole', () => {
    const done = new Set<string>();
    fc.assert(
      fc.property(fc.array(draw, { minLength: 200, maxLength: 200 }), (draws) => {
        let structure = EMPTY_STRUCTURE;
        for (const [count, one] of draws.entries()) {
          const before = JSON.stringify(structure);
          const next = step(structure, count, one);
          if (JSON.stringify(structure) !== before) throw new Error(`${next.name} changed the structure in place`);
          if (!next.refused) {
            done.add(next.name);
            const problems = problemsOf(next.structure);
            if (MOVES.includes(next.name) && idsOf(next.structure).sort().join() !== idsOf(structure).sort().join())
              problems.push('something was lost');
            if (problems.length > 0) throw new Error(`${next.name}: ${problems.join(', ')}`);
          }
          structure = next.structure;
        }
      }),
      { numRuns: cases(8, 300) },
    );
    // the generator reaches every operation
    expect([...done].sort()).toEqual(
      [
        ...['add', 'addAgain', 'addGroup', 'addSection', 'addToGroup', 'defaultSection', 'defaultSiteSpace'],
        ...['moveGroup', 'moveSection', 'moveSiteSpace', 'moveSiteSpaceToo', 'purge', 'remove', 'removeFromGroup'],
        ...['removeGroup', 'removeSection', 'sectionDefault', 'updateSection', 'updateSiteSpace'],
      ].sort(),
    );
  });

  it('takes an item to where its position says', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.option(fc.nat(7)), fc.option(fc.nat(7)), (item, before, after) => {
        const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
        const flat = ids.reduce<SiteStructure>(
          (so, id) => addSiteSpace(so, { id, space: id, title: id }, { now: NOW }),
          EMPTY_STRUCTURE,
        );
        const id = ids[item] ?? '';
        const position = {
          ...(before !== null && { before: ids[before] ?? 'nothing' }),
          ...(after !== null && { after: ids[after] ?? 'nothing' }),
        };
        const rest = ids.filter((one) => one !== id);
        const [from, to] = [rest.indexOf(position.after ?? ''), rest.indexOf(position.before ?? '')];
        const possible =
          (after === null || from >= 0) &&
          (before === null || to >= 0) &&
          (after === null || before === null || from < to);
        const move = (): string[] => moveSiteSpace(flat, id, position).siteSpaces.map((one) => one.id);
        if (!possible) {
          expect(move).toThrow(StructureError);
          return;
        }
        const index = after !== null ? from + 1 : before !== null ? to : rest.length;
        expect(move()).toEqual(rest.toSpliced(index, 0, id));
      }),
      { numRuns: cases(200, 2000) },
    );
  });
});
