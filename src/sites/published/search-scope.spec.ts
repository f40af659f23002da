import { flat, section, sectioned, siteSpace } from '../../../test/support/structures.js';
import { SearchScopeError, searchedSpaces } from './search-scope.js';

const SITE = sectioned([
  section('guides', [siteSpace('g', 'g')]),
  section('api', [siteSpace('a1', 'v1'), siteSpace('a2', 'v2')]),
]);

describe('searchedSpaces', () => {
  it.each([
    [{ mode: 'all' }, ['g', 'a1', 'a2']],
    [{ mode: 'current', siteSpaceId: 'a2' }, ['a2', 'g', 'a1']],
    [{ mode: 'specific', siteSpaceIds: ['a2', 'g', 'a2'] }, ['a2', 'g']],
    [{ siteSpaceIds: ['a1'] }, ['a1']],
    [{ scope: { mode: 'all' } }, ['g', 'a1', 'a2']],
    [{ scope: { mode: 'default' } }, ['g', 'a1']],
    [{ scope: { mode: 'default', includedSiteSpaces: ['a2', 'a1'] } }, ['g', 'a1', 'a2']],
    [{ scope: { mode: 'specific', siteSpaceIds: ['a2'] }, mode: 'all' }, ['a2']],
  ] as const)('%j', (asked, expected) => {
    expect(searchedSpaces(SITE, asked as Parameters<typeof searchedSpaces>[1])).toEqual(expected);
  });

  it('knows the root of a site without sections', () => {
    const root = flat([siteSpace('a', 'a'), siteSpace('b', 'b')]);
    expect(searchedSpaces(root, { scope: { mode: 'default' } })).toEqual(['a']);
    expect(searchedSpaces(flat([]), { mode: 'all' })).toEqual([]);
  });

  it.each([
    [{}, /^Say where to search/],
    [{ mode: 'current' }, /^siteSpaceId is required/],
    [{ mode: 'current', siteSpaceId: 'x' }, /^siteSpaceId names no site-space of the site: x$/],
    [{ mode: 'specific' }, /^Say where to search/],
    [{ siteSpaceIds: ['x'] }, /^siteSpaceIds names no/],
    [{ scope: { mode: 'specific' } }, /^scope\.siteSpaceIds is required/],
    [{ scope: { mode: 'default', includedSiteSpaces: ['x'] } }, /^scope\.includedSiteSpaces names no/],
  ] as const)('refuses %j', (asked, message) => {
    const search = () => searchedSpaces(SITE, asked as Parameters<typeof searchedSpaces>[1]);
    expect(search).toThrow(SearchScopeError);
    expect(search).toThrow(message);
  });
});
