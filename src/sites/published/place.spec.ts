import { placeOf } from './place.js';
import { flat, group, section, sectioned, siteSpace } from '../../../test/support/structures.js';

const PLAIN = flat([siteSpace('one', 'guides')]);
const VARIANTS = flat([siteSpace('v1', 'v1'), siteSpace('v2', 'v2')]);
const SITE = sectioned([
  section('guides', [siteSpace('g', 'guides')]),
  group([section('api', [siteSpace('a1', 'v1'), siteSpace('a2', 'v2')])]),
  section('extra', [siteSpace('e', 'extra')]),
]);

const shape = (place: ReturnType<typeof placeOf>) =>
  place && [place.section?.id ?? null, place.siteSpace.id, place.base.join('/'), place.rest.join('/'), place.complete];
const at = (structure: typeof SITE, path: string, visible = structure) =>
  placeOf(visible, structure, path.split('/').filter(Boolean));

describe('placeOf', () => {
  it.each([
    [PLAIN, '', [null, 'one', '', '', true]],
    [PLAIN, 'guides/second', [null, 'one', '', 'guides/second', true]],
    [VARIANTS, '', [null, 'v1', '', '', false]],
    [VARIANTS, 'v2', [null, 'v2', 'v2', '', true]],
    [VARIANTS, 'V2/page', [null, 'v2', 'v2', 'page', true]],
    [VARIANTS, 'v1/page', [null, 'v1', '', 'v1/page', true]],
    [SITE, '', ['guides', 'g', '', '', false]],
    [SITE, 'page', ['guides', 'g', '', 'page', true]],
    [SITE, 'api', ['api', 'a1', 'api', '', false]],
    [SITE, 'api/v2', ['api', 'a2', 'api/v2', '', true]],
    [SITE, 'api/guides/second', ['api', 'a1', 'api', 'guides/second', true]],
    [SITE, 'extra', ['extra', 'e', 'extra', '', true]],
    [SITE, 'guides/page', ['guides', 'g', '', 'guides/page', true]],
    [sectioned([section('only', [siteSpace('o', 'only')])]), '', ['only', 'o', '', '', true]],
  ])('finds what an address leads to', (structure, path, expected) => {
    expect(shape(at(structure, path))).toEqual(expected);
  });

  it('knows the old way to name a variant', () => {
    expect(at(VARIANTS, 'v/v2/page')).toMatchObject({ former: true, base: ['v2'], rest: ['page'] });
    expect(at(VARIANTS, 'v/v1')).toMatchObject({ former: true, base: [], rest: [] });
    expect(at(SITE, 'api/v/v2')).toMatchObject({ former: true, base: ['api', 'v2'], rest: [] });
    expect(at(VARIANTS, 'v/other')).toMatchObject({ former: false, base: [], rest: ['v', 'other'] });
  });

  it('leads who is not shown the default to what stands in for it, at its own address and at the root', () => {
    const visible = sectioned([section('extra', [siteSpace('e', 'extra')])]);
    expect(shape(at(SITE, '', visible))).toEqual(['extra', 'e', '', '', true]);
    expect(shape(at(SITE, 'extra/page', visible))).toEqual(['extra', 'e', 'extra', 'page', true]);
    expect(shape(at(SITE, 'api', visible))).toEqual(['extra', 'e', '', 'api', true]);
    expect(at(SITE, '', flat([]))).toBeNull();
  });
});
