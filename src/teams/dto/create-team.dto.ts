import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { TeamFields } from './team-fields.dto.js';

/** Body of `PUT /v1/orgs/:organizationId/teams`. */
export class CreateTeamDto extends IntersectionType(
  PickType(TeamFields, ['title']),
  PartialType(PickType(TeamFields, ['members']), { skipNullProperties: false }),
) {}
