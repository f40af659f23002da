import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Optional, QueryText, Text } from '../../common/validation.js';

/** Query of `GET /saml/:samlProviderId/login`. */
export class StartSamlSignInQuery {
  /** Where the browser goes with the token at the end: an address under that of the application, without a fragment. */
  @QueryText()
  RelayState?: string;
}

/** Form of `POST /saml/:samlProviderId/acs`. */
export class FinishSamlSignInDto {
  /** The response of the identity provider, in base64. */
  @ApiProperty()
  @IsString({ message: 'SAMLResponse must be given once, as text' })
  SAMLResponse!: string;

  /** As it was sent with the request. */
  @Optional()
  @Text(0, 2048)
  RelayState?: string;
}
