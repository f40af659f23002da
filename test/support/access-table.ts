import type { Role } from '../../src/common/roles.js';
import { ACCESS_OF_OPENAPI } from './access-openapi.js';
import type { Things } from './things.js';

/** What the paths of the table lead to; each is a part of one organization. */
export type Target =
  | 'organizationId'
  | 'inviteId'
  | 'spaceId'
  | 'collectionId'
  | 'pageId'
  | 'pagePath'
  | 'fileId'
  | 'documentId'
  | 'revisionId'
  | 'reusableContentId'
  /** A member with the role `review`, of the team, with an entry in the space and in the collection, asked for a review. */
  | 'userId'
  /** A team with an entry in the space and in the collection. */
  | 'teamId'
  | 'samlProviderId'
  /** A site with two sections, one of them in the group; not published. */
  | 'siteId'
  /** The section in the group. */
  | 'siteSectionId'
  | 'siteSectionGroupId'
  /** The space alone in the section. */
  | 'siteSpaceId'
  | 'shareLinkId'
  | 'siteRedirectId'
  | 'webhookId'
  /** A delivery to the webhook that was given up. */
  | 'deliveryId'
  | 'changeRequestId'
  /** A comment on the space, or on the change request that the path names. */
  | 'commentId'
  | 'commentReplyId'
  /** A description of an API, with a version. */
  | 'specSlug'
  | 'versionId'
  | 'translationSettingsId';

/** Who may call an operation, and what else it refuses. */
export interface AccessRow {
  /**
   * The lowest role that may; `guest`: every member, `stranger`: everybody. Members with less get 403, who may not even view
   * the thing 404.
   */
  least: Role | 'guest' | 'stranger';
  /** What those who may get, when they send `query` and `body`. */
  allowed: number;
  query?: object;
  body?: object | string | ((at: Things) => object);
  type?: string;
  /** It takes something away: every caller gets a thing of its own. */
  destroys?: boolean;
  /** What it makes where it is not there: knowing no such thing is no failure. */
  makes?: Target;
  /** Guests, who see the organization, do not see this. */
  hidden?: boolean;
  /** What is 400 to those who may; left out where nothing can be malformed. */
  malformed?: { query?: object; body?: object };
}

const PAGED = { malformed: { query: { limit: 1001 } } };
const FORMAT = { malformed: { query: { format: 'pdf' } } };
const METADATA = { malformed: { query: { metadata: 'perhaps' } } };
const COMMENT = { least: 'comment', allowed: 200 } as const;
const BODY = { body: { markdown: 'Well.' } };
const RULES: AccessRow = {
  least: 'admin',
  allowed: 200,
  body: { rules: [], bypass: [] },
  malformed: { body: { rules: [{ kind: 'unanimous' }], bypass: [] } },
};
const READ = { least: 'read', allowed: 200 } as const;

const MANAGE = { least: 'admin', allowed: 204 } as const;
/** Guests do not see a site without a space in which they have a role. */
const SITE = { least: 'read', allowed: 200, hidden: true } as const;
const SITES = { least: 'create', allowed: 200, hidden: true } as const;
const MOVE = { malformed: { body: { position: { before: 5 } } } };

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

