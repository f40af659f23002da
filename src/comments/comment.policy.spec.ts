import { type Role, ROLES } from '../common/roles.js';
import { commentPermissions, mayResolve } from './comment.policy.js';

const COMMENT = { postedBy: 'ann' };
const NONE = { view: false, edit: false, reply: false, delete: false };
const ALL = { view: true, edit: true, reply: true, delete: true };
const OTHER = { view: true, edit: false, reply: true, delete: false };

describe('commentPermissions', () => {
  it.each<[Role | null, object, object]>([
    [null, NONE, NONE],
    ['read', NONE, NONE],
    ['comment', ALL, OTHER],
    ['edit', ALL, OTHER],
    ['review', ALL, OTHER],
    ['create', ALL, OTHER],
    ['admin', ALL, { ...OTHER, delete: true }],
  ])('with the role %s', (role, own, others) => {
    expect(commentPermissions(COMMENT, { user: 'ann', role })).toEqual(own);
    expect(commentPermissions(COMMENT, { user: 'bob', role })).toEqual(others);
  });
});

describe('mayResolve', () => {
  it('is for the author, and for who edits the space', () => {
    const may = (user: string) => ROLES.filter((role) => mayResolve(COMMENT, { user, role }));
    expect(may('ann')).toEqual(['comment', 'edit', 'review', 'create', 'admin']);
    expect(may('bob')).toEqual(['edit', 'review', 'create', 'admin']);
    expect(mayResolve(COMMENT, { user: 'ann', role: null })).toBe(false);
  });
});
