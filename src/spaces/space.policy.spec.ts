import { type Role, ROLES } from '../common/roles.js';
import { spacePermissions } from './space.policy.js';

const LIVE = { deletedAt: null };
const TRASHED = { deletedAt: new Date(0) };

/** The names of what is allowed. */
const allowed = (...given: Parameters<typeof spacePermissions>): string[] =>
  Object.entries(spacePermissions(...given))
    .flatMap(([name, may]) => (may === true ? [name] : []))
    .sort();

const READ = ['view', 'access'];
const COMMENT = [...READ, 'comment'];
const EDIT = [...COMMENT, 'edit'];
const REVIEW = [...EDIT, 'review', 'merge'];
const ADMIN = [...REVIEW, 'admin', 'viewInviteLinks'];

describe('spacePermissions', () => {
  it.each<[Role | null, string[]]>([
    [null, []],
    ['read', READ],
    ['comment', COMMENT],
    ['edit', EDIT],
    ['review', REVIEW],
    ['create', REVIEW],
    ['admin', ADMIN],
  ])('of the role %s', (role, names) => {
    expect(allowed(role, LIVE)).toEqual([...names].sort());
  });

  it('are to see the content, and no more, for whoever a published site admits', () => {
    expect(allowed(null, LIVE, true)).toEqual(['view']);
    for (const role of ROLES) expect(allowed(role, LIVE, true)).toEqual(allowed(role, LIVE));
  });

  it('are in the trash for administrators alone: to see it and to bring it back', () => {
    for (const admitted of [false, true]) {
      expect(allowed('admin', TRASHED, admitted)).toEqual(['access', 'admin', 'view']);
      for (const role of [null, ...ROLES]) if (role !== 'admin') expect(allowed(role, TRASHED, admitted)).toEqual([]);
    }
  });

  it('says all that the API promises, as true or false', () => {
    expect(Object.keys(spacePermissions(null, LIVE)).sort()).toEqual(
      ['access', 'admin', 'comment', 'edit', 'merge', 'review', 'triggerGitSync', 'view', 'viewInviteLinks'].sort(),
    );
    for (const role of [null, ...ROLES]) expect(spacePermissions(role, LIVE).triggerGitSync).toBe(false);
  });
});
