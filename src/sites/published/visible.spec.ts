import { flat, group, section, sectioned, siteSpace } from '../../../test/support/structures.js';
import { visibleStructure } from './visible.js';

const STAFF = 'visitor.claims.isStaff === true';
const nobody = { unsigned: {} };
const staff = { isStaff: true, unsigned: {} };

describe('visibleStructure', () => {
  const structure = sectioned([
    section('staff', [siteSpace('s', 's')], STAFF),
    group([section('mixed', [siteSpace('m1', 'm1', STAFF), siteSpace('m2', 'm2')])]),
    section('inner', [siteSpace('i', 'i', STAFF)]),
    section('open', [siteSpace('o', 'o')]),
  ]);

  it('is the whole for who fulfils every condition', () => {
    expect(visibleStructure(structure, staff)).toEqual(structure);
  });

  it('leaves out what is hidden with all in it, and moves defaults on', () => {
    expect(visibleStructure(structure, nobody)).toEqual({
      ...structure,
      items: [
        group([{ ...section('mixed', [siteSpace('m2', 'm2')]), defaultSiteSpace: 'm2' }]),
        section('open', [siteSpace('o', 'o')]),
      ],
      defaultSection: 'mixed',
    });
  });

  it('does the same without sections, down to nothing', () => {
    const root = flat([siteSpace('a', 'a', STAFF), siteSpace('b', 'b')]);
    expect(visibleStructure(root, nobody)).toEqual(flat([siteSpace('b', 'b')]));
    expect(visibleStructure(flat([siteSpace('a', 'a', STAFF)]), nobody)).toEqual(flat([]));
  });
});
