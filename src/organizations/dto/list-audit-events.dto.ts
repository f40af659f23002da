import { AUDIT_ACTIONS, type AuditAction } from '../../audit/index.js';
import { PageQuery } from '../../common/page.dto.js';
import { QueryMoment, QueryOneOf, QueryText } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/audit-events`; all that is given must apply. */
export class ListAuditEventsDto extends PageQuery {
  /** Id of who did it; `system`: the service itself. */
  @QueryText(64)
  actor?: string;

  @QueryOneOf(AUDIT_ACTIONS)
  action?: AuditAction;

  /** Id of what it was done to. */
  @QueryText(64)
  resource?: string;

  /** From this moment on. */
  @QueryMoment()
  from?: string;

  /** Before this moment. */
  @QueryMoment()
  to?: string;
}