/** Every operation of organizations' content: by the name that the contract gives it. */
export const ACCESS: Record<string, AccessRow> = {
  // teams
  listTeamsInOrganizationById: { ...READ, ...PAGED },
  createOrganizationTeam: { least: 'admin', allowed: 201, body: { title: 'Team' }, malformed: { body: { title: '' } } },
  getTeamInOrganizationById: { ...READ, hidden: true },
  updateTeamInOrganizationById: {
    least: 'admin',
    allowed: 200,
    hidden: true,
    body: { title: 'Team' },
    malformed: { body: {} },
  },
  removeTeamFromOrganizationById: { ...MANAGE, destroys: true },
  listTeamMembersInOrganizationById: { ...READ, ...PAGED, hidden: true },
  updateMembersInOrganizationTeam: { ...MANAGE, hidden: true, body: {}, malformed: { body: { add: 'everybody' } } },
  addMemberToOrganizationTeamById: { ...MANAGE, hidden: true, malformed: { body: { role: 'boss' } } },
  deleteMemberFromOrganizationTeamById: { ...MANAGE, hidden: true, destroys: true },
  listTeamsForOrganizationMember: { ...READ, ...PAGED },
  listSpacesForOrganizationMember: { least: 'admin', allowed: 200, malformed: { query: { order: 'up' } } },
  ...ACCESS_OF_OPENAPI,
  // permissions
  ...permissionsIn('Space'),
  ...permissionsIn('Collection'),
  // members
  listMembersInOrganizationById: { ...READ, malformed: { query: { sort: 'name' } } },
  getMemberInOrganizationById: READ,
  updateMemberInOrganizationById: { least: 'admin', allowed: 200, body: {}, malformed: { body: { role: 'owner' } } },
  removeMemberFromOrganizationById: { least: 'admin', allowed: 204, destroys: true },
  setUserAsSSOMemberForOrganization: { least: 'admin', allowed: 200 },
  updateOrganizationMemberLastSeenAt: { least: 'guest', allowed: 200 },
  // single sign-on
  listSAMLProvidersInOrganizationById: { least: 'admin', allowed: 200, ...PAGED },
  createOrganizationSAMLProvider: {
    least: 'admin',
    allowed: 201,
    body: { label: 'Acme' },
    malformed: { body: { label: '' } },
  },
  getOrganizationSAMLProviderById: { least: 'admin', allowed: 200 },
  updateOrganizationSAMLProvider: { least: 'admin', allowed: 200, body: {}, malformed: { body: { label: null } } },
  deleteOrganizationSAMLProvider: { ...MANAGE, destroys: true },
  listSSOProviderLoginsInOrganization: { least: 'guest', allowed: 200 },
  // sites
  listSites: { least: 'guest', allowed: 200, malformed: { query: { published: 'yes' } } },
  createSite: { least: 'create', allowed: 201, body: {}, malformed: { body: { spaces: 'all' } } },
  getSiteById: SITE,
  updateSiteById: { ...SITES, body: {}, malformed: { body: { basename: 'A' } } },
  deleteSiteById: { ...SITES, allowed: 205, destroys: true },
  publishSite: SITES,
  // after it: the others are about a site that is not published
  unpublishSite: SITES,
  getSiteStructure: { ...SITE, malformed: { query: { shareKey: ['a', 'b'] } } },
  // nothing of that name
  sortSiteStructure: {
    ...SITES,
    allowed: 400,
    body: { item: { type: 'site-space', id: 'nothing' }, position: {} },
    malformed: { body: { item: { type: 'page', id: 'a' }, position: {} } },
  },
  listSiteSections: { ...SITE, ...PAGED },
  // no space of that name
  addSectionToSite: { ...SITES, allowed: 400, body: { spaceId: 'nothing' }, malformed: { body: {} } },
  updateSiteSectionById: { ...SITES, body: {}, malformed: { body: { title: 'A' } } },
  deleteSiteSectionById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSection: { ...SITES, ...MOVE },
  listSiteSectionGroups: { ...SITE, ...PAGED },
  addSectionGroupToSite: { ...SITES, allowed: 201, body: { title: 'More' }, malformed: { body: { title: '' } } },
  updateSiteSectionGroupById: { ...SITES, body: {}, malformed: { body: { title: null } } },
  deleteSiteSectionGroupById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSectionGroup: { ...SITES, ...MOVE },
  // no section of that name
  addSectionToGroup: { ...SITES, allowed: 400, body: { sectionId: 'nothing' }, malformed: { body: {} } },
  removeSectionFromGroup: { ...SITES, allowed: 205, destroys: true },
  listSiteSpaces: { ...SITE, malformed: { query: { default: 1 } } },
  addSpaceToSite: { ...SITES, allowed: 400, body: { spaceId: 'nothing' }, malformed: { body: { spaceId: 1 } } },
  updateSiteSpaceById: { ...SITES, body: {}, malformed: { body: { path: 'A b' } } },
  deleteSiteSpaceById: { ...SITES, allowed: 205, destroys: true },
  moveSiteSpace: { ...SITES, ...MOVE },
  listSiteShareLinks: { ...SITES, ...PAGED },
  createSiteShareLink: { ...SITES, allowed: 201, body: { name: '' }, malformed: { body: {} } },
  updateSiteShareLinkById: { ...SITES, body: {}, malformed: { body: { active: 'no' } } },
  deleteSiteShareLinkById: { ...SITES, allowed: 205, destroys: true },
  getSiteCustomizationById: SITE,
  updateSiteCustomizationById: { ...SITES, body: {}, malformed: { body: { styling: 5 } } },
  getSiteSpaceCustomizationById: SITE,
  overrideSiteSpaceCustomizationById: { ...SITES, body: {}, malformed: { body: { styling: null } } },
  deleteSiteSpaceCustomizationById: { ...SITES, allowed: 205, destroys: true },
  listSiteRedirects: { ...SITE, ...PAGED },
  // no section of that name
  createSiteRedirect: {
    ...SITES,
    allowed: 400,
    body: { source: '/a', destination: { kind: 'site-section', siteSectionId: 'nothing' } },
    malformed: { body: {} },
  },
  updateSiteRedirectById: { ...SITES, body: {}, malformed: { body: { source: null } } },
  deleteSiteRedirectById: { ...SITES, allowed: 205, destroys: true },
  getSitePublishingAuthById: SITES,
  updateSitePublishingAuthById: { ...SITES, body: {}, malformed: { body: { backend: 'saml' } } },
  regenerateSitePublishingAuthById: SITES,
  // after it: there is none before
  updateSiteAdaptiveSchema: {
    ...SITES,
    body: { jsonSchema: { type: 'object', properties: {} } },
    malformed: { body: {} },
  },
  getSiteAdaptiveSchema: SITE,
  getPublishedContentSite: SITE,
  // no redirect
  getSiteRedirectBySource: {
    ...SITE,
    allowed: 404,
    query: { source: '/gone' },
    malformed: { query: { source: 'gone' } },
  },
  searchSiteContent: {
    ...SITE,
    body: { query: 'word', mode: 'all' },
    malformed: { body: { query: 'word', mode: 'some' } },
  },
  // webhooks
  listWebhooks: { least: 'admin', allowed: 200, ...PAGED },
  createWebhook: {
    least: 'admin',
    allowed: 201,
    body: { url: 'https://example.org/', events: ['comment.added'] },
    malformed: { body: { url: 'https://example.org/', events: ['everything'] } },
  },
  getWebhook: { least: 'admin', allowed: 200 },
  updateWebhook: { least: 'admin', allowed: 200, body: {}, malformed: { body: { active: null } } },
  deleteWebhook: { least: 'admin', allowed: 205, destroys: true },
  listWebhookDeliveries: { least: 'admin', allowed: 200, ...PAGED },
  redeliverWebhookDelivery: { least: 'admin', allowed: 200, destroys: true },
  // the audit trail
  listAuditEvents: { least: 'admin', allowed: 200, malformed: { query: { from: 'yesterday' } } },
  // invitations
  listOrganizationInviteLinks: { least: 'admin', allowed: 200, ...PAGED },
  createOrganizationInvite: { least: 'admin', allowed: 201, body: { role: null }, malformed: { body: {} } },
  getOrganizationInviteLink: { least: 'stranger', allowed: 200 },
  updateOrganizationInviteById: { least: 'admin', allowed: 200, body: { role: 'read' }, malformed: { body: {} } },
  deleteOrganizationInviteById: { least: 'admin', allowed: 205, destroys: true },
  inviteUsersToOrganization: {
    least: 'admin',
    allowed: 200,
    body: { emails: ['new@example.org'] },
    malformed: { body: { emails: [] } },
  },
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
  getEmbedByUrlInSpace: { ...READ, query: { url: 'https://example.org/' }, malformed: { query: { url: 'example' } } },
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
  getSpacePDF: { ...READ, malformed: { query: { only: true } } },
  // no archive
  putContentArchive: { least: 'edit', allowed: 400, type: 'application/zip', body: 'nothing' },
  listSpaceLinks: { ...READ, malformed: { query: { status: 'fine' } } },
  listPageLinksInSpace: { ...READ, ...PAGED },
  listSpacePageBacklinks: { ...READ, ...PAGED },
  listSpaceFileBacklinks: { ...READ, ...PAGED },
  searchSpaceContent: { ...READ, query: { query: 'word' }, malformed: { query: { query: ' ' } } },
  searchOrganizationContent: { least: 'guest', allowed: 200, query: { query: 'word' }, malformed: { query: {} } },
  // change requests: of somebody else
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
  // comments: of somebody else
  ...both((place) => ({
    [`listCommentsIn${place}`]: { ...COMMENT, malformed: { query: { status: 'closed' } } },
    [`postCommentIn${place}`]: { ...COMMENT, body: BODY, malformed: { body: { body: { text: 'x' } } } },
    [`getCommentIn${place}`]: { ...COMMENT, ...FORMAT },
    [`updateCommentIn${place}`]: {
      least: 'edit',
      allowed: 200,
      body: { resolved: true },
      malformed: { body: { resolved: 1 } },
    },
    [`deleteCommentIn${place}`]: { least: 'admin', allowed: 205, destroys: true },
    [`listCommentRepliesIn${place}`]: { ...COMMENT, ...PAGED },
    [`postCommentReplyIn${place}`]: { ...COMMENT, body: BODY, malformed: { body: {} } },
    [`getCommentReplyIn${place}`]: { ...COMMENT, ...FORMAT },
    [`updateCommentReplyIn${place}`]: {
      ...COMMENT,
      body: { addedReactions: ['👍'] },
      malformed: { body: { addedReactions: ['no'] } },
    },
    [`deleteCommentReplyIn${place}`]: { least: 'admin', allowed: 205, destroys: true },
  })),
};

/** The same for comments on spaces and on change requests. */
function both(rows: (place: string) => Record<string, AccessRow>): Record<string, AccessRow> {
  return { ...rows('Space'), ...rows('ChangeRequest') };
}
