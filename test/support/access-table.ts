import type { Role } from '../../src/common/roles.js';

/** What the paths of the table lead to; each is a part of one organization. */
export type Target =
  | 'organizationId'
  | 'spaceId'
  | 'collectionId'
  | 'pageId'
  | 'pagePath'
  | 'fileId'
  | 'documentId'
  | 'revisionId'
  | 'reusableContentId';

/** Who may call an operation, and what else it refuses. */
export interface AccessRow {
  /** The lowest role that may; `guest`: every member. Members with less get 403, who may not even view the thing 404. */
  least: Role | 'guest';
  /** What those who may get, when they send `query` and `body`. */
  allowed: number;
  query?: object;
  body?: unknown;
  type?: string;
  /** It takes something away: every caller gets a thing of its own. */
  destroys?: boolean;
  /** What is 400 to those who may; left out where nothing can be malformed. */
  malformed?: { query?: object; body?: unknown };
}

const PAGED = { malformed: { query: { limit: 1001 } } };
const FORMAT = { malformed: { query: { format: 'pdf' } } };
const METADATA = { malformed: { query: { metadata: 'perhaps' } } };
const READ = { least: 'read', allowed: 200 } as const;

/** Every operation of organizations' content: by the name that the contract gives it. */
export const ACCESS: Record<string, AccessRow> = {
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
  // content
  getCurrentRevision: { ...READ, ...METADATA },
  editContent: {
    least: 'edit',
    allowed: 200,
    body: { changes: [{ operation: 'insert_page', title: 'New', document: {} }] },
    malformed: { body: { changes: [] } },
  },
  listPages: { ...READ, ...METADATA },
  listFiles: { ...READ, ...PAGED },
  getFileById: { ...READ, ...METADATA },
  getPageById: { ...READ, ...FORMAT },
  getPageByPath: { ...READ, ...FORMAT },
  getReusableContentById: { ...READ, ...METADATA },
  getDocumentById: READ,
  getRevisionById: { ...READ, ...METADATA },
  getRevisionSemanticChanges: { ...READ, malformed: { query: { limit: -1 } } },
  listPagesInRevisionById: { ...READ, ...METADATA },
  listFilesInRevisionById: { ...READ, ...PAGED },
  getFileInRevisionById: { ...READ, ...METADATA },
  getPageInRevisionById: { ...READ, ...FORMAT },
  getPageDocumentInRevisionById: READ,
  getPageInRevisionByPath: { ...READ, ...FORMAT },
  getReusableContentInRevisionById: { ...READ, ...METADATA },
  getReusableContentDocumentInRevisionById: READ,
  // an address inside
  importContent: {
    least: 'edit',
    allowed: 400,
    body: { url: 'http://127.0.0.1/', source: 'markdown' },
    malformed: { body: { url: 'http://example.org/', source: 'paper' } },
  },
  getContentArchive: READ,
  // no archive
  putContentArchive: { least: 'edit', allowed: 400, type: 'application/zip', body: 'nothing' },
  listSpaceLinks: { ...READ, malformed: { query: { status: 'fine' } } },
  listPageLinksInSpace: { ...READ, ...PAGED },
  listSpacePageBacklinks: { ...READ, ...PAGED },
  listSpaceFileBacklinks: { ...READ, ...PAGED },
  searchSpaceContent: { ...READ, query: { query: 'word' }, malformed: { query: { query: ' ' } } },
  searchOrganizationContent: { least: 'guest', allowed: 200, query: { query: 'word' }, malformed: { query: {} } },
};
