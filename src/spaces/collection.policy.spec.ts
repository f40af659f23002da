import type { Role } from '../common/roles.js';
import { collectionPermissions } from './collection.policy.js';

const nothing = { view: false, admin: false, viewInviteLinks: false, create: false };

describe('collectionPermissions', () => {
  it.each<[Role | null, object]>([
    [null, nothing],
    ['read', { ...nothing, view: true }],
    ['review', { ...nothing, view: true }],
    ['create', { ...nothing, view: true, create: true }],
    ['admin', { view: true, admin: true, viewInviteLinks: true, create: true }],
  ])('of the role %s', (role, permissions) => {
    expect(collectionPermissions(role)).toEqual(permissions);
  });
});
