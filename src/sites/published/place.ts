import type { Section, SiteSpace, SiteStructure } from '../structure/structure.js';
import { sectionsOf } from '../structure/structure.js';

/** Where an address leads to on a site. */
export interface PlaceOnSite {
  section: Section | null;
  siteSpace: SiteSpace;
  /** The segments that name the section and the site-space: none for defaults. */
  base: string[];
  /** The segments behind them: the path of a page. */
  rest: string[];
  /** Whether nothing more of the site can follow: what does is the path of a page. */
  complete: boolean;
  /** Whether the address names a variant the old way, behind a segment `v`. */
  former: boolean;
}

/** The old way to name a variant: `/v/{path}`. */
const VARIANT = 'v';

/**
 * What the `segments` of an address behind the base of a site lead to; `null`: nothing. A section or a variant goes before
 * a page with the same path; what is the default is served from where it stands (decision 3.6, domain 5.2).
 *
 * @param visible What of the site is shown to whoever asks.
 * @param whole The same for everybody: who is not shown a default is not led past what stands in for it.
 */
export function placeOf(visible: SiteStructure, whole: SiteStructure, segments: readonly string[]): PlaceOnSite | null {
  const sections = sectionsOf(visible).map(({ section }) => section);
  if (sections.length === 0) return within({ holder: visible, defaults: whole.defaultSiteSpace }, segments);
  const named = namedIn(sections, whole.defaultSection, segments[0]);
  const section = named ?? sections.find(({ id }) => id === visible.defaultSection);
  if (!section) return null;
  const original = sectionsOf(whole).find((one) => one.section.id === section.id)?.section;
  const found = within(
    { holder: section, defaults: original?.defaultSiteSpace ?? null },
    named ? segments.slice(1) : segments,
  );
  if (!found) return null;
  // at the root of a site with sections, one of them may follow
  const open = !named && sections.length > 1 && found.base.length === 0 && found.rest.length === 0;
  return {
    ...found,
    section,
    base: [...(named ? [section.path] : []), ...found.base],
    complete: found.complete && !open,
  };
}

interface Level {
  holder: Pick<SiteStructure, 'siteSpaces' | 'defaultSiteSpace'>;
  /** Id of the site-space that has no segment of its own, for everybody. */
  defaults: string | null;
}

function within({ holder, defaults }: Level, segments: readonly string[]): PlaceOnSite | null {
  const { siteSpaces, defaultSiteSpace } = holder;
  const named = namedIn(siteSpaces, defaults, segments[0]);
  if (named) {
    const at = { section: null, siteSpace: named, base: [named.path], rest: segments.slice(1) };
    return { ...at, complete: true, former: false };
  }
  const siteSpace = siteSpaces.find(({ id }) => id === defaultSiteSpace);
  if (!siteSpace) return null;
  const old = segments[0] === VARIANT ? siteSpaces.find(({ path }) => path === segments[1]?.toLowerCase()) : undefined;
  if (old) {
    const base = old.id === defaults ? [] : [old.path];
    return { section: null, siteSpace: old, base, rest: segments.slice(2), complete: true, former: true };
  }
  const complete = segments.length > 0 || siteSpaces.length === 1;
  return { section: null, siteSpace, base: [], rest: [...segments], complete, former: false };
}

function namedIn<T extends { id: string; path: string }>(
  items: readonly T[],
  defaults: string | null,
  segment: string | undefined,
): T | undefined {
  const path = segment?.toLowerCase();
  return items.find((item) => item.path === path && item.id !== defaults);
}
