import { QueryInteger, QueryText } from '../../common/validation.js';

/** Query of `GET /v1/integrations/:integrationName/script`. */
export class ScriptQuery {
  /** Id of the site on whose pages it is; without it, that it is on some published site will do. */
  @QueryText(64)
  site?: string;

  /** The version that is asked for; the present one may be kept for good. */
  @QueryInteger(1, 1_000_000_000)
  version?: number;
}
