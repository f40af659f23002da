import { ApiProperty } from '@nestjs/swagger';
import { IsISO8601, Matches } from 'class-validator';
import { Optional, Text } from '../../common/validation.js';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const NO_MOMENT = 'expiresAt must be a date and time in ISO 8601 with a time zone, such as 2030-01-31T12:00:00Z';

/** Body of `POST /v1/user/tokens`. */
export class CreateTokenDto {
  /** What the token is for. */
  @Text(1, 50)
  label!: string;

  /** From when on the token is refused, as ISO 8601 with a time zone; it must lie ahead. Left out: never. */
  @Optional()
  @ApiProperty({ format: 'date-time' })
  @Matches(MOMENT, { message: NO_MOMENT })
  @IsISO8601({ strict: true, strictSeparator: true }, { message: NO_MOMENT })
  expiresAt?: string;
}
