import { type Role, ROLES } from '../../common/roles.js';
import { OneOf, Optional, Text } from '../../common/validation.js';

/** Body of `POST /v1/orgs/:organizationId/link-invites`: `role` for the organization, or `level` and `space`. */
export class CreateInviteDto {
  /** Role in the organization; `null`: guest. */
  @Optional()
  @OneOf([...ROLES, null])
  role?: Role | null;

  /** Level in the space; `null`: no access. */
  @Optional()
  @OneOf([...ROLES, null])
  level?: Role | null;

  /** Id of a space of the organization. */
  @Optional()
  @Text(1, 64)
  space?: string;
}
