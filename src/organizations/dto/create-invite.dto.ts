import type { ApiBodyOptions } from '@nestjs/swagger';
import { type Role, ROLES } from '../../common/roles.js';
import { OneOf, Optional, Text } from '../../common/validation.js';

const LEVEL = { type: 'string', enum: [...ROLES, null], nullable: true };

/** What the description of the API says of the body: one of two forms (decision 3.44). */
export const NEW_INVITE: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  oneOf: [
    { type: 'object', required: ['role'], properties: { role: { ...LEVEL, description: 'Role in the organization' } } },
    {
      type: 'object',
      required: ['level', 'space'],
      properties: {
        level: { ...LEVEL, description: 'Level in the space; `null`: no access' },
        space: { type: 'string', minLength: 1, maxLength: 64, description: 'Id of a space of the organization' },
      },
    },
  ],
};

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
