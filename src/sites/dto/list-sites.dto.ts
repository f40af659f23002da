import { PageQuery } from '../../common/page.dto.js';
import { QueryBoolean, QueryText } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/sites`. */
export class ListSitesQuery extends PageQuery {
  /** Id of a space that the sites carry. */
  @QueryText()
  space?: string;

  /** Part of the title, in any case. */
  @QueryText(128)
  title?: string;

  @QueryBoolean()
  published?: boolean;
}
