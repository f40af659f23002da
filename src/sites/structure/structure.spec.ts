import { addGroup, addToGroup, moveGroup, removeFromGroup, removeGroup } from './groups.js';
import {
  addSection,
  moveSection,
  removeSection,
  setDefaultSection,
  setDefaultSiteSpace,
  updateSection,
} from './sections.js';
import { shownStructure } from './shown.js';
import { addSiteSpace, moveSiteSpace, removeSiteSpace, updateSiteSpace } from './site-spaces.js';
import {
  EMPTY_STRUCTURE,
  MAX_GROUPS,
  MAX_SECTIONS,
  MAX_SITE_SPACES,
  sectionsOf,
  siteSpaceSegments,
  siteSpacesOf,
  type SiteStructure,
} from './structure.js';

const now = new Date(0);
const put = (structure: SiteStructure, id: string, title = id, section?: string): SiteStructure =>
  addSiteSpace(structure, { id, space: `of ${id}`, title }, { now, ...(section !== undefined && { section }) });
const cut = (structure: SiteStructure, id: string, title = id): SiteStructure =>
  addSection(
    structure,
    { id, title, siteSpace: { id: `${id}1`, space: `of ${id}1`, title } },
    { root: { id: 'root', title: 'R' }, now },
  );
const built = (...ids: string[]): SiteStructure => ids.reduce((so, id) => cut(so, id), EMPTY_STRUCTURE);
/** Sections as `id`, groups as `id(sections)`. */
const outline = ({ items }: SiteStructure): string =>
  items
    .map((item) => (item.kind === 'section' ? item.id : `${item.id}(${item.sections.map(({ id }) => id).join(' ')})`))
    .join(' ');
const addresses = (structure: SiteStructure): Record<string, string> =>
  Object.fromEntries(
    siteSpacesOf(structure).map((placed) => [placed.siteSpace.id, siteSpaceSegments(structure, placed).join('/')]),
  );

