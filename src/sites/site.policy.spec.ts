import { type Role, ROLES } from '../common/roles.js';
import type { Member } from '../organizations/index.js';
import { audienceAdmits, seesEverySite, sitePermissions } from './site.policy.js';
import { SITE_VISIBILITIES } from './site.schema.js';

const memberWith = (role: Role | null, disabled = false): Member =>
  ({ role, disabled, teams: [] }) as unknown as Member;
const nothing = { onSpace: false, admitted: false };

describe('rights on a site', () => {
  it.each([
    [null, { view: false, manage: false, published: false }],
    ['read', { view: true, manage: false, published: true }],
    ['comment', { view: true, manage: false, published: true }],
    ['edit', { view: true, manage: false, published: true }],
    ['review', { view: true, manage: false, published: true }],
    ['create', { view: true, manage: true, published: true }],
    ['admin', { view: true, manage: true, published: true }],
  ] as const)('of a member with the role %s', (role, expected) => {
    expect(sitePermissions(memberWith(role), nothing)).toEqual(expected);
    expect(seesEverySite(memberWith(role))).toBe(expected.view);
    expect(sitePermissions(memberWith(role), { onSpace: true, admitted: false }).view).toBe(true);
  });

  it('of strangers and disabled members are those of whom the site admits', () => {
    for (const member of [null, ...ROLES.map((role) => memberWith(role, true))]) {
      const none = { view: false, manage: false, published: false };
      expect(sitePermissions(member, { onSpace: true, admitted: false })).toEqual(none);
      expect(sitePermissions(member, { onSpace: false, admitted: true })).toEqual({ ...none, published: true });
    }
  });

  it('to read it as it is published follow from its visibility and the key of a share link', () => {
    const admitted = SITE_VISIBILITIES.map((visibility) => [
      visibility,
      ...[true, false].flatMap((published) =>
        [false, true].map((shareKey) => audienceAdmits({ published, visibility }, { shareKey })),
      ),
    ]);
    expect(admitted).toEqual([
      ['public', true, true, false, false],
      ['unlisted', true, true, false, false],
      ['share-link', false, true, false, false],
      ['visitor-auth', false, false, false, false],
    ]);
  });
});
