import { type AuditRow, answered, changed, type Performed, type Scene } from './audit-scene.js';
import { zip } from './importing.js';
import { idOf, type Things } from './things.js';

const ANY = expect.any(String) as unknown;

/** The same for entries in spaces and collections. */
const entriesIn = (place: 'Space' | 'Collection'): Record<string, AuditRow> => {
  const [action, resource] =
    place === 'Space' ? (['space.grant', 'spaceId'] as const) : (['collection.grant', 'collectionId'] as const);
  return {
    [`inviteTo${place}`]: {
      action,
      resource,
      alone: true,
      settles: true,
      body: ({ reviewer }) => Promise.resolve({ users: [reviewer._id], role: 'edit' }),
      changes: ({ reviewer }) => changed('users', [], [{ id: reviewer._id, role: 'edit' }]),
    },
    [`updateUserPermissionIn${place}`]: {
      action,
      resource,
      settles: true,
      body: { role: 'edit' },
      changes: ({ at: { userId: id } }) => changed('users', [{ id, role: 'review' }], [{ id, role: 'edit' }]),
    },
    [`updateTeamPermissionIn${place}`]: {
      action,
      resource,
      alone: true,
      settles: true,
      body: { role: null },
      changes: ({ at: { teamId: id } }) => changed('teams', [{ id, role: 'review' }], [{ id, role: null }]),
    },
    [`removeUserFrom${place}`]: {
      action,
      resource,
      alone: true,
      changes: ({ at: { userId: id } }) => changed('users', [{ id, role: 'review' }], []),
    },
    [`removeTeamFrom${place}`]: {
      action,
      resource,
      alone: true,
      changes: ({ at: { teamId: id } }) => changed('teams', [{ id, role: 'review' }], []),
    },
  };
};

const TEXT = { body: { markdown: 'What I think.' } };

/** The same for comments on spaces and on change requests. */
const commentsIn = (place: 'Space' | 'ChangeRequest'): Record<string, AuditRow> => {
  const own = ({ at }: Performed): Things => (place === 'Space' ? at : { ...at, ...at.onChangeRequest });
  const where = ({ at: { spaceId, changeRequestId } }: Performed): Record<string, string> => ({
    space: spaceId,
    ...(place === 'ChangeRequest' && { changeRequest: changeRequestId }),
  });
  const each = (side: 'before' | 'after', values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { [side]: value }]));
  return {
    [`postCommentIn${place}`]: {
      action: 'comment.create',
      body: TEXT,
      resource: answered,
      changes: (done: Performed) => each('after', where(done)),
    },
    [`updateCommentIn${place}`]: {
      action: 'comment.update',
      body: TEXT,
      settles: true,
      resource: (done) => own(done).commentId,
      changes: changed('size', 4, 13),
    },
    [`deleteCommentIn${place}`]: {
      action: 'comment.delete',
      alone: true,
      resource: (done) => own(done).commentId,
      changes: (done: Performed) => each('before', where(done)),
    },
    [`postCommentReplyIn${place}`]: {
      action: 'comment-reply.create',
      body: TEXT,
      resource: answered,
      changes: (done: Performed) => each('after', { comment: own(done).commentId }),
    },
    [`updateCommentReplyIn${place}`]: {
      action: 'comment-reply.update',
      body: TEXT,
      settles: true,
      resource: (done) => own(done).commentReplyId,
      changes: changed('size', 3, 13),
    },
    [`deleteCommentReplyIn${place}`]: {
      action: 'comment-reply.delete',
      alone: true,
      resource: (done) => own(done).commentReplyId,
      changes: (done: Performed) => each('before', { comment: own(done).commentId }),
    },
  };
};

const insertPage = (title: string) => ({
  changes: [{ operation: 'insert_page', title, document: { markdown: `${title}\n` } }],
});
const REVISION = { revision: { before: ANY, after: ANY } };
const published = ({ answer }: Performed) => ({
  revision: { before: ANY, after: (answer as { revision: string }).revision },
});
const insert = async ({ app, at, admin }: Scene, title: string): Promise<void> => {
  await app.as(admin).post(`/v1/spaces/${at.spaceId}/content`).send(insertPage(title)).expect(200);
};

