import { Urls } from '../common/urls.js';
import type { Role } from '../common/roles.js';
import type { DefaultLevel } from './grant.schema.js';
import { spacePermissions } from './space.policy.js';
import type { Space } from './space.schema.js';
import { toSpace } from './space.view.js';

const urls = new Urls('https://api.test', 'https://app.test', 'https://pub.test');

const space: Space = {
  _id: 's1',
  organization: 'o1',
  parent: null,
  order: 'a0',
  purging: false,
  holds: 0,
  title: 'Handbook',
  emoji: '📘',
  editMode: 'live',
  defaultLevel: 'inherit',
  users: [{ subject: 'private', role: 'admin', createdAt: new Date(0) }],
  teams: [],
  revision: 'r1',
  indexedRevision: 'r0',
  indexTarget: null,
  indexing: true,
  indexSteps: 3,
  comments: 1,
  changeRequests: 4,
  changeRequestsOpen: 2,
  changeRequestsDraft: 1,
  version: 7,
  deletedAt: null,
  createdAt: new Date(1),
  updatedAt: new Date(2),
};

const shaped = (
  changes: Partial<Space> = {},
  {
    defaultRole = 'read',
    level = 'inherit',
    role = 'edit',
  }: { defaultRole?: Role | null; level?: DefaultLevel; role?: Role | null } = {},
) => toSpace({ ...space, ...changes }, { role, level, organization: { defaultRole }, urls });

describe('toSpace', () => {
  it('counts nothing for who has no role', () => {
    const nothing = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 };
    expect(shaped({}, { role: null })).toMatchObject(nothing);
  });

  it('shows what the API promises, and of the record nothing else', () => {
    expect(shaped()).toEqual({
      object: 'space',
      id: 's1',
      title: 'Handbook',
      emoji: '📘',
      visibility: 'private',
      createdAt: '1970-01-01T00:00:00.001Z',
      updatedAt: '1970-01-01T00:00:00.002Z',
      editMode: 'live',
      urls: { location: 'https://api.test/v1/spaces/s1', app: 'https://app.test/s/s1' },
      organization: 'o1',
      revision: 'r1',
      defaultLevel: 'read',
      comments: 1,
      changeRequests: 4,
      changeRequestsOpen: 2,
      changeRequestsDraft: 1,
      permissions: spacePermissions('edit', space),
    });
  });

  it.each([
    ['inherit', 'inherit', 'read', 'read'],
    ['inherit', 'inherit', null, null],
    ['inherit', 'edit', 'read', 'edit'],
    ['inherit', null, 'read', null],
    [null, 'edit', 'read', null],
    ['edit', null, 'read', 'edit'],
  ] as const)(
    'shows the level %s, below %s, where members are %s by default, as %s',
    (own, level, defaultRole, shown) => {
      expect(shaped({ defaultLevel: own }, { level, defaultRole }).defaultLevel).toBe(shown);
    },
  );

  it('names the collection it stands in, and when it went to the trash', () => {
    expect(shaped({ parent: 'c1' })).toMatchObject({ parent: 'c1', visibility: 'in-collection' });
    expect(shaped({ parent: 'c1', defaultLevel: 'read' }).visibility).toBe('private');
    expect(shaped({ deletedAt: new Date(3) })).toMatchObject({
      deletedAt: '1970-01-01T00:00:00.003Z',
      permissions: { edit: false },
    });
  });
});
