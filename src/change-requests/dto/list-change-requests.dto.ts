import { PageQuery } from '../../common/page.dto.js';
import { QueryOneOf, QueryText } from '../../common/validation.js';
import { CHANGE_REQUEST_STATUSES, type ChangeRequestStatus } from '../../content/index.js';

/** Query of `GET /v1/spaces/:spaceId/change-requests`. */
export class ListChangeRequestsQuery extends PageQuery {
  @QueryOneOf(CHANGE_REQUEST_STATUSES, 'open')
  status?: ChangeRequestStatus;

  /** Id of who made it, or one of its revisions. */
  @QueryText()
  contributor?: string;
}