describe('a structure', () => {
  it('makes what is first the default, and hands it on', () => {
    const flat = put(put(put(EMPTY_STRUCTURE, 'a'), 'b'), 'c');
    expect(addresses(flat)).toEqual({ a: '', b: 'b', c: 'c' });
    expect(addresses(setDefaultSiteSpace(flat, 'c'))).toEqual({ a: 'a', b: 'b', c: '' });
    expect(addresses(removeSiteSpace(setDefaultSiteSpace(flat, 'c'), 'c'))).toEqual({ a: '', b: 'b' });
    const sectioned = built('s', 't');
    expect(sectioned.defaultSection).toBe('s');
    expect(removeSection(sectioned, 's').defaultSection).toBe('t');
    expect(removeSection(removeSection(sectioned, 's'), 't')).toEqual(EMPTY_STRUCTURE);
  });

  it('moves what stands at the root into a section of its own, before the one that is asked for', () => {
    const structure = cut(put(put(EMPTY_STRUCTURE, 'a'), 'b'), 's');
    expect(outline(structure)).toBe('root s');
    expect(structure.items[0]).toMatchObject({ title: 'Section R', defaultSiteSpace: 'a' });
    expect([structure.siteSpaces, structure.defaultSection]).toEqual([[], 'root']);
    expect(addresses(structure)).toEqual({ a: '', b: 'b', s1: 's' });
  });

  it('puts a space where it is told, once', () => {
    const structure = put(put(built('s', 't'), 'a'), 'b', 'b', 't');
    expect(addresses(structure)).toEqual({ s1: '', a: 'a', t1: 't', b: 't/b' });
    expect(() => put(structure, 'a')).toThrow('The space is in this place already');
    expect(() => put(structure, 'c', 'c', 'x')).toThrow('sectionId must be the id of a section of this site');
    // in another section it may stand again
    expect(addresses(addSiteSpace(structure, { id: 'a2', space: 'of a', title: 'a' }, { section: 't', now })).a2).toBe(
      't/a',
    );
    expect(() => moveSiteSpace(put(structure, 'b2', 'b'), 'b2', { after: 'nothing' })).toThrow('position.after');
  });

  it('numbers paths that are taken or mean something else', () => {
    const structure = put(put(put(put(EMPTY_STRUCTURE, 'a', 'Guide'), 'b', 'Guide'), 'c', 'guide!'), 'd', 'V');
    expect(structure.siteSpaces.map(({ path }) => path)).toEqual(['guide', 'guide-2', 'guide-3', 'v-2']);
    expect(() => updateSiteSpace(structure, 'a', { path: 'guide-2', now })).toThrow('path is taken');
    expect(() => updateSiteSpace(structure, 'a', { path: 'llms.txt', now })).toThrow('sites use it themselves');
    expect(updateSiteSpace(structure, 'a', { path: 'guide', now }).siteSpaces[0]?.path).toBe('guide');
  });

  it('lets no variant of the default section stand at the address of another section', () => {
    const structure = put(put(built('s', 't'), 'a', 't'), 'b', 'u');
    expect(addresses(structure)).toEqual({ s1: '', a: 't-2', b: 'u', t1: 't' });
    expect(() => updateSiteSpace(structure, 'a', { path: 't', now })).toThrow('path is taken');
    expect(() => updateSection(structure, 't', { path: 'u', now })).toThrow('path is taken');
    // another default brings them to one place: the variant gives way
    const other = setDefaultSection(put(structure, 'c', 's', 't'), 't');
    expect(addresses(other)).toEqual({ s1: 's', a: 's/t-2', b: 's/u', t1: '', c: 's-2' });
  });

  it('moves sections beside others, into groups and out of them', () => {
    const structure = addGroup(built('s', 't', 'u'), { id: 'g', title: 'G', icon: null, sections: ['u', 't'] }, now);
    expect(outline(structure)).toBe('s g(u t)');
    expect(outline(moveSection(structure, 's', { before: 't' }))).toBe('g(u s t)');
    expect(outline(moveSection(structure, 'u', { after: 's' }))).toBe('s u g(t)');
    expect(outline(moveSection(structure, 'u', { after: 'g' }))).toBe('s g(t) u');
    expect(outline(moveSection(structure, 'u', {}))).toBe('s g(t u)');
    expect(outline(moveSection(structure, 's', { after: 'u', before: 't' }))).toBe('g(u s t)');
    expect(() => moveSection(structure, 's', { after: 't', before: 'u' })).toThrow('stands before');
    expect(() => moveSection(structure, 's', { after: 't', before: 'g' })).toThrow('position.before');
    expect(() => moveSection(structure, 's', { after: 's' })).toThrow('position.after');
    expect(moveSection(structure, 's', { before: 't' }).defaultSection).toBe('s');
  });

  it('keeps sections when their group goes', () => {
    const structure = addGroup(built('s', 't', 'u'), { id: 'g', title: 'G', icon: null, sections: ['s', 't'] }, now);
    expect(outline(structure)).toBe('u g(s t)');
    expect(outline(removeGroup(moveGroup(structure, 'g', { before: 'u' }), 'g'))).toBe('s t u');
    expect(outline(removeFromGroup(structure, 'g', 's'))).toBe('u g(t) s');
    expect(() => removeFromGroup(structure, 'g', 'u')).toThrow('Section not found');
    expect(addToGroup(structure, 'g', 't')).toBe(structure);
    const two = addGroup(structure, { id: 'h', title: 'H', icon: null, sections: ['t', 't'] }, now);
    expect(outline(two)).toBe('u g(s) h(t)');
    expect(() => moveGroup(two, 'g', { after: 't' })).toThrow('position.after');
    expect(outline(moveGroup(two, 'g', {}))).toBe('u h(t) g(s)');
    expect(() => addToGroup(two, 'g', 'x')).toThrow('sectionId must be');
  });

  it('moves site-spaces between sections, and knows nothing of spaces in the trash', () => {
    const structure = put(put(built('s', 't'), 'a'), 'b', 't1', 't');
    const moved = moveSiteSpace(structure, 's1', { before: 't1' });
    expect(addresses(moved)).toEqual({ a: '', s1: 't/s', t1: 't', b: 't/t1' });
    expect(addresses(moveSiteSpace(structure, 'a', {}))).toEqual(addresses(structure));
    const shown = shownStructure({ structure, trashed: ['of s1', 'of t1', 'of b'] });
    expect(addresses(shown)).toEqual({ a: '' });
    expect(outline(shown)).toBe('s t');
  });

  it('is bounded', () => {
    const many = (count: number, add: (so: SiteStructure, index: number) => SiteStructure): SiteStructure =>
      Array.from({ length: count }).reduce<SiteStructure>((so, _, index) => add(so, index), EMPTY_STRUCTURE);
    const sections = many(MAX_SECTIONS, (so, index) => cut(so, `s${index}`));
    expect(sectionsOf(sections)).toHaveLength(100);
    expect(() => cut(sections, 'more')).toThrow('at most 100 sections');
    const siteSpaces = many(MAX_SITE_SPACES, (so, index) => put(so, `a${index}`));
    expect(() => put(siteSpaces, 'more')).toThrow('at most 500 site-spaces');
    expect(() => cut(siteSpaces, 'more')).toThrow('at most 500 site-spaces');
    const group = (so: SiteStructure, index: number) =>
      addGroup(so, { id: `g${index}`, title: 'G', icon: null, sections: [] }, now);
    expect(() => group(many(MAX_GROUPS, group), 100)).toThrow('at most 100 section groups');
  });
});
