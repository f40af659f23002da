import { LRUCache } from 'lru-cache';
import type { Claims } from '../adaptive/index.js';
import { type Condition, ConditionError, evaluateCondition, parseCondition, variablesOf } from '../conditions/index.js';
import type { Section, SiteSpace, SiteStructure, TopItem } from '../structure/structure.js';

/** Conditions that were read, by their text; `null`: one that no longer can be. */
const read = new LRUCache<string, { tree: Condition | null }>({ max: 1000 });

/**
 * Whether what stands under `condition` is shown to a visitor with `claims` (domain of conditions: an error hides).
 *
 * @param condition The expression as it was written; `null`: none.
 */
export function isShown(condition: string | null, claims: Claims): boolean {
  if (condition === null) return true;
  const { tree } = read.get(condition) ?? remember(condition);
  return tree !== null && evaluateCondition(tree, variablesOf(claims));
}

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

function remember(condition: string): { tree: Condition | null } {
  const known = { tree: treeOf(condition) };
  read.set(condition, known);
  return known;
}

function treeOf(condition: string): Condition | null {
  try {
    return parseCondition(condition);
  } catch (error) {
    // it was read when it was written; what a later version cannot read any more stays hidden
    if (error instanceof ConditionError) return null;
    throw error;
  }
}