/** What operations on spaces, collections, content, change requests and comments record, by name. */
export const AUDIT_OF_CONTENT: Record<string, AuditRow> = {
  ...entriesIn('Space'),
  ...entriesIn('Collection'),
  ...commentsIn('Space'),
  ...commentsIn('ChangeRequest'),
  // spaces
  createSpace: {
    action: 'space.create',
    body: { title: 'Second' },
    resource: answered,
    changes: { title: { after: 'Second' }, parent: { after: null } },
  },
  updateSpaceById: {
    action: 'space.update',
    body: { title: 'Renamed', editMode: 'live' },
    settles: true,
    resource: 'spaceId',
    changes: changed('title', 'Handbook', 'Renamed'),
  },
  duplicateSpace: {
    action: 'space.duplicate',
    alone: true,
    resource: answered,
    changes: ({ at }: Performed) => ({
      title: { after: 'Copy of Handbook' },
      parent: { after: null },
      from: { after: at.spaceId },
    }),
  },
  moveSpace: {
    action: 'space.move',
    alone: true,
    body: ({ at }) => Promise.resolve({ parent: at.collectionId }),
    resource: 'spaceId',
    changes: ({ at }: Performed) => changed('parent', null, at.collectionId),
  },
  transferSpace: {
    action: 'space.transfer',
    alone: true,
    // a space of its own, which is on no site
    body: async ({ app, admin }) => ({ organization: (await app.create.organization({ admin }))._id }),
    resource: 'spaceId',
    organizations: ({ body }) => [(body as { organization: string }).organization],
    changes: ({ at, body }: Performed) =>
      changed('organization', at.organizationId, (body as { organization: string }).organization),
  },
  deleteSpaceById: {
    action: 'space.delete',
    alone: true,
    resource: 'spaceId',
    changes: { title: { before: 'Handbook' } },
  },
  restoreSpace: {
    action: 'space.restore',
    alone: true,
    async body({ app, at, admin }) {
      await app.as(admin).delete(`/v1/spaces/${at.spaceId}`).expect(205);
      return {};
    },
    resource: 'spaceId',
    changes: {},
  },
  setSpaceMergeRules: {
    action: 'space.set-merge-rules',
    body: { inherit: false, rules: [], bypass: [] },
    settles: true,
    resource: 'spaceId',
    changes: changed('inherit', true, false),
  },
  // collections
  createCollection: {
    action: 'collection.create',
    body: ({ at }) => Promise.resolve({ title: 'Inner', parent: at.collectionId }),
    resource: answered,
    changes: ({ at }: Performed) => ({ title: { after: 'Inner' }, parent: { after: at.collectionId } }),
  },
  updateCollectionById: {
    action: 'collection.update',
    body: { title: 'Renamed' },
    settles: true,
    resource: 'collectionId',
    changes: changed('title', 'Untitled', 'Renamed'),
  },
  moveCollection: {
    action: 'collection.move',
    alone: true,
    async body({ app, at, admin }) {
      const made = await app.as(admin).post(`/v1/orgs/${at.organizationId}/collections`).send({}).expect(201);
      return { parent: idOf(made.body) };
    },
    resource: 'collectionId',
    changes: ({ body }: Performed) => changed('parent', null, (body as { parent: string }).parent),
  },
  deleteCollectionById: {
    action: 'collection.delete',
    alone: true,
    resource: 'collectionId',
    changes: { title: { before: 'Untitled' } },
  },
  // content
  editContent: {
    action: 'content.edit',
    body: insertPage('New'),
    resource: 'spaceId',
    changes: published,
  },
  importContent: {
    action: 'content.import',
    alone: true,
    body: ({ page }) => Promise.resolve({ url: page, source: 'markdown' }),
    resource: 'spaceId',
    changes: published,
  },
  putContentArchive: {
    action: 'content.import',
    alone: true,
    type: 'application/zip',
    body: () => zip({ 'a.md': '# A' }),
    resource: 'spaceId',
    changes: published,
  },
  // change requests
  createChangeRequest: {
    action: 'change-request.create',
    body: { subject: 'Better' },
    resource: answered,
    changes: ({ at }: Performed) => ({ subject: { after: 'Better' }, space: { after: at.spaceId } }),
  },
  updateChangeRequestById: {
    action: 'change-request.update',
    body: { subject: 'Better' },
    settles: true,
    resource: 'changeRequestId',
    changes: changed('subject', '', 'Better'),
  },
  changeContentInChangeRequest: {
    action: 'change-request.edit',
    body: insertPage('Proposed'),
    resource: 'changeRequestId',
    changes: REVISION,
  },
  updateChangeRequest: {
    action: 'change-request.pull',
    alone: true,
    async body(scene) {
      await insert(scene, 'Meanwhile');
      return {};
    },
    settles: true,
    resource: 'changeRequestId',
    changes: REVISION,
  },
  requestReviewersForChangeRequest: {
    action: 'change-request.request-reviews',
    body: ({ reviewer }) => Promise.resolve({ users: [reviewer._id] }),
    resource: 'changeRequestId',
    changes: ({ at: { userId }, reviewer }: Performed) =>
      changed('requestedReviewers', [userId], [userId, reviewer._id]),
  },
  removeRequestedReviewerFromChangeRequest: {
    action: 'change-request.withdraw-request',
    alone: true,
    resource: 'changeRequestId',
    changes: ({ at: { userId } }: Performed) => changed('requestedReviewers', [userId], []),
  },
  submitChangeRequestReview: {
    action: 'change-request.review',
    by: 'reviewer',
    body: { status: 'approved' },
    resource: 'changeRequestId',
    changes: (done: Performed) => ({
      review: { after: answered(done) },
      status: { after: 'approved' },
      revision: { after: ANY },
    }),
  },
  mergeChangeRequest: {
    action: 'change-request.merge',
    alone: true,
    resource: 'changeRequestId',
    changes: (done: Performed) => ({ ...published(done), ...changed('status', 'open', 'merged') }),
  },
};
