import { Email, Optional, Text } from '../../common/validation.js';

/** Body of `POST /v1/auth/register`. */
export class RegisterDto {
  /** The address to sign in with; one account each. */
  @Email()
  email!: string;

  /** The name that others see. */
  @Text(1, 64)
  displayName!: string;

  @Text(8, 128)
  password!: string;

  /** Secret of an invitation by e-mail, or id of an invitation link; what it was for is joined at once. */
  @Optional()
  @Text(1, 200)
  invite?: string;
}
