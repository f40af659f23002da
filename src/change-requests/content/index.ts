import { AppContentController } from './app-content.controller.js';
import { AppContentService } from './app-content.service.js';
import { ChangeRequestContentController } from './change-request-content.controller.js';
import { ChangeRequestContentService } from './change-request-content.service.js';
import { ChangeRequestEditController } from './change-request-edit.controller.js';
import { ChangeRequestLinksController } from './change-request-links.controller.js';
import { MergedChangeRequests } from './merged-change-requests.js';

/** Routes to what change requests hold. */
export const contentControllers = [
  ChangeRequestContentController,
  ChangeRequestEditController,
  ChangeRequestLinksController,
  AppContentController,
];

/** What edits, updates and merges it. */
export const contentProviders = [ChangeRequestContentService, MergedChangeRequests, AppContentService];
