import { type AccessRow, MANAGE, PAGED, READ } from './access-row.js';

/** The same for entries in spaces and in collections. */
const permissionsIn = (place: string): Record<string, AccessRow> => ({
  // nobody of that name
  [`inviteTo${place}`]: {
    least: 'admin',
    allowed: 400,
    body: { users: ['nobody'], role: 'read' },
    malformed: { body: {} },
  },
  [`listUserPermissionsIn${place}`]: { least: 'admin', allowed: 200, ...PAGED },
  [`listTeamPermissionsIn${place}`]: { least: 'admin', allowed: 200, ...PAGED },
  [`listPermissionsAggregateIn${place}`]: { least: 'admin', allowed: 200, malformed: { query: { role: 'guest' } } },
  [`updateUserPermissionIn${place}`]: { ...MANAGE, body: {}, malformed: { body: { role: 'owner' } } },
  [`updateTeamPermissionIn${place}`]: { ...MANAGE, body: {}, malformed: { body: { role: 'owner' } } },
  [`removeUserFrom${place}`]: { least: 'admin', allowed: 205, destroys: true },
  [`removeTeamFrom${place}`]: { least: 'admin', allowed: 205, destroys: true },
});

/** Who may call the operations of entries in spaces and collections. */
export const ACCESS_OF_PERMISSIONS: Record<string, AccessRow> = {
  ...permissionsIn('Space'),
  ...permissionsIn('Collection'),
};

/** Who may call the operations of spaces, and of collections. */
export const ACCESS_OF_SPACES: Record<string, AccessRow> = {
  // spaces
  listSpacesInOrganizationById: { least: 'guest', allowed: 200, ...PAGED },
  createSpace: { least: 'create', allowed: 201, body: {}, malformed: { body: { title: 'x'.repeat(51) } } },
  getSpaceById: READ,
  updateSpaceById: { least: 'admin', allowed: 200, body: {}, malformed: { body: { emoji: null } } },
  deleteSpaceById: { least: 'admin', allowed: 205, destroys: true },
  // one that is not in the trash
  restoreSpace: { least: 'admin', allowed: 409 },
  duplicateSpace: { least: 'create', allowed: 201 },
  moveSpace: { least: 'admin', allowed: 200, body: {}, malformed: { body: { parent: 5 } } },
  // to nobody
  transferSpace: { least: 'admin', allowed: 400, body: { organization: 'nobody' }, malformed: { body: {} } },
  // collections
  listCollectionsInOrganizationById: { least: 'guest', allowed: 200, ...PAGED },
  createCollection: { least: 'create', allowed: 201, body: {}, malformed: { body: { title: 5 } } },
  getCollectionById: READ,
  updateCollectionById: { least: 'admin', allowed: 200, body: {}, malformed: { body: { title: null } } },
  deleteCollectionById: { least: 'admin', allowed: 205, destroys: true },
  listSpacesInCollectionById: { ...READ, ...PAGED },
  moveCollection: { least: 'admin', allowed: 200, body: {}, malformed: { body: { parent: 5 } } },
};
