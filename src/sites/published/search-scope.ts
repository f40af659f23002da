import { sectionsOf, siteSpacesOf, type SiteStructure } from '../structure/structure.js';
import type { SearchSiteDto } from './dto/search-site.dto.js';

/** What is wrong with what a search is to look at; the message names the property. */
export class SearchScopeError extends Error {}

type Asked = Pick<SearchSiteDto, 'scope' | 'mode' | 'siteSpaceId' | 'siteSpaceIds'>;

/**
 * Ids of the spaces that a search of a site looks at, each once.
 * @param structure What of the site the caller is shown. @throws SearchScopeError for what the site does not show.
 */
export function searchedSpaces(structure: SiteStructure, asked: Asked): string[] {
  const { scope, mode, siteSpaceId, siteSpaceIds } = asked;
  if (scope) return ofScope(structure, scope);
  switch (mode) {
    case 'all':
      return every(structure);
    case 'current':
      if (siteSpaceId === undefined) throw new SearchScopeError('siteSpaceId is required with the mode "current"');
      return unique([...named(structure, [siteSpaceId], 'siteSpaceId'), ...defaults(structure)]);
    default:
      if (siteSpaceIds === undefined) {
        throw new SearchScopeError('Say where to search: with scope, or with mode "all", "current" or "specific"');
      }
      return named(structure, siteSpaceIds, 'siteSpaceIds');
  }
}

function ofScope(
  structure: SiteStructure,
  { mode, siteSpaceIds, includedSiteSpaces = [] }: NonNullable<Asked['scope']>,
) {
  if (mode === 'all') return every(structure);
  if (mode === 'default') {
    return unique([...defaults(structure), ...named(structure, includedSiteSpaces, 'scope.includedSiteSpaces')]);
  }
  if (siteSpaceIds === undefined) {
    throw new SearchScopeError('scope.siteSpaceIds is required with the mode "specific"');
  }
  return named(structure, siteSpaceIds, 'scope.siteSpaceIds');
}

function every(structure: SiteStructure): string[] {
  return unique(siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.space));
}

/** Spaces of the default site-space of each section, or of the root. */
function defaults(structure: SiteStructure): string[] {
  const holders = [structure, ...sectionsOf(structure).map(({ section }) => section)];
  return holders.flatMap(({ siteSpaces, defaultSiteSpace }) =>
    siteSpaces.flatMap(({ id, space }) => (id === defaultSiteSpace ? space : [])),
  );
}

function named(structure: SiteStructure, ids: readonly string[], property: string): string[] {
  const spaces = new Map(siteSpacesOf(structure).map(({ siteSpace }) => [siteSpace.id, siteSpace.space]));
  return unique(
    ids.map((id) => {
      const space = spaces.get(id);
      if (space === undefined) throw new SearchScopeError(`${property} names no site-space of the site: ${id}`);
      return space;
    }),
  );
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
