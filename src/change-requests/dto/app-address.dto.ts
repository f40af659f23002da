import { WebAddress } from '../../common/validation.js';

/** Query of `GET /v1/urls/content`. */
export class AppAddressQuery {
  /** An address in the application. */
  @WebAddress()
  url!: string;
}
