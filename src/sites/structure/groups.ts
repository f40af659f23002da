import { insertAt, type Position } from './positions.js';
import { requireSection } from './sections.js';
import { differs, mapSections, settle } from './settle.js';
import {
  findGroup,
  findSection,
  groupsOf,
  MAX_GROUPS,
  type SectionGroup,
  type SiteStructure,
  type TopItem,
} from './structure.js';
import { StructureError } from './structure-error.js';

/** A group that is added at the end, with the ids of sections that move into it. */
export interface NewGroup {
  id: string;
  title: string;
  icon: string | null;
  sections: readonly string[];
}

/** Adds a group; its sections leave any former one. @throws StructureError for a section that is not there, and too many groups. */
export function addGroup(structure: SiteStructure, { sections, ...group }: NewGroup, now: Date): SiteStructure {
  if (groupsOf(structure).length >= MAX_GROUPS)
    throw new StructureError('invalid', `A site has at most ${String(MAX_GROUPS)} section groups`);
  const made: SectionGroup = { kind: 'group', ...group, sections: [], createdAt: now, updatedAt: now };
  const added = { ...structure, items: [...structure.items, made] };
  return [...new Set(sections)].reduce<SiteStructure>((so, id) => {
    if (!findSection(so, id)) throw new StructureError('invalid', 'sections must be ids of sections of this site');
    return addToGroup(so, group.id, id);
  }, added);
}

/** Changes title or icon of a group; it is the same structure where it has them. @throws StructureError when it is not there. */
export function updateGroup(
  structure: SiteStructure,
  id: string,
  { now, ...changes }: Partial<Pick<SectionGroup, 'title' | 'icon'>> & { now: Date },
): SiteStructure {
  if (!differs(requireGroup(structure, id), changes)) return structure;
  return mapGroup(structure, id, (group) => [{ ...group, ...changes, updatedAt: now }]);
}

/** Removes a group; its sections take its place, in their order (decision 5.7). @throws StructureError when it is not there. */
export function removeGroup(structure: SiteStructure, id: string): SiteStructure {
  requireGroup(structure, id);
  return mapGroup(structure, id, ({ sections }) => sections);
}

/**
 * Puts a section at the end of a group, out of any former one; nothing changes when it is in it already (decision 5.8).
 * @throws StructureError when the group or the section is not there.
 */
export function addToGroup(structure: SiteStructure, id: string, sectionId: string): SiteStructure {
  requireGroup(structure, id);
  const placed = findSection(structure, sectionId);
  if (!placed) throw new StructureError('invalid', 'sectionId must be the id of a section of this site');
  if (placed.group?.id === id) return structure;
  const rest = mapSections(structure, (one) => (one.id === sectionId ? null : one));
  return settle(mapGroup(rest, id, (group) => [{ ...group, sections: [...group.sections, placed.section] }]));
}

/** Takes a section out of a group; it stands after it at the top level. @throws StructureError when it is not in that group. */
export function removeFromGroup(structure: SiteStructure, id: string, sectionId: string): SiteStructure {
  requireGroup(structure, id);
  const { section, group } = requireSection(structure, sectionId);
  if (group?.id !== id) throw new StructureError('missing', 'Section not found');
  const rest = mapSections(structure, (one) => (one.id === sectionId ? null : one));
  return settle(mapGroup(rest, id, (left) => [left, section]));
}

/** Moves a group beside a group or a section at the top level, or to its end (decision 5.A). @throws StructureError as above. */
export function moveGroup(structure: SiteStructure, id: string, position: Position): SiteStructure {
  const group = requireGroup(structure, id);
  const rest = structure.items.filter((item) => item.id !== id);
  return { ...structure, items: insertAt(rest, group, position) };
}

/** The group `id`. @throws StructureError when it is not there. */
export function requireGroup(structure: SiteStructure, id: string): SectionGroup {
  const found = findGroup(structure, id);
  if (!found) throw new StructureError('missing', 'Section group not found');
  return found;
}

function mapGroup(
  structure: SiteStructure,
  id: string,
  change: (group: SectionGroup) => readonly TopItem[],
): SiteStructure {
  const items = structure.items.flatMap((item) => (item.kind === 'group' && item.id === id ? change(item) : [item]));
  return { ...structure, items };
}
