import { QueryText } from '../../common/validation.js';

/** Query of `GET /v1/orgs/:organizationId/openapi/:specSlug/versions/:versionId/changes`. */
export class OpenApiChangesQuery {
  /** Id of the version to compare with; the one before unless given. */
  @QueryText()
  from?: string;
}
