import { PageQuery } from '../../common/page.dto.js';
import { QueryText } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/members/:userId/teams`. */
export class ListMemberTeamsQuery extends PageQuery {
  /** Only teams whose title contains this, in any case. */
  @QueryText()
  title?: string;
}

/** Query of `GET /v1/orgs/:organizationId/teams`. */
export class ListTeamsQuery extends ListMemberTeamsQuery {
  /** Id of a member: only teams that the member can manage. */
  @QueryText()
  owner?: string;
}
