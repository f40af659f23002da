import { type Role, ROLES } from '../common/roles.js';
import { mayManage, mayReview } from './change-request.policy.js';

const live = { deletedAt: null };
const roles: (Role | null)[] = [null, ...ROLES];
const holding = (may: (role: Role | null) => boolean) => roles.filter(may);

describe('a change request', () => {
  const changeRequest = { createdBy: 'ann' };

  it('is managed by who made it and may edit, and by who may review', () => {
    expect(holding((role) => mayManage(changeRequest, live, { user: 'ann', role }))).toEqual([
      'edit',
      'review',
      'create',
      'admin',
    ]);
    expect(holding((role) => mayManage(changeRequest, live, { user: 'bob', role }))).toEqual([
      'review',
      'create',
      'admin',
    ]);
  });

  it('is reviewed by who may review, but not by who made it', () => {
    expect(holding((role) => mayReview(changeRequest, live, { user: 'bob', role }))).toEqual([
      'review',
      'create',
      'admin',
    ]);
    expect(holding((role) => mayReview(changeRequest, live, { user: 'ann', role }))).toEqual([]);
  });

  it('is left alone in the trash', () => {
    const space = { deletedAt: new Date() };
    expect(holding((role) => mayManage(changeRequest, space, { user: 'ann', role }))).toEqual([]);
    expect(holding((role) => mayReview(changeRequest, space, { user: 'bob', role }))).toEqual([]);
  });
});
