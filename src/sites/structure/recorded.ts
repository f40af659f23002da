import { type Changes, changesBetween } from '../../audit/index.js';
import { findGroup, findSection, findSiteSpace, type SiteStructure } from './structure.js';

/** What is recorded of a part of a site, by the names that answers give it. */
type Recorded = Record<string, unknown>;

/** What is recorded of the part `id`; nothing where it is not there. */
function recordedOf(structure: SiteStructure, id: string): Recorded {
  const placed = findSection(structure, id);
  if (placed) {
    const { title, path, icon, description, condition, defaultSiteSpace } = placed.section;
    return { title, path, icon, description, condition, defaultSiteSpace, sectionGroup: placed.group?.id ?? null };
  }
  const group = findGroup(structure, id);
  if (group) return { title: group.title, icon: group.icon, sections: group.sections.map((section) => section.id) };
  const found = findSiteSpace(structure, id);
  if (!found) return {};
  const { space, path, condition } = found.siteSpace;
  return { space, path, condition, section: found.section?.id ?? null };
}

/** What differs of the part `id`: of one that is made or removed, what it has. */
export function changesOf(before: SiteStructure, after: SiteStructure, id: string): Changes {
  const [one, other] = [recordedOf(before, id), recordedOf(after, id)];
  const changes = changesBetween(one, other, [...new Set([...Object.keys(one), ...Object.keys(other)])]);
  return Object.fromEntries(
    Object.entries(changes).filter((entry) => (entry[1].before ?? null) !== (entry[1].after ?? null)),
  );
}
