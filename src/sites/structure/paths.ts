import { numberedSlug, toSlug } from '../../common/slugs.js';
import { type Section, sectionsOf, type SiteSpace, type SiteStructure } from './structure.js';
import { StructureError } from './structure-error.js';

/** Segments that mean something else in addresses of sites. */
const RESERVED: ReadonlySet<string> = new Set([
  '~',
  '~service',
  'v',
  'sitemap.xml',
  'sitemap-pages.xml',
  'robots.txt',
  'llms.txt',
  'llms-full.txt',
]);

/** How the path of a section or a site-space is written: one segment (decision 3.24). */
export const PATH = /^[a-z0-9]+(?:[-._][a-z0-9]+)*$/;

/** The path made of `title` that is not among `taken`: its slug, numbered from 2 on. */
export function freePath(title: string, taken: ReadonlySet<string>): string {
  return freeOf(toSlug(title), taken);
}

/** @throws StructureError for a path that means something else in addresses, or that is among `taken`. */
export function requirePath(path: string, taken: ReadonlySet<string>): void {
  if (RESERVED.has(path)) throw new StructureError('invalid', `path must not be "${path}": sites use it themselves`);
  if (taken.has(path)) throw new StructureError('taken', `path is taken: something else on this level is at "${path}"`);
}

/** The paths that a section at the top level of addresses meets, without those of the section `except`. */
export function pathsBesideSection(structure: SiteStructure, except: string | null): Set<string> {
  const others = sectionsOf(structure).filter(({ section }) => section.id !== except);
  const home = others.find(({ section }) => section.id === structure.defaultSection)?.section;
  return new Set([...others.map(({ section }) => section.path), ...(home ? ownSegments(home) : [])]);
}

/** The paths that a site-space in `section` (`null`: at the root) meets, without those of the site-space `except`. */
export function pathsBesideSiteSpace(
  structure: SiteStructure,
  section: Section | null,
  except: string | null,
): Set<string> {
  const siblings = (section ?? structure).siteSpaces.filter(({ id }) => id !== except).map(({ path }) => path);
  const shared = section?.id === structure.defaultSection ? pathsOfOthers(structure) : [];
  return new Set([...siblings, ...shared]);
}

/**
 * The structure in which the variants of the default section, whose addresses stand beside those of the other sections,
 * have paths that no section has: where a change of the default brought two to one place, the variant is numbered.
 */
export function withoutClashes(structure: SiteStructure): SiteStructure {
  const sections = new Set(pathsOfOthers(structure));
  const settle = (section: Section): Section => {
    if (section.id !== structure.defaultSection) return section;
    const taken = new Set([...sections, ...section.siteSpaces.map(({ path }) => path)]);
    const renamed = (one: SiteSpace): SiteSpace => {
      if (one.id === section.defaultSiteSpace || !sections.has(one.path)) return one;
      const path = freeOf(one.path, taken);
      taken.add(path);
      return { ...one, path };
    };
    return { ...section, siteSpaces: section.siteSpaces.map(renamed) };
  };
  const items = structure.items.map((item) =>
    item.kind === 'section' ? settle(item) : { ...item, sections: item.sections.map(settle) },
  );
  return { ...structure, items };
}

/** The paths of all sections but the default one. */
function pathsOfOthers(structure: SiteStructure): string[] {
  return sectionsOf(structure)
    .filter(({ section }) => section.id !== structure.defaultSection)
    .map(({ section }) => section.path);
}

/** The paths of the site-spaces in `section` that have a segment. */
function ownSegments({ siteSpaces, defaultSiteSpace }: Section): string[] {
  return siteSpaces.filter(({ id }) => id !== defaultSiteSpace).map(({ path }) => path);
}

/** `path`, or where it is among `taken` the same with a number from 2 on. */
export function freeOf(path: string, taken: ReadonlySet<string>): string {
  const isFree = (one: string): boolean => !taken.has(one) && !RESERVED.has(one);
  if (isFree(path)) return path;
  for (let number = 2; ; number += 1) {
    const numbered = numberedSlug(path, number);
    if (isFree(numbered)) return numbered;
  }
}
