import { ACCESS_OF_CHANGE_REQUESTS } from './access-change-requests.js';
import { ACCESS_OF_COMMENTS } from './access-comments.js';
import { ACCESS_OF_CONTENT } from './access-content.js';
import { ACCESS_OF_INTEGRATIONS, ACCESS_OF_WEBHOOKS } from './access-integrations.js';
import { ACCESS_OF_OPENAPI } from './access-openapi.js';
import {
  ACCESS_OF_AUDIT,
  ACCESS_OF_INVITATIONS,
  ACCESS_OF_MEMBERS,
  ACCESS_OF_SSO,
  ACCESS_OF_TEAMS,
} from './access-organizations.js';
import { ACCESS_OF_SITES } from './access-sites.js';
import { ACCESS_OF_PERMISSIONS, ACCESS_OF_SPACES } from './access-spaces.js';
import type { AccessRow } from './access-row.js';

export type { AccessRow, Target } from './access-row.js';

/** Every operation on the content of organizations, by the name that the contract gives it; called in this order, on the same things. */
export const ACCESS: Record<string, AccessRow> = {
  ...ACCESS_OF_TEAMS,
  ...ACCESS_OF_OPENAPI,
  ...ACCESS_OF_PERMISSIONS,
  ...ACCESS_OF_MEMBERS,
  ...ACCESS_OF_SSO,
  ...ACCESS_OF_SITES,
  ...ACCESS_OF_WEBHOOKS,
  ...ACCESS_OF_INTEGRATIONS,
  ...ACCESS_OF_AUDIT,
  ...ACCESS_OF_INVITATIONS,
  ...ACCESS_OF_SPACES,
  ...ACCESS_OF_CONTENT,
  ...ACCESS_OF_CHANGE_REQUESTS,
  ...ACCESS_OF_COMMENTS,
};
