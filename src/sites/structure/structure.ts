/** A space on a site. The times are those of its place on the site, not of the space. */
export interface SiteSpace {
  id: string;
  /** Id of the space. */
  space: string;
  /** Its segment in addresses; kept while it is the default one, which has none. */
  path: string;
  /** The expression that decides whether a visitor is shown it, as it was written, or `null`. */
  condition: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A part of a site with its own content: one space, or variants of one. */
export interface Section {
  kind: 'section';
  id: string;
  title: string;
  /** Its segment in addresses; kept while it is the default one, which has none. */
  path: string;
  icon: string | null;
  description: string | null;
  /** The expression that decides whether a visitor is shown it, as it was written, or `null`. */
  condition: string | null;
  /** In their order. */
  siteSpaces: readonly SiteSpace[];
  /** Id of the site-space without a segment of its own; `null`: the section is empty. */
  defaultSiteSpace: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Sections that navigation shows together; addresses know nothing of it. */
export interface SectionGroup {
  kind: 'group';
  id: string;
  title: string;
  icon: string | null;
  /** In their order. */
  sections: readonly Section[];
  createdAt: Date;
  updatedAt: Date;
}

/** What stands at the top level of a site. */
export type TopItem = Section | SectionGroup;

/**
 * What a site is made of, as one value that never changes in place. It has sections, or site-spaces at its root, or
 * neither (decision 5.5); groups may be empty.
 */
export interface SiteStructure {
  /** Those at the root, in their order. */
  siteSpaces: readonly SiteSpace[];
  /** Id of the one at the root that has no segment; `null`: there is none. */
  defaultSiteSpace: string | null;
  /** Sections and groups in reading order. */
  items: readonly TopItem[];
  /** Id of the section without a segment; `null`: there is none. */
  defaultSection: string | null;
}

/** Sections of a site, in groups or not. */
export const MAX_SECTIONS = 100;
/** Section groups of a site. */
export const MAX_GROUPS = 100;
/** Site-spaces of a site, in all its sections. */
export const MAX_SITE_SPACES = 500;

/** The structure of a site that has nothing on it. */
export const EMPTY_STRUCTURE: SiteStructure = {
  siteSpaces: [],
  defaultSiteSpace: null,
  items: [],
  defaultSection: null,
};

/** A section, with the group that it is in. */
export interface PlacedSection {
  section: Section;
  group: SectionGroup | null;
}

/** A site-space, with the section that it is in; `null`: it stands at the root. */
export interface PlacedSiteSpace {
  siteSpace: SiteSpace;
  section: Section | null;
}

/** Every section in reading order, grouped ones where their group stands. */
export function sectionsOf({ items }: SiteStructure): PlacedSection[] {
  return items.flatMap((item): PlacedSection[] =>
    item.kind === 'section'
      ? [{ section: item, group: null }]
      : item.sections.map((section) => ({ section, group: item })),
  );
}

/** Every group in reading order. */
export function groupsOf({ items }: SiteStructure): SectionGroup[] {
  return items.filter((item) => item.kind === 'group');
}

/** Every site-space in reading order: those at the root, or those of one section after the other. */
export function siteSpacesOf(structure: SiteStructure): PlacedSiteSpace[] {
  const inSections = sectionsOf(structure).flatMap(({ section }) =>
    section.siteSpaces.map((siteSpace) => ({ siteSpace, section })),
  );
  return [...structure.siteSpaces.map((siteSpace) => ({ siteSpace, section: null })), ...inSections];
}

/** Whether the site has sections, as opposed to site-spaces at its root. */
export function hasSections({ items }: SiteStructure): boolean {
  return items.some((item) => item.kind === 'section' || item.sections.length > 0);
}

/** The section `id`, or `undefined`. */
export function findSection(structure: SiteStructure, id: string | null): PlacedSection | undefined {
  return sectionsOf(structure).find(({ section }) => section.id === id);
}

/** The group `id`, or `undefined`. */
export function findGroup(structure: SiteStructure, id: string): SectionGroup | undefined {
  return groupsOf(structure).find((group) => group.id === id);
}

/** The site-space `id`, or `undefined`. */
export function findSiteSpace(structure: SiteStructure, id: string): PlacedSiteSpace | undefined {
  return siteSpacesOf(structure).find(({ siteSpace }) => siteSpace.id === id);
}

/** Whether a site-space is the default one of where it stands. */
export function isDefault(structure: SiteStructure, { siteSpace, section }: PlacedSiteSpace): boolean {
  return (section ?? structure).defaultSiteSpace === siteSpace.id;
}

/** Ids of the spaces on the site, each once. */
export function spacesOf(structure: SiteStructure): string[] {
  return [...new Set(siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.space))];
}

/** The segments of addresses that lead to a section: none for the default one. */
export function sectionSegments({ defaultSection }: SiteStructure, section: Pick<Section, 'id' | 'path'>): string[] {
  return section.id === defaultSection ? [] : [section.path];
}

/** The segments of addresses that lead to a site-space: what is the default where it stands adds none (decision 3.6). */
export function siteSpaceSegments(structure: SiteStructure, placed: PlacedSiteSpace): string[] {
  const { siteSpace, section } = placed;
  const own = isDefault(structure, placed) ? [] : [siteSpace.path];
  return [...(section ? sectionSegments(structure, section) : []), ...own];
}
