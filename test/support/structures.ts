import type { Section, SectionGroup, SiteSpace, SiteStructure } from '../../src/sites/structure/structure.js';

const AT = { createdAt: new Date(0), updatedAt: new Date(0) };

/** A site-space; its space has the same id. */
export function siteSpace(id: string, path: string, condition: string | null = null): SiteSpace {
  return { id, space: id, path, condition, ...AT };
}

/** A section whose path is its id; its first site-space is the default. */
export function section(id: string, siteSpaces: SiteSpace[], condition: string | null = null): Section {
  const texts = { title: id, path: id, icon: null, description: null };
  return { kind: 'section', id, ...texts, condition, siteSpaces, defaultSiteSpace: siteSpaces[0]?.id ?? null, ...AT };
}

/** A group of sections. */
export function group(sections: Section[]): SectionGroup {
  return { kind: 'group', id: 'group', title: 'Group', icon: null, sections, ...AT };
}

/** A site with sections; the first is the default. */
export function sectioned(items: SiteStructure['items']): SiteStructure {
  const [first] = items.flatMap((item) => (item.kind === 'section' ? [item] : item.sections));
  return { siteSpaces: [], defaultSiteSpace: null, items, defaultSection: first?.id ?? null };
}

/** A site without sections; the first site-space is the default. */
export function flat(siteSpaces: SiteSpace[]): SiteStructure {
  return { siteSpaces, defaultSiteSpace: siteSpaces[0]?.id ?? null, items: [], defaultSection: null };
}
