import type { Role } from '../../src/common/roles.js';
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
  /** A private integration of the organization. */
  | 'integrationName'
  /** Its installation in the organization, on the space and the site. */
  | 'installationId'
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

/** What lists refuse. */
export const PAGED = { malformed: { query: { limit: 1001 } } };

/** What refuses other formats of pages than it has. */
export const FORMAT = { malformed: { query: { format: 'pdf' } } };

/** What refuses other words than true and false. */
export const METADATA = { malformed: { query: { metadata: 'perhaps' } } };

/** Everybody who may read the thing reads this. */
export const READ = { least: 'read', allowed: 200 } as const;

/** Administrators do it; there is nothing to answer. */
export const MANAGE = { least: 'admin', allowed: 204 } as const;
