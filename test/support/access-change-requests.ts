import { type AccessRow, FORMAT, METADATA, PAGED, READ } from './access-row.js';

const RULES: AccessRow = {
  least: 'admin',
  allowed: 200,
  body: { rules: [], bypass: [] },
  malformed: { body: { rules: [{ kind: 'unanimous' }], bypass: [] } },
};

/** Who may call the operations of change requests, of somebody else, and of their content. */
export const ACCESS_OF_CHANGE_REQUESTS: Record<string, AccessRow> = {
  listChangeRequestsForSpace: { ...READ, malformed: { query: { status: 'all' } } },
  createChangeRequest: { least: 'edit', allowed: 201, body: {}, malformed: { body: { subject: 'x'.repeat(101) } } },
  getChangeRequestById: READ,
  updateChangeRequestById: { least: 'review', allowed: 200, body: {}, malformed: { body: { status: 'merged' } } },
  mergeChangeRequest: { least: 'review', allowed: 200, destroys: true },
  updateChangeRequest: { least: 'edit', allowed: 200, malformed: { body: { resolutions: [{ page: 'a', by: 'me' }] } } },
  getChangeRequestPDF: { ...READ, malformed: { query: { only: 'true' } } },
  getRequestedReviewersByChangeRequestId: { ...READ, ...PAGED },
  requestReviewersForChangeRequest: {
    least: 'review',
    allowed: 200,
    body: { users: [] },
    malformed: { body: { users: ['nobody'] } },
  },
  removeRequestedReviewerFromChangeRequest: { least: 'review', allowed: 205, destroys: true },
  getReviewsByChangeRequestId: { ...READ, ...FORMAT },
  submitChangeRequestReview: {
    least: 'review',
    allowed: 201,
    body: { status: 'approved' },
    malformed: { body: { status: 'fine' } },
  },
  getContributorsByChangeRequestId: { ...READ, ...PAGED },
  getChangeRequestMergeability: READ,
  getOrganizationMergeRules: { least: 'admin', allowed: 200 },
  setOrganizationMergeRules: RULES,
  getSpaceMergeRules: { least: 'admin', allowed: 200 },
  setSpaceMergeRules: RULES,
  // their content
  changeContentInChangeRequest: {
    least: 'edit',
    allowed: 200,
    body: { changes: [{ operation: 'insert_page', title: 'New', document: {} }] },
    malformed: { body: { changes: [] } },
  },
  getRevisionOfChangeRequestById: { ...READ, ...METADATA },
  getChangeRequestChanges: { ...READ, malformed: { query: { limit: -1 } } },
  listPagesInChangeRequest: { ...READ, ...METADATA },
  listFilesInChangeRequestById: { ...READ, ...PAGED },
  getFileInChangeRequestById: { ...READ, ...METADATA },
  getPageInChangeRequestById: { ...READ, ...FORMAT },
  getPageInChangeRequestByPath: { ...READ, ...FORMAT },
  getReusableContentInChangeRequestById: { ...READ, ...METADATA },
  listChangeRequestLinks: { ...READ, malformed: { query: { status: 'fine' } } },
};
