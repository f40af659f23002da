import { PickType } from '@nestjs/swagger';
import { TeamFields } from './team-fields.dto.js';

/** Body of `PATCH /v1/orgs/:organizationId/teams/:teamId`. */
export class UpdateTeamDto extends PickType(TeamFields, ['title']) {}
