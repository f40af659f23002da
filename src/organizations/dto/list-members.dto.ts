import { OrderedPageQuery } from '../../common/page.dto.js';
import { type Role, ROLES } from '../../common/roles.js';
import { QueryOneOf, QueryText } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/members`. */
export class ListMembersDto extends OrderedPageQuery {
  /** Only those with this role; `guest`: those without one. */
  @QueryOneOf([...ROLES, 'guest'])
  role?: Role | 'guest';

  /** Only those whose name or e-mail address has this as a part, in any case. */
  @QueryText()
  search?: string;

  /** `lastSeenAt` leaves out who was never seen. */
  @QueryOneOf(['joinedAt', 'lastSeenAt'], 'joinedAt')
  sort?: 'joinedAt' | 'lastSeenAt';
}
