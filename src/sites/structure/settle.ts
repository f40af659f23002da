import { withoutClashes } from './paths.js';
import { type Section, sectionsOf, type SiteSpace, type SiteStructure } from './structure.js';

/**
 * `structure` as the rules want it after any change: one default wherever there is something (the first, where the former
 * one is gone: decision 3.23), and nothing at the address of something else.
 */
export function settle(structure: SiteStructure): SiteStructure {
  const items = mapSections(structure, (section) => ({
    ...section,
    defaultSiteSpace: presentOr(section.siteSpaces, section.defaultSiteSpace),
  })).items;
  const settled = {
    ...structure,
    items,
    defaultSiteSpace: presentOr(structure.siteSpaces, structure.defaultSiteSpace),
    defaultSection: presentOr(
      sectionsOf({ ...structure, items }).map(({ section }) => section),
      structure.defaultSection,
    ),
  };
  return withoutClashes(settled);
}

/** `structure` with each section as `change` makes it; `null` takes it out. Groups stay, empty or not. */
export function mapSections(structure: SiteStructure, change: (section: Section) => Section | null): SiteStructure {
  const items = structure.items.flatMap((item) => {
    if (item.kind === 'section') return change(item) ?? [];
    return { ...item, sections: item.sections.flatMap((section) => change(section) ?? []) };
  });
  return { ...structure, items };
}

/** `structure` with the site-spaces of the section `id` (`null`: at the root) as `change` makes them. */
export function mapSiteSpaces(
  structure: SiteStructure,
  id: string | null,
  change: (siteSpaces: readonly SiteSpace[]) => readonly SiteSpace[],
): SiteStructure {
  if (id === null) return { ...structure, siteSpaces: change(structure.siteSpaces) };
  return mapSections(structure, (section) =>
    section.id === id ? { ...section, siteSpaces: change(section.siteSpaces) } : section,
  );
}

/** Whether `changes` make another thing of `thing`. */
export function differs<T extends object>(thing: T, changes: Partial<T>): boolean {
  return (Object.keys(changes) as (keyof T)[]).some((name) => changes[name] !== thing[name]);
}

function presentOr(list: readonly { id: string }[], id: string | null): string | null {
  return list.some((one) => one.id === id) ? id : (list[0]?.id ?? null);
}
