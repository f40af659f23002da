import { UserView } from '../users/index.js';

export const CHANGE_REQUEST_STATUSES = ['draft', 'open', 'archived', 'merged'] as const;
export type ChangeRequestStatus = (typeof CHANGE_REQUEST_STATUSES)[number];

/** Addresses of a change request. */
export class ChangeRequestUrls {
  /** The change request in this API. */
  location!: string;
  /** The change request in the application. */
  app!: string;
}

/** Changes to the content of a space that are worked on, reviewed and merged together. */
export class ChangeRequestView {
  object!: 'change-request';
  id!: string;
  /** 1, 2, 3... within the space; never given again. */
  number!: number;
  status!: ChangeRequestStatus;
  subject!: string;
  /** Who made it; absent when the account is gone. */
  createdBy?: UserView;
  /** When it was made, ISO 8601. */
  createdAt!: string;
  /** When it was last changed, its content included, ISO 8601. */
  updatedAt!: string;
  /** Id of the revision that holds its content. */
  revision!: string;
  /** Id of the revision of the space that it was made from. */
  revisionInitial!: string;
  /** Id of the revision of the space that it pulled last; absent before the first pull. */
  revisionMergedAncestor?: string;
  /** Id of the revision of the space that the merge made; absent until then. */
  revisionMerged?: string;
  /** How many comments it has. */
  comments!: number;
  /** Whether the space has content that it has not pulled; false once merged. */
  outdated!: boolean;
  urls!: ChangeRequestUrls;
}
