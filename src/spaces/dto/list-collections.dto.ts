import { PageQuery } from '../../common/page.dto.js';
import { QueryBoolean } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/collections`. */
export class ListCollectionsQuery extends PageQuery {
  /** Whether collections within others are listed too. */
  @QueryBoolean(true)
  nested?: boolean;
}
