import { WebAddress } from '../../common/validation.js';

/** Query of `GET /v1/spaces/:spaceId/embed`. */
export class EmbedQuery {
  /** The address to show. */
  @WebAddress()
  url!: string;
}
