import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageOf } from '../common/page.dto.js';
import type { Urls } from '../common/urls.js';
import type { Member } from '../organizations/index.js';
import { OpenApiSpecPermissions, openApiSpecPermissions } from './openapi-spec.policy.js';
import type { OpenApiSpec } from './openapi-spec.schema.js';

/** Where the description of an API is reached. */
export class OpenApiSpecUrls {
  location!: string;
  app!: string;
}

/** The description of an API, as the API returns it. */
export class OpenApiSpecView {
  object!: 'openapi-spec';
  id!: string;
  /** ISO 8601, UTC. */
  createdAt!: string;
  /** ISO 8601, UTC; when it was last given a source, or had a new version. */
  updatedAt!: string;
  slug!: string;
  /** Where it is fetched from; left out where its text was sent. */
  @ApiPropertyOptional({ type: 'string', format: 'uri', maxLength: 2048 })
  sourceURL?: string;
  processingState!: 'pending' | 'progress' | 'complete';
  /** Id of the newest version; left out before there is one. */
  lastVersion?: string;
  /** ISO 8601, UTC. */
  lastProcessedAt?: string;
  /** Why the last look at the source made no version; left out when it was all right. */
  lastProcessErrorCode?: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR';
  permissions!: OpenApiSpecPermissions;
  urls!: OpenApiSpecUrls;
}

export class OpenApiSpecPage extends PageOf(OpenApiSpecView) {}

/** Shapes `spec` for the caller whose membership is `member`. */
export function toOpenApiSpec(
  spec: OpenApiSpec,
  { member, urls }: { member: Member | null; urls: Urls },
): OpenApiSpecView {
  const { organization, slug } = spec;
  return {
    object: 'openapi-spec',
    id: spec._id,
    createdAt: spec.createdAt.toISOString(),
    updatedAt: spec.updatedAt.toISOString(),
    slug,
    ...(spec.url !== null && { sourceURL: spec.url }),
    processingState: spec.processingState,
    ...(spec.lastVersion !== null && { lastVersion: spec.lastVersion }),
    ...(spec.lastProcessedAt && { lastProcessedAt: spec.lastProcessedAt.toISOString() }),
    ...(spec.lastProcessErrorCode && { lastProcessErrorCode: spec.lastProcessErrorCode }),
    permissions: openApiSpecPermissions(member),
    urls: {
      location: urls.api('orgs', organization, 'openapi', slug),
      app: urls.app('o', organization, 'openapi', slug),
    },
  };
}
