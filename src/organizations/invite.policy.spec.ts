import type { Role } from '../common/roles.js';
import { isRedundant } from './invite.policy.js';

describe('isRedundant', () => {
  it.each<[Role | null, Role | null | 'stranger', boolean]>([
    ['read', 'stranger', false],
    [null, 'stranger', false],
    [null, null, true],
    ['read', null, false],
    ['edit', 'comment', false],
    ['edit', 'edit', true],
    ['edit', 'admin', true],
  ])('of a link to an organization with the role %s for %s: %s', (role, present, redundant) => {
    const member = present === 'stranger' ? null : { role: present };
    expect(isRedundant({ space: null, role }, member)).toBe(redundant);
  });

  it.each<[Role | null, Role | null, boolean]>([
    [null, null, true],
    ['read', null, false],
    ['edit', 'comment', false],
    ['edit', 'create', true],
  ])('of a link to a space with the level %s for a member with the role %s there: %s', (role, present, redundant) => {
    expect(isRedundant({ space: 's', role }, { role: 'read' }, { role: present })).toBe(redundant);
    expect(isRedundant({ space: 's', role }, null, { role: present })).toBe(false);
  });

  it('is not misled by a space that is not seen', () => {
    expect(isRedundant({ space: 's', role: 'read' }, { role: 'admin' })).toBe(false);
  });
});
