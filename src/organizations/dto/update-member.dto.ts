import { type Role, ROLES } from '../../common/roles.js';
import { OneOf, Optional } from '../../common/validation.js';

/** Body of `PATCH /v1/orgs/:organizationId/members/:userId`; an absent field is left as it is. */
export class UpdateMemberDto {
  /** `null` makes a guest. */
  @Optional()
  @OneOf([...ROLES, null])
  role?: Role | null;
}
