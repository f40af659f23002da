import { QueryBoolean } from '../../../common/validation.js';

/** Query of `POST /v1/spaces/:spaceId/change-requests/:changeRequestId/content`. */
export class EditChangeRequestQuery {
  /** Whether to answer the change request alone; `false`: with what became of each page. */
  @QueryBoolean(true)
  compat?: boolean;
}
