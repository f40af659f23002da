import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsDefined, IsIn, IsString, Matches, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { type Role, ROLES } from '../../common/roles.js';
import { Nullable, OneOf, Text, WebAddress } from '../../common/validation.js';
import { ORGANIZATION_TYPES, USE_CASES } from '../organization.schema.js';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

const MANY_DOMAINS = 'emailDomains must be an array of at most 50 domain names';

/** What the organization shows first. */
export class DefaultContentDto {
  @IsIn(['site'], { message: 'type must be site' })
  type!: 'site';

  /** Id of a site of this organization. */
  @IsDefined()
  @IsString()
  site!: string;
}

/** The fields of an organization that bodies set. */
export class OrganizationFields {
  @Text(2, 255)
  @ApiProperty({ example: 'Acme' })
  title!: string;

  /** Domains of the addresses of its people; lower-cased, duplicates dropped. */
  @ApiProperty({ type: [String], maxItems: 50, example: ['example.org'] })
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? [...new Set(value.map((one: unknown) => (typeof one === 'string' ? one.toLowerCase() : one)))]
      : value,
  )
  @IsArray({ message: MANY_DOMAINS })
  @ArrayMaxSize(50, { message: MANY_DOMAINS })
  @Matches(DOMAIN, { each: true, message: 'each value in emailDomains must be a domain name such as example.org' })
  emailDomains!: string[];

  /** Default hostname of public content; no other organization may hold it. */
  @ApiProperty({ minLength: 3, maxLength: 32, pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$' })
  @Matches(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/, {
    message: 'hostname must be 3 to 32 characters a-z, 0-9 and -, neither first nor last a -',
  })
  hostname!: string;

  @OneOf(ORGANIZATION_TYPES)
  @ApiProperty({ default: 'business' })
  type!: (typeof ORGANIZATION_TYPES)[number];

  @OneOf(USE_CASES)
  useCase!: (typeof USE_CASES)[number];

  /** Role that invitations preset; `null`: guest. */
  @OneOf([...ROLES, null])
  defaultRole!: Role | null;

  /** What the organization shows first; `null`: nothing in particular. */
  @Nullable()
  @ValidateNested()
  @Type(() => DefaultContentDto)
  defaultContent!: DefaultContentDto | null;

  /** Address of an image; `null` removes it. */
  @Nullable()
  @WebAddress()
  logo!: string | null;

  @IsBoolean()
  sso!: boolean;

  @IsBoolean()
  ai!: boolean;

  @IsBoolean()
  inviteLinks!: boolean;
}
