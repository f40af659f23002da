import { type PlacedSiteSpace, sectionsOf, siteSpacesOf, type SiteStructure } from '../structure/structure.js';

/** Where something on a site stood: its segment, below what held it. */
export interface FormerPath {
  /** Id of the section that held it; empty at the root. */
  parent: string;
  /** Its segment; empty for the default one, which has none. */
  path: string;
  /** Id of the section or site-space. */
  item: string;
}

/** A site-space that an address may lead to, with what of the address would be the path of a page there. */
export interface Lead {
  placed: PlacedSiteSpace;
  rest: readonly string[];
}

/** Meanings of one address that are looked at. */
const MAX_LEADS = 10;
const ROOT = '';

type Level = Pick<SiteStructure, 'defaultSiteSpace' | 'siteSpaces'>;

/** Where the sections and site-spaces of `structure` stand. */
function placesIn(structure: SiteStructure): FormerPath[] {
  const sections = sectionsOf(structure).map(({ section }) => section);
  const variants = (parent: string, { siteSpaces, defaultSiteSpace }: Level): FormerPath[] =>
    siteSpaces.map(({ id, path }) => ({ parent, path: id === defaultSiteSpace ? '' : path, item: id }));
  return [
    ...sections.map(({ id, path }) => ({ parent: ROOT, path: id === structure.defaultSection ? '' : path, item: id })),
    ...variants(ROOT, structure),
    ...sections.flatMap((section) => variants(section.id, section)),
  ];
}

/** Where that stood `before` which stands elsewhere `after`; what is gone is left out. */
export function movedBetween(before: SiteStructure, after: SiteStructure): FormerPath[] {
  const now = new Map(placesIn(after).map((place) => [place.item, place]));
  return placesIn(before).filter(({ item, parent, path }) => {
    const place = now.get(item);
    return place !== undefined && (place.parent !== parent || place.path !== path);
  });
}

/**
 * What an address with these `segments` may lead to, the most likely first: names go before defaults, and what is called
 * so before what was called so. What is the default is found under its own name too, though that is in no address.
 *
 * @param former Where things stood, the latest first: at least those with one of the first two segments, or with none.
 */
export function leadsOf(structure: SiteStructure, former: readonly FormerPath[], segments: readonly string[]): Lead[] {
  const sections = new Map(sectionsOf(structure).map(({ section }) => [section.id, section]));
  const siteSpaces = new Map(siteSpacesOf(structure).map((placed) => [placed.siteSpace.id, placed]));
  const itemsIn = (parent: string) =>
    parent === ROOT ? [...sections.values(), ...structure.siteSpaces] : (sections.get(parent)?.siteSpaces ?? []);
  const once = (parent: string, path: string): string[] =>
    former.filter((place) => place.parent === parent && place.path === path).map(({ item }) => item);

  const named = (parent: string, path: string): string[] => [
    ...itemsIn(parent).flatMap((item) => (item.path === path ? item.id : [])),
    ...once(parent, path),
  ];
  const unnamed = (parent: string): string[] => [
    ...(parent === ROOT
      ? [structure.defaultSection, structure.defaultSiteSpace]
      : [sections.get(parent)?.defaultSiteSpace ?? null]
    ).filter((id) => id !== null),
    ...once(parent, ''),
  ];
  const below = (item: string, rest: readonly string[]): Lead[] => {
    const placed = siteSpaces.get(item);
    if (placed) return [{ placed, rest }];
    return sections.has(item) ? within(item, rest) : [];
  };
  const within = (parent: string, rest: readonly string[]): Lead[] => {
    const [first] = rest;
    const byName = first === undefined ? [] : named(parent, first).flatMap((item) => below(item, rest.slice(1)));
    return [...byName, ...unnamed(parent).flatMap((item) => below(item, rest))];
  };
  return distinct(within(ROOT, segments)).slice(0, MAX_LEADS);
}

/** `leads`, each once. */
function distinct(leads: readonly Lead[]): Lead[] {
  const byKey = new Map<string, Lead>();
  for (const lead of leads) {
    const key = `${lead.placed.siteSpace.id} ${String(lead.rest.length)}`;
    if (!byKey.has(key)) byKey.set(key, lead);
  }
  return [...byKey.values()];
}
