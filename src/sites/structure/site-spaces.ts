import { freeOf, freePath, pathsBesideSiteSpace, requirePath } from './paths.js';
import { badAnchor, insertAt, leadingAnchor, type Position } from './positions.js';
import { differs, mapSections, mapSiteSpaces, settle } from './settle.js';
import {
  findSection,
  findSiteSpace,
  hasSections,
  MAX_SITE_SPACES,
  type PlacedSiteSpace,
  type Section,
  type SiteSpace,
  siteSpacesOf,
  type SiteStructure,
} from './structure.js';
import { StructureError } from './structure-error.js';

/** A space that is put on a site, and the id that its place there gets. */
export interface NewSiteSpace {
  id: string;
  space: string;
  /** Title of the space; its path is made of it. */
  title: string;
}

/**
 * Puts a space into a section; without one into the default section, or at the root of a site without sections (decision
 * 5.9). @throws StructureError for a section that is not there, a space that is there already, and too many.
 */
export function addSiteSpace(
  structure: SiteStructure,
  added: NewSiteSpace,
  { section: asked, now }: { section?: string; now: Date },
): SiteStructure {
  const id = asked ?? (hasSections(structure) ? structure.defaultSection : null);
  const section = id === null ? null : (findSection(structure, id)?.section ?? null);
  if (id !== null && !section)
    throw new StructureError('invalid', 'sectionId must be the id of a section of this site');
  requireRoom(structure);
  const made = newSiteSpace(structure, section, added, now);
  return settle(mapSiteSpaces(structure, id, (siteSpaces) => [...siteSpaces, made]));
}

/** What a site-space is in `section`, where it is not yet. @throws StructureError when its space is there already. */
export function newSiteSpace(
  structure: SiteStructure,
  section: Section | null,
  { id, space, title }: NewSiteSpace,
  now: Date,
): SiteSpace {
  requireNew(section ?? structure, space);
  const path = freePath(title, pathsBesideSiteSpace(structure, section, null));
  return { id, space, path, condition: null, createdAt: now, updatedAt: now };
}

/** Gives a site-space another path or condition; it is the same structure where it has them. @throws StructureError when it is not there, and for a path that cannot be. */
export function updateSiteSpace(
  structure: SiteStructure,
  id: string,
  { now, ...changes }: { path?: string; condition?: string | null; now: Date },
): SiteStructure {
  const { siteSpace, section } = requireSiteSpace(structure, id);
  if (!differs(siteSpace, changes)) return structure;
  if (changes.path !== undefined && changes.path !== siteSpace.path)
    requirePath(changes.path, pathsBesideSiteSpace(structure, section, id));
  const updated = { ...siteSpace, ...changes, updatedAt: now };
  const replaced = (list: readonly SiteSpace[]): readonly SiteSpace[] =>
    list.map((one) => (one.id === id ? updated : one));
  return mapSiteSpaces(structure, section?.id ?? null, replaced);
}

/** Takes a site-space off the site; an empty section stays (decision 5.7). @throws StructureError when it is not there. */
export function removeSiteSpace(structure: SiteStructure, id: string): SiteStructure {
  requireSiteSpace(structure, id);
  return settle(without(structure, id));
}

/**
 * Moves a site-space, to the container of the anchor or to the end of its own (decision 5.A). A path that is taken there is
 * numbered. @throws StructureError when it is not there, for an impossible position and a space that is there already.
 */
export function moveSiteSpace(structure: SiteStructure, id: string, position: Position): SiteStructure {
  const placed = requireSiteSpace(structure, id);
  const rest = without(structure, id);
  const anchor = leadingAnchor(position);
  const beside = anchor && findSiteSpace(rest, anchor.id);
  if (anchor && !beside) throw badAnchor(anchor.property);
  const to = (beside ? beside.section?.id : placed.section?.id) ?? null;
  if (to === (placed.section?.id ?? null)) {
    return settle(mapSiteSpaces(rest, to, (list) => insertAt(list, placed.siteSpace, position)));
  }
  const left = settle(rest);
  const target = findSection(left, to)?.section ?? null;
  requireNew(target ?? left, placed.siteSpace.space);
  const path = freeOf(placed.siteSpace.path, pathsBesideSiteSpace(left, target, null));
  return settle(mapSiteSpaces(left, to, (list) => insertAt(list, { ...placed.siteSpace, path }, position)));
}

/** Takes all that stands for `space` off the site, as when it is gone for good. */
export function withoutSpace(structure: SiteStructure, space: string): SiteStructure {
  return withoutSpaces(structure, new Set([space]));
}

/** The structure without what stands for `spaces`; sections that are left empty stay. */
export function withoutSpaces(structure: SiteStructure, spaces: ReadonlySet<string>): SiteStructure {
  if (spaces.size === 0) return structure;
  const left = (list: readonly SiteSpace[]): SiteSpace[] => list.filter((one) => !spaces.has(one.space));
  const rest = mapSections(structure, (section) => ({ ...section, siteSpaces: left(section.siteSpaces) }));
  return settle({ ...rest, siteSpaces: left(rest.siteSpaces) });
}

/** @throws StructureError when the site has as many site-spaces as it can. */
export function requireRoom(structure: SiteStructure): void {
  if (siteSpacesOf(structure).length >= MAX_SITE_SPACES)
    throw new StructureError('invalid', `A site has at most ${String(MAX_SITE_SPACES)} site-spaces`);
}

function requireNew({ siteSpaces }: Pick<Section, 'siteSpaces'>, space: string): void {
  if (siteSpaces.some((one) => one.space === space))
    throw new StructureError('taken', 'The space is in this place already: it can stand there once');
}

function requireSiteSpace(structure: SiteStructure, id: string): PlacedSiteSpace {
  const placed = findSiteSpace(structure, id);
  if (!placed) throw new StructureError('missing', 'Site-space not found');
  return placed;
}

/** The structure without a site-space, its defaults as they were. */
const without = (structure: SiteStructure, id: string): SiteStructure =>
  mapSiteSpaces(structure, findSiteSpace(structure, id)?.section?.id ?? null, (list) =>
    list.filter((one) => one.id !== id),
  );
