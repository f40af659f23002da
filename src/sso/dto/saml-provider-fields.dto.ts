import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLES } from '../../common/roles.js';
import { Nullable, OneOf, Text, WebAddress } from '../../common/validation.js';

/** The fields of an identity provider that bodies set. */
export class SamlProviderFields {
  @Text(1, 30)
  @ApiProperty({ example: 'Acme' })
  label!: string;

  /** Where people sign in. */
  @WebAddress()
  ssoURL!: string;

  /** What the identity provider calls itself; empty: none. */
  @Text(0, 1024)
  entityID!: string;

  /** What it signs with, as PEM, several one after the other, or as base64; empty: none. */
  @Text(0, 10_000)
  certificate!: string;

  /** Id of the team that new people join; `null`: none. */
  @Nullable()
  @Text(1, 64)
  defaultTeam!: string | null;

  /** Role of new people; `null`: guests. */
  @OneOf([...ROLES, null])
  defaultRole!: Role | null;
}
