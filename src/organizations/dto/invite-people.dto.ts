import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, ValidateNested } from 'class-validator';
import { type Role, ROLES } from '../../common/roles.js';
import { Email, OneOf, Optional } from '../../common/validation.js';

/** People who are invited by one request, at the most. */
const MAX_PEOPLE = 100;

const MANY = `emails must be an array of 1 to ${MAX_PEOPLE} e-mail addresses`;

/** Somebody who is invited, with a role of their own. */
export class InvitedPersonDto {
  @Email()
  email!: string;

  /** `null`: a guest. Left out: the role of the whole invitation. */
  @Optional()
  @OneOf([...ROLES, null])
  role?: Role | null;
}

/** Body of `POST /v1/orgs/:organizationId/invites`. */
export class InvitePeopleDto {
  /** Addresses, or addresses with a role; of one that stands there twice, the first counts. */
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_PEOPLE,
    items: { oneOf: [{ type: 'string', format: 'email' }, { $ref: '#/components/schemas/InvitedPersonDto' }] },
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(personOf) : value))
  @IsArray({ message: MANY })
  @ArrayMinSize(1, { message: MANY })
  @ArrayMaxSize(MAX_PEOPLE, { message: MANY })
  @ValidateNested({ each: true })
  emails!: InvitedPersonDto[];

  /** `null`: guests. Left out: the default role of the organization. */
  @Optional()
  @OneOf([...ROLES, null])
  role?: Role | null;

  /** Whether the identity provider of the organization is trusted for them. */
  @Optional()
  @IsBoolean()
  @ApiPropertyOptional({ default: false })
  sso?: boolean;
}

/** An address alone as an object too; anything else as it is, to be refused. */
function personOf(value: unknown): unknown {
  if (typeof value === 'string') return plainToInstance(InvitedPersonDto, { email: value });
  // of a list in the list, only what is in it would be checked
  if (Array.isArray(value)) return new InvitedPersonDto();
  return typeof value === 'object' && value !== null ? plainToInstance(InvitedPersonDto, value) : value;
}
