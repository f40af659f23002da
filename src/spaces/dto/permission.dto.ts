import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { PageQuery } from '../../common/page.dto.js';
import { type Role, ROLES } from '../../common/roles.js';
import { OneOf, Optional, QueryOneOf } from '../../common/validation.js';
import { MAX_GRANTS } from '../grant.schema.js';

/** A list of 1 to {@link MAX_GRANTS} ids. */
const Subjects = (): PropertyDecorator => (target, property) => {
  const message = `${String(property)} must be an array of 1 to ${String(MAX_GRANTS)} ids`;
  ApiProperty({ type: [String], minItems: 1, maxItems: MAX_GRANTS })(target, property);
  IsArray({ message })(target, property);
  ArrayMinSize(1, { message })(target, property);
  ArrayMaxSize(MAX_GRANTS, { message })(target, property);
  IsString({ each: true, message })(target, property);
};

/** Body of `POST …/permissions`: `users`, `teams` or both. */
export class GrantPermissionsDto {
  /** Ids of members of the organization. */
  @Optional()
  @Subjects()
  users?: string[];

  /** Ids of teams of the organization. */
  @Optional()
  @Subjects()
  teams?: string[];

  /** `null`: an entry without access. */
  @OneOf([...ROLES, null])
  role!: Role | null;
}

/** Body of `PATCH …/permissions/users/:userId` and `…/teams/:teamId`; an absent field is left as it is. */
export class UpdatePermissionDto {
  /** `null`: an entry without access. */
  @Optional()
  @OneOf([...ROLES, null])
  role?: Role | null;
}

/** Query of `GET …/permissions/aggregate`. */
export class ListEveryoneQuery extends PageQuery {
  /** Only those with exactly this role. */
  @QueryOneOf(ROLES)
  role?: Role;
}
