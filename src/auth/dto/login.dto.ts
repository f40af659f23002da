import { Text } from '../../common/validation.js';

/** Body of `POST /v1/auth/login`. */
export class LoginDto {
  @Text(1, 254)
  email!: string;

  @Text(1, 128)
  password!: string;
}
