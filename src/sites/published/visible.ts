import type { Claims } from '../adaptive/index.js';
import { isShown } from '../../conditions/index.js';
import type { Section, SiteSpace, SiteStructure, TopItem } from '../structure/structure.js';

/**
 * What of `structure` a visitor with `claims` is shown: an item only where all that holds it is shown. Sections and groups
 * without anything left in them are left out; where a default is not shown, the first that is takes its place.
 */
export function visibleStructure(structure: SiteStructure, claims: Claims): SiteStructure {
  const inSection = (section: Section): Section[] => {
    if (!isShown(section.condition, claims)) return [];
    const siteSpaces = shownOf(section.siteSpaces, claims);
    if (siteSpaces.length === 0) return [];
    return [{ ...section, siteSpaces, defaultSiteSpace: defaultOf(section.defaultSiteSpace, siteSpaces) }];
  };
  const items = structure.items.flatMap((item): TopItem[] => {
    if (item.kind === 'section') return inSection(item);
    const sections = item.sections.flatMap(inSection);
    return sections.length === 0 ? [] : [{ ...item, sections }];
  });
  const sections = items.flatMap((item) => (item.kind === 'section' ? item : item.sections));
  const siteSpaces = shownOf(structure.siteSpaces, claims);
  return {
    items,
    siteSpaces,
    defaultSection: defaultOf(structure.defaultSection, sections),
    defaultSiteSpace: defaultOf(structure.defaultSiteSpace, siteSpaces),
  };
}

function shownOf(siteSpaces: readonly SiteSpace[], claims: Claims): SiteSpace[] {
  return siteSpaces.filter(({ condition }) => isShown(condition, claims));
}

function defaultOf(id: string | null, shown: readonly { id: string }[]): string | null {
  return shown.some((item) => item.id === id) ? id : (shown[0]?.id ?? null);
}
