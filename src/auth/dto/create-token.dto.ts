import { Moment, Optional, Text } from '../../common/validation.js';

/** Body of `POST /v1/user/tokens`. */
export class CreateTokenDto {
  /** What the token is for. */
  @Text(1, 50)
  label!: string;

  /** From when on the token is refused, as ISO 8601 with a time zone; it must lie ahead. Left out: never. */
  @Optional()
  @Moment()
  expiresAt?: string;
}
