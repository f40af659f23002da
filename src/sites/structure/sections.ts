import { freePath, pathsBesideSection, requirePath } from './paths.js';
import { badAnchor, insertAt, leadingAnchor, type Position } from './positions.js';
import { differs, mapSections, settle } from './settle.js';
import { newSiteSpace, type NewSiteSpace, requireRoom } from './site-spaces.js';
import {
  EMPTY_STRUCTURE,
  findSection,
  type PlacedSection,
  type Section,
  type SectionGroup,
  sectionsOf,
  MAX_SECTIONS,
  type SiteStructure,
} from './structure.js';
import { StructureError } from './structure-error.js';

/** A section that is added, with the space that it begins with. */
export interface NewSection {
  id: string;
  /** Its title; without one, it is called after the space. */
  title?: string | null;
  siteSpace: NewSiteSpace;
}

/** The section that takes in what stands at the root when the first section is added (decision 5.5). */
export interface RootSection {
  id: string;
  /** Title of the default space at the root. */
  title: string;
}

/** What of a section can be changed. */
export type SectionChanges = Partial<
  Pick<Section, 'title' | 'path' | 'icon' | 'description' | 'condition'> & { defaultSiteSpace: string }
>;

/** The title of a section called after a space: at least two characters long (decision 5.6). */
export function sectionTitleFor(title: string): string {
  return [...title].length < 2 ? `Section ${title}` : title;
}

/**
 * Adds a section at the end of the top level. On a site with site-spaces at the root these go into a first section of
 * their own, `root`. @throws StructureError for too many sections or site-spaces.
 */
export function addSection(
  structure: SiteStructure,
  { id, title, siteSpace }: NewSection,
  { root, now }: { root: RootSection; now: Date },
): SiteStructure {
  const sectioned = structure.siteSpaces.length === 0 ? structure : withRootSection(structure, root, now);
  if (sectionsOf(sectioned).length >= MAX_SECTIONS)
    throw new StructureError('invalid', `A site has at most ${String(MAX_SECTIONS)} sections`);
  requireRoom(sectioned);
  const section = newSection(sectioned, { id, title: title ?? sectionTitleFor(siteSpace.title) }, now);
  const first = newSiteSpace(EMPTY_STRUCTURE, section, siteSpace, now);
  const items = [...sectioned.items, { ...section, siteSpaces: [first] }];
  return settle({ ...sectioned, items });
}

/** Changes a section; it is the same structure where it is so already. @throws StructureError when it is not there, for a path that cannot be, and a default that is not in it. */
export function updateSection(
  structure: SiteStructure,
  id: string,
  { now, ...changes }: SectionChanges & { now: Date },
): SiteStructure {
  const { section } = requireSection(structure, id);
  if (!differs(section, changes)) return structure;
  if (changes.path !== undefined && changes.path !== section.path)
    requirePath(changes.path, pathsBesideSection(structure, id));
  const { defaultSiteSpace } = changes;
  if (defaultSiteSpace !== undefined && section.siteSpaces.every((one) => one.id !== defaultSiteSpace))
    throw new StructureError('invalid', 'defaultSiteSpace must be the id of a site-space in this section');
  return settle(mapSections(structure, (one) => (one.id === id ? { ...one, ...changes, updatedAt: now } : one)));
}

/** Removes a section with its site-spaces (decision 5.7). @throws StructureError when it is not there. */
export function removeSection(structure: SiteStructure, id: string): SiteStructure {
  requireSection(structure, id);
  return settle(mapSections(structure, (section) => (section.id === id ? null : section)));
}

/**
 * Moves a section beside the anchor, at the top level or in a group, or to the end of where it stands (decision 5.A).
 * @throws StructureError when it is not there, and for an impossible position.
 */
export function moveSection(structure: SiteStructure, id: string, position: Position): SiteStructure {
  const { section, group } = requireSection(structure, id);
  const rest = mapSections(structure, (one) => (one.id === id ? null : one));
  const anchor = leadingAnchor(position);
  if (!anchor) return settle(placed(rest, section, group?.id ?? null, position));
  const atTop = rest.items.some((item) => item.id === anchor.id);
  const holder = findSection(rest, anchor.id)?.group;
  if (!atTop && !holder) throw badAnchor(anchor.property);
  return settle(placed(rest, section, atTop ? null : (holder?.id ?? null), position));
}

/** Makes a site-space the default one: at the root, or in the default section (decision 5.4). @throws StructureError elsewhere. */
export function setDefaultSiteSpace(structure: SiteStructure, id: string): SiteStructure {
  const home = findSection(structure, structure.defaultSection)?.section;
  if ((home ?? structure).siteSpaces.every((one) => one.id !== id)) {
    throw new StructureError(
      'invalid',
      'defaultSiteSpace must be the id of a site-space at the root of this site, or in its default section',
    );
  }
  if (!home) return { ...structure, defaultSiteSpace: id };
  return settle(
    mapSections(structure, (section) => (section.id === home.id ? { ...section, defaultSiteSpace: id } : section)),
  );
}

/** Makes a section the default one. @throws StructureError when the site has no such section. */
export function setDefaultSection(structure: SiteStructure, id: string): SiteStructure {
  if (!findSection(structure, id))
    throw new StructureError('invalid', 'defaultSiteSection must be the id of a section of this site');
  return settle({ ...structure, defaultSection: id });
}

/** The section `id`. @throws StructureError when it is not there. */
export function requireSection(structure: SiteStructure, id: string): PlacedSection {
  const found = findSection(structure, id);
  if (!found) throw new StructureError('missing', 'Section not found');
  return found;
}

/** `structure` with a section that is not in it, in a group or (`null`) at the top level. */
function placed(structure: SiteStructure, section: Section, group: string | null, position: Position): SiteStructure {
  if (group === null) return { ...structure, items: insertAt(structure.items, section, position) };
  const into = (item: SectionGroup): SectionGroup => ({
    ...item,
    sections: insertAt(item.sections, section, position),
  });
  return {
    ...structure,
    items: structure.items.map((item) => (item.kind === 'group' && item.id === group ? into(item) : item)),
  };
}

function withRootSection(structure: SiteStructure, { id, title }: RootSection, now: Date): SiteStructure {
  const { siteSpaces, defaultSiteSpace } = structure;
  const section = newSection(structure, { id, title: sectionTitleFor(title) }, now);
  return {
    siteSpaces: [],
    defaultSiteSpace: null,
    items: [{ ...section, siteSpaces, defaultSiteSpace }, ...structure.items],
    defaultSection: id,
  };
}

function newSection(structure: SiteStructure, { id, title }: Pick<Section, 'id' | 'title'>, now: Date): Section {
  return {
    kind: 'section',
    id,
    title,
    path: freePath(title, pathsBesideSection(structure, null)),
    icon: null,
    description: null,
    condition: null,
    siteSpaces: [],
    defaultSiteSpace: null,
    createdAt: now,
    updatedAt: now,
  };
}
