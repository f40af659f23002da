import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { OptionalBody } from '../../common/input.pipe.js';
import { OneOf, Optional } from '../../common/validation.js';
import { TEAM_ROLES, type TeamRole } from '../../organizations/index.js';
import { MAX_NAMED, Named } from './team-fields.dto.js';

/** Body of `PUT /v1/orgs/:organizationId/teams/:teamId/members/:userId`; it may be left out. */
@OptionalBody()
export class SetTeamMemberDto {
  /** `member` for somebody new unless given; others stay what they are. */
  @Optional()
  @OneOf(TEAM_ROLES)
  @ApiPropertyOptional({ default: 'member' })
  role?: TeamRole;
}

/** What somebody is to be in a team. */
export class TeamMembershipDto {
  @OneOf(TEAM_ROLES)
  role!: TeamRole;
}

function isMemberships(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = Object.values(value) as unknown[];
  return given.length <= MAX_NAMED && given.every(isMembership);
}

function isMembership(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('role' in value)) return false;
  return TEAM_ROLES.some((role) => role === value.role);
}

/** Body of `PUT /v1/orgs/:organizationId/teams/:teamId/members`; people are named by id or e-mail address. */
export class UpdateTeamMembersDto {
  /** Who is to belong to it. */
  @Optional()
  @Named()
  add?: string[];

  /** Who is to belong to it no longer; of those who are named elsewhere too, this counts. */
  @Optional()
  @Named()
  remove?: string[];

  /** Who is to belong to it, and as what. */
  @Optional()
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', required: ['role'], properties: { role: { enum: [...TEAM_ROLES] } } },
  })
  @ValidateBy({
    name: 'memberships',
    validator: {
      validate: isMemberships,
      defaultMessage: () =>
        `memberships must be an object of at most ${String(MAX_NAMED)} people, each with a role: ${TEAM_ROLES.join(', ')}`,
    },
  })
  // as it was sent: names that every object has are names of nobody, and not to be left out
  @Transform(({ obj }: { obj: { memberships?: unknown } }) => obj.memberships)
  memberships?: Record<string, TeamMembershipDto>;
}
